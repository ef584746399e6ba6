"""What every kind of run shares: its settings, its GitHub, its log."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple

from plugineval_action.action.mode import Plan
from plugineval_action.action.settings import Settings
from plugineval_action.gh.client import Annotation, AnnotationLevel, GitHub
from plugineval_action.gh.commands import annotation_command
from plugineval_action.render.escape import printable
from plugineval_action.render.links import Links
from plugineval_action.rulesets import DEFAULT, Ruleset

PASSED: Final = 0
GATE_FAILED: Final = 1
BROKEN: Final = 2

RULESET: Final[Ruleset] = DEFAULT
TITLE: Final = "Plugin Eval"


class Run(NamedTuple):
    """One run: what was asked for, what is to be done, and where."""

    settings: Settings
    plan: Plan
    github: GitHub

    @property
    def depth(self) -> Literal["quick", "standard", "deep", "thorough"]:
        """The depth that runs: quick where nothing may be sent to a model."""
        return self.settings.depth_asked if self.plan.asks_models else "quick"

    @property
    def temp(self) -> Path:
        """The folder whose files outlive the step."""
        return Path(self.settings.temp)

    def links(self) -> Links:
        """Places in files, as pages of GitHub at the head."""
        settings = self.settings
        return Links(f"{settings.server_url}/{settings.repository}/blob/{self.plan.head}/")


def say(text: str) -> None:
    """A line in the log, without anything that the runner would obey."""
    sys.stdout.write(f"{printable(text).replace('##[', '## [').lstrip(':')}\n")


def tell(level: AnnotationLevel, texts: Iterable[str]) -> None:
    """Something about the run itself, shown above its log."""
    for text in texts:
        sys.stdout.write(f"{annotation_command(Annotation('', 1, 1, level, TITLE, text))}\n")
