"""A Client that answers at once, in the way of a model whose true rates are known.

It plays every part: who writes prompts, who predicts, who judges, and who uses the skill. What it
does is drawn from a World, by a generator of its own for each question: the same seed and question
give the same answer, in whatever order questions come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import exp, log, sqrt
from random import Random
from statistics import NormalDist
from types import MappingProxyType
from typing import Any, NamedTuple

from plugineval_action.certify.games import ASPECTS
from plugineval_action.layers.judge.rubrics import CRITERIA
from plugineval_action.layers.triggering import f1
from plugineval_action.llm.client import Reply, Request, Text, ToolUse, Unmeasured, Usage

COLOURS = {"red", "green", "blue", "yellow", "brown", "purple", "orange", "grey"}


class Rate(NamedTuple):
    """A probability that differs from prompt to prompt: its mean and how many prompts' worth of
    evidence it takes to shift it (a Beta distribution; the larger, the more alike)."""

    mean: float
    alike: float = 8.0

    def of(self, rng: Random) -> float:
        return rng.betavariate(self.mean * self.alike, (1 - self.mean) * self.alike)


class Levels(NamedTuple):
    """Ratings from 1 to 5: a normal opinion, rounded; `apart` is how far subjects differ."""

    mean: float
    noise: float = 0.6
    apart: float = 0.5

    def draw(self, subject: Random, rng: Random) -> int:
        opinion = self.mean + subject.gauss(0, self.apart) + rng.gauss(0, self.noise)
        return min(5, max(1, round(opinion)))

    @property
    def true_score(self) -> float:
        """The expected rating, as a share: exact, over subjects and judges."""
        spread = NormalDist(self.mean, sqrt(self.noise**2 + self.apart**2))
        return sum(1 - spread.cdf(level - 0.5) for level in range(2, 6)) / 4


class World(NamedTuple):
    """How the simulated models behave.

    In games skills have `strengths` by name (0 for others) on the logistic scale; `place` is what
    being shown first is worth, `tie` the log-odds of a tie between equals, and `affinity` how much
    a task may favour one of two skills, whatever the order.
    """

    recall: Rate = Rate(0.85)
    false: Rate = Rate(0.15)
    predicted_recall: Rate = Rate(0.9)
    predicted_false: Rate = Rate(0.2)
    orchestration: Levels = Levels(3.8, apart=0.0)
    scope: Levels = Levels(3.4, apart=0.0)
    output: Levels = Levels(3.9)
    reply: Levels = Levels(4.0)
    failing: float = 0.04
    tokens: float = 3_000.0
    tokens_spread: float = 0.4
    strengths: Mapping[str, float] = MappingProxyType({})
    place: float = 0.0
    tie: float = -1.5
    affinity: float = 0.3

    @property
    def true_dimensions(self) -> tuple[dict[str, float], dict[str, float]]:
        """What the judge and the Monte Carlo layer estimate, by dimension."""
        judge = {
            "triggering_accuracy": f1(self.predicted_recall.mean, self.predicted_false.mean),
            "orchestration_fitness": self.orchestration.true_score,
            "scope_calibration": self.scope.true_score,
            "output_quality": self.output.true_score,
        }
        monte_carlo = {
            "triggering_accuracy": self.recall.mean,
            "output_quality": self.reply.true_score,
            "robustness": 1 - self.failing,
            "token_efficiency": max(0.0, 1 - self.tokens / 8_000),
        }
        return judge, monte_carlo


class SimulatedClient:
    """Answers from a World. `changed` may take over single questions (None leaves them)."""

    def __init__(
        self,
        world: World | None = None,
        seed: int = 0,
        changed: Callable[[Request], Reply | Unmeasured | None] | None = None,
    ) -> None:
        self.world, self.seed, self.changed = world or World(), seed, changed
        self.requests: list[Request] = []

    async def ask(self, request: Request) -> Reply | Unmeasured:
        self.requests.append(request)
        other = self.changed(request) if self.changed else None
        return other or getattr(self, f"_{request.purpose.replace('.', '_')}")(request)

    def _rng(self, *words: str) -> Random:
        return Random("\0".join((str(self.seed), *words)))

    def _own(self, request: Request) -> Random:
        return self._rng(request.purpose, request.identity)

    def _prompts_write(self, request: Request) -> Reply:
        each = request.schema["properties"]["should"]["minItems"]  # type: ignore[index]
        mark = f"{self._own(request).getrandbits(48):x}"
        return answered(
            request,
            {
                "should": [f"wanted request {number} {mark}" for number in range(each)],
                "should_not": [f"unwanted request {number} {mark}" for number in range(each)],
            },
        )

    def _judge_triggering_accuracy(self, request: Request) -> Reply:
        rng = self._own(request)
        predictions = []
        for number, prompt in re.findall(r"^(\d+)\. (.*)$", last_text(request), re.MULTILINE):
            rate = 0.0
            if "request" in prompt:
                wanted = prompt.startswith("wanted")
                of = self.world.predicted_recall if wanted else self.world.predicted_false
                rate = of.of(self._rng("predicted", prompt))
            predictions.append({"number": int(number), "loads": rng.random() < rate})
        return answered(request, {"predictions": predictions})

    def _judge_orchestration_fitness(self, request: Request) -> Reply:
        return self._verdict(request, self.world.orchestration, ["skill"])

    def _judge_scope_calibration(self, request: Request) -> Reply:
        return self._verdict(request, self.world.scope, ["skill"])

    def _judge_output_quality(self, request: Request) -> Reply:
        return self._verdict(request, self.world.output, ["task 1", "task 2", "task 3"])

    def _monte_carlo_quality(self, request: Request) -> Reply:
        return self._verdict(request, self.world.reply, ["reply"])

    def _verdict(self, request: Request, levels: Levels, subjects: list[str]) -> Reply:
        rng, ratings = self._own(request), []
        criterion = request.purpose.partition(".")[2]
        alone = subjects == ["skill"]
        for subject in subjects:
            # A task is as hard for one judge as for the next: its difficulty hangs on its text.
            told = re.search(rf"{subject}: (.*)", last_text(request)) if not alone else None
            about = self._rng("subject", told[1] if told else request.identity)
            shift = about.getrandbits(32)
            for each in [criterion] if alone else CRITERIA:
                level = levels.draw(Random(shift), rng)
                ratings.append(
                    {
                        "subject": subject,
                        "criterion": each,
                        "reasoning": "It is so.",
                        "quotes": [],
                        "level": level,
                    }
                )
        return answered(request, {"ratings": ratings, "control": control_of(request)})

    def _certify_game(self, request: Request) -> Reply:
        text = "\n".join(block.text for block in request.messages[0].blocks)  # type: ignore[union-attr]
        first, second = re.findall(r"^name: (.*)$", text, re.MULTILINE)[:2]
        task = re.search(r"on this task:\n<[^>]*>\n(.*)", text)
        assert task
        known = self.world.strengths
        favour = self._rng("affinity", *sorted((first, second)), task[1]).gauss(
            0, self.world.affinity
        )
        apart = known.get(first, 0.0) - known.get(second, 0.0)
        u = apart + self.world.place + (favour if first < second else -favour)
        weights = exp(u / 2), exp(self.world.tie), exp(-u / 2)
        rng = self._own(request)
        verdicts = [
            {
                "aspect": aspect,
                "reasoning": "So.",
                "better": rng.choices(("first", "equal", "second"), weights)[0],
            }
            for aspect in ASPECTS
        ]
        return answered(request, {"verdicts": verdicts, "control": control_of(request)})

    def _monte_carlo_activation(self, request: Request) -> Reply:
        prompt = last_text(request)
        rate = self.world.recall if prompt.startswith("wanted") else self.world.false
        loads = self._own(request).random() < rate.of(self._rng("activation", prompt))
        own = re.search(r"- ([\w-]+): Simulated\.", request.system[0].text)
        uses = (ToolUse("t1", "load_skill", {"name": own[1]}),) if loads and own else ()
        return answered(request, None, text="", uses=uses)

    def _opinion(self, request: Request) -> Reply:
        return answered(request, {"reasoning": "So.", "score": self._own(request).random()})

    _published_triggering_accuracy = _published_orchestration_fitness = _opinion
    _published_output_quality = _published_scope_calibration = _opinion

    def _published_run(self, request: Request) -> Reply:
        return answered(request, None, text="x" * self._own(request).randrange(1, 900))

    def _monte_carlo_reply(self, request: Request) -> Reply:
        rng = self._own(request)
        failed = rng.random() < self.world.failing
        tokens = round(exp(rng.gauss(log(self.world.tokens), self.world.tokens_spread)))
        reply = answered(request, None, text=f"A reply to {last_text(request)}.")
        usage = reply.usage._replace(input_tokens=0, output_tokens=tokens)
        return reply._replace(usage=usage, stop_reason="refusal" if failed else "end_turn")


def answered(
    request: Request,
    data: Any,  # noqa: ANN401 - whatever the schema asks for
    *,
    text: str = "",
    uses: tuple[ToolUse, ...] = (),
) -> Reply:
    """A reply of the usual kind."""
    usage = Usage(request.model, 1, 100, 50, 0, 0, 0.001)
    return Reply(
        text, data, uses, usage, "tool_use" if uses else "end_turn", request.model, "req_1"
    )


def last_text(request: Request) -> str:
    """The last block of the last message: what is asked."""
    block = request.messages[-1].blocks[-1]
    assert isinstance(block, Text)
    return block.text


def control_of(request: Request) -> int:
    """The right answer to the control question of a request."""
    words = re.search(r"are colours: ([a-z, ]+)\?", last_text(request))
    assert words
    return sum(word in COLOURS for word in words[1].split(", "))
