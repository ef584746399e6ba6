"""Assess many skills of a tree with models, one connection and one budget for all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from plugineval_action.assess import ALONE, RUNS, Around, Assessed, Settings, assess
from plugineval_action.content.discovery import Discovery, Unit, discover
from plugineval_action.content.skill import read_skill
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.layers.judge.prompts import WRITING
from plugineval_action.layers.judge.shown import Shown, show
from plugineval_action.layers.outcome import Progress, quiet
from plugineval_action.llm.cache import Remembering, Store, key_of
from plugineval_action.llm.client import Client, Reply, Request, Unmeasured, Usage
from plugineval_action.llm.connect import Connection, connected
from plugineval_action.llm.estimate import Planned, Rehearsal
from plugineval_action.results import Failure, Result
from plugineval_action.stats.seeds import seeded
from plugineval_action.survey import Target, score_target

_AT_ONCE: Final = 1
"""Skills under way at a time: each asks enough at once, and a cap leaves one half measured."""

_MOST_OTHERS: Final = 40
"""Skills from around that a roster is drawn from; reading hundreds for each would be slow."""


class Deep(NamedTuple):
    """How deep, and through what; `tell` gets lines for people.

    Once `stopped` says so, no further question is sent, and what was measured is the result.
    """

    settings: Settings
    connection: Connection
    tell: Callable[[str], None]
    stopped: Callable[[], bool] = bool


class Side(NamedTuple):
    """Targets of one tree, and who will load them.

    `beside` has, by the path of a target, the skill on the other side that it is compared with: a
    tree and a target of it. Both are asked for the same requests.
    """

    tree: Tree
    targets: Sequence[Target]
    profile: ProfileName = DEFAULT_PROFILE
    beside: Mapping[str, tuple[Tree, Target]] = MappingProxyType({})


def assess_targets(
    sides: Sequence[Side], deep: Deep, progress: Progress = quiet
) -> list[list[Result | Failure]]:
    """Score the targets of trees, in order. Plugins and agents have the static layer only."""
    return [list(map(_result, side)) for side in assess_sides(sides, deep, progress)]


def assess_sides(
    sides: Sequence[Side], deep: Deep, progress: Progress = quiet
) -> list[list[Assessed | Failure]]:
    """The same, with what differences between sides are made from."""
    return asyncio.run(_assess(sides, deep, progress))


def _result(one: Assessed | Failure) -> Result | Failure:
    return one if isinstance(one, Failure) else one.result


def rehearse(
    sides: Sequence[Side], settings: Settings, store: Store | None, *, batch: bool
) -> tuple[Planned, ...]:
    """What assessing the same would send at most, without sending anything."""
    rehearsal = Rehearsal(batch=batch)
    client = Remembering(rehearsal, store) if store else rehearsal
    work = _Work(client, settings._replace(adaptive=False), asyncio.Semaphore(_AT_ONCE), quiet)
    asyncio.run(work.all(sides))
    return rehearsal.plan


async def _assess(
    sides: Sequence[Side], deep: Deep, progress: Progress
) -> list[list[Assessed | Failure]]:
    slots = asyncio.Semaphore(_slots(sides) if deep.connection.batch else _AT_ONCE)
    async with connected(deep.connection, deep.tell) as client:
        stoppable = Stoppable(client, deep.stopped)
        once = WrittenOnce(stoppable)
        return await _Work(once, deep.settings, slots, progress).all(sides)


class WrittenOnce:
    """A Client that has each set of prompts written once, for all skills that are to get it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._written: dict[str, asyncio.Task[Reply | Unmeasured]] = {}

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client. Who comes second pays nothing."""
        if request.purpose != WRITING:
            return await self._client.ask(request)
        key = key_of(request)
        if key in self._written:
            answer = await self._written[key]
            return answer._replace(usage=Usage(request.model))
        self._written[key] = asyncio.create_task(self._asked(request))
        return await self._written[key]

    async def _asked(self, request: Request) -> Reply | Unmeasured:
        return await self._client.ask(request)


class Stoppable(NamedTuple):
    """A Client that asks nothing more once it is stopped; what is under way is waited for."""

    client: Client
    stopped: Callable[[], bool]

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client."""
        if self.stopped():
            return Unmeasured("cancelled", "The run was stopped.", Usage(request.model))
        return await self.client.ask(request)


async def assess_with(
    client: Client, sides: Sequence[Side], settings: Settings, progress: Progress, *, at_once: bool
) -> list[Result | Failure]:
    """Score the targets of trees, in order, through a client that others may ask as well."""
    slots = asyncio.Semaphore(_slots(sides) if at_once else _AT_ONCE)
    scored = await _Work(client, settings, slots, progress).all(sides)
    return [_result(one) for side in scored for one in side]


def _slots(sides: Sequence[Side]) -> int:
    """A batch is sent when no question comes any more, so all skills have to be asking."""
    return max(1, sum(len(side.targets) for side in sides))


class _Work(NamedTuple):
    """What the targets of a run share."""

    client: Client
    settings: Settings
    slots: asyncio.Semaphore
    progress: Progress

    async def all(self, sides: Sequence[Side]) -> list[list[Assessed | Failure]]:
        return await asyncio.gather(*map(self.side, sides))

    async def side(self, side: Side) -> list[Assessed | Failure]:
        around = _around(side.tree) if RUNS[self.settings.depth] else {}
        targets = (self._target(side, target, around) for target in side.targets)
        return await asyncio.gather(*targets)

    async def _target(
        self, side: Side, target: Target, around: Mapping[str, Around]
    ) -> Assessed | Failure:
        if target.plugin is not None or target.agent:
            scored = score_target(side.tree, target, self.settings.ruleset, profile=side.profile)
            return scored if isinstance(scored, Failure) else Assessed(scored)

        def progress(what: str, done: int, total: int) -> None:
            self.progress(f"{target.path}: {what}", done, total)

        async with self.slots:
            try:
                return await assess(
                    self.client,
                    side.tree,
                    target.path,
                    self.settings,
                    plugin=target.skill_of,
                    around=around.get(target.path, ALONE),
                    profile=side.profile,
                    progress=progress,
                    beside=self._beside(side, target),
                )
            except ContentError as error:
                return Failure(error.path, error.message, error.remedy)

    def _beside(self, side: Side, target: Target) -> Shown | None:
        """What models see of the other side; None if there is none that can be read."""
        if target.path not in side.beside:
            return None
        tree, other = side.beside[target.path]
        try:
            skill = read_skill(tree, other.path, other.skill_of)
        except ContentError:
            return None  # it has a result of its own that says so
        return show(skill, self.settings.ruleset, self.settings.max_chars)


def _around(tree: Tree) -> dict[str, Around]:
    """For each skill its plugin's others, and some from elsewhere, the same ones every time."""
    found = discover(tree)
    return {
        unit.path: Around(
            siblings=tuple(one.path for one in found.skills if _siblings(one, unit)),
            others=_sample(found, unit),
        )
        for unit in found.skills
    }


def _siblings(one: Unit, other: Unit) -> bool:
    return one.plugin is not None and one.plugin == other.plugin and one.path != other.path


def _sample(found: Discovery, unit: Unit) -> tuple[str, ...]:
    others = [
        one.path for one in found.skills if one.path != unit.path and not _siblings(one, unit)
    ]
    picked = seeded("others", unit.path).sample(others, min(len(others), _MOST_OTHERS))
    return tuple(sorted(picked))
