"""The texts and numbers that result.json may hold, each within its bounds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

from plugineval_action.layers.static.antipatterns import SEVERITY
from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.rules import RULES
from plugineval_action.scoring.dimensions import DIMENSIONS

TEXT_LIMIT: Final = 500
PATH_LIMIT: Final = 1_000
"""Characters; longer texts are shown cut anyway, and longer paths without a link."""

_LAST_LINE: Final = 1 << 20

STEERING: Final = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Control characters and those that turn the reading direction, for a set in a pattern."""

_STEADY: Final = f"^[^{STEERING}]*$"


def _one_of(names: Collection[str]) -> Callable[[str], str]:
    def check(name: str) -> str:
        if name not in names:
            raise ValueError("this version does not know it")
        return name

    return check


Text = Annotated[str, StringConstraints(max_length=TEXT_LIMIT, pattern=_STEADY)]
FilePath = Annotated[str, StringConstraints(max_length=PATH_LIMIT, pattern=_STEADY)]
Commit = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
Line = Annotated[int, Field(ge=1, le=_LAST_LINE)]
Share = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0, le=10**12)]
Dollars = Annotated[float, Field(ge=0, le=10**6)]
PartPoints = Annotated[float, Field(ge=-10, le=10)]

_FLAGS: Final = sorted(SEVERITY)
_RULES: Final = sorted(RULES.keys() - SEVERITY.keys())
_OF_JUDGE: Final = (
    "triggering_accuracy",
    "orchestration_fitness",
    "output_quality",
    "scope_calibration",
)
_OF_RUNS: Final = ("activation", "quality", "consistency", "robustness", "efficiency")
_SUB_SCORES: Final = [*WEIGHTS, "agent", *_OF_JUDGE, *_OF_RUNS]
_DIMENSIONS: Final = [spec.name for spec in DIMENSIONS]
Flag = Annotated[str, AfterValidator(_one_of(_FLAGS)), WithJsonSchema({"enum": _FLAGS})]
RuleId = Annotated[str, AfterValidator(_one_of(_RULES)), WithJsonSchema({"enum": _RULES})]
SubScoreName = Annotated[
    str, AfterValidator(_one_of(_SUB_SCORES)), WithJsonSchema({"enum": _SUB_SCORES})
]
DimensionName = Annotated[
    str, AfterValidator(_one_of(_DIMENSIONS)), WithJsonSchema({"enum": _DIMENSIONS})
]
