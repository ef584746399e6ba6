"""The result types that every floor above the measurements speaks.

All are immutable values. "Not measured" is None, with the reason beside it, never 0. Paths are
relative to the tree that was scored, lines count from 1, scores of layers, sub-scores and
dimensions lie in [0, 1], the composite in [0, 100].
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Level = Literal["error", "warning", "note"]
FailOn = Literal[Level, "never"]
"""The level from which on something fails a run."""
Kind = Literal["skill", "agent", "plugin"]
Badge = Literal["platinum", "gold", "silver", "bronze", "no_badge", "withheld"]
Methodology = Literal["measured", "reference"]
Outcome = Literal["certified", "uncertain", "incomplete"]
"""Of a certificate."""
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


class SubScore(NamedTuple):
    """One measure of the static layer and the parts it is the sum of (capped to [0, 1])."""

    name: str
    score: float
    parts: tuple[Part, ...] = ()


class Measure(NamedTuple):
    """A number from a sample: its value, its 95 % interval, and how both came about.

    `n` counts what the interval rests on (prompts, runs, judges), `method` names it. A value or
    interval that is None has its reason in `reason`.
    """

    name: str
    value: float | None
    ci_lower: float | None = None
    ci_upper: float | None = None
    n: int = 0
    method: str = ""
    reason: str = ""


class Extra(NamedTuple):
    """A share of `n` things that were all looked at: there is no interval, as nothing was sampled.

    A value that is None has its reason in `reason`; `evidence` has a line for each thing that
    speaks against it.
    """

    name: str
    value: float | None
    n: int
    reason: str = ""
    evidence: tuple[str, ...] = ()


class Evidence(NamedTuple):
    """What a judge said of one criterion: the level (1 to 5), why, and quotes from the text."""

    dimension: str
    subject: str
    criterion: str
    judge: int
    level: int
    reasoning: str
    quotes: tuple[str, ...]


class ModelUsage(NamedTuple):
    """Calls, tokens and dollars of one model; `usd` is None if its price is unknown.

    `lost_usd` is the most that tries may have cost whose answers never arrived, beside `usd`.
    """

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    usd: float | None
    lost_usd: float = 0.0


class LayerResult(NamedTuple):
    """What one layer says of one skill or plugin; `score` already holds the layer's penalty.

    Layers that ask a model have `measures`, and `notes`: sentences on what is missing and why.
    """

    layer: str
    score: float
    sub_scores: tuple[SubScore, ...]
    anti_patterns: tuple[AntiPattern, ...]
    metadata: dict[str, str | int]
    measures: tuple[Measure, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()


class Dimension(NamedTuple):
    """A dimension of the composite; `score` None means that no layer measured it.

    `static_share` says how much of the score is the static layer's.
    """

    name: str
    weight: float
    score: float | None
    grade: str
    ci_lower: float | None = None
    ci_upper: float | None = None
    static_share: float = 1.0


class Composite(NamedTuple):
    """The number on the badge, and everything it was made from.

    The 95 % interval is None where nothing was sampled; `ci_covers` says what was: prompts, or
    prompts and judges.
    """

    score: float
    anti_pattern_penalty: float
    dimensions: tuple[Dimension, ...]
    badge: Badge
    confidence_label: Label
    ci_lower: float | None = None
    ci_upper: float | None = None
    ci_covers: str = ""


class Result(NamedTuple):
    """One scored skill, agent or plugin. A result without composite says why in `unscored`.

    `members` are the skills and agents of a plugin, skills first; `agent_score` (0 to 1) is set on
    agents only. `extras` were measured and do not weigh; `model_usage` has one entry a model that
    was asked; `notes` are sentences on what could not be measured. `methodology` is `measured`, or
    `reference` for the published measures of the judge and Monte Carlo layers.
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
    extras: tuple[Extra, ...] = ()
    model_usage: tuple[ModelUsage, ...] = ()
    notes: tuple[str, ...] = ()
    methodology: Methodology = "measured"


def findings_of(result: Result) -> tuple[Finding, ...]:
    """Those of a result and of its members."""
    inside = (note for member in result.members for note in findings_of(member))
    return (*result.findings, *inside)


class Failure(NamedTuple):
    """A path that could not be scored at all: what is wrong and what to do."""

    path: str
    message: str
    remedy: str


class Improvement(NamedTuple):
    """One thing to fix, and by how many points of the composite (0 to 100) that would raise it."""

    points: float
    title: str
    remedy: str
    path: str
    line: int
    rule: str | None = None
