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
from plugineval_action.findings.withheld import withhold
from plugineval_action.render.report import to_json
from plugineval_action.render.report.files import report_files
from plugineval_action.render.report.model import NO_SITE, Model, Site, model
from plugineval_action.render.report.pages import BUDGET, REPORT_MARKER, front_page, pages
from plugineval_action.render.report.priorities import largest, priorities
from plugineval_action.render.report.view import front_view
from plugineval_action.render.result_data import dump, dump_long
from plugineval_action.report.history import HISTORY_FILE, History, read_history, with_run
from plugineval_action.report.records import records_of
from plugineval_action.report.scan import scored
from plugineval_action.report_values import Entry, MarketplaceReport
from plugineval_action.results import Failure, Finding
from plugineval_action.rulesets import DEFAULT
from plugineval_action.scoring.remedies import CONDITIONAL
from sample_reviews import (
    ATTACKS,
    HEAD,
    agent,
    hostile_marketplace,
    huge_marketplace,
    many_marketplace,
    marketplace,
    plugin,
    skill,
)

REPOSITORY = "https://github.com/sample-owner/sample-tools"
SITE = Site(f"{REPOSITORY}/blob", f"{REPOSITORY}/raw/reports", f"{REPOSITORY}/blob/reports")
SCHEMA = Path(__file__).parent.parent / "docs" / "schema" / "report.schema.json"
ONE = marketplace(plugin("git", skill("commit", "MISSING_TRIGGER", trigger=0.0), agent("merger")))
MARKETPLACES = [marketplace(), ONE, many_marketplace(), hostile_marketplace()]


def after(*earlier: MarketplaceReport) -> History:
    """The history of some reports, one after the other."""
    history = History()
    for report in earlier:
        history = with_run(history, records_of(report, history))
    return history


def a_week_before(report: MarketplaceReport) -> MarketplaceReport:
    """The same marketplace: one plugin scored less, one more, one is gone and one not yet there."""
    plugins = list(report.plugins)
    low = plugin("plugin-00", skill("first-0", "EMPTY_DESCRIPTION", output=0.0, trigger=0.0))
    high = plugin("plugin-01", skill("first-1"))
    gone = plugin("gone", skill("left"))
    plugins[:2] = scored(low), scored(high)
    return report._replace(
        identity=HEAD.replace("9", "1"), date="2026-01-24", plugins=(*plugins[:-2], scored(gone))
    )


PAST = after(a_week_before(many_marketplace()))


def front(report: MarketplaceReport, site: Site = NO_SITE, history: History | None = None) -> str:
    return front_page(front_view(model(report, history or History(), site)))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("empty", model(marketplace(), History(), SITE)),
        ("one", model(ONE, History())),
        ("many", model(many_marketplace(), PAST, SITE)),
        ("hostile", model(hostile_marketplace(), after(hostile_marketplace()), SITE)),
    ],
)
def test_front_page_reads_as_when_it_was_last_looked_at(name: str, shown: Model) -> None:
    assert_golden(f"report_{name}.md", front_page(front_view(shown)))


@pytest.mark.parametrize(
    ("golden", "page", "shown"),
    [
        ("report_plugin.md", "plugins/plugin-05.md", model(many_marketplace(), PAST, SITE)),
        ("report_plugin_local.md", "plugins/git.md", model(ONE, History())),
        ("report_loose.md", "outside-of-plugins.md", model(many_marketplace(), PAST, SITE)),
    ],
)
def test_other_pages_read_as_when_they_were_last_looked_at(
    golden: str, page: str, shown: Model
) -> None:
    assert_golden(golden, dict(pages(shown))[page])


def test_a_withheld_badge_is_said_with_its_reasons_wherever_the_badge_is() -> None:
    empty = Finding("EMPTY_EXAMPLES", "warning", "3 of 3 blocks are empty.", "Show one.", "s.md")
    gaming = withhold(skill("gaming")._replace(findings=(empty,)), DEFAULT)
    holder = withhold(plugin("holder", gaming), DEFAULT)
    files = report_files(marketplace(holder), History())

    for page in ("README.md", "plugins/holder.md"):
        assert "## Badges withheld" in files[page]
        assert 1 == files[page].count("3 of 3 blocks are empty. Show one.")
        assert "- `gaming`: 3 of 3 blocks are empty. Show one." in files[page]
    assert "withheld" in files["badges/holder.svg"]
    assert "withheld" in json.loads(files["badges/holder.json"])["message"]


