"""What is to be run: cases, arms and repeats, in an order that a cap may cut off anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from plugineval_action.evals.cases import Case
from plugineval_action.evals.recordings import Arm, stem


class Planned(NamedTuple):
    """One run to be made."""

    case: Case
    arm: Arm
    repeat: int

    def trace(self, folder: Path) -> Path:
        """Where its trace goes."""
        return folder / self.arm / f"{stem(self.case.id, self.repeat)}.jsonl"


def planned(cases: Iterable[Case], repeats: int, *, both_arms: bool) -> Iterator[Planned]:
    """Every case once, then every case again, so that a cap leaves all cases with some runs.

    Without the skill only those prompts make sense that it should change and that do not name it.
    """
    cases = tuple(cases)
    for repeat in range(1, repeats + 1):
        for case in cases:
            yield Planned(case, "with", repeat)
            if both_arms and case.kind in ("implicit", "contextual"):
                yield Planned(case, "without", repeat)
