"""Requests that a skill should and should not answer: having them written, and predicting them.

One model writes the prompts and another call, which sees only what a harness shows, predicts
which of them load the skill. The labels are those of the writer, and every rate is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from plugineval_action.layers.judge import delimiters
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.rubrics import VERSION
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import Void
from plugineval_action.llm.client import Json, Message, Request, Text
from plugineval_action.stats.seeds import seeded

EACH: Final = 5
"""Prompts of each kind that one judge writes."""

WRITING: Final = "prompts.write"
"""The purpose of having prompts written."""

_LONGEST: Final = 600
_CONTROLS: Final = (
    "What is 17 times 3?",
    "Tell me a short joke about penguins.",
    "Which river flows through Cairo?",
    "What is the plural of mouse?",
)
"""Requests that no skill has to answer: predicting one of them to load it voids the answer."""

PREDICTIONS: Final[Json] = {
    "type": "object",
    "properties": {
        "predictions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "loads": {"type": "boolean"},
                },
                "required": ["number", "loads"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["predictions"],
    "additionalProperties": False,
}


class Prompts(NamedTuple):
    """Requests that should load the skill, and near misses that should not."""

    should: tuple[str, ...]
    should_not: tuple[str, ...]


class Predicted(NamedTuple):
    """Whether each prompt was predicted to load the skill, in the order of the prompts."""

    should: tuple[bool, ...]
    should_not: tuple[bool, ...]
    prompts: Prompts


def writing(shown: Shown, panel: Panel, judge: int, each: int = EACH) -> Request:
    """Have `each` prompts of both kinds written, from name and description alone."""
    words = (
        f"Write {each} requests that a user could make and for which this skill should be "
        f"loaded (`should`), and {each} near misses (`should_not`): requests of the same field, "
        "with some of the same words, for which it should not, because another skill or none at "
        "all serves them better. Write as users do: first person, concrete, of different "
        "lengths, without naming the skill. One to three sentences each."
    )
    return Request(
        model=panel.writer,
        system=(Text(delimiters.rules(panel.nonce)),),
        messages=(Message("user", (Text(_listing(panel.nonce, shown)), Text(words))),),
        purpose=WRITING,
        version=VERSION,
        # By the listing, as that is all that is seen of the skill: other texts share its prompts.
        identity="\0".join((*shown.listing, str(each), str(judge))),
        max_tokens=6_000,
        schema=_written(each),
        effort="low",
    )


def read_writing(data: Json, each: int = EACH) -> Prompts | Void:
    """The prompts, all different."""
    should, should_not = (
        tuple(" ".join(one.split())[:_LONGEST] for one in data[kind])
        for kind in ("should", "should_not")
    )
    both = {one.lower() for one in (*should, *should_not)}
    if len(should) != each or len(should_not) != each or len(both) != 2 * each:
        return Void(f"The prompts are not twice {each} different ones.")
    return Prompts(should, should_not)


def merged(one: Prompts, other: Prompts) -> Prompts:
    """Prompts of two writers in turn, as many as one wrote; of one alone if two are the same."""
    should, should_not = (
        tuple((a, b)[at % 2] for at, (a, b) in enumerate(zip(*kinds, strict=True)))
        for kinds in zip(one, other, strict=True)
    )
    both = {text.lower() for text in (*should, *should_not)}
    return Prompts(should, should_not) if len(both) == 2 * len(should) else one


def predicting(shown: Shown, prompts: Prompts, panel: Panel, judge: int) -> Request:
    """Have it predicted which prompts load the skill, in shuffled order, one control among them."""
    identity = _identity(prompts, shown, judge)
    order = _order(prompts, identity)
    listed = "\n".join(f"{number}. {text}" for number, (text, _) in enumerate(order, start=1))
    words = (
        f"An assistant sees this line in its list of skills. {len(order)} users make these "
        f"requests, one each:\n{delimiters.data(panel.nonce, listed)}\n"
        "For each number: would the assistant load this skill before it answers? It loads a skill "
        "only if the request is of the kind that the listing names."
    )
    return Request(
        model=panel.writer,
        system=(Text(delimiters.rules(panel.nonce)),),
        messages=(Message("user", (Text(_listing(panel.nonce, shown)), Text(words))),),
        purpose="judge.triggering_accuracy",
        version=VERSION,
        identity=identity,
        max_tokens=4_000,
        schema=PREDICTIONS,
        effort="low",
    )


def read_predicting(data: Json, prompts: Prompts, shown: Shown, judge: int) -> Predicted | Void:
    """The predictions, each number once."""
    identity = _identity(prompts, shown, judge)
    order = _order(prompts, identity)
    loads = {one["number"]: one["loads"] for one in data["predictions"]}
    if sorted(loads) != list(range(1, len(order) + 1)) or len(data["predictions"]) != len(order):
        return Void("The predictions are not one for each prompt.")
    by_text = {text: loads[number] for number, (text, _) in enumerate(order, start=1)}
    if any(by_text[text] for text, of_skill in order if not of_skill):
        return Void(
            "A request that has nothing to do with any skill was predicted to load this one."
        )
    return Predicted(
        tuple(by_text[text] for text in prompts.should),
        tuple(by_text[text] for text in prompts.should_not),
        prompts,
    )


def _identity(prompts: Prompts, shown: Shown, judge: int) -> str:
    return "\0".join((shown.digest, str(judge), *prompts.should, *prompts.should_not))


def _order(prompts: Prompts, identity: str) -> Sequence[tuple[str, bool]]:
    """The prompts and a control, shuffled; the flag says whether a prompt is about the skill."""
    rng = seeded("order", identity)
    listed = [(text, True) for text in (*prompts.should, *prompts.should_not)]
    listed.append((rng.choice(_CONTROLS), False))
    rng.shuffle(listed)
    return listed


def _listing(nonce: str, shown: Shown) -> str:
    name, description = shown.listing
    return delimiters.data(nonce, f"Name: {name}\nDescription: {description}")


def _written(each: int) -> Json:
    texts = {"type": "array", "items": {"type": "string"}, "minItems": each, "maxItems": each}
    return {
        "type": "object",
        "properties": {"should": texts, "should_not": texts},
        "required": ["should", "should_not"],
        "additionalProperties": False,
    }