def test_the_first_lines_say_how_many_moved_who_most_and_what_to_fix_first() -> None:
    low, high = skill("s", "MISSING_TRIGGER"), skill("s")
    names = ("one", "two", "three")
    worse = marketplace(*(plugin(name, low) for name in names), plugin("gone", high))
    better = marketplace(*(plugin(name, high) for name in names), plugin("four", low))
    last_week = worse._replace(identity="before", date="2026-01-24")
    lines = front(better, SITE, after(last_week)).splitlines()

    rose = "3 rose (most of all [one](plugins/one.md) ▲\N{NO-BREAK SPACE}+7.5)"
    assert lines[5].endswith(f" Since 2026-01-24: {rose}, 1 new, 1 removed.")
    assert lines[7].startswith("To fix first: **+3.8** in [s]")


def test_a_week_in_which_nothing_happened_says_so_at_the_top() -> None:
    last_week = ONE._replace(identity="before", date="2026-01-24")

    assert " Since 2026-01-24: no score moved.\n" in front(ONE, SITE, after(last_week))


def test_what_is_right_for_some_skills_only_is_advised_last_whatever_it_would_bring() -> None:
    names = ("one", "two", "three")
    short = [plugin(name, skill(name, length=0.0, trigger=0.0, output=0.0)) for name in names]
    over_all = priorities(marketplace(*short))
    for found in (over_all, largest(over_all)):
        conditional = [each.most.remedy in CONDITIONAL for each in found]

        assert [False, False, True] == conditional
        assert found[2].points > found[0].points > found[1].points


def test_hostile_text_becomes_no_element_no_foreign_link_and_no_reference() -> None:
    last_week = hostile_marketplace()._replace(identity="before", date="2026-01-24")
    for name, text in pages(model(hostile_marketplace(), after(last_week), SITE)):
        page = Page(text)
        own = (REPOSITORY, PROJECT_URL, "plugins/", "../", "report.json", "history.jsonl")

        assert_whole(page)
        assert not page.elements & {"script", "input", "math", "del"}, name
        assert [] == page.references, name
        assert [] == [
            link for link in page.links if not link.startswith((*own, "README", "outside"))
        ]


def test_names_of_movers_stay_names_in_the_text_of_a_chart() -> None:
    before = marketplace(*(plugin(name, skill("s")) for name in ATTACKS))
    now = marketplace(*(plugin(name, skill("s", "MISSING_TRIGGER")) for name in ATTACKS))
    earlier = before._replace(identity="before", date="2026-01-24")
    text = front(now, SITE, after(earlier))
    page = Page(text)

    assert "charts/movers-light.svg" in text
    assert_whole(page)
    assert [] == page.references
    assert not page.elements & {"script", "input", "math", "del"}


def test_1000_plugins_are_split_over_pages_that_github_shows_whole() -> None:
    files = dict(pages(model(huge_marketplace(1000), History(), SITE)))
    text = files["README.md"]

    assert all(len(page.encode()) <= BUDGET for page in files.values())
    assert "1,000 plugins, 8,000 skills, 4,000 agents" in text
    assert "These are the first 200 of 1,000, for GitHub shows no page of any length." in text
    assert "[1–500](ranking-1.md), [501–1,000](ranking-2.md)" in text
    assert 200 == text.count("](plugins/")
    assert 500 == files["ranking-2.md"].count("](plugins/")
    assert {f"plugins/plugin-{at:04}.md" for at in range(1000)} < files.keys()
    assert "Left out here" not in text
    assert_whole(Page(files["ranking-1.md"]))


def test_drift_without_end_is_left_out_and_said() -> None:
    lost = tuple(Entry(f"lost-{at}", "./plugins/" + "x" * 200) for at in range(4000))
    report = front(marketplace(missing=lost), SITE)

    assert len(report.encode()) <= BUDGET
    assert "*Left out here to fit what GitHub shows: missing plugins (" in report
    assert_whole(Page(report))


@pytest.mark.parametrize("budget", [14_000, 15_000])
def test_front_page_fits_a_budget_and_stays_whole(budget: int) -> None:
    report = front_page(front_view(model(many_marketplace(), PAST, SITE)), budget)

    assert len(report.encode()) <= budget
    assert "*Left out here to fit what GitHub shows: " in report
    assert_whole(Page(report))


def test_same_commit_again_gives_the_same_bytes_and_the_history_once() -> None:
    first = report_files(ONE, PAST, SITE)
    again = report_files(ONE, read_history(first[HISTORY_FILE]), SITE)

    assert first == again
    assert first[HISTORY_FILE].count("\n") == len(PAST.records) + 1


