"""Make all runs of a plan, some at a time, until they are done or the tokens are spent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock
from typing import NamedTuple

from plugineval_action.evals.recordings import Seen
from plugineval_action.evals.runner.harness import Harness
from plugineval_action.evals.runner.plan import Planned
from plugineval_action.evals.runner.recording import Caps, record
from plugineval_action.evals.runner.workspace import Contents
from plugineval_action.evals.suite import Suite
from plugineval_action.evals.traces.events import Usage
from plugineval_action.evals.traces.reading import read_trace


class Setting(NamedTuple):
    """How runs are made. `tokens` is the cap for all of them together, None for none.

    A run that has begun is not cut off by it: no harness tells its tokens before it ends.
    """

    harness: Harness
    skill: Path
    template: Path | None
    folder: Path
    seconds: float
    tokens: int | None
    concurrency: int


class Tally:
    """Tokens so far, shared by the runs."""

    def __init__(self, cap: int | None) -> None:
        self._cap, self._spent, self._lock = cap, 0, Lock()

    def add(self, trace: Path) -> None:
        """Count the tokens that a trace tells."""
        total = 0
        for event in read_trace(trace):
            if isinstance(event, Usage):
                total = event.total
        with self._lock:
            self._spent += total

    @property
    def is_spent(self) -> bool:
        """Whether no further run may begin."""
        with self._lock:
            return self._cap is not None and self._spent >= self._cap


def run_all(
    plan: Sequence[Planned],
    suite: Suite,
    setting: Setting,
    tell: Callable[[Planned, Seen | None], None],
    stop: Callable[[], bool],
) -> None:
    """Make and record all runs; `tell` hears of each, with None for one that was not begun.

    Once `stop` says so, those that work are ended and no other is begun.
    """
    tally, end = Tally(setting.tokens), Event()

    def stopped() -> bool:
        return end.is_set() or stop()

    def one(run: Planned) -> None:
        if stopped() or tally.is_spent:
            tell(run, None)
            return
        contents = _contents(run, suite, setting)
        caps = Caps(setting.seconds, stopped)
        seen = record(run, setting.harness, contents, setting.folder, caps)
        if setting.tokens is not None:
            tally.add(run.trace(setting.folder))
        tell(run, seen)

    with ThreadPoolExecutor(setting.concurrency) as pool:
        try:
            list(pool.map(one, plan))
        except BaseException:
            # Only the main thread is interrupted; those who work have to be told.
            end.set()
            raise


def _contents(run: Planned, suite: Suite, setting: Setting) -> Contents:
    layers = [setting.template.resolve()] if setting.template else []
    if run.case.setup:
        layers.append(suite.folder / run.case.setup)
    skill = setting.skill if run.arm == "with" else None
    return Contents(tuple(layers), skill, suite.skill, secret=suite.folder.resolve())
