"""Make the runs: the one module of the layer that waits for a client."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from statistics import fmean
from typing import Final, NamedTuple

from plugineval_action.layers.judge.prescreen import aimed_at_judge
from plugineval_action.layers.judge.prompts import Prompts
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import Verdict, Void, read
from plugineval_action.layers.judge.writing import shared_key, written
from plugineval_action.layers.monte_carlo.measures import Ran, dimensions, reading
from plugineval_action.layers.monte_carlo.roster import Roster
from plugineval_action.layers.monte_carlo.runs import (
    ASKED,
    EACH,
    Case,
    Run,
    cases,
    following,
    rating,
    replied,
    routing,
)
from plugineval_action.layers.outcome import Outcome, Progress, quiet
from plugineval_action.llm.client import Client, Reply, Request, Unmeasured, Usage
from plugineval_action.stats.proportions import LEVEL
from plugineval_action.stats.resampling import Sampled
from plugineval_action.stats.sequential import level_of_each, looks

MOST_LOST: Final = 0.1
"""The share of runs lost to errors above which the layer is not complete."""

LOOKS: Final = 3
"""Times that the runs are looked at, the end included."""

RUNS_A_REPLY: Final = 50
"""Runs, of all prompts, for which one reply to each wanted prompt is asked for."""

Enough = Callable[[dict[str, Sampled], float], str | None]
"""From the dimensions so far, and the level of intervals, to why no further run is needed."""


class Plan(NamedTuple):
    """How many runs, of which model, and when to stop early; `enough` None means never.

    `beside` makes its runs with the same prompts, in a call of its own.
    """

    runs: int
    executor: str
    enough: Enough | None = None
    beside: Shown | None = None

    @property
    def replies_each(self) -> int:
        """Replies that are asked for to one prompt, of all its runs that loaded the skill."""
        return max(1, self.runs // RUNS_A_REPLY)

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many runs to look."""
        return looks(self.runs, LOOKS if self.enough else 1)

    @property
    def level(self) -> float:
        """The level of the intervals, so that the last one holds at 95 % whenever it comes."""
        return level_of_each(LOOKS) if self.enough else LEVEL


async def simulate(  # noqa: PLR0913 - five things to know, and who watches
    client: Client,
    shown: Shown,
    roster: Roster,
    panel: Panel,
    plan: Plan,
    *,
    progress: Progress = quiet,
) -> Outcome:
    """Have prompts written, and make the runs look by look until it is enough."""
    simulation = _Simulation(client, shown, roster, panel, plan, progress)
    await simulation.run()
    ran = simulation.ran()
    notes = tuple(simulation.notes)
    result, measured = reading(ran, shown.digest, plan.runs, notes, plan.level)
    lost = ran.lost / max(1, ran.lost + len(ran.runs))
    complete = result is not None and lost <= MOST_LOST and not simulation.ended
    usage = tuple(simulation.usage)
    return Outcome(result, measured, usage, notes, complete, level=plan.level, raw=ran)