def test_every_picture_that_a_page_shows_is_a_file() -> None:
    files = report_files(many_marketplace(), PAST, SITE)
    shown = {
        part.split('"')[0]
        for text in (files["README.md"], files["plugins/plugin-05.md"])
        for key in ('src="', 'srcset="')
        for part in text.split(key)[1:]
    }

    assert {"charts/trend-light.svg", "charts/movers-dark.svg"} <= shown
    assert set() == {path.removeprefix("../") for path in shown} - files.keys()
    assert "badges/plugin-05.svg" in files
    assert "badges/marketplace.json" in files


def test_page_of_a_plugin_stays_as_it_is_while_the_plugin_does() -> None:
    """A commit a week that changes every page would make the branch grow without end."""
    first = marketplace()._replace(plugins=(scored(plugin("p", skill("s")), "d1"),))
    later = first._replace(identity=HEAD[::-1], date="2026-02-07")
    before = dict(pages(model(first, History(), SITE)))
    now = dict(pages(model(later, after(first), SITE)))

    assert before["plugins/p.md"] == now["plugins/p.md"]
    assert f"{REPOSITORY}/blob/{HEAD}/" in now["plugins/p.md"]
    assert before["README.md"] != now["README.md"]


def test_changed_plugin_is_linked_at_the_commit_that_was_scored() -> None:
    first = marketplace()._replace(plugins=(scored(plugin("p", skill("s")), "d1"),))
    later = first._replace(
        identity=HEAD[::-1], date="2026-02-07", plugins=(scored(plugin("p", skill("s")), "d2"),)
    )
    page = dict(pages(model(later, after(first), SITE)))["plugins/p.md"]

    assert f"{REPOSITORY}/blob/{HEAD[::-1]}/skills/s/SKILL.md" in page
    assert HEAD not in page


def test_uncommitted_changes_are_not_linked_to_a_commit_that_does_not_hold_them() -> None:
    report = ONE._replace(identity="9a8b7c6d5e + uncommitted changes")
    files = dict(pages(model(report, History(), SITE)))

    assert "at `9a8b7c6d5e + uncommitted changes`." in files["README.md"]
    assert "/blob/9a8b7c6d5e" not in "".join(files.values())


@pytest.mark.parametrize("shown", MARKETPLACES)
def test_json_holds_to_its_schema(shown: MarketplaceReport) -> None:
    document = json.loads(to_json.render(model(shown, PAST, SITE)))

    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).validate(document)


@pytest.mark.parametrize("items", [[], [{"a": []}], [{"a": "x\u2028y"}, {"b": {"c": [1, 2]}}]])
def test_a_long_list_is_written_as_any_other(items: list[dict[str, object]]) -> None:
    whole = dump({"first": "[]", "items": items, "last": [{"items": []}]})

    assert whole == dump_long({"first": "[]", "items": [], "last": [{"items": []}]}, "items", items)


def test_json_leaves_nothing_out_that_the_text_leaves_out() -> None:
    document = json.loads(to_json.render(model(huge_marketplace(300), History())))

    assert 300 == len(document["plugins"])
    assert 12 == len(document["plugins"][0]["members"])


def test_best_plugin_leads_and_the_unscored_one_has_no_place_but_a_row_with_its_reason() -> None:
    good, bad = plugin("zeta", skill("good")), plugin("alpha", skill("bad", "MISSING_TRIGGER"))
    broken = plugin("broken")._replace(unscored="plugin.json is a folder.")
    report = front(marketplace(bad, broken, good))

    assert "| 1 | [zeta](plugins/zeta.md) |" in report
    assert "| 2 | [alpha](plugins/alpha.md) |" in report
    assert "|  | [broken](plugins/broken.md): plugin.json is a folder. | — |" in report


def test_what_two_plugins_share_counts_once() -> None:
    shared = skill("shared", "MISSING_TRIGGER", trigger=0.0)
    report = front(marketplace(plugin("one", shared), plugin("two", shared)))

    assert "\n2 plugins, 1 skill, 0 agents, " in report
    assert "| `MISSING_TRIGGER` | 1 | 1 |" in report
    assert "| **+9.2** | 1 | Add a clause such as" in report


def test_nothing_scored_is_a_dash_and_not_zero() -> None:
    report = front(marketplace(plugin("commands")))

    assert "| Mean score of plugins | — |" in report
    assert "| Plugins with a score | 0 |" in report


def test_skills_without_plugins_are_ranked_themselves() -> None:
    loose = (scored(skill("low", trigger=0.0)), scored(skill("high")))
    files = dict(pages(model(marketplace(loose=loose), History())))

    assert "| Mean score of skills |" in files["README.md"]
    assert "| 1 | [high](plugins/high.md) |" in files["README.md"]
    assert "plugins/low.md" in files
    assert "outside-of-plugins.md" not in files


