"""`activation`: the skill came into play where it should, and only there.

At any time in the run: agents look around first. A skill that is called by name leaves no trace in
either harness, so there only its effect can be graded.
"""

from __future__ import annotations

from typing import Literal

from plugineval_action.evals.cases import Case
from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.traces.events import Event, SkillUse
from plugineval_action.evals.traces.skills import bare_name


class Activation(Check):
    """For every case, unless `only` names some. What is expected is the case's should_trigger."""

    type: Literal["activation"]
    goal: Goal = "process"
    skill: str

    def applies(self, case: Case) -> bool:
        """Negative cases too: that nothing happens is what they are for."""
        return self.only is None or super().applies(case)

    def grader(self) -> Grader:
        return _Activation(self.skill)


class _Activation(Grader):
    sees = (SkillUse,)

    def __init__(self, skill: str) -> None:
        self._skill = skill
        self._line = self._attempt = 0

    def see(self, event: Event) -> None:
        assert isinstance(event, SkillUse)
        if bare_name(event.name) == self._skill:
            if event.loaded:
                self._line = self._line or event.line
            else:
                self._attempt = self._attempt or event.line

    def verdict(self, scene: Scene) -> Verdict:
        if self._line:
            status: Literal["passed", "failed"] = "passed"
            if not scene.case.should_trigger:
                status = "failed"
            return Verdict(status, f"{self._skill} was activated.", (self._line,))
        if not scene.case.should_trigger:
            return Verdict("passed", f"{self._skill} was not activated.")
        if scene.case.kind == "explicit":
            why = "A skill that is called by name leaves no trace; its effect is what counts."
            return Verdict("skipped", why)
        if reason := self._unavailable(scene):
            return Verdict("unknown", reason)
        if self._attempt:
            why = f"{self._skill} was called, but not loaded."
            return Verdict("failed", why, (self._attempt,))
        return Verdict("failed", f"{self._skill} was not activated.")

    def _unavailable(self, scene: Scene) -> str:
        """Why the skill could not have been activated, as far as the harness tells."""
        started = scene.started
        if started is None:
            return ""
        if started.skills is not None and self._skill not in map(bare_name, started.skills):
            return (
                f"The run did not offer {self._skill} (nor does it list skills that are not "
                "user-invocable)."
            )
        if started.tools is not None and "Skill" not in started.tools:
            return "The run had no Skill tool, as with --bare."
        return ""
