"""Adding up what questions took: tokens and dollars, by model."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from math import fsum

from plugineval_action.llm.client import Usage
from plugineval_action.llm.models import Tokens, cost


def answered(model: str, tokens: Tokens, *, batch: bool = False) -> Usage:
    """The usage of one answer."""
    return Usage(
        model=model,
        calls=1,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write_5m + tokens.cache_write_1h,
        usd=cost(model, tokens, batch=batch),
    )


def total(model: str, parts: Iterable[Usage]) -> Usage:
    """The sum over one model. One unknown price makes the dollars unknown."""
    parts = tuple(parts)
    prices = [part.usd for part in parts]
    return Usage(
        model=model,
        calls=sum(part.calls for part in parts),
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=sum(part.output_tokens for part in parts),
        cache_read_tokens=sum(part.cache_read_tokens for part in parts),
        cache_write_tokens=sum(part.cache_write_tokens for part in parts),
        usd=None if None in prices else fsum(usd for usd in prices if usd is not None),
        lost_usd=fsum(part.lost_usd for part in parts),
    )


def by_model(parts: Iterable[Usage]) -> tuple[Usage, ...]:
    """One sum a model, in the order of their ids; models that were not called are left out."""
    ordered = sorted(parts, key=lambda part: part.model)
    sums = (total(model, group) for model, group in groupby(ordered, lambda part: part.model))
    return tuple(one for one in sums if one.calls or one.lost_usd)
