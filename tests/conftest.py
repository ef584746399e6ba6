"""What many tests start with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from github_server import GitHubServer


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    """A GitHub on this machine, which fails the test if its rules were broken."""
    with GitHubServer() as running:
        yield running