class _Simulation:
    """Gathers what the runs bring; `ended` once something final, such as the budget, is met."""

    def __init__(  # noqa: PLR0913, PLR0917 - what `simulate` was given
        self,
        client: Client,
        shown: Shown,
        roster: Roster,
        panel: Panel,
        plan: Plan,
        progress: Progress,
    ) -> None:
        self.client, self.shown, self.roster = client, shown, roster
        self.panel, self.plan, self.progress = panel, plan, progress
        self.usage: list[Usage] = []
        self.notes: list[str] = []
        self.runs: dict[int, Run] = {}
        self.quality: dict[int, float] = {}
        self.lost: dict[str, int] = {}
        self.unrated: dict[str, int] = {}
        self.ended = False
        self._tried: set[str] = set()

    def ran(self) -> Ran:
        """What was seen so far, in the order of the runs, whoever answered first."""
        runs = tuple(self.runs[number] for number in sorted(self.runs))
        quality = {number: self.quality[number] for number in sorted(self.quality)}
        return Ran(runs, quality, sum(self.lost.values()), sum(self.unrated.values()))

    async def run(self) -> None:
        asked = await self._written()
        if asked is None:
            return
        planned = cases(asked, self.plan.runs, shared_key(self.shown, self.plan.beside))
        done = 0
        for look in self.plan.looks:
            await _all(map(self._route, planned[done:look]))
            await _all(map(self._follow, self._to_follow()))
            await _all(map(self._rate, self._to_rate()))
            done = look
            why = self._enough() if look < self.plan.runs and not self.ended else None
            if why:
                self.notes.append(f"Stopped after {look} of {self.plan.runs} runs: {why}.")
            if why or self.ended:
                break
        if self.ended:
            self.notes.append(f"The runs ended after {len(self.runs)} of {self.plan.runs}.")
        self._tell(self.lost, f"of {self.plan.runs} runs were lost")
        self._tell(self.unrated, "replies could not be rated")

    async def _written(self) -> Prompts | None:
        got = await written(self._ask, self.shown, self.plan.beside, self.panel, 0, EACH)
        if isinstance(got, Prompts):
            return got
        why = got.detail if isinstance(got, Unmeasured) else got.why
        self.notes.append(f"No run was made, as there are no prompts: {why}")
        return None

    async def _route(self, case: Case) -> None:
        """Whether the skill is loaded. What ends in an error is lost, and never an activation."""
        if self.ended:
            return
        routed = await self._ask(routing(case, self.roster, self.plan.executor))
        if isinstance(routed, Unmeasured):
            self._lose(self.lost, routed)
            return
        self.runs[case.number] = Run(case, self.roster.asked_for_own(routed))
        self.progress("Simulating", len(self.runs), self.plan.runs)

    def _to_follow(self) -> list[Run]:
        """The first activations of each wanted prompt; further ones tell nothing new of replies."""
        followed = Counter(run.case.prompt for run in self.runs.values() if run.reply is not None)
        chosen = []
        for number in sorted(self.runs):
            run = self.runs[number]
            wanted = run.activated and run.case.wanted and run.reply is None
            if wanted and followed[run.case.prompt] < self.plan.replies_each:
                followed[run.case.prompt] += 1
                chosen.append(run)
        return chosen

    async def _follow(self, run: Run) -> None:
        """The reply once the skill is loaded; an error loses the whole run."""
        if self.ended:
            return
        reply = await self._ask(following(run.case, self.shown, self.plan.executor))
        if isinstance(reply, Unmeasured):
            self._lose(self.lost, reply)
            del self.runs[run.case.number]
        else:
            self.runs[run.case.number] = replied(run.case, reply)

    def _to_rate(self) -> Iterable[Run]:
        """The first good reply to each prompt: a sample that no reply had a say in."""
        for number in sorted(self.runs):
            run = self.runs[number]
            if run.reply and not run.failed and run.case.prompt not in self._tried:
                self._tried.add(run.case.prompt)
                yield run

    async def _rate(self, run: Run) -> None:
        if self.ended:
            return
        if aimed_at_judge(run.reply or ""):
            self._lose(self.unrated, Void("The reply speaks to its judge."))
            return
        # Not by the model that wrote the reply: models prefer their own. It is cheaper, too.
        request = rating(run, self.panel.writer, self.panel.nonce)
        reply = await self._ask(request)
        if isinstance(reply, Unmeasured):
            self._lose(self.unrated, reply)
            return
        verdict = read(reply.data, ASKED, request.identity, run.reply or "")
        if isinstance(verdict, Verdict):
            self.quality[run.case.number] = fmean(one.score for one in verdict.ratings)
        else:
            self._lose(self.unrated, verdict)

    def _enough(self) -> str | None:
        if self.plan.enough is None:
            return None
        return self.plan.enough(dimensions(self.ran(), self.shown.digest), self.plan.level)

    async def _ask(self, request: Request) -> Reply | Unmeasured:
        reply = await self.client.ask(request)
        self.usage.append(reply.usage)
        if isinstance(reply, Unmeasured) and reply.reason in _FINAL:
            self.ended = True
        return reply

    def _lose(self, counts: dict[str, int], why: Unmeasured | Void) -> None:
        detail = why.detail if isinstance(why, Unmeasured) else why.why
        counts[detail] = counts.get(detail, 0) + 1

    def _tell(self, counts: dict[str, int], what: str) -> None:
        self.notes += [f"{count} {what}: {why}" for why, count in sorted(counts.items())]


_FINAL: Final = {"budget", "deadline", "spend_limit", "key", "rejected", "cancelled"}
"""Reasons after which no further question would be answered."""


async def _all(tasks: Iterable[Awaitable[None]]) -> None:
    await asyncio.gather(*tasks)
