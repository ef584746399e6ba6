"""The comment on a change: the verdict, one table, what to fix first, detail folded away.

It fits a byte budget. What does not fit is left out whole, the least needed first:

1. the parts that moved inside a skill's detail, from the last skill upwards;
2. the details of single skills, from the last one upwards;
3. the rates and the other cases of evals, then what could also be better;
4. fixed anti-patterns, then what is mechanical, then what helps a reader most, then new problems;
5. the remedy in the sentence below the verdict;
6. what was not scored and why (the verdict keeps the count);
7. what to fix first;
8. why badges are withheld;
9. evals of skills, from the last one upwards, then what is wrong with their files;
10. rows of the table, from the last one upwards.

The verdict, the head of the table and the footer always stay, in under 2,000 bytes, and so does why
the gate failed. Lists also have
a length that nobody reads beyond. The comment says what is left out of it, in this order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from plugineval_action.evals.compared import NO_EVALS, Evals
from plugineval_action.render.evals.brief import EvalsView, broken_cases, evals_view
from plugineval_action.render.fit import Section, fit, left_out
from plugineval_action.render.gate_note import gate_note
from plugineval_action.render.links import METHODOLOGY, NO_LINKS, Links
from plugineval_action.render.review.view import ReviewView, review_view, verdict
from plugineval_action.render.templates import environment
from plugineval_action.render.words import counted
from plugineval_action.review_values import Review

MARKER: Final = "<!-- plugin-eval -->"
"""First line of every comment, by which an earlier one is found again."""

BUDGET: Final = 65_000
"""GitHub refuses a comment of more than 65,536 characters."""

OPEN_ROWS: Final = 12
OPEN_LINES: Final = 8
MOST_ROWS: Final = 200
MOST_DETAILS: Final = 50
MOST_FLAGS: Final = 50
MOST_MECHANICAL: Final = 10


def headline(review: Review, evals: Evals = NO_EVALS) -> str:
    """The verdict in a few words, as plain text."""
    broken = broken_cases(evals)
    said = f", {counted(broken, 'eval case')} broken" if broken else ""
    return f"PluginEval: {verdict(review)}{said}"


def render_comment(  # noqa: PLR0913 - what it says and in what room, each with a default
    review: Review,
    budget: int = BUDGET,
    links: Links = NO_LINKS,
    *,
    evals: Evals = NO_EVALS,
    reasons: Sequence[str] = (),
    marker: str = MARKER,
) -> str:
    """The comment as Markdown, at most `budget` UTF-8 bytes if that is 30,000 or more.

    `reasons` say why the gate failed, in sentences of foreign text; without any, 2,000 bytes are
    enough. `marker` is the first line, left out if it is empty.
    """
    view, shown = review_view(review, links), evals_view(evals, links)
    sections = _sections(view, shown)
    template = environment().get_template("comment.md.j2")

    def render(counts: Mapping[str, int]) -> str:
        return template.render(
            marker=marker,
            headline=headline(review, evals),
            note=gate_note(reasons),
            view=view,
            evals=None if evals.is_empty else shown,
            counts=counts,
            open_rows=OPEN_ROWS,
            open_lines=OPEN_LINES,
            left_out=", ".join(left_out(sections, counts)),
            methodology=METHODOLOGY,
        )

    return fit(render, sections, budget)


def _sections(view: ReviewView, evals: EvalsView) -> tuple[Section, ...]:
    """In the order in which they are given up."""
    return (
        _section("parts", "moved parts by skill", len(view.details), MOST_DETAILS),
        _section("details", "skills in detail", len(view.details), MOST_DETAILS),
        _section("eval_rest", "rates of evals", len(evals.skills), MOST_DETAILS),
        _section("also", "what could also be better", len(view.also), len(view.also)),
        _section("fixed", "fixed anti-patterns", len(view.fixed), MOST_FLAGS),
        _section("mechanical", "what is mechanical", len(view.mechanical), MOST_MECHANICAL),
        _section("helps", "what helps a reader most", len(view.helps), len(view.helps)),
        _section("introduced", "new problems", len(view.introduced), MOST_FLAGS),
        _section("lead", "the first remedy", 1 if view.lead and view.lead.remedy else 0, 1),
        _section("not_scored", "not scored", len(view.not_scored), MOST_FLAGS),
        _section("fixes", "what to fix first", len(view.fixes), len(view.fixes)),
        _section("withheld", "why badges are withheld", len(view.withheld), MOST_FLAGS),
        _section("evals", "skills with evals", len(evals.skills), MOST_DETAILS),
        _section("eval_problems", "problems with evals", len(evals.problems), MOST_FLAGS),
        _section("rows", "rows of the table", len(view.rows), MOST_ROWS),
    )


def _section(key: str, name: str, items: int, most: int) -> Section:
    return Section(key, name, items, min(items, most))
