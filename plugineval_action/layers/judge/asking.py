"""Ask the judges: the one module of the layer that waits for a client."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from plugineval_action.layers.judge import prompts, questions
from plugineval_action.layers.judge.prescreen import Aimed
from plugineval_action.layers.judge.prompts import Predicted, Prompts
from plugineval_action.layers.judge.questions import Panel, Question
from plugineval_action.layers.judge.reading import ASSESSMENTS, Heard, reading
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import Verdict, Void, read
from plugineval_action.layers.judge.writing import written
from plugineval_action.layers.outcome import Outcome, Progress, quiet
from plugineval_action.llm.client import Client, Reply, Request, Unmeasured, Usage

MOST_JUDGES: Final = 5
CALLS: Final = 2 + len(questions.RUBRICS)
"""Questions to each judge."""

_TRIGGERING: Final = ASSESSMENTS[0]
_OUTPUT: Final = "output_quality"


def refused(aimed: tuple[Aimed, ...]) -> Outcome:
    """The layer of a text that speaks to its judge: nothing is asked, nothing is measured."""
    where = ", ".join(f"line {place.line} ({place.what})" for place in aimed)
    note = f"The judge was not asked, as the text speaks to it: {where}."
    return Outcome(None, {}, (), (note,), complete=False)


async def judge(
    client: Client,
    shown: Shown,
    panel: Panel,
    progress: Progress = quiet,
    *,
    beside: Shown | None = None,
) -> Outcome:
    """Ask all judges. What one of them does not answer is missing, with the reason.

    `beside` is asked about with the same prompts, in a call of its own.
    """
    hearing = _Hearing(client, shown, beside, panel, progress)
    await hearing.hold()
    heard = hearing.heard
    notes = tuple(hearing.notes())
    result, dimensions = reading(heard, shown.digest, panel.judges, notes)
    return Outcome(
        result,
        dimensions,
        tuple(hearing.usage),
        notes,
        complete=set(dimensions) == set(ASSESSMENTS),
        judges=min((len(by_judge) for by_judge in heard.verdicts.values()), default=1),
        raw=heard,
    )


class _Hearing:
    """One skill before its judges: gathers what they say, and what they do not."""

    def __init__(
        self,
        client: Client,
        shown: Shown,
        beside: Shown | None,
        panel: Panel,
        progress: Progress,
    ) -> None:
        self.client, self.shown, self.beside, self.panel = client, shown, beside, panel
        self.heard = Heard({}, {}, {})
        self.usage: list[Usage] = []
        self._progress, self._done = progress, 0
        self._total = panel.judges * CALLS

    async def hold(self) -> None:
        """Prompts are written while the text is rated; what needs them comes after."""
        judges = range(1, self.panel.judges + 1)
        every, _ = await asyncio.gather(
            asyncio.gather(*map(self._write, judges)),
            asyncio.gather(
                *(self._rate_skill(name, each) for name in questions.OF_SKILL for each in judges)
            ),
        )
        tasks = next((one.should[: questions.TASKS] for one in every if one), None)
        self.heard = self.heard._replace(tasks=tasks or ())
        await asyncio.gather(
            *(self._predict(one, each) for each, one in zip(judges, every, strict=True) if one),
            *(self._rate_output(tasks, each) for each in judges),
        )

    def notes(self) -> list[str]:
        """What is missing and why, one sentence a kind."""
        return [
            f"{name}: {len(reasons)} of {self.panel.judges} judges gave nothing that counts. "
            + " ".join(dict.fromkeys(reasons))
            for name, reasons in self.heard.missing.items()
        ]

    async def _write(self, number: int) -> Prompts | None:
        got = await written(self._ask, self.shown, self.beside, self.panel, number)
        if isinstance(got, Prompts):
            return got
        self._miss(_TRIGGERING, got)
        return None

    async def _predict(self, written: Prompts, number: int) -> None:
        reply = await self._ask(prompts.predicting(self.shown, written, self.panel, number))
        predicted: Predicted | Void | Unmeasured
        if isinstance(reply, Reply):
            predicted = prompts.read_predicting(reply.data, written, self.shown, number)
        else:
            predicted = reply
        if isinstance(predicted, Predicted):
            self.heard.predicted[number] = predicted
        else:
            self._miss(_TRIGGERING, predicted)

    async def _rate_skill(self, assessment: str, number: int) -> None:
        question = questions.on_skill(self.shown, assessment, self.panel, number)
        await self._rate(question, number)

    async def _rate_output(self, tasks: Sequence[str] | None, number: int) -> None:
        if tasks is None:
            self._miss(_OUTPUT, Void("There are no tasks to imagine: writing them failed."))
            return
        question = questions.on_output(self.shown, tasks, self.panel, number)
        await self._rate(question, number)

    async def _rate(self, question: Question, number: int) -> None:
        reply = await self._ask(question.request)
        heard: Verdict | Void | Unmeasured
        if isinstance(reply, Reply):
            text = f"{self.shown.text}\n{' '.join(self.shown.references)}"
            heard = read(reply.data, question.asked, question.request.identity, text)
        else:
            heard = reply
        if isinstance(heard, Verdict):
            self.heard.verdicts.setdefault(question.assessment, {})[number] = heard
        else:
            self._miss(question.assessment, heard)

    async def _ask(self, request: Request) -> Reply | Unmeasured:
        reply = await self.client.ask(request)
        self.usage.append(reply.usage)
        self._done += 1
        self._progress("Judging", self._done, self._total)
        return reply

    def _miss(self, assessment: str, why: Unmeasured | Void) -> None:
        detail = why.detail if isinstance(why, Unmeasured) else why.why
        self.heard.missing.setdefault(assessment, []).append(detail)
