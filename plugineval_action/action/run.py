"""What every kind of run shares: its settings, its GitHub, its log."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, NamedTuple

from plugineval_action.action.mode import Plan
from plugineval_action.action.settings import Settings
from plugineval_action.escape import printable
from plugineval_action.gh.client import Annotation, AnnotationLevel, GitHub
from plugineval_action.gh.commands import annotation_command
from plugineval_action.render.links import Links
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import DEFAULT, Ruleset, versioned

PASSED: Final = 0
GATE_FAILED: Final = 1
BROKEN: Final = 2

RULESET: Final[Ruleset] = DEFAULT
TITLE: Final = "PluginEval"


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

    @property
    def key(self) -> str:
        """Tells apart the comments of jobs that score different things; "" if nothing was said."""
        asked = (self.settings.paths, self.settings.config)
        return sha256(json.dumps(asked).encode()).hexdigest()[:10] if any(asked) else ""

    def links(self) -> Links:
        """Places in files, as pages of GitHub at the head."""
        settings = self.settings
        return Links(f"{settings.server_url}/{settings.repository}/blob/{self.plan.head}/")

    def scores(
        self,
        results: tuple[Result, ...],
        failures: tuple[Failure, ...],
        notes: tuple[str, ...] = (),
    ) -> ScoreRun:
        """Results as the writers of scores take them."""
        return ScoreRun(
            results=results,
            failures=failures,
            depth_asked=self.depth,
            depth_run=self.depth,
            ruleset=versioned(RULESET),
            threshold=None,
            timestamp="",
            concurrency=1,
            verbose=False,
            output_format="markdown",
            duration_ms=None,
            notes=notes,
        )


def say(text: str) -> None:
    """A line in the log, without anything that the runner would obey."""
    sys.stdout.write(f"{printable(text).replace('##[', '## [').lstrip(':')}\n")


def tell(level: AnnotationLevel, texts: Iterable[str]) -> None:
    """Something about the run itself, shown above its log."""
    for text in texts:
        sys.stdout.write(f"{annotation_command(Annotation('', 1, 1, level, TITLE, text))}\n")
