"""Evals in the weekly report: where they come from, their trend, and that old history still reads.

Golden files are written anew with PLUGINEVAL_REGENERATE=1 (see golden_files.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema_rs
import pytest

from action_run import WORKSPACE
from documents import read
from github_page import Page, assert_whole
from github_server import GitHubServer
from golden_files import assert_golden
from memory_tree import MemoryTree
from plugineval_action.render.report import to_json
from plugineval_action.render.report.canvas import PALETTES, Theme
from plugineval_action.render.report.eval_chart import eval_rates, eval_runs, rates_alt
from plugineval_action.render.report.model import Model, Site, model
from plugineval_action.render.report.pages import BUDGET, front_page, pages
from plugineval_action.render.report.pictures import chart_list
from plugineval_action.render.report.view import front_view
from plugineval_action.report.evals import broken_baselines, kept_evals, pooled
from plugineval_action.report.history import History, read_history, with_run, write_history
from plugineval_action.report.records import records_of
from plugineval_action.report.scan import scored
from plugineval_action.report_values import EvalRuns, Listing, MarketplaceReport, Scored
from report_run import BRANCH, change, market, page, plugins, report
from sample_evals import beside, evaluated, results, summary
from sample_history import record
from sample_reviews import ATTACKS, HEAD, huge_marketplace, marketplace, plugin, skill
from svg import texts

REPOSITORY = "https://github.com/sample-owner/sample-tools"
SITE = Site(f"{REPOSITORY}/blob", f"{REPOSITORY}/raw/reports", f"{REPOSITORY}/blob/reports")
LISTING = Listing("csv", "", "plugins/p/skills/csv", "Reads.", hidden=False)


# Where they come from


def evals_of(files: dict[str, str]) -> list[EvalRuns]:
    return list(kept_evals(MemoryTree(files), [LISTING]))


BOTH = beside(
    summary({"a": "pp", "b": "f"}, "csv"),
    summary({"a": "pf"}, "csv", harness="claude"),
    skill="csv",
)


@pytest.mark.parametrize("around", ["", "plugins/", "plugins/p/", "plugins/p/skills/csv/"])
def test_the_nearest_baseline_from_the_skill_upwards_counts(around: str) -> None:
    far = beside(summary({"x": "f"}, "csv"), skill="csv")
    files = (far if around else {}) | {f"{around}{path}": text for path, text in BOTH.items()}

    assert {"claude": (1, 2), "codex": (2, 3)} == pooled(evals_of(files))


def test_without_cases_for_the_skill_a_baseline_is_of_others() -> None:
    assert [] == evals_of({"evals/baseline.json": BOTH["evals/baseline.json"]})
    assert [] == evals_of({"evals/csv.prompts.csv": BOTH["evals/csv.prompts.csv"]})


def test_a_broken_baseline_is_told_once_and_costs_no_report() -> None:
    files = {**BOTH, "evals/baseline.json": "{"}
    found = list(broken_baselines(MemoryTree(files), ["plugins/p/skills/csv", "plugins/q"]))

    assert [] == evals_of(files)
    assert ["evals/baseline.json"] == [each.path for each in found]
    assert "Let `plugin-eval eval grade --save-baseline` write it anew." == found[0].remedy


# History


def test_a_line_without_evals_reads_and_is_written_as_before() -> None:
    old = write_history(History((record(),)))

    assert "evals" not in old
    assert read_history(old).records[0].evals is None


def test_evals_are_kept_in_the_line() -> None:
    kept = History((record(evals={"codex": (7, 9)}),))

    assert '"evals":{"codex":[7,9]}' in write_history(kept)
    assert kept == read_history(write_history(kept))


# Pages


def of(name: str, *evals: tuple[str, int, int]) -> Scored:
    """A plugin with a skill whose evals have ten cases, by harness the runs that passed."""
    path = f"skills/{name}-skill"
    cases = {
        harness: tuple((int(at < passed), 1) for at in range(graded))
        for harness, passed, graded in evals
    }
    found = tuple(EvalRuns(path, harness, each) for harness, each in cases.items())
    return scored(plugin(name, skill(f"{name}-skill")))._replace(evals=found)


def week(number: int, *found: Scored) -> MarketplaceReport:
    commit = HEAD.replace("9", str(number))
    day = f"2026-01-{5 + 7 * number:02}"
    return marketplace()._replace(identity=commit, date=day, plugins=found)


def shown(*weeks: MarketplaceReport) -> Model:
    history = History()
    for each in weeks[:-1]:
        history = with_run(history, records_of(each, history))
    return model(weeks[-1], history, SITE)


THREE = shown(
    week(0, of("bills", ("codex", 8, 10)), of("letters")),
    week(1, of("bills", ("codex", 9, 10), ("claude", 6, 10)), of("letters", ("codex", 5, 5))),
    week(2, of("bills", ("codex", 6, 10), ("claude", 7, 10)), of("letters", ("codex", 5, 5))),
)


@pytest.mark.parametrize(
    ("golden", "name"),
    [("report_evals.md", "README.md"), ("report_evals_plugin.md", "plugins/bills.md")],
)
def test_pages_with_evals_read_as_when_somebody_last_looked(golden: str, name: str) -> None:
    assert_golden(golden, dict(pages(THREE))[name])


def test_what_lost_most_comes_first_with_where_it_was() -> None:
    rows = front_view(THREE).evals

    assert [("bills", "codex"), ("letters", "codex"), ("bills", "claude")] == [
        (row.name[1:].partition("]")[0], row.harness) for row in rows
    ]
    assert "90\N{NO-BREAK SPACE}% on 2026-01-12, ▼\N{NO-BREAK SPACE}−30.0" == rows[0].before


def test_without_evals_no_page_speaks_of_them() -> None:
    one = shown(week(0, of("bills")), week(1, of("bills")))

    assert not [name for name, text in pages(one) if "Eval" in text.replace("Plugin Eval", "")]
    assert "evals" not in [each.name for each in chart_list(one)]


def test_the_numbers_at_the_top_hold_each_harness() -> None:
    found = {each.name: each.now for each in front_view(THREE).numbers}

    assert "73\N{NO-BREAK SPACE}%" == found["Eval runs passed with codex"]
    assert "70\N{NO-BREAK SPACE}%" == found["Eval runs passed with claude"]


def test_a_page_with_evals_of_many_plugins_fits() -> None:
    many = huge_marketplace(600)
    every = tuple(
        each._replace(evals=(EvalRuns(each.result.path, ATTACKS[at % 10], ((1, 1),)),))
        for at, each in enumerate(many.plugins)
    )
    text = front_page(front_view(model(many._replace(plugins=every), History(), SITE)))

    assert len(text.encode()) <= BUDGET
    assert_whole(Page(text))


def test_harnesses_that_attack_stay_text() -> None:
    attacks = tuple((attack, 1, 2) for attack in ATTACKS)
    one = shown(week(0, of("bills", *attacks)), week(1, of("bills", *attacks)))
    for name in ("README.md", "plugins/bills.md"):
        page = Page(dict(pages(one))[name])
        assert_whole(page)
        assert not page.elements & {"script", "input", "math", "del"}
        assert not [link for link in page.links if "evil" in link]


def test_the_json_has_the_evals_of_each_plugin_and_fits_its_schema() -> None:
    document = json.loads(to_json.render(THREE))
    check = jsonschema_rs.validator_for(json.loads(read("docs/schema/report.schema.json")))
    bills = next(each for each in document["plugins"] if each["name"] == "bills")

    assert [] == [str(error) for error in check.iter_errors(document)]
    assert [("codex", 10, 6, 10), ("claude", 10, 7, 10)] == [
        (each["harness"], each["cases"], each["passed"], each["graded"]) for each in bills["evals"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_chart_has_a_line_for_each_harness_named_where_it_ends(theme: Theme) -> None:
    runs = eval_runs(THREE.timeline.runs)
    drawn = eval_rates(runs, theme)

    assert {"70 % claude", "73 % codex"} <= set(texts(drawn))
    assert PALETTES[theme].line in drawn
    assert drawn == eval_rates(runs, theme)
    assert "70 % with claude, 73 % with codex. On 2026-01-05: 80 % with codex." in rates_alt(runs)


# The action


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as running:
        yield running


def kept(signs: str) -> dict[str, str]:
    return {
        f"plugins/bills/{path}": text
        for path, text in beside(summary({"one": signs}, "bills"), skill="bills").items()
    }


def test_every_report_adds_how_the_baseline_stands(server: GitHubServer, tmp_path: Path) -> None:
    home = market(server, "bills", "letters")
    change(home, {**plugins("bills", "letters"), **kept("pp")})
    report(server, tmp_path)
    change(home, {**plugins("bills", "letters"), **kept("pf")})
    done = report(server, tmp_path)
    stored = [json.loads(line) for line in page(home, "history.jsonl").splitlines()]

    assert 0 == done.code
    assert [{"codex": [2, 2]}, None, {"codex": [1, 2]}, None] == [
        each.get("evals") for each in stored
    ]
    assert "| codex | 1 | 1 of 2 |" in page(home)
    assert "charts/evals-light.svg" in home.files(BRANCH)
    assert "Eval runs passed with codex" in done.summary


def test_results_of_the_same_job_take_the_place_of_the_baseline(
    server: GitHubServer, tmp_path: Path
) -> None:
    home = market(server, "bills", "letters")
    change(home, {**plugins("bills", "letters"), **kept("pp")})
    folder = tmp_path / WORKSPACE / "out"
    folder.mkdir(parents=True)
    told = results(summary({"one": "ff"}, "bills"), summary({}, "gone"))
    (folder / "r.json").write_text(told)
    answers = evaluated("one", 1, {"Tone": (80,)}, "accept", 0.9)
    (folder / "claude.json").write_text(
        results(summary({"one": "p"}, "bills", harness="claude"), evaluated=(answers,))
    )
    done = report(server, tmp_path, evals="out")

    assert 0 == done.code
    assert "| codex | 1 | 0 of 2 |" in page(home)
    assert "out/r.json: no skill is called gone" in done.log
    assert 1 == page(home, "plugins/bills.md").count(
        "with claude: 1 answer evaluated: 80.00 of 100; 1 accept (confidence 0.90)."
    )
    assert "no skill is called gone" in page(home)


def test_results_that_are_missing_are_told_in_the_report(
    server: GitHubServer, tmp_path: Path
) -> None:
    home = market(server, "bills")
    done = report(server, tmp_path, evals="out/*.json")

    assert 0 == done.code
    assert "::warning title=PluginEval::evals: out/*.json matches no file" in done.log
    assert "matches no file" in page(home)


def test_shares_carry_evals_and_take_no_results(server: GitHubServer, tmp_path: Path) -> None:
    home = market(server, "bills", "letters")
    change(home, {**plugins("bills", "letters"), **kept("pp")})
    share = report(server, tmp_path, shard="1/2")
    refused = report(server, tmp_path, shard="1/2", evals="out")

    assert '"codex",[[2,2]]' in Path(share.outputs["result-json"]).read_text()
    assert 2 == refused.code
    assert "evals does nothing with shard" in refused.log
