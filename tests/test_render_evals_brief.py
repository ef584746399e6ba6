"""Evals beside the score: what they say, in what order, that they fit, and that text stays text.

Golden files are written anew with PLUGINEVAL_REGENERATE=1 (see golden_files.py).
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from github_page import Page, assert_whole
from golden_files import assert_golden
from plugineval_action.evals.baseline import changes, harness_of, parse_baseline
from plugineval_action.evals.compared import Evals, SkillEvals
from plugineval_action.evals.outcomes import Summary
from plugineval_action.evals.traces.events import Usage
from plugineval_action.render.evals.brief import evals_view
from plugineval_action.render.evals.remarks import broken_remarks
from plugineval_action.render.links import Links
from plugineval_action.render.review.annotations import MOST, Chosen, Remark, with_remarks
from plugineval_action.render.review.comment import BUDGET, render_comment
from plugineval_action.review_values import Change, Review
from sample_evals import baseline, summary
from sample_reviews import ATTACKS, HEAD, empty_review, many_review, review, skill

LINKS = Links(f"https://github.example/owner/repository/blob/{HEAD}/")
LOST = Change("changed", skill("csv-report"), skill("csv-report", output=0.0))
IDS = ("totals", "summary", "busy", "named", "no-sort", "no-chart")
BEFORE = summary(
    {"totals": "ppp", "summary": "fff", "busy": "ppp", "named": "fff", "no-sort": "ppp"},
    "csv-report",
    used=Usage(9, 9_000, 0, 1_000, 0.10),
)
NOW = summary(
    {
        "totals": "fff",
        "summary": "ppp",
        "busy": "ppf",
        "named": "fff",
        "no-sort": "ppp",
        "no-chart": "ppp",
    },
    "csv-report",
    without={"totals": "fff", "summary": "fff", "busy": "fff"},
    used=Usage(9, 11_000, 0, 1_500, 0.13),
)


def of(now: Summary, before: Summary | None = BEFORE, source: str = "codex.json") -> SkillEvals:
    kept = parse_baseline("b", baseline(before)) if before else None
    lines = {name: at for at, name in enumerate(IDS, 2)}
    return SkillEvals(
        now, harness_of(now), source, changes(kept, now),
        kept.stand(now.skill, harness_of(now)) if kept else None,
        "evals/csv-report.prompts.csv", lines,
    )  # fmt: skip


def shown(evals: Evals, of_change: Review | None = None) -> str:
    return render_comment(of_change or review(LOST), links=LINKS, evals=evals)


def test_a_comment_with_evals_is_as_when_somebody_last_looked() -> None:
    claude = summary({"totals": "p", "summary": "f", "busy": "?"}, "csv-report", harness="claude")
    other = summary({"one": "p", "no-two": "p"}, "pdf-merge", used=None)
    evals = Evals(
        (of(NOW), of(claude, None, "claude.json"), of(other, other, "pdf.json")),
        ("evals: eval-results/more.json matches no file in the workspace.",),
        ("No baseline to compare with: csv-report with claude.",),
    )

    assert_golden("comment_evals.md", shown(evals))


def test_a_hostile_comment_with_evals_is_as_when_somebody_last_looked() -> None:
    now = [summary({"totals": "f"}, "csv-report", why=attack) for attack in ATTACKS]
    skills = tuple(of(one, source=attack) for one, attack in zip(now, ATTACKS, strict=True))
    text = shown(Evals(skills, ATTACKS, ATTACKS))

    assert_golden("comment_evals_hostile.md", text)
    assert "evil" not in "".join(Page(text).links)


def test_without_evals_nothing_is_said_of_them() -> None:
    assert "### Evals" not in shown(Evals())
    assert "### Evals" in shown(Evals(notes=("Not shown.",)))


def test_what_changed_is_open_and_the_rest_folded() -> None:
    one = evals_view(Evals((of(NOW),)), LINKS).skills[0]
    states = [row.mark.partition("\N{NO-BREAK SPACE}")[2] for row in one.rows]

    assert ["broken", "fixed", "flaky"] == states
    assert ["named"] == [row.name.strip("[").partition("]")[0] for row in one.others]


def test_without_a_baseline_whatever_did_not_pass_is_open() -> None:
    one = evals_view(Evals((of(NOW, None),)), LINKS).skills[0]

    assert 3 == len(one.rows)
    assert () == one.others


def test_a_long_list_of_broken_cases_is_folded_beyond_the_first_lines() -> None:
    names = [f"case-{at}" for at in range(60)]
    before, now = (summary(dict.fromkeys(names, sign), "csv-report") for sign in "pf")
    one = evals_view(Evals((of(now, before),)), LINKS).skills[0]

    assert (6, 34) == (len(one.rows), len(one.others))
    assert "60 broken since the baseline" in one.verdict


def test_tokens_and_dollars_are_told_if_they_changed() -> None:
    dear = evals_view(Evals((of(NOW),)), LINKS).skills[0].lines
    same = evals_view(Evals((of(BEFORE),)), LINKS).skills[0].lines

    assert (
        "12,500 tokens a run, +25 % since the baseline (18 runs).",
        "$0.130 a run by the harness's own estimate, +30 % since the baseline (18 runs).",
    ) == dear
    assert () == same


@pytest.mark.parametrize("budget", [30_000, 40_000, BUDGET])
def test_a_comment_with_many_evals_fits(budget: int) -> None:
    skills = tuple(of(NOW, source="x" * 300) for _ in range(200))
    problems = ("p" * 2_000,) * 200
    text = render_comment(many_review(), budget, LINKS, evals=Evals(skills, problems, problems[:3]))

    assert len(text.encode()) <= budget
    assert_whole(Page(text))


def test_what_is_left_out_of_evals_is_counted() -> None:
    text = shown(Evals(tuple(of(NOW) for _ in range(200))))

    assert "more skills with evals" in text
    assert "rates of evals (" in text


@settings(max_examples=30)
@given(st.text(max_size=200) | st.sampled_from(ATTACKS))
def test_whatever_the_words_the_page_stays_whole(words: str) -> None:
    now = summary({"totals": "f", "busy": "?"}, "csv-report", why=words)
    evals = Evals((of(now, source=words),), (words,), (words,))
    page = Page(shown(evals, empty_review()))

    assert_whole(page)
    assert not page.elements & {"img", "script", "input"}


def test_broken_cases_are_annotated_first_and_no_more_than_ten() -> None:
    names = [f"c{at}" for at in range(15)]
    before, now = (summary(dict.fromkeys(names, sign), "csv-report") for sign in "pf")
    one = of(now, before)._replace(lines={name: at for at, name in enumerate(names, 2)})
    remarks = broken_remarks(Evals((one,)))
    others = (Remark("warning", "t", "m", "p", 1, 1),) * MOST
    chosen = with_remarks(Chosen(others, ()), remarks)

    assert (*range(2, 17),) == tuple(each.line for each in remarks)
    assert ([*remarks[:10], *others[:40]], 15) == ([*chosen.remarks], len(chosen.rest))


def test_a_case_whose_line_is_not_known_has_no_annotation() -> None:
    assert () == broken_remarks(Evals((of(NOW)._replace(lines={}),)))