def test_drift_errors_and_external_entries_are_told_apart() -> None:
    report = front(
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
    assert "### Kept elsewhere, not scored\n\n- `far`: github sample-owner/far\n" in report


def test_one_badge_among_many_still_shows_in_the_bar() -> None:
    many = [skill(f"s{at}") for at in range(200)]
    report = front(marketplace(plugin("p", *many, skill("low", output=0.0, trigger=0.0))))

    assert "| Bronze | 0 | █\N{NO-BREAK SPACE}1 |" in report


def test_equal_scores_share_a_place() -> None:
    twins = [plugin(name, skill(f"in-{name}")) for name in ("b", "a")]
    report = front(marketplace(*twins, plugin("c", skill("low", trigger=0.0))))
    rows = [line.split(" | ")[:2] for line in report.splitlines() if "](plugins/" in line]

    expected = [
        ["| 1", "[a](plugins/a.md)"],
        ["| 1", "[b](plugins/b.md)"],
        ["| 3", "[c](plugins/c.md)"],
    ]
    assert expected == rows


def test_agents_only_are_marked_explained_and_come_after_skills_of_the_same_score() -> None:
    agents, skills = plugin("a", agent("x", 0.9), agent("y", 0.9)), plugin("b", skill("z"))
    layer, composite = skills.layers[0], agents.composite
    same = skills._replace(layers=(layer._replace(score=0.9),), composite=composite)
    report = front(marketplace(agents, same))

    assert "| 1 | [b](plugins/b.md) | 90.0 |" in report
    assert "| 2 | [a](plugins/a.md) (agents only) | 90.0 |" in report
    assert "“Agents only” marks plugins without skills" in report
    assert "gents only" not in front(marketplace(same))


def test_first_line_of_every_page_marks_a_report() -> None:
    found = pages(model(hostile_marketplace(), History()))

    assert {REPORT_MARKER} == {text.splitlines()[0] for _, text in found}


def test_rules_lead_to_their_pages_or_to_explain() -> None:
    assert "explain" not in front(ONE, SITE)
    assert "[MISSING_TRIGGER](" in front(ONE, SITE)
    assert "`plugin-eval explain RULE`" in front(ONE)


def test_one_remedy_for_many_skills_is_one_line_with_their_points_together() -> None:
    skills = [skill(f"s{at}", "MISSING_TRIGGER", trigger=0.0) for at in range(3)]
    report = front(marketplace(plugin("p", *skills)))

    assert "1. **+9.2** in `s0`: Add a clause such as" in report
    assert "`skills/s0/SKILL.md:3` · `MISSING_TRIGGER` · and 2 other skills\n" in report
    assert "| **+27.5** | 3 | Add a clause such as" in report
    assert "\n2. " not in report


def test_movers_come_with_their_reasons() -> None:
    before = marketplace(
        plugin("up", skill("u", "MISSING_TRIGGER", trigger=0.0)), plugin("down", skill("d"))
    )._replace(identity="before", date="2026-01-24")
    now = marketplace(plugin("up", skill("u")), plugin("down", skill("d", "DEAD_CROSS_REF")))
    report = front(now, NO_SITE, after(before))

    assert "▲\N{NO-BREAK SPACE}" in report.partition("### Risers")[2].partition("###")[0]
    assert "| −1 `MISSING_TRIGGER`, triggering accuracy +15.0 |" in report
    assert "| +1 `DEAD_CROSS_REF` |" in report.partition("### Fallers")[2]


def test_what_moved_against_the_score_is_no_reason_for_it() -> None:
    low = skill("s", "MISSING_TRIGGER", "EMPTY_DESCRIPTION", trigger=0.0)
    before = marketplace(plugin("up", low))._replace(identity="before", date="2026-01-24")
    now = marketplace(plugin("up", skill("s", "DEAD_CROSS_REF")))
    risers = front(now, NO_SITE, after(before)).partition("### Risers")[2].partition("\n##")[0]

    assert "−1 `MISSING_TRIGGER`" in risers
    assert "DEAD_CROSS_REF" not in risers


def test_snippet_shows_the_badge_where_the_report_is_published() -> None:
    shown = front(ONE, SITE)

    assert (
        f"]({REPOSITORY}/raw/reports/badges/marketplace.svg)]({REPOSITORY}/blob/reports/" in shown
    )
    assert "A badge to copy" not in front(ONE)


def test_attacks_get_file_names_that_are_only_names() -> None:
    files = dict(pages(model(hostile_marketplace(), History())))
    names = [name for name in files if name.startswith("plugins/")]

    assert 2 * len(ATTACKS) == len({name.lower() for name in names})
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-/.") for name in names)
