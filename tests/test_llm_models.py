"""The table of models and prices."""

from __future__ import annotations

import datetime as dt

import pytest

from model_server.prices import LONG, PRICES
from plugineval_action.llm import models, usage
from plugineval_action.llm.client import Usage
from plugineval_action.llm.models import Tokens, cost, model_id


def test_a_tier_is_a_name_for_a_model_and_anything_else_is_an_id() -> None:
    assert "claude-haiku-5-5" == model_id("haiku")
    assert "claude-sonnet-5-5" == model_id("Sonnet")
    assert "claude-opus-5-5" == model_id("opus")
    assert "claude-unlisted-9" == model_id("claude-unlisted-9")


def test_every_tier_has_a_price_and_the_table_has_a_day() -> None:
    assert all(models.price(model) for model in models.tiers().values())
    assert models.price_date() == dt.date.fromisoformat(models.price_date()).isoformat()


@pytest.mark.parametrize("model", sorted(PRICES.keys() - {"claude-unlisted-9"}))
def test_prices_are_those_that_were_written_down_apart(model: str) -> None:
    for length, expected in ((1, PRICES[model]), (200_000, LONG.get(model, PRICES[model]))):
        assert expected[:5] == tuple(models.price(model, length) or ())


def test_each_kind_of_token_has_its_price() -> None:
    million = 1_000_000
    kinds = {
        Tokens(input=million): 2.0,
        Tokens(output=million): 10.0,
        Tokens(cache_read=million): 0.2,
        Tokens(cache_write_5m=million): 2.5,
        Tokens(cache_write_1h=million): 4.0,
    }
    for tokens, dollars in kinds.items():
        assert dollars == pytest.approx(cost("claude-sonnet-5-5", tokens))
        assert dollars / 2 == pytest.approx(cost("claude-sonnet-5-5", tokens, batch=True))


def test_a_long_prompt_makes_the_whole_request_dearer() -> None:
    short, long = Tokens(input=100_000, output=1000), Tokens(cache_read=100_001, output=1000)

    assert 0.0105 == pytest.approx(cost("claude-haiku-5-5", short))
    assert 0.0075 == pytest.approx(cost("claude-haiku-5-5", long), abs=1e-6)


def test_an_unknown_model_costs_an_unknown_sum() -> None:
    assert cost("claude-unlisted-9", Tokens(input=1)) is None
    assert usage.answered("claude-unlisted-9", Tokens(input=1)).usd is None


def test_usage_adds_up_by_model_and_one_unknown_price_makes_the_sum_unknown() -> None:
    parts = [
        Usage("b", calls=1, input_tokens=5, usd=0.5),
        Usage("a", calls=1, output_tokens=7, usd=None),
        Usage("b", calls=2, input_tokens=1, usd=0.25, lost_usd=0.125),
        Usage("a", calls=1, output_tokens=1, usd=0.5),
        Usage("idle"),
    ]
    expected = (
        Usage("a", calls=2, output_tokens=8, usd=None),
        Usage("b", calls=3, input_tokens=6, usd=0.75, lost_usd=0.125),
    )

    assert expected == usage.by_model(parts)
