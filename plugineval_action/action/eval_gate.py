"""Whether evals let a change pass. What could not be read or compared does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.action.gate import SENTENCE_LIMIT, Gate
from plugineval_action.action.inputs import FailOnEvals
from plugineval_action.escape import shorten
from plugineval_action.evals.compared import Evals, SkillEvals

_MOST_NAMED: Final = 5
_BAD: Final = ("failed", "flaky", "ungraded")


def hold_evals(gate: Gate, evals: Evals, fail_on: FailOnEvals) -> Gate:
    """The gate's verdict with that on evals; their reasons come after its own."""
    if fail_on == "never":
        return gate
    reasons = (*gate.reasons, *_reasons(evals, fail_on))
    return Gate(not reasons, reasons)


def _reasons(evals: Evals, fail_on: FailOnEvals) -> Iterator[str]:
    yield from (shorten(said, SENTENCE_LIMIT) for said in evals.problems)
    for one in evals.skills:
        if fail_on == "failed":
            yield from _not_passed(one)
        else:
            yield from _broken(one)


def _broken(one: SkillEvals) -> Iterator[str]:
    if one.changes and one.changes.broken:
        said = f"{_name(one)} broke since the baseline: {_some(one.changes.broken)}"
        yield f"{said}; fail-on-evals refuses broken cases."
    if names := _unanswered(one):
        said = f"{_name(one)} passed at the baseline and have no result now: {_some(names)}"
        yield f"{said}; run these cases, or remove them from {one.file}."


def _unanswered(one: SkillEvals) -> tuple[str, ...]:
    """Cases that passed before, are still written down, and were left out or not graded."""
    graded = {each.case.id for each in one.summary.cases if each.state != "ungraded"}
    before = one.before.cases if one.before else {}
    passed = (name for name, was in before.items() if was.state == "passed")
    return tuple(name for name in passed if name in one.lines and name not in graded)


def _not_passed(one: SkillEvals) -> Iterator[str]:
    bad = tuple(each.case.id for each in one.summary.cases if each.state in _BAD)
    if names := (*bad, *one.summary.not_run):
        yield f"{_name(one)} did not pass: {_some(names)}; fail-on-evals refuses any that did not."


def _name(one: SkillEvals) -> str:
    return f"Evals of {one.summary.skill} with {one.harness}"


def _some(names: tuple[str, ...]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join([*names[:_MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])
