"""Cases, checks and a rubric in the format of skill-creator and of agentskills.io.

The way back from `imported`: what that reads again as it was is kept, all else is named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from plugineval_action.evals.cases import Case
from plugineval_action.evals.checks import MOST_CHECKS
from plugineval_action.evals.graders.activation import Activation
from plugineval_action.evals.graders.base import Check
from plugineval_action.evals.graders.final_message import FinalMessage
from plugineval_action.evals.imported import ASKED, EXPECTED, FILES, MOST_FILES, Json
from plugineval_action.evals.rubric import (
    MOST_CHARACTERS,
    MOST_CHECKED,
    MOST_QUESTIONS,
    PASS_SCORE,
    Rubric,
)
from plugineval_action.evals.suite import Suite

_NUMBERED: Final = re.compile(r"eval-(0|[1-9]\d{0,8})")
_STATED: Final = re.compile(re.escape(ASKED).replace(r"\{\}", "(.*)"), re.DOTALL)
_EXPECTED: Final = re.compile(re.escape(EXPECTED).replace(r"\{\}", "(.*)"), re.DOTALL)


class Exported(NamedTuple):
    """The document, and a sentence about each thing that it does not say, or not as it was.

    `files` are the input files of each case, from the case's setup, that it names.
    """

    document: Json
    files: Mapping[str, tuple[str, ...]]
    lost: tuple[str, ...]


def exported(suite: Suite, rubric: Rubric | None, files: Mapping[str, Sequence[str]]) -> Exported:
    """A suite as the document; `files` lists what lies in the setup of each case, by its id."""
    exporting = _Exporting(suite, rubric, files)
    entries = [exporting.entry(case) for case in suite.cases]
    document = {"skill_name": suite.skill, "evals": entries}
    return Exported(document, exporting.named, tuple(dict.fromkeys(exporting.lost)))


class _Exporting:
    """One pass over the cases, which counts what one file takes."""

    def __init__(
        self, suite: Suite, rubric: Rubric | None, files: Mapping[str, Sequence[str]]
    ) -> None:
        self._checks, self._rubric, self._files = suite.checks, rubric, files
        self._many: Counter[str] = Counter()
        self.named: dict[str, tuple[str, ...]] = {}
        self.lost: list[str] = [*_lost_settings(rubric), *_lost_checks(suite)]

    def entry(self, case: Case) -> Json:
        self.lost += _lost_columns(case)
        numbered = _NUMBERED.fullmatch(case.id)
        entry: Json = {"id": int(numbered[1]) if numbered else case.id, "prompt": case.prompt}
        if not case.should_trigger:
            entry["should_trigger"] = False
        if files := self._inputs(case):
            entry["files"] = [f"{FILES}{path}" for path in files]
        questions = list(self._questions(case))
        if questions and (found := _EXPECTED.fullmatch(questions[0])) and _is_plain(found[1]):
            entry["expected_output"] = found[1]
            del questions[0]
        if assertions := [*self._statements(questions), *self._contained(case)]:
            entry["assertions"] = assertions
        return entry

    def _inputs(self, case: Case) -> tuple[str, ...]:
        files = tuple(self._files.get(case.id, ()))
        if len(files) > MOST_FILES:
            self.lost.append(f"Case {case.id}: an eval takes {MOST_FILES} files of its setup.")
        self.named[case.id] = files[:MOST_FILES]
        return self.named[case.id]

    def _questions(self, case: Case) -> Iterator[str]:
        about = self._rubric.about(case) if self._rubric else None
        for one in about.checks if about else ():
            stated = _STATED.fullmatch(one.ask) or _EXPECTED.fullmatch(one.ask)
            kept = bool(stated and _is_plain(stated[1]))
            if self._many["questions"] == MOST_CHECKED:
                self.lost.append(f"Case {case.id}: a file takes {MOST_CHECKED:,} questions.")
            elif not kept and len(ASKED.format(one.ask)) > MOST_CHARACTERS:
                self.lost.append(f"Question {one.id}: it is too long for a statement.")
            else:
                if not kept:
                    self.lost.append(f"Question {one.id}: it stands there as a statement.")
                self._many["questions"] += 1
                yield one.ask

    def _statements(self, questions: Sequence[str]) -> Iterator[str]:
        assert len(questions) <= MOST_QUESTIONS
        for ask in questions:
            found = _STATED.fullmatch(ask)
            yield found[1] if found and _is_plain(found[1]) else ask.strip()

    def _contained(self, case: Case) -> Iterator[Json]:
        for one in self._checks:
            value = _contains(one)
            if value is None or not one.applies(case):
                continue
            if self._many["checks"] == MOST_CHECKS:
                self.lost.append(f"Check {one.id}: a file takes {MOST_CHECKS} of one case each.")
                continue
            self._many["checks"] += 1
            yield {"type": "contains", "value": value}


def _contains(check: Check) -> str | None:
    """The text of the only check that the format has a word for."""
    contains = check.contains if isinstance(check, FinalMessage) and check.must_pass else None
    return contains if contains and contains.strip() else None


def _is_plain(text: str) -> bool:
    """Whether a text is read again as it is: blanks around it are not."""
    return bool(text) and text == text.strip()


def _lost_columns(case: Case) -> Iterator[str]:
    anew: Any = Case(id=case.id, should_trigger=case.should_trigger, prompt=case.prompt)  # type: ignore[call-arg]
    if anew.kind != case.kind:
        yield f"Case {case.id}: the kind {case.kind} becomes {anew.kind}."
    if case.tags:
        yield f"Case {case.id}: the tags {' '.join(case.tags)}."


def _lost_checks(suite: Suite) -> Iterator[str]:
    for one in suite.checks:
        if isinstance(one, Activation):
            if one != Activation(id="activation", type="activation", skill=suite.skill):
                yield f"Check {one.id}: activation is always checked, and only in its plain form."
        elif _contains(one) is None:
            why = "" if one.must_pass else ", must_pass: false"
            yield f"Check {one.id}: its type {one.type}{why}."
        elif one.goal != "outcome":
            yield f"Check {one.id}: the goal {one.goal}."


def _lost_settings(rubric: Rubric | None) -> Iterator[str]:
    if rubric and not rubric.must_pass:
        yield "The rubric: must_pass: false; there a review that fails fails the case."
    if rubric and rubric.pass_score != PASS_SCORE:
        yield f"The rubric: pass_score {rubric.pass_score}."
