"""The shape of result.json, strict enough to read one that an attacker wrote.

Every text is bounded and free of characters that steer, every number finite and in range. What the
rule catalogue and the scoring know already (remedies, severities, weights, grades) is not in the
file, so that nobody can put other words in our mouth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints, model_validator

from plugineval_action.action.result_fields import (
    Commit,
    Count,
    DimensionName,
    Dollars,
    FilePath,
    Flag,
    Line,
    PartPoints,
    Points,
    RuleId,
    Share,
    SubScoreName,
    Text,
)
from plugineval_action.layers.static.antipatterns import SEVERITY
from plugineval_action.results import (
    AntiPattern,
    Badge,
    Change,
    ChangeStatus,
    Composite,
    Dimension,
    Failure,
    Finding,
    Kind,
    Label,
    LayerResult,
    Level,
    ModelUsage,
    Part,
    Result,
    Review,
    SubScore,
)
from plugineval_action.rules import RULES
from plugineval_action.scoring import bands
from plugineval_action.scoring.delta import Verdict
from plugineval_action.scoring.dimensions import DIMENSIONS

FORMAT: Final = "plugineval-result/1"
MOST_CHANGES: Final = 500
MOST_REASONS: Final = 20
MOST_NOTES: Final = 20


_LAYERS: Final[tuple[list[str], ...]] = (
    [],
    ["static"],
    ["static", "judge"],
    ["static", "monte_carlo"],
    ["static", "judge", "monte_carlo"],
)


class Model(BaseModel):
    """Nothing is converted, nothing unknown is let in."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class PartData(Model):
    """One addend of a sub-score."""

    name: Text
    points: PartPoints
    best: PartPoints
    found: Text
    lines: Annotated[tuple[Line, ...], Field(max_length=20)]

    def value(self) -> Part:
        return Part(self.name, self.points, self.best, self.found, self.lines)


class SubScoreData(Model):
    """A sub-score, and of its parts those that are not at their best or that moved."""

    name: SubScoreName
    score: Share
    parts: Annotated[tuple[PartData, ...], FailFast(), Field(max_length=50)]

    def value(self) -> SubScore:
        return SubScore(self.name, self.score, _values(self.parts))


class AntiPatternData(Model):
    """A flag that costs 5 % of the composite, and where it stands."""

    flag: Flag
    description: Text
    path: FilePath
    line: Line
    end_line: Line

    def value(self) -> AntiPattern:
        place = (self.path, self.line, self.end_line)
        remedy = RULES[self.flag].remedy
        return AntiPattern(self.flag, self.description, SEVERITY[self.flag], remedy, *place)


class FindingData(Model):
    """Something worth telling about a place; it does not move the composite."""

    rule: RuleId
    level: Level
    message: Text
    path: FilePath
    line: Line
    end_line: Line

    def value(self) -> Finding:
        rule = RULES[self.rule]
        place = (self.path, self.line, self.end_line)
        return Finding(self.rule, rule.level, self.message, rule.remedy, *place)


class LayerData(Model):
    """What one layer measured."""

    layer: Literal["static", "judge", "monte_carlo"]
    score: Share
    sub_scores: Annotated[tuple[SubScoreData, ...], FailFast(), Field(max_length=10)]
    anti_patterns: Annotated[tuple[AntiPatternData, ...], FailFast()]

    def value(self) -> LayerResult:
        sub_scores, flags = _values(self.sub_scores), _values(self.anti_patterns)
        return LayerResult(self.layer, self.score, sub_scores, flags, {})


class UsageData(Model):
    """Calls, tokens and dollars of one model; dollars are null if its price is unknown."""

    model: Text
    calls: Count
    input_tokens: Count
    output_tokens: Count
    cache_read_tokens: Count
    cache_write_tokens: Count
    usd: Dollars | None
    lost_usd: Dollars

    def value(self) -> ModelUsage:
        return ModelUsage(**dict(self))


