"""Games: a judge sees two skills and one task, in both orders. Questions and answers; pure.

A game is won only if both orders agree on the winner; a disagreement is a tie, and counts in the
flip rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple, get_args

from plugineval_action.layers.judge import delimiters
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.reading import ASSESSMENTS
from plugineval_action.layers.judge.rubrics import LEVELS, VERSION, rubric
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import Void, control
from plugineval_action.llm.client import Json, Message, Request, Text
from plugineval_action.stats.bradley_terry import Better, Case, Trial
from plugineval_action.stats.proportions import Interval, Sample, effective, wilson

OVERALL: Final = "overall"
ASPECTS: Final = (*ASSESSMENTS, OVERALL)
"""What each verdict is about: the dimensions that a judge can tell, and all together."""

PURPOSE: Final = "certify.game"
_MAX_TOKENS: Final = 3_000

SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "aspect": {"type": "string", "enum": list(ASPECTS)},
                    "reasoning": {"type": "string", "description": "One sentence."},
                    "better": {"type": "string", "enum": list(get_args(Better))},
                },
                "required": ["aspect", "reasoning", "better"],
                "additionalProperties": False,
            },
        },
        "control": {"type": "integer", "minimum": 0, "maximum": LEVELS},
    },
    "required": ["verdicts", "control"],
    "additionalProperties": False,
}

Verdicts = tuple[Better, ...]
"""Which skill is better, for each of ASPECTS."""


class Player(NamedTuple):
    """A skill that plays: the digest of all its files, its name, and what a model sees of it."""

    digest: str
    name: str
    shown: Shown


class Game(NamedTuple):
    """Two skills on one task, the smaller digest as `one`, which `forward` was shown first.

    `task` is the digest of the task's text, and `model` the one that judged.
    """

    one: str
    other: str
    task: str
    model: str
    version: str
    forward: Verdicts
    backward: Verdicts

    @classmethod
    def between(  # noqa: PLR0913, PLR0917 - a game's fields
        cls, one: str, other: str, task: str, model: str, forward: Verdicts, backward: Verdicts
    ) -> Game:
        """The same game whoever of the two it was played for."""
        if other < one:
            one, other, forward, backward = other, one, backward, forward
        return cls(one, other, task, model, VERSION, forward, backward)

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What tells a game from others."""
        return self[:5]

    @property
    def flipped(self) -> bool:
        """Whether the two orders disagree about the whole."""
        return self.forward[-1] != _turned(self.backward[-1])

    def outcome(self, player: str, aspect: str = OVERALL) -> float:
        """1 if the player won, 0.5 for a tie, 0 if it lost."""
        at = ASPECTS.index(aspect)
        verdict = self.forward[at]
        if verdict != _turned(self.backward[at]) or verdict == "equal":
            return 0.5
        return float((verdict == "first") == (player == self.one))

    @property
    def case(self) -> Case:
        """Both verdicts on the whole, for the model of strengths."""
        return (
            Trial(self.one, self.other, self.forward[-1]),
            Trial(self.other, self.one, self.backward[-1]),
        )


def task_digest(task: str) -> str:
    """A short name for a task, as its words are a model's."""
    return sha256(task.encode("utf-8", "replace")).hexdigest()[:16]


def question(first: Shown, second: Shown, task: str, panel: Panel) -> Request:
    """The question with the skills in this order; the tasks of a pair share a cached prefix."""
    identity = f"{first.digest}\0{second.digest}\0{task}"
    words = (
        "Compare the two skills by the rubric `comparison` on this task:\n"
        f"{delimiters.data(panel.nonce, task)}\n"
        f"Aspects, each once: {', '.join(f'`{aspect}`' for aspect in ASPECTS)}.\n"
        f"{control(identity).question}"
    )
    blocks = (
        Text(f"The first skill:\n{delimiters.skill_data(panel.nonce, first)}"),
        Text(f"The second skill:\n{delimiters.skill_data(panel.nonce, second)}", cached=True),
        Text(words),
    )
    return Request(
        model=panel.judge,
        system=(Text(f"{delimiters.rules(panel.nonce)}\n\n{rubric('comparison')}"),),
        messages=(Message("user", blocks),),
        purpose=PURPOSE,
        version=VERSION,
        identity=identity,
        max_tokens=_MAX_TOKENS,
        schema=SCHEMA,
        effort="medium",
    )


def read(data: Json, identity: str) -> Verdicts | Void:
    """Check an answer that fits the schema: the control, and each aspect once."""
    if data["control"] != control(identity).answer:
        return Void(
            "The control question was answered wrong, so the judge may not have read it all."
        )
    told = {one["aspect"]: one["better"] for one in data["verdicts"]}
    if len(data["verdicts"]) != len(ASPECTS) or told.keys() != set(ASPECTS):
        return Void("The verdicts are not the ones that were asked for.")
    return tuple(told[aspect] for aspect in ASPECTS)


class Bias(NamedTuple):
    """What the place of a skill did to its verdicts.

    `flips` of `games` changed with the order. `first` is the share of verdicts for whoever was
    shown first, of those that named one, with its 95 % interval; None if none did.
    """

    games: int
    flips: int
    first: float | None = None
    interval: Interval | None = None


def bias(games: Sequence[Game]) -> Bias:
    """Count over games; the two verdicts of a game count as one cluster."""
    clusters = [
        [verdict == "first" for verdict in (game.forward[-1], game.backward[-1])]
        for game in games
        if "equal" not in (game.forward[-1], game.backward[-1])
    ]
    flips = sum(game.flipped for game in games)
    every = [first for cluster in clusters for first in cluster]
    if not every:
        return Bias(len(games), flips)
    sample = Sample(*effective(clusters))
    return Bias(len(games), flips, sum(every) / len(every), wilson(sample))


def played_by(games: Iterable[Game], player: str) -> list[Game]:
    """The games of one player."""
    return [game for game in games if player in (game.one, game.other)]


def _turned(better: Better) -> Better:
    turned: dict[Better, Better] = {"first": "second", "second": "first", "equal": "equal"}
    return turned[better]
