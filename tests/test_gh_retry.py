"""What is tried again, when, and how often; no test waits for real."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.gh.errors import Exhausted, GitHubError
from plugineval_action.gh.failure import Asked, Failure
from plugineval_action.gh.retry import MAX_WAIT, TRIES, Deadline, pause, persist

ASKED = Asked("do it", "contents: read")
BAD_GATEWAY = Failure(502, "")
SECONDARY = "You have exceeded a secondary rate limit."
PRIMARY = "API rate limit exceeded"
NOW = 1_800_000_000.0


class Clock:
    """Time that passes only in `sleep`, or by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def deadline(clock: Clock, seconds: float = 120) -> Deadline:
    return Deadline(seconds, clock, clock.sleep)


def answers(*results: str | Failure) -> Callable[[], str | Failure]:
    """Requests that end so, one after the other."""
    rest: Iterator[str | Failure] = iter(results)
    return lambda: next(rest)


@pytest.mark.parametrize(
    ("failure", "tries", "wait"),
    [
        (BAD_GATEWAY, 1, 0.75),
        (BAD_GATEWAY, 2, 1.5),
        (BAD_GATEWAY, 4, 6.0),
        (BAD_GATEWAY, TRIES, None),
        (Failure(503, "", {"retry-after": "20"}), 1, 20.0),
        (Failure(503, "", {"retry-after": "61"}), 1, None),
        (Failure(0, "no answer in time"), 1, 0.75),
        (Failure(403, SECONDARY, {"retry-after": "5"}), 1, 5.75),
        (Failure(403, SECONDARY, {"retry-after": "60"}), 1, 60.75),
        (Failure(403, SECONDARY, {"retry-after": "61"}), 1, None),
        (Failure(403, SECONDARY), 1, 60.75),
        (Failure(429, "", {"retry-after": "soon"}), 1, 60.75),
        (Failure(403, PRIMARY, {"x-ratelimit-reset": str(int(NOW) + 9)}), 1, 9.75),
        (Failure(403, PRIMARY, {"x-ratelimit-reset": str(int(NOW) - 9)}), 1, 0.75),
        (Failure(403, PRIMARY, {"x-ratelimit-reset": str(int(NOW) + 1800)}), 1, None),
        (Failure(403, "Resource not accessible by integration"), 1, None),
        (Failure(401, "Bad credentials"), 1, None),
        (Failure(404, "Not Found"), 1, None),
        (Failure(409, "Conflict"), 1, None),
        (Failure(422, "Validation Failed"), 1, None),
    ],
)
def test_pause_before_the_next_try(failure: Failure, tries: int, wait: float | None) -> None:
    assert wait == pause(failure, tries, NOW, jitter=0.5)


@given(
    st.integers(0, 599),
    st.sampled_from(["", SECONDARY, PRIMARY]),
    st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-reset", "x-ratelimit-remaining"]),
        st.one_of(st.integers().map(str), st.text(max_size=5)),
    ),
    st.integers(1, TRIES),
    st.floats(0, 1),
)
def test_pause_is_bounded_whatever_github_sends(
    status: int, reason: str, headers: dict[str, str], tries: int, jitter: float
) -> None:
    wait = pause(Failure(status, reason, headers), tries, NOW, jitter)

    assert wait is None or 0 < wait <= MAX_WAIT + 8


def test_what_works_is_asked_once() -> None:
    clock = Clock()

    assert "done" == persist(answers("done"), ASKED, deadline(clock))
    assert [] == clock.slept


def test_passing_trouble_is_waited_out_longer_and_longer() -> None:
    clock = Clock()
    result = persist(answers(BAD_GATEWAY, BAD_GATEWAY, "done"), ASKED, deadline(clock))

    assert "done" == result
    assert [True, True] == [0.5 <= clock.slept[0] <= 1, 1 <= clock.slept[1] <= 2]


def test_trouble_that_stays_is_given_up() -> None:
    clock = Clock()

    with pytest.raises(GitHubError, match="502"):
        persist(answers(*[BAD_GATEWAY] * TRIES), ASKED, deadline(clock))
    assert TRIES - 1 == len(clock.slept)


def test_what_may_have_happened_is_looked_for_before_it_is_tried_again() -> None:
    tried: list[str] = []

    def attempt() -> Failure:
        tried.append("create")
        return BAD_GATEWAY

    def recover() -> str | None:
        tried.append("list")
        return "found" if tried.count("list") == 2 else None

    result = persist(attempt, ASKED, deadline(Clock()), recover)

    assert "found" == result
    assert ["create", "list", "create", "list"] == tried


def test_what_happened_on_the_last_try_is_found_too() -> None:
    looks = iter([None] * (TRIES - 1) + ["found"])
    result = persist(answers(*[BAD_GATEWAY] * TRIES), ASKED, deadline(Clock()), lambda: next(looks))

    assert "found" == result


@pytest.mark.parametrize("failure", [Failure(429, ""), Failure(403, SECONDARY)])
def test_a_refused_request_had_no_effect_to_look_for(failure: Failure) -> None:
    def recover() -> str:
        raise AssertionError

    assert "done" == persist(answers(failure, "done"), ASKED, deadline(Clock()), recover)


def test_time_runs_out_across_requests() -> None:
    clock = Clock()
    shared = deadline(clock, seconds=10)

    def slow() -> str:
        clock.now += 6
        return "done"

    persist(slow, ASKED, shared)
    persist(slow, ASKED, shared)

    with pytest.raises(Exhausted, match="10 s"):
        persist(slow, ASKED, shared)
    assert 12 == clock.now


def test_time_between_requests_does_not_count() -> None:
    clock = Clock()
    shared = deadline(clock, seconds=10)
    clock.now += 3600

    assert "done" == persist(answers("done"), ASKED, shared)


def test_no_wait_is_started_that_would_outlast_the_time() -> None:
    clock = Clock()
    shared = deadline(clock, seconds=30)

    with pytest.raises(Exhausted):
        persist(answers(Failure(403, SECONDARY)), ASKED, shared)
    assert [] == clock.slept


def test_after_a_limit_nothing_more_is_asked() -> None:
    shared = deadline(Clock())
    used_up = Failure(403, PRIMARY, {"x-ratelimit-reset": "9999999999"})

    with pytest.raises(Exhausted, match="this hour"):
        persist(answers(used_up), ASKED, shared)
    with pytest.raises(Exhausted):
        persist(answers(), ASKED, shared)