class ResultData(Model):
    """One skill, agent or plugin on one side of the change.

    `score` is the composite, or an agent's own score; `unscored` says why it is null. `members` are
    there only if plugins are all that changed; else what changed in a plugin stands beside it.
    """

    kind: Kind
    name: Text
    path: FilePath
    score: Points | None
    unscored: Text | None
    badge: Badge | None
    confidence_label: Label | None
    anti_pattern_penalty: Share | None
    ci_lower: Points | None
    ci_upper: Points | None
    dimensions: dict[DimensionName, Share | None]
    layers: Annotated[tuple[LayerData, ...], Field(max_length=3)]
    notes: Annotated[tuple[Text, ...], Field(max_length=MOST_NOTES)]
    model_usage: Annotated[tuple[UsageData, ...], Field(max_length=10)]
    findings: Annotated[tuple[FindingData, ...], FailFast()]
    members: Annotated[tuple[MemberData, ...], FailFast()]

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        composite = (self.badge, self.confidence_label, self.anti_pattern_penalty)
        expected = self.kind != "agent" and self.score is not None
        if [expected] * 3 != [each is not None for each in composite]:
            raise ValueError("score, badge, label and penalty do not go together")
        if self.score is not None and not self.layers:
            raise ValueError("a score has a layer that it comes from")
        if [layer.layer for layer in self.layers] not in _LAYERS:
            raise ValueError("the static layer comes first, and each layer once")
        if [self.ci_lower, self.ci_upper].count(None) == 1:
            raise ValueError("an interval has two ends")
        if self.badge and self.score is not None and self.badge not in _badges(self.score):
            raise ValueError("the badge does not follow from the score")
        return self

    def value(self, ruleset: str) -> Result:
        layers = _values(self.layers)
        own = layers[0].score if self.kind == "agent" and self.score is not None else None
        return Result(
            kind=self.kind,
            name=self.name,
            path=self.path,
            ruleset=ruleset,
            layers=layers,
            composite=self._composite(),
            unscored=self.unscored,
            findings=_values(self.findings),
            members=tuple(member.value(ruleset) for member in self.members),
            agent_score=own,
            notes=self.notes,
            model_usage=_values(self.model_usage),
        )

    def _composite(self) -> Composite | None:
        if self.badge is None or self.confidence_label is None:
            return None
        known = [spec for spec in DIMENSIONS if spec.name in self.dimensions]
        return Composite(
            score=self.score or 0.0,
            anti_pattern_penalty=self.anti_pattern_penalty or 0.0,
            dimensions=tuple(
                _dimension(spec.name, spec.weight, self.dimensions[spec.name]) for spec in known
            ),
            badge=self.badge,
            confidence_label=self.confidence_label,
            ci_lower=self.ci_lower,
            ci_upper=self.ci_upper,
        )


class MemberData(ResultData):
    """A skill or agent of a plugin, which has no members of its own."""

    members: Annotated[tuple[()], Field(max_length=0)]


class ChangeData(Model):
    """What happened to one skill, agent or plugin; `verdict` and `points` follow from the sides."""

    status: ChangeStatus
    verdict: Verdict
    points: Annotated[float, Field(ge=-100, le=100)] | None
    before: ResultData | None
    after: ResultData | None

    @model_validator(mode="after")
    def _has_its_sides(self) -> Self:
        sides = [self.before is not None, self.after is not None]
        fitting = {"new": [[False, True]], "removed": [[True, False]]}
        if sides not in fitting.get(self.status, [[True, True], [False, True]]):
            raise ValueError("status and sides do not go together")
        if self.before and self.after and self.before.kind != self.after.kind:
            raise ValueError("both sides are of one kind")
        return self

    def value(self, ruleset: str) -> Change:
        before, after = self.before, self.after
        return Change(
            self.status,
            before.value(ruleset) if before else None,
            after.value(ruleset) if after else None,
        )


class FailureData(Model):
    """A path that could not be scored: what is wrong and what to do."""

    path: FilePath
    message: Text
    remedy: Text

    def value(self) -> Failure:
        return Failure(self.path, self.message, self.remedy)


class GateData(Model):
    """Whether the change passed where it was scored, and if not, why."""

    passed: bool
    reasons: Annotated[tuple[Text, ...], Field(max_length=MOST_REASONS)]


class Document(Model):
    """What a change did to skills, agents and plugins, written by the action for other programs."""

    format: Literal["plugineval-result/1"]
    base: Commit
    head: Commit
    ruleset: Annotated[str, StringConstraints(pattern=r"^[a-z]{1,20}/[0-9.]{1,10}$")]
    gate: GateData
    unchanged: Annotated[int, Field(ge=0, le=1_000_000)]
    changes: Annotated[tuple[ChangeData, ...], FailFast(), Field(max_length=MOST_CHANGES)]
    failures: Annotated[tuple[FailureData, ...], FailFast(), Field(max_length=MOST_CHANGES)]

    def review(self) -> Review:
        """The review that was written."""
        return Review(
            base=self.base,
            head=self.head,
            ruleset=self.ruleset,
            changes=tuple(change.value(self.ruleset) for change in self.changes),
            failures=_values(self.failures),
            unchanged=self.unchanged,
        )


def _values(models: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(model.value() for model in models)


def _badges(score: float) -> set[Badge]:
    """The rulesets differ on whether a score is rounded first."""
    return {bands.badge(score), bands.badge(round(score, 9))}


def _dimension(name: str, weight: float, score: float | None) -> Dimension:
    grade = bands.UNMEASURED if score is None else bands.grade(round(100 * score, 9))
    return Dimension(name, weight, score, grade)
