"""The report on a marketplace: what it says, that it fits, and that foreign text stays text.

Golden files are written anew with PLUGINEVAL_REGENERATE=1 (see golden_files.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest

from github_page import Page, assert_whole
from golden_files import assert_golden
from plugineval_action import PROJECT_URL
from plugineval_action.render.links import NO_LINKS, Links
from plugineval_action.render.report.files import BUDGET, REPORT_MARKER, render_report, report_files
from plugineval_action.results import Entry, Failure, MarketplaceReport
from sample_reviews import (
    agent,
    hostile_marketplace,
    huge_marketplace,
    many_marketplace,
    marketplace,
    plugin,
    skill,
)

LINKS = Links("../")
SCHEMA = Path(__file__).parent.parent / "docs" / "schema" / "report.schema.json"
ONE = marketplace(plugin("git", skill("commit", "MISSING_TRIGGER", trigger=0.0), agent("merger")))
MARKETPLACES = [marketplace(), ONE, many_marketplace(), hostile_marketplace()]


@pytest.mark.parametrize(
    ("name", "shown", "links"),
    [
        ("empty", marketplace(), LINKS),
        ("one", ONE, NO_LINKS),
        ("many", many_marketplace(), LINKS),
        ("hostile", hostile_marketplace(), LINKS),
    ],
)
def test_report_reads_as_when_it_was_last_looked_at(
    name: str, shown: MarketplaceReport, links: Links
) -> None:
    assert_golden(f"report_{name}.md", render_report(shown, links=links))


def test_hostile_text_becomes_no_element_no_foreign_link_and_no_reference() -> None:
    page = Page(render_report(hostile_marketplace(), links=LINKS))

    assert_whole(page)
    assert not page.elements & {"img", "script", "input", "math", "del"}
    assert [] == page.references
    assert all(link.startswith(("../", PROJECT_URL, "report.json")) for link in page.links)


def test_1000_plugins_fit_into_what_github_shows() -> None:
    report = render_report(huge_marketplace(1000), links=LINKS)

    assert len(report.encode()) <= BUDGET
    assert "1,000 plugins, 8,000 skills, 4,000 agents" in report
    assert "plugins in detail (" in report
    assert_whole(Page(report))


@pytest.mark.parametrize("budget", [10_000, 12_000, 14_000, 16_000])
def test_report_fits_a_budget_and_stays_whole(budget: int) -> None:
    report = render_report(many_marketplace(), budget, LINKS)

    assert len(report.encode()) <= budget
    assert "*Left out here to fit what GitHub shows: plugins in detail (" in report
    assert_whole(Page(report))


def test_same_marketplace_gives_the_same_bytes() -> None:
    assert report_files(many_marketplace()) == report_files(many_marketplace())


@pytest.mark.parametrize("shown", MARKETPLACES)
def test_json_holds_to_its_schema(shown: MarketplaceReport) -> None:
    document = json.loads(report_files(shown)["report.json"])

    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).validate(document)


def test_json_leaves_nothing_out_that_the_text_leaves_out() -> None:
    document = json.loads(report_files(huge_marketplace(300))["report.json"])

    assert 300 == len(document["plugins"])
    assert 12 == len(document["plugins"][0]["members"])


def test_best_plugin_leads_and_the_unscored_one_has_no_place() -> None:
    good, bad = plugin("zeta", skill("good")), plugin("alpha", skill("bad", "MISSING_TRIGGER"))
    report = render_report(marketplace(bad, good, plugin("commands")))

    assert "| 1 | `zeta` |" in report
    assert "| 2 | `alpha` |" in report
    assert "- `commands`: It has no skills or agents, only commands." in report


def test_what_two_plugins_share_counts_once() -> None:
    shared = skill("shared", "MISSING_TRIGGER", trigger=0.0)
    report = render_report(marketplace(plugin("one", shared), plugin("two", shared)))

    assert report.splitlines()[3].startswith("2 plugins, 1 skill, 0 agents, ")
    assert "| `MISSING_TRIGGER` | 1 | 1 |" in report


def test_nothing_scored_is_a_dash_and_not_zero() -> None:
    report = render_report(marketplace(plugin("commands")))

    assert "| Plugins | 1 | 0 | — | — |" in report
    assert "| Skills | 0 | 0 | — | — |" in report


def test_drift_errors_and_external_entries_are_told_apart() -> None:
    report = render_report(
        marketplace(
            missing=(Entry("lost", "./plugins/lost"),),
            external=(Entry("far", "github sample-owner/far"),),
            unlisted=("plugins/secret",),
            failures=(Failure("a/SKILL.md", "It is a folder.", "Rename it."),),
        )
    )

    assert "### Listed, but not there\n\n- `lost`: ./plugins/lost\n" in report
    assert "### There, but not listed\n\n- `plugins/secret`\n" in report
    assert "### Errors\n\n- `a/SKILL.md`: It is a folder. Rename it.\n" in report
    assert "### Kept elsewhere\n\n- `far`: github sample-owner/far\n" in report


def test_one_badge_among_many_still_shows_in_the_bar() -> None:
    many = [skill(f"s{at}") for at in range(200)]
    report = render_report(marketplace(plugin("p", *many, skill("low", output=0.0, trigger=0.0))))

    assert "| Bronze | 0 | █\N{NO-BREAK SPACE}1 |" in report


def test_equal_scores_share_a_place() -> None:
    twins = [plugin(name, skill(f"in-{name}")) for name in ("b", "a")]
    report = render_report(marketplace(*twins, plugin("c", skill("low", trigger=0.0))))
    places = [line.split(" | ")[:2] for line in report.splitlines() if " | `" in line]

    assert [["| 1", "`a`"], ["| 1", "`b`"], ["| 3", "`c`"]] == places[:3]


def test_agents_only_are_marked_explained_and_come_after_skills_of_the_same_score() -> None:
    agents, skills = plugin("a", agent("x", 0.9), agent("y", 0.9)), plugin("b", skill("z"))
    layer, composite = skills.layers[0], agents.composite
    same = skills._replace(layers=(layer._replace(score=0.9),), composite=composite)
    report = render_report(marketplace(agents, same))

    assert "| 1 | `b` | 90.0 |" in report
    assert "| 2 | `a` (agents only) | 90.0 |" in report
    assert "“Agents only” marks plugins without skills" in report
    assert "gents only" not in render_report(marketplace(same))


def test_first_line_marks_a_report() -> None:
    assert REPORT_MARKER == render_report(hostile_marketplace()).splitlines()[0]


def test_rules_lead_to_their_pages_or_to_explain() -> None:
    assert "explain" not in render_report(ONE, links=LINKS)
    assert "[MISSING_TRIGGER](" in render_report(ONE, links=LINKS).partition("Plugin by plugin")[2]
    assert "`plugin-eval explain RULE`" in render_report(ONE)


def test_one_remedy_for_many_skills_is_one_line() -> None:
    skills = [skill(f"s{at}", "MISSING_TRIGGER", trigger=0.0) for at in range(3)]
    report = render_report(marketplace(plugin("p", *skills)))

    assert "1. **+9.2** in `s0`: Add a clause such as" in report
    assert "`skills/s0/SKILL.md:3` · `MISSING_TRIGGER` · and 2 other skills\n" in report
    assert "\n2. " not in report
