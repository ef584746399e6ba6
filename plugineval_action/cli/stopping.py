"""The first Ctrl-C in long work: begin nothing more, and show what was measured."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from plugineval_action.cli.common import tell


class Stop:
    """Whether a stop was asked for from the keyboard."""

    def __init__(self) -> None:
        self._asked = False

    def __call__(self) -> bool:
        """Whether no further question is to be sent."""
        return self._asked

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the first Ctrl-C in the block; the second ends the program, as it always does."""
        import threading

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._heard)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def finish(self) -> None:
        """End as a stop does, now that what was measured is printed."""
        if self._asked:
            # Who is stopped lets go of what stdout still holds.
            sys.stdout.flush()
            raise KeyboardInterrupt

    def _heard(self, _signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._asked = True
        tell(["stopping once what is under way has come; Ctrl-C again ends at once."])
