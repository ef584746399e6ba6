"""What the service charges: written down here once more, so that a slip in our own table shows."""

from __future__ import annotations

from typing import Final, NamedTuple


class Price(NamedTuple):
    """Dollars per million tokens, and the shortest prompt that is cached."""

    input: float
    output: float
    write_5m: float
    write_1h: float
    read: float
    cached_from: int = 512


PRICES: Final = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.125, 0.20, 0.01),
    "claude-sonnet-5-5": Price(2.0, 10.0, 2.50, 4.0, 0.20),
    "claude-opus-5-5": Price(4.0, 20.0, 5.0, 8.0, 0.20),
    "claude-haiku-4-5-20251001": Price(1.0, 5.0, 1.25, 2.0, 0.10, 4096),
    "claude-unlisted-9": Price(7.0, 35.0, 8.75, 14.0, 0.70),
}
LONG: Final = {"claude-haiku-5-5": Price(0.50, 2.50, 0.625, 1.0, 0.05)}
LONG_FROM: Final = 100_000


class Counted(NamedTuple):
    """Tokens of one answer."""

    input: int
    output: int
    read: int
    write_5m: int
    write_1h: int


def charge(model: str, counted: Counted, *, batch: bool) -> float:
    """Dollars for one answer."""
    prompt = counted.input + counted.read + counted.write_5m + counted.write_1h
    price = LONG[model] if model in LONG and prompt > LONG_FROM else PRICES[model]
    dollars = (
        counted.input * price.input
        + counted.output * price.output
        + counted.read * price.read
        + counted.write_5m * price.write_5m
        + counted.write_1h * price.write_1h
    )
    return dollars / 1e6 / (2 if batch else 1)
