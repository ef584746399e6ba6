"""Runs put together: rates, pairs, costs, and what changed since the baseline."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.errors import UsageError
from plugineval_action.evals.baseline import (
    Changes,
    changes,
    harness_of,
    parse_baseline,
    read_baseline,
    with_summary,
)
from plugineval_action.evals.cases import Case, Kind
from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.grading import Facts, Graded, Outcome, Run
from plugineval_action.evals.outcomes import Summary, Trial, summarise
from plugineval_action.evals.recordings import Arm
from plugineval_action.evals.traces.events import End, Harness, Started, Usage
from plugineval_action.render.evals import to_json, to_junit, to_markdown
from plugineval_action.render.evals.view import EvalRun
from plugineval_action.stats.paired import mcnemar_exact, pass_at_k
from sample_evals import evaluated


def case(name: str, kind: Kind = "implicit") -> Case:
    return Case(id=name, should_trigger=kind != "negative", prompt="x", kind=kind)


def trial(
    one: Case,
    outcome: Outcome = "passed",
    *,
    arm: Arm = "with",
    activated: bool = True,
    usage: Usage | None = None,
) -> Trial:
    """A run whose one check says what the outcome is."""
    status = "unknown" if outcome == "ungraded" else outcome
    active: list[Graded] = []
    if arm == "with":
        right = activated == one.should_trigger
        verdict = Verdict("passed" if right else "failed", "")
        if one.kind == "explicit" and not activated:
            verdict = Verdict("skipped", "")
        active = [Graded("activation", "activation", "process", must_pass=True, verdict=verdict)]
    work = Graded("work", "file_exists", "outcome", must_pass=True, verdict=Verdict(status, "w"))
    facts = Facts(None, End(9, "completed"), usage, "Done.", 1, int(activated), ())
    return Trial(Run(one, outcome, "", (*active, work), facts), arm, 1, "t.jsonl")


def summary(*trials: Trial, cases: Iterable[Case] | None = None) -> Summary:
    found = cases or dict.fromkeys(one.run.case for one in trials)
    return summarise("s", found, trials)


ARMS: tuple[Arm, ...] = ("with", "without")
OUTCOMES: tuple[Outcome, ...] = ("passed", "failed")
A, B, C = case("a"), case("b"), case("c")


def test_a_case_passes_fails_or_is_flaky_by_its_graded_runs() -> None:
    trials = [
        trial(A), trial(A), trial(A, "ungraded"), trial(B), trial(B, "failed"), trial(C, "failed"),
    ]  # fmt: skip
    done = summary(*trials, trial(case("d"), "ungraded"))

    expected = [("a", "passed", 2, 2), ("b", "flaky", 1, 2), ("c", "failed", 0, 1)]
    assert [*expected, ("d", "ungraded", 0, 0)] == [
        (one.case.id, one.state, one.passed, one.graded) for one in done.cases
    ]
    assert 2 == done.ungraded


def test_rates_are_told_by_kind_with_wilson_intervals() -> None:
    trials = [trial(case(f"i{at}"), "passed" if at < 9 else "failed") for at in range(10)]
    [kind] = summary(*trials).kinds

    assert ("implicit", 10, 9, 10) == (kind.kind, kind.cases, kind.rate.hits, kind.rate.runs)
    assert kind.rate.interval
    assert (0.5958, 0.9821) == tuple(round(end, 4) for end in kind.rate.interval)


def test_repeats_of_one_prompt_count_for_less_than_other_prompts() -> None:
    alike = [
        trial(case(f"i{at}"), "passed" if at else "failed") for at in range(4) for _ in "12345"
    ]
    single = [trial(case(f"i{at}"), "passed" if at < 15 else "failed") for at in range(20)]
    wide, narrow = summary(*alike).kinds[0].rate, summary(*single).kinds[0].rate

    assert wide.share == narrow.share == 0.75
    assert wide.interval
    assert narrow.interval
    assert wide.interval.low < narrow.interval.low


def test_precision_and_recall_are_of_runs_that_show_activation() -> None:
    negative, explicit = case("n", "negative"), case("e", "explicit")
    done = summary(
        trial(A), trial(B), trial(C, "failed", activated=False),
        trial(negative, "failed", activated=True), trial(case("m", "negative"), activated=False),
        trial(explicit, activated=False),
    )  # fmt: skip

    assert (2, 3) == done.precision[:2]
    assert (2, 3) == done.recall[:2]


def test_without_a_run_nothing_is_measured() -> None:
    done = summary(cases=[A])

    assert (None, None) == (done.precision.share, done.recall.interval)
    assert (("a",), (), None) == (done.not_run, done.cases, done.paired)


def test_with_and_without_are_paired_by_case() -> None:
    names = [case(f"i{at}") for at in range(6)]
    withs = [trial(one) for one in names]
    without = [trial(one, "failed", arm="without") for one in names[:5]]
    done = summary(*withs, *without, trial(names[5], "ungraded", arm="without"))

    assert done.paired
    assert (5, 5, 0, 5, 0.0625) == (
        done.paired.cases, done.paired.with_skill, done.paired.without_skill,
        len(done.paired.won), done.paired.p,
    )  # fmt: skip


def test_a_skill_that_was_not_activated_may_still_have_reached_its_goal() -> None:
    """Otherwise the arm without could never win, nor the one with lose fairly."""
    missed = trial(A, "passed", activated=False)
    done = summary(missed, trial(A, "passed", arm="without"))

    assert done.paired
    assert ((), ()) == (done.paired.won, done.paired.lost)


def test_an_evaluation_stands_in_every_form_of_output_beside_its_run() -> None:
    given = {"Tone": (80.0, 90.0), "<&>": (70.0,)}
    of_b = evaluated("b", 1, given, "accept", 0.9)
    run = EvalRun(summary(trial(A), trial(B)), None, "2026-01-01", (), (of_b,))
    markdown, text, junit = (writer.render([run]) for writer in (to_markdown, to_json, to_junit))
    root = ET.fromstring(junit)  # noqa: S314 - our own text

    metrics = "Tone 85.0 ± 7.1 (n = 2), <&> 70.0 (n = 1)"
    assert "| `b.1` | 77.50 | Tone 85.0 ± 7.1 (n = 2)," in markdown
    [told] = json.loads(text)["skills"][0]["evaluations"]
    assert ("b", 1, 77.5, "accept") == (
        told["case"], told["repeat"], told["overall"], told["judgment"]["verdict"],
    )  # fmt: skip
    assert [
        ("a.1", None),
        ("b.1", f"Overall 77.50; {metrics}; verdict: accept, confidence 0.90"),
    ] == [(one.get("name"), one.findtext("system-out")) for one in root.iter("testcase")]


# At the edges


def written(one: Summary) -> list[str]:
    """The summary in all forms of output, which none may break."""
    run = EvalRun(one, changes(None, one), "2026-01-01T00:00:00+00:00", (), ())
    return [writer.render([run]) for writer in (to_markdown, to_json, to_junit)]


def test_where_nothing_could_be_graded_no_share_is_told() -> None:
    done = summary(*(trial(one, "ungraded") for one in (A, B)))
    [kind] = done.kinds
    markdown, text, junit = written(done)

    assert (0, None, None) == (kind.rate.runs, kind.rate.share, kind.rate.interval)
    assert (None, (), 2) == (done.paired, done.pass_at, done.ungraded)
    assert "No case could be graded." in markdown
    assert "2 runs could not be graded" in markdown
    assert json.loads(text)["skills"][0]["kinds"][0]["share"] is None
    assert 'failures="0" errors="0" skipped="2"' in junit


def test_one_run_of_one_case_has_an_interval_that_says_how_little_that_is() -> None:
    done = summary(trial(A))
    interval = done.kinds[0].rate.interval

    assert interval
    assert (0.2065, 1.0) == tuple(round(end, 4) for end in interval)
    assert () == done.pass_at
    assert "1 of 1 case passed" in written(done)[0]


def test_arms_that_end_alike_differ_by_nothing_that_could_not_be_chance() -> None:
    runs = [trial(A), trial(B, "failed")]
    done = summary(*runs, trial(A, arm="without"), trial(B, "failed", arm="without"))

    assert done.paired
    assert (2, 1, 1, (), (), 1.0) == tuple(done.paired)
    assert "p = 1.000" in written(done)[0]


def test_a_pair_with_an_ungraded_side_is_none() -> None:
    done = summary(trial(A), trial(A, "ungraded", arm="without"), trial(B, "ungraded"))

    assert done.paired is None
    assert all(written(done))


def test_half_of_the_repeats_is_not_most_of_them_in_either_arm() -> None:
    halves = [trial(A, outcome, arm=arm) for arm in ARMS for outcome in OUTCOMES]
    done = summary(*halves)

    assert done.paired
    assert (1, 0, 0) == done.paired[:3]


def test_only_negative_cases_have_no_recall() -> None:
    negative = case("n", "negative")
    done = summary(trial(negative, activated=False))

    assert (None, None) == (done.recall.share, done.precision.share)
    assert all(written(done))


@given(
    st.lists(
        st.tuples(
            st.sampled_from([A, B, case("n", "negative")]),
            st.sampled_from(["passed", "failed", "ungraded"]),
            st.sampled_from(["with", "without"]),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_whatever_runs_there_are_every_rate_holds_its_share(
    runs: list[tuple[Case, Outcome, Arm, bool]],
) -> None:
    trials = [trial(one, end, arm=arm, activated=active) for one, end, arm, active in runs]
    done = summary(*trials, cases=[A, B, case("n", "negative")])

    for found in (done.precision, done.recall, *(one.rate for one in done.kinds)):
        assert (found.runs == 0) == (found.interval is None)
        if found.interval and found.share is not None:
            low, high = found.interval
            assert 0 <= low <= found.share <= high <= 1
    shares = [share for _, share in done.pass_at]
    assert sorted(shares) == shares
    assert all(written(done))


def test_pass_at_k_is_the_mean_over_cases_up_to_the_fewest_repeats() -> None:
    five = [trial(A), trial(A), *[trial(A, "failed")] * 3]

    assert [(1, 0.4), (2, 0.7), (3, 0.9), (4, 1.0), (5, 1.0)] == [
        (k, round(share, 9)) for k, share in summary(*five).pass_at
    ]
    assert () == summary(trial(A), trial(B), trial(B)).pass_at


def test_costs_are_those_that_were_told() -> None:
    usage = Usage(1, 100, 0, 10, 0.25)
    done = summary(
        trial(A, usage=usage), trial(B), trial(A, arm="without", usage=usage._replace(usd=None))
    )

    assert [("with", 1, 110, 0.25), ("without", 1, 110, None)] == [tuple(one) for one in done.costs]
    assert ("with", 0, None, None) == summary(trial(A)).costs[0]


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [(5, 0, 0.0625), (0, 0, 1.0), (3, 3, 1.0), (6, 0, 0.03125), (1, 8, 0.0390625)],
)
def test_mcnemars_exact_test(won: int, lost: int, p: float) -> None:
    assert p == mcnemar_exact(won, lost) == mcnemar_exact(lost, won)


@pytest.mark.parametrize(("k", "share"), [(1, 0.4), (2, 0.7), (3, 0.9)])
def test_pass_at_k(k: int, share: float) -> None:
    assert share == round(pass_at_k(5, 2, k), 12)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="-1 won"):
        mcnemar_exact(-1, 0)
    with pytest.raises(ValueError, match="k = 6"):
        pass_at_k(5, 2, 6)


# The baseline


def stored(tmp_path: Path, *trials: Trial) -> Path:
    path = tmp_path / "baseline.json"
    path.write_text(with_summary(None, summary(*trials)))
    return path


def test_cases_are_broken_fixed_flaky_new_or_gone(tmp_path: Path) -> None:
    names = {name: case(name) for name in ("broken", "fixed", "flaky", "gone", "same", "still")}
    before = [
        trial(one, "failed" if one.id in ("fixed", "still") else "passed") for one in names.values()
    ]
    after = [
        trial(names["broken"], "failed"), trial(names["fixed"]), trial(names["flaky"]),
        trial(names["flaky"], "failed"), trial(names["same"]), trial(names["still"], "failed"),
        trial(case("new")),
    ]  # fmt: skip

    assert Changes(("broken",), ("fixed",), ("flaky",), ("new",), ("gone",)) == changes(
        read_baseline(stored(tmp_path, *before)), summary(*after)
    )


def test_a_failure_of_the_harness_breaks_nothing(tmp_path: Path) -> None:
    found = changes(read_baseline(stored(tmp_path, trial(A))), summary(trial(A, "ungraded")))

    assert Changes((), (), (), (), ()) == found


def test_saving_keeps_what_was_not_graded_and_drops_cases_that_are_gone(tmp_path: Path) -> None:
    before = read_baseline(stored(tmp_path, trial(A), trial(B), trial(C)))
    text = with_summary(before, summary(trial(A, "ungraded"), trial(B, "failed")))

    assert {"a": {"passed": 1, "graded": 1}, "b": {"passed": 0, "graded": 1}} == json.loads(text)[
        "skills"
    ]["s"]["unknown"]["cases"]


def test_skills_share_a_file(tmp_path: Path) -> None:
    before = read_baseline(stored(tmp_path, trial(A)))

    assert {"s", "t"} == set(json.loads(with_summary(before, summarise("t", [], [])))["skills"])
    assert changes(before, summarise("t", [], [])) is None
    assert read_baseline(tmp_path / "none.json") is None


def test_a_baseline_that_claims_what_no_runs_can_show_is_refused() -> None:
    """A number in it must not cost memory or time, nor a share pass the whole."""
    for kept, told in (
        ({"passed": 2, "graded": 1}, "more runs passed than were graded"),
        ({"passed": 1, "graded": 10**12}, "it tells of over 1,000,000 runs"),
    ):
        text = json.dumps({"version": 2, "skills": {"s": {"codex": {"cases": {"a": kept}}}}})
        with pytest.raises(UsageError, match=told):
            parse_baseline("b", text)


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        ("pf", "ff", "broken"),
        ("pf", "pp", "fixed"),
        ("pf", "fp", ""),
        ("ff", "pf", "flaky"),
        ("pp", "pf", "flaky"),
        ("?", "p", ""),
        ("p", "?", ""),
    ],
)
def test_a_case_changes_if_its_state_does(before: str, now: str, changed: str) -> None:
    kept = {"a": {"passed": before.count("p"), "graded": len(before.replace("?", ""))}}
    skills = {"s": {"unknown": {"cases": kept}}}
    outcome: dict[str, Outcome] = {"p": "passed", "f": "failed", "?": "ungraded"}
    found = changes(
        parse_baseline("b", json.dumps({"version": 2, "skills": skills})),
        summary(*(trial(A, outcome[sign]) for sign in now)),
    )

    assert found
    assert changed.split() == [key for key, names in found._asdict().items() if names]


def test_a_case_that_was_not_run_is_not_gone(tmp_path: Path) -> None:
    before = read_baseline(stored(tmp_path, trial(A), trial(B)))
    found = changes(before, summary(trial(A), cases=[A, B]))

    assert found
    assert () == found.gone


def test_pass_at_k_is_of_graded_cases_and_ends_at_ten() -> None:
    runs = [trial(A) for _ in range(11)]
    done = summary(*runs, trial(B, "ungraded"))

    assert [(k, 1.0) for k in range(1, 11)] == list(done.pass_at)


def test_runs_without_the_skill_that_were_not_graded_are_no_miss_of_it() -> None:
    assert 0 == summary(trial(A), trial(A, "ungraded", arm="without")).ungraded


def by(harness: Harness, *trials: Trial, usage: Usage | None = None) -> Summary:
    """The runs as a harness made them."""
    started = Started(1, harness)
    return summary(*(
        one._replace(run=one.run._replace(facts=one.run.facts._replace(
            started=started, usage=usage
        )))
        for one in trials
    ))  # fmt: skip


def test_harnesses_share_a_file_and_none_takes_the_place_of_another() -> None:
    codex, claude = by("codex", trial(A)), by("claude", trial(A, "failed"))
    both = parse_baseline("b", with_summary(parse_baseline("b", with_summary(None, codex)), claude))

    assert {"codex", "claude"} == set(both.skills["s"])
    assert Changes((), (), (), (), ()) == changes(both, codex) == changes(both, claude)
    assert Changes(("a",), (), (), (), ()) == changes(both, by("codex", trial(A, "failed")))


def test_a_harness_without_a_baseline_has_nothing_to_be_compared_with() -> None:
    codex = parse_baseline("b", with_summary(None, by("codex", trial(A))))

    assert changes(codex, by("claude", trial(A, "failed"))) is None
    assert changes(codex, summary(trial(A, "failed"))) is None


def test_a_mix_of_harnesses_is_kept_as_one() -> None:
    mixed = summary(*by("codex", trial(A)).trials, *by("claude", trial(B)).trials)

    assert "claude+codex" == harness_of(mixed)
    assert ["claude+codex"] == list(parse_baseline("b", with_summary(None, mixed)).skills["s"])


OLD = '{"version": 1, "skills": {"s": {"a": {"passed": 1, "graded": 1}}}}'
"""What earlier versions wrote, which did not tell the harness."""


@pytest.mark.parametrize("text", [OLD, OLD.replace('"version": 1, ', "")])
def test_an_old_baseline_counts_for_any_harness_until_one_is_saved(text: str) -> None:
    old = parse_baseline("b", text)
    assert Changes(("a",), (), (), (), ()) == changes(old, by("codex", trial(A, "failed")))

    saved = parse_baseline("b", with_summary(old, by("codex", trial(A))))
    assert {"codex"} == set(saved.skills["s"])
    assert changes(saved, by("claude", trial(A, "failed"))) is None


def test_the_baseline_keeps_what_the_runs_with_the_skill_took() -> None:
    used = by("codex", trial(A), trial(A, arm="without"), usage=Usage(1, 100, 0, 10, 0.25))
    kept = parse_baseline("b", with_summary(None, used)).skills["s"]["codex"]

    assert (1, 110, 0.25) == (kept.runs, kept.tokens, kept.usd)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "{",
            "[]",
            '{"version": 3}',
            '{"skills": []}',
            '{"skills": {"s": {"a": {"passed": -1}}}}',
        ),
        '{"version": 2, "skills": {"s": {"codex": {"cases": {"a": {"passed": 1}}}}}}',
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)

    with pytest.raises(UsageError, match="Let `plugin-eval eval grade --save-baseline` write"):
        read_baseline(tmp_path / "b.json")
