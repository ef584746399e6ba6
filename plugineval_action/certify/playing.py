"""Play the games of a skill: the one module here that waits for a client."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from plugineval_action.certify.games import Game, Player, Verdicts, question, read, task_digest
from plugineval_action.layers.judge import prompts
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import Void
from plugineval_action.layers.outcome import Progress, quiet
from plugineval_action.llm.client import Client, Reply, Request, Unmeasured, Usage

TASKS: Final = 2
"""Tasks a pair: one that was written for each of the two skills, so that neither is at home."""

_WRITER: Final = 1
"""The tasks are the first prompts that the first judge wrote, and need not be written again."""


class Played(NamedTuple):
    """Games in the order in which they were planned, and how many were lost, with the reasons.

    `cause` is the reason for most of those, "" if none was lost.
    """

    games: tuple[Game, ...]
    lost: int
    notes: tuple[str, ...]
    usage: tuple[Usage, ...]
    cause: str = ""


async def play(
    client: Client,
    subject: Player,
    others: Sequence[Player],
    panel: Panel,
    progress: Progress = quiet,
) -> Played:
    """Let a skill meet others. A game without both verdicts is lost, never a tie."""
    table = _Table(client, panel, len(others) * TASKS, progress)
    await asyncio.gather(*(table.meet(subject, other) for other in others))
    planned = [game for other in others for game in table.games.get(other.digest, ())]
    notes = tuple(
        f"{count} of {table.total} games were lost: {why}" for why, count in table.lost.items()
    )
    cause = next((why for why, _ in table.lost.most_common(1)), "")
    return Played(tuple(planned), table.lost.total(), notes, tuple(table.usage), cause)


class _Table:
    """Where the games of one skill are played; tasks of a skill are written once."""

    def __init__(self, client: Client, panel: Panel, total: int, progress: Progress) -> None:
        self.client, self.panel = client, panel
        self.total, self._progress = total, progress
        self.games: dict[str, list[Game]] = {}
        self.lost: Counter[str] = Counter()
        self.usage: list[Usage] = []
        self._tasks: dict[str, asyncio.Task[str | Void]] = {}
        self._done = 0

    async def meet(self, subject: Player, other: Player) -> None:
        """Both tasks of a pair."""
        games = await asyncio.gather(
            *(self._game(subject, other, owner.shown) for owner in (subject, other))
        )
        self.games[other.digest] = [game for game in games if game is not None]

    async def _game(self, subject: Player, other: Player, owner: Shown) -> Game | None:
        task = await self._task(owner)
        if isinstance(task, Void):
            self._lose(task)
            return None
        # Both orders at once: nothing of one may be seen by the other.
        forward, backward = await asyncio.gather(
            self._verdicts(question(subject.shown, other.shown, task, self.panel)),
            self._verdicts(question(other.shown, subject.shown, task, self.panel)),
        )
        for verdicts in (forward, backward):
            if isinstance(verdicts, Void):
                self._lose(verdicts)
                return None
        assert not isinstance(forward, Void)
        assert not isinstance(backward, Void)
        self._step()
        return Game.between(
            subject.digest,
            other.digest,
            task_digest(task),
            self.panel.judge,
            forward,
            backward,
        )

    async def _task(self, shown: Shown) -> str | Void:
        if shown.digest not in self._tasks:
            self._tasks[shown.digest] = asyncio.create_task(self._written(shown))
        return await self._tasks[shown.digest]

    async def _written(self, shown: Shown) -> str | Void:
        reply = await self._ask(prompts.writing(shown, self.panel, _WRITER))
        if isinstance(reply, Unmeasured):
            return Void(reply.detail)
        written = prompts.read_writing(reply.data)
        return written if isinstance(written, Void) else written.should[0]

    async def _verdicts(self, request: Request) -> Verdicts | Void:
        reply = await self._ask(request)
        if isinstance(reply, Unmeasured):
            return Void(reply.detail)
        return read(reply.data, request.identity)

    async def _ask(self, request: Request) -> Reply | Unmeasured:
        reply = await self.client.ask(request)
        self.usage.append(reply.usage)
        return reply

    def _lose(self, why: Void) -> None:
        self.lost[why.why] += 1
        self._step()

    def _step(self) -> None:
        self._done += 1
        self._progress("Comparing", self._done, self.total)
