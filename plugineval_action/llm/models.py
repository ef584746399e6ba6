"""Which models there are and what they cost, from `models.json`, a dated table.

A model that is not in the table can be used; what it costs is then unknown (None), never 0.
"""

from __future__ import annotations

import json
import os.path
from functools import cache
from typing import Any, Final, NamedTuple

_TABLE: Final = os.path.join(os.path.dirname(__file__), "models.json")
_MILLION: Final = 1_000_000
DEFAULT: Final = "sonnet"
"""The tier that judges unless another one is asked for."""


class Price(NamedTuple):
    """Dollars per million tokens; cache writes by how long the cache keeps them."""

    input: float
    output: float
    cache_write_5m: float
    cache_write_1h: float
    cache_read: float


class Tokens(NamedTuple):
    """Tokens of one answer; `input` is what was neither written to the cache nor read from it."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0

    @property
    def prompt(self) -> int:
        """All tokens that went in."""
        return self.input + self.cache_read + self.cache_write_5m + self.cache_write_1h


@cache
def _table() -> dict[str, Any]:
    with open(_TABLE, encoding="utf-8") as file:
        table: dict[str, Any] = json.load(file)
    return table


def price_date() -> str:
    """The day of the price table, as `2026-01-31`."""
    return str(_table()["date"])


def tiers() -> dict[str, str]:
    """The id of each tier's model."""
    return dict(_table()["tiers"])


def model_id(name: str) -> str:
    """The id that a tier stands for; any other name is an id already."""
    return tiers().get(name.lower(), name)


def takes_effort(model: str) -> bool:
    """Whether a model may be told how hard to think; unknown ones may not."""
    return bool(_table()["models"].get(model, {}).get("effort"))


def price(model: str, prompt_tokens: int = 0) -> Price | None:
    """What a model costs for a prompt of this length, None if that is unknown."""
    for row in _table()["models"].get(model, {}).get("prices", ()):
        if row["prompt_up_to"] is None or prompt_tokens <= row["prompt_up_to"]:
            return Price(**{name: row[name] for name in Price._fields})
    return None


def cost(model: str, tokens: Tokens, *, batch: bool = False) -> float | None:
    """Dollars for one answer, None if the price is unknown."""
    known = price(model, tokens.prompt)
    if known is None:
        return None
    dollars = (
        tokens.input * known.input
        + tokens.output * known.output
        + tokens.cache_read * known.cache_read
        + tokens.cache_write_5m * known.cache_write_5m
        + tokens.cache_write_1h * known.cache_write_1h
    ) / _MILLION
    return dollars * (float(_table()["batch_factor"]) if batch else 1.0)
