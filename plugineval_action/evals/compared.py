"""Results of evals against the baseline of the side that a change cannot touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from plugineval_action.content.tree import Tree
from plugineval_action.errors import PluginEvalError
from plugineval_action.evals.baseline import Baseline, Changes, Stand, changes, harness_of
from plugineval_action.evals.beside import Place, baseline_in, case_lines, only_place, places
from plugineval_action.evals.outcomes import Summary
from plugineval_action.evaluation_values import Evaluation


class Told(NamedTuple):
    """What a file of results says of one skill; `source` is the file."""

    summary: Summary
    source: str
    evaluations: tuple[Evaluation, ...] = ()


class SkillEvals(NamedTuple):
    """One skill with one harness, and what has changed since the baseline.

    `changes` and `before` are None without a baseline. `file` holds the cases at the head ("" if
    it is not known) and `lines` says where each case stands in it.
    """

    summary: Summary
    harness: str
    source: str
    changes: Changes | None = None
    before: Stand | None = None
    file: str = ""
    lines: Mapping[str, int] = {}
    evaluations: tuple[Evaluation, ...] = ()


class Evals(NamedTuple):
    """All evals that a run tells, those that broke first.

    `problems` say what could not be read or compared, so that nobody takes silence for success;
    `notes` are what a reader should know besides.
    """

    skills: tuple[SkillEvals, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all to tell."""
        return not (self.skills or self.problems or self.notes)


NO_EVALS: Final = Evals()


def compare(told: Iterable[Told], base: Tree, head: Tree) -> Evals:
    """Compare with the baseline at `base`, and find the cases at `head`."""
    comparing = _Comparing(base, head)
    found = [comparing.one(each) for each in told]
    urgent = sorted(found, key=lambda one: (-len(one.changes.broken if one.changes else ()),))
    return Evals(tuple(urgent), tuple(comparing.problems), tuple(_notes(urgent)))


class _Comparing:
    """What was found at both sides; each baseline is read once."""

    def __init__(self, base: Tree, head: Tree) -> None:
        self._base, self._head = base, head
        self._at_base, self._at_head = places(base), places(head)
        self._baselines: dict[str, Baseline | None] = {}
        self.problems: list[str] = []

    def one(self, told: Told) -> SkillEvals:
        summary = told.summary
        found = SkillEvals(summary, harness_of(summary), told.source, evaluations=told.evaluations)
        place = only_place(self._at_head, summary.skill)
        if place:
            lines = case_lines(self._head, place.file)
            found = found._replace(file=place.file, lines=lines)
        baseline = self._baseline(summary.skill)
        before = baseline.stand(summary.skill, found.harness) if baseline else None
        return found._replace(changes=changes(baseline, summary), before=before)

    def _baseline(self, skill: str) -> Baseline | None:
        place = only_place(self._at_base, skill)
        if place is None:
            if several := self._at_base.get(skill):
                self.problems.append(_several(skill, several))
            return None
        if place.folder not in self._baselines:
            self._baselines[place.folder] = self._read(place.folder)
        return self._baselines[place.folder]

    def _read(self, folder: str) -> Baseline | None:
        try:
            return baseline_in(self._base, folder)
        except PluginEvalError as error:
            self.problems.append(f"The baseline cannot be compared with: {error}")
            return None


def _several(skill: str, found: Iterable[Place]) -> str:
    folders = ", ".join(sorted({one.folder for one in found}))
    return (
        f"The cases of {skill} lie in several folders ({folders}), so it is not known which"
        " baseline to compare with. Give the skills different names."
    )


def _notes(found: Iterable[SkillEvals]) -> Iterator[str]:
    """Where nothing can be said to be broken."""
    without = [f"{one.summary.skill} with {one.harness}" for one in found if one.changes is None]
    if without:
        yield (
            f"No baseline to compare with: {', '.join(without)}. Commit the evals/baseline.json"
            " that --save-baseline writes."
        )
