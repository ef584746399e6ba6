"""The result types that every floor above the measurements speaks.

All are immutable values. "Not measured" is None, with the reason beside it, never 0. Paths are
relative to the tree that was scored, lines count from 1, scores of layers, sub-scores and
dimensions lie in [0, 1], the composite in [0, 100].
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Level = Literal["error", "warning", "note"]
Kind = Literal["skill", "agent", "plugin"]
Badge = Literal["platinum", "gold", "silver", "bronze", "no_badge", "withheld"]
Label = Literal["Estimated", "Assessed", "Certified", "Certified+"]


class Finding(NamedTuple):
    """Something worth telling about a place in a file. It never moves the composite."""

    rule: str
    level: Level
    message: str
    remedy: str
    path: str
    line: int = 1
    end_line: int = 1


class AntiPattern(NamedTuple):
    """A flag that costs 5 % of the composite; `severity` is printed and never weighs."""

    flag: str
    description: str
    severity: float
    remedy: str
    path: str
    line: int = 1
    end_line: int = 1


class Part(NamedTuple):
    """One addend of a sub-score: what it adds now, the most it can add, and where that was seen."""

    name: str
    points: float
    best: float
    found: str
    lines: tuple[int, ...] = ()
    remedy: str = ""


class SubScore(NamedTuple):
    """One measure of the static layer and the parts it is the sum of (capped to [0, 1])."""

    name: str
    score: float
    parts: tuple[Part, ...] = ()


class LayerResult(NamedTuple):
    """What one layer says of one skill or plugin; `score` already holds the layer's penalty."""

    layer: str
    score: float
    sub_scores: tuple[SubScore, ...]
    anti_patterns: tuple[AntiPattern, ...]
    metadata: dict[str, str | int]


class Dimension(NamedTuple):
    """A dimension of the composite; `score` None means that no layer measured it."""

    name: str
    weight: float
    score: float | None
    grade: str
    ci_lower: float | None = None
    ci_upper: float | None = None


class Composite(NamedTuple):
    """The number on the badge, and everything it was made from."""

    score: float
    anti_pattern_penalty: float
    dimensions: tuple[Dimension, ...]
    badge: Badge
    confidence_label: Label
    ci_lower: float | None = None
    ci_upper: float | None = None


class Result(NamedTuple):
    """One scored skill, agent or plugin. A result without composite says why in `unscored`.

    `members` are the skills and agents of a plugin, skills first; `agent_score` (0 to 1) is set on
    agents only.
    """

    kind: Kind
    name: str
    path: str
    ruleset: str
    layers: tuple[LayerResult, ...] = ()
    composite: Composite | None = None
    unscored: str | None = None
    findings: tuple[Finding, ...] = ()
    members: tuple[Result, ...] = ()
    agent_score: float | None = None


def findings_of(result: Result) -> tuple[Finding, ...]:
    """Those of a result and of its members."""
    inside = (note for member in result.members for note in findings_of(member))
    return (*result.findings, *inside)


class Failure(NamedTuple):
    """A path that could not be scored at all: what is wrong and what to do."""

    path: str
    message: str
    remedy: str


ChangeStatus = Literal["new", "removed", "renamed", "changed", "affected"]
"""`affected`: the same files, another score, as a link target elsewhere came or went."""


class Change(NamedTuple):
    """One skill, agent or plugin; `before` is None for a new one, `after` for a removed one."""

    status: ChangeStatus
    before: Result | None
    after: Result | None


class Review(NamedTuple):
    """What a change did: `base` and `head` name the two trees (commit, or "working tree")."""

    base: str
    head: str
    ruleset: str
    changes: tuple[Change, ...]
    failures: tuple[Failure, ...] = ()
    unchanged: int = 0


class Improvement(NamedTuple):
    """One thing to fix, and by how many points of the composite (0 to 100) that would raise it."""

    points: float
    title: str
    remedy: str
    path: str
    line: int
    rule: str | None = None


class Entry(NamedTuple):
    """A plugin that a marketplace lists, and what it gives as the place to find it."""

    name: str
    source: str


class MarketplaceReport(NamedTuple):
    """Everything a report is made of.

    `identity` says which files were scored (a commit, or a directory's name) and `date` when
    (`2026-01-31`). `loose` are skills and agents outside of plugins; `external` entries lie in
    other places and are not scored, `missing` ones are listed and not there; `unlisted` are paths
    of plugins that are there and not listed.
    """

    name: str
    identity: str
    ruleset: str
    date: str
    plugins: tuple[Result, ...]
    loose: tuple[Result, ...] = ()
    failures: tuple[Failure, ...] = ()
    external: tuple[Entry, ...] = ()
    missing: tuple[Entry, ...] = ()
    unlisted: tuple[str, ...] = ()
