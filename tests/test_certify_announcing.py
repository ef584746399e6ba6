"""What certifying costs is told without contradiction: with a cap, the cap is the most."""

from __future__ import annotations

import pytest

from plugineval_action.certify.announcing import Announced

TOLD = Announced(calls=30, games=20, usd=2.33, most_usd=12.58, seen=False)


@pytest.mark.parametrize("cap", [None, 20.0])
def test_without_a_cap_that_could_be_met_the_most_is_told(cap: float | None) -> None:
    assert (
        "30 calls, 20 games among them: expected $2.33, at most $12.58, by a table of usual "
        "lengths." == TOLD.words(cap)
    )


def test_with_a_cap_that_could_be_met_it_is_said_where_it_stops() -> None:
    assert (
        "30 calls, 20 games among them: expected $2.33, by a table of usual lengths. It stops "
        "before it costs more than $5; without this cap it could cost up to $12.58."
        == TOLD.words(5.0)
    )
