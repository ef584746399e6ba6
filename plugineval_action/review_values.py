"""What a change did, as review, action and renderings speak of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugineval_action.results import Failure, Finding, Result

ChangeStatus = Literal["new", "removed", "renamed", "changed", "affected"]
"""`affected`: the same files, another score, as a link target elsewhere came or went."""


class Difference(NamedTuple):
    """What one score has more than another: the composite in points, a dimension in [-1, 1].

    The 95 % interval is the value itself where nothing was sampled, None where it is not known.
    """

    name: str
    value: float
    ci_lower: float | None
    ci_upper: float | None

    @property
    def exact(self) -> bool:
        """Whether nothing was sampled."""
        return self.ci_lower == self.ci_upper == self.value


class Change(NamedTuple):
    """One skill, agent or plugin; `before` is None for a new one, `after` for a removed one.

    `differences` are there where models were asked about both sides: the composite, then each
    dimension.
    """

    status: ChangeStatus
    before: Result | None
    after: Result | None
    differences: tuple[Difference, ...] = ()


class Mechanical(NamedTuple):
    """A line that needs no judgement to be put right, as it is and as `fix` would write it."""

    rule: str
    path: str
    line: int
    old: str
    new: str


class Review(NamedTuple):
    """What a change did: `base` and `head` name the two trees (commit, or "working tree").

    `base` is "" if `head` was not compared with anything. `findings` are those that the change
    brought in beside what is scored: in manifests, under wrong names, behind links; `mechanical`
    are lines that it wrote and that can be put right without judgement.
    """

    base: str
    head: str
    ruleset: str
    changes: tuple[Change, ...]
    failures: tuple[Failure, ...] = ()
    unchanged: int = 0
    findings: tuple[Finding, ...] = ()
    mechanical: tuple[Mechanical, ...] = ()
