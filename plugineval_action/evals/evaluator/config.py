"""`evaluator.toml`: which metrics judge an answer, how each is asked, and what each weighs.

default_model = "anthropic:claude-sonnet-5-5"

[[metrics]]
name = "Coverage"
weight = 0.6

[[metrics]]
id = "tone"
name = "LLMPlain"
weight = 0.4
system_instruction = "Judge whether the tone fits a customer."
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import AliasChoices, Field, ValidationError, field_validator, model_validator

from plugineval_action.evals.cases import Id
from plugineval_action.evals.evaluator.metrics import INSTRUCTIONS, KINDS, OWN
from plugineval_action.evals.evaluator.parameters import (
    DEFAULT_MODEL,
    Asking,
    ModelName,
    Parameters,
    notes,
    resolved,
)
from plugineval_action.inputs.mistakes import (
    Located,
    Mistake,
    did_you_mean,
    problem,
    quoted,
    refuse,
)
from plugineval_action.inputs.refused import model_mistakes
from plugineval_action.inputs.toml_file import read_toml

FILE: Final = "evaluator.toml"
TOLERANCE: Final = 0.001
DEFAULTS: Final = Asking(DEFAULT_MODEL, 4_096, 3, 300.0, ())
DEFAULT_METRICS: Final = {"ClarityCoherence": 0.334, "Coverage": 0.333, "Relevance": 0.333}
_CODE: Final = (
    "Code that a configuration names is never imported here. Use a metric LLMPlain with a "
    "system_instruction."
)


class MetricSettings(Parameters):
    """One `[[metrics]]`. The id is the name, unless one is given."""

    id: Id | None = None
    name: str
    weight: Annotated[float, Field(ge=0, le=1, strict=True)] | None = None
    system_instruction: Annotated[str, Field(min_length=1, max_length=20_000)] | None = None

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in KINDS:
            raise problem(f"there is no metric {quoted(name)}.", did_you_mean(name, KINDS))
        return name

    @model_validator(mode="after")
    def _has_a_criterion(self) -> MetricSettings:
        if self.name == OWN and not (self.system_instruction or "").strip():
            raise problem(
                f"{OWN} has no criterion of its own.", "Write it as its system_instruction."
            )
        return self


class _Root(Parameters):
    model: ModelName | None = Field(
        default=None, validation_alias=AliasChoices("default_model"), alias="default_model"
    )
    llm_default: Parameters = Parameters()
    metrics: Annotated[tuple[MetricSettings, ...], Field(min_length=1, max_length=50)] | None = None

    @field_validator("metrics", mode="before")
    @classmethod
    def _many(cls, metrics: object) -> object:
        if isinstance(metrics, dict):
            raise problem("one pair of brackets makes one table.", "Write [[metrics]].")
        return metrics


class Metric(NamedTuple):
    """A metric as it is asked: its id, kind, weight (all together 1), instruction, parameters."""

    id: str
    kind: str
    weight: float
    instruction: str
    asking: Asking


class Evaluator(NamedTuple):
    """A configuration; `notes` say what of it is not applied."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...]


def read_evaluator(path: Path) -> Evaluator:
    """Read `evaluator.toml`. Raises UsageError that names every mistake with its line."""
    file = read_toml(path)
    mistakes: list[Mistake] = []
    given = dict(file.value)
    if "custom_metrics" in given:
        mistakes.append(file.mistake(("custom_metrics",), "custom_metrics name code.", _CODE))
        del given["custom_metrics"]
    try:
        root = _Root.model_validate(given)
    except ValidationError as error:
        refuse([*mistakes, *model_mistakes(error, _Root, file)])
    settings = root.metrics or tuple(
        MetricSettings(name=name, weight=weight) for name, weight in DEFAULT_METRICS.items()
    )
    mistakes += [*_repeated(file, settings), *_weighing(file, settings)]
    if mistakes:
        refuse(mistakes)
    metrics = tuple(_metric(one, root, len(settings)) for one in settings)
    told = [note for one in metrics for note in notes(one.asking, one.id)]
    return Evaluator(metrics, tuple(told))


def _metric(one: MetricSettings, root: _Root, count: int) -> Metric:
    instruction = one.system_instruction or INSTRUCTIONS[one.name]
    weight = 1 / count if one.weight is None else one.weight
    asking = resolved((one, root.llm_default, root), DEFAULTS)
    return Metric(one.id or one.name, one.name, weight, instruction, asking)


def _repeated(file: Located, settings: tuple[MetricSettings, ...]) -> list[Mistake]:
    met: set[str] = set()
    found = []
    for at, one in enumerate(settings):
        name = one.id or one.name
        if name in met:
            reason = f"There are two metrics {quoted(name)}."
            found.append(file.mistake(("metrics", at), reason, "Give each an id of its own."))
        met.add(name)
    return found


def _weighing(file: Located, settings: tuple[MetricSettings, ...]) -> list[Mistake]:
    """Weights are given for all metrics or for none, and add up to 1."""
    weights = [one.weight for one in settings]
    without = [at for at, weight in enumerate(weights) if weight is None]
    if without and len(without) < len(weights):
        reason = "Some metrics have a weight, and this one has none."
        return [file.mistake(("metrics", without[0]), reason, "Give all of them one, or none.")]
    total = math.fsum(weight for weight in weights if weight is not None)
    # Half a step of rounding, so that the ends of the range belong to it.
    if not without and abs(total - 1) > TOLERANCE + 1e-9:
        reason = f"The weights add up to {total:g}."
        return [file.mistake(("metrics", 0, "weight"), reason, "They have to add up to 1.")]
    return []
