"""`final_message`: what the agent said last holds a text."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, model_validator

from plugineval_action.evals.graders.base import Check, Grader, Scene, Verdict
from plugineval_action.evals.graders.searching import Wanted, Words, checked_pattern, found_in
from plugineval_action.inputs.mistakes import problem


class FinalMessage(Check):
    """It holds `contains`, or something that fits `pattern`."""

    type: Literal["final_message"]
    contains: Words = None
    pattern: Annotated[str | None, AfterValidator(checked_pattern)] = None

    @model_validator(mode="after")
    def _one_of_both(self) -> FinalMessage:
        if (self.contains is None) == (self.pattern is None):
            raise problem("it takes one of contains and pattern.", "Give exactly one of them.")
        return self

    def grader(self) -> Grader:
        return _FinalMessage(self)


class _FinalMessage(Grader):
    def __init__(self, check: FinalMessage) -> None:
        self._wanted = Wanted(check.contains, check.pattern)

    def verdict(self, scene: Scene) -> Verdict:
        if scene.answer is None:
            return Verdict("failed", "The agent said nothing at the end.")
        return found_in(scene.answer, "The final message", self._wanted)
