"""The kinds of metrics, and what each asks a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OWN: Final = "LLMPlain"
"""The kind whose criterion the author writes."""

_BANDS: Final = (
    "90 or more: nothing of weight to add. 70 to 89: good, with small gaps. 50 to 69: usable, with "
    "gaps that matter. 30 to 49: misses much. Below 30: fails. Length by itself earns nothing: a "
    "short answer that says everything is better than a long one that repeats itself."
)

INSTRUCTIONS: Final[Mapping[str, str]] = {
    "ClarityCoherence": (
        "Judge how clear and coherent the answer is. 40 points: can each sentence be understood at "
        "the first reading? 30 points: does one thought lead to the next, without contradiction? "
        f"30 points: does its form (headings, lists, code) help? {_BANDS}"
    ),
    "Coverage": (
        "Judge how completely the answer covers the task. 50 points: is every part of the task "
        "dealt with? 30 points: with the depth that each part needs? 20 points: are limits, edge "
        f"cases and what was left out named? {_BANDS}"
    ),
    "Relevance": (
        "Judge how much the answer is about the task. 40 points: does it answer what was asked? "
        "30 points: is everything in it of use for that? 30 points: does it fit the situation and "
        f"the person who asks? {_BANDS}"
    ),
}
"""Kind → the instruction that is built in. Numbers in it are points of a hundred."""

KINDS: Final = (*INSTRUCTIONS, OWN)
