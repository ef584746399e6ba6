"""What many tests start with."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from github_server import GitHubServer

# Every run tries the same examples, so more of them would find the same again; --hypothesis-profile
# default looks for new ones.
settings.register_profile("ci", settings.get_profile("ci"), max_examples=50)

# A shell makes what it starts in the background, and all that this starts, deaf to the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Let no garbage collection look through all tests and libraries again: none of them goes."""
    gc.freeze()


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    """A GitHub on this machine, which fails the test if its rules were broken."""
    from github_server import GitHubServer

    with GitHubServer() as running:
        yield running
