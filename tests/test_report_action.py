"""Mode report as a whole: what reaches the branch, and that no run is ever lost or doubled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from github_server import GitHubServer
from github_server.faults import Kind
from plugineval_action.render.report.pages import REPORT_MARKER
from report_run import BRANCH, change, history, market, plugins, report

COMMIT = "/graphql/Commit$"


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as running:
        yield running


def test_a_report_makes_a_branch_of_its_own_with_pages_pictures_and_history(
    server: GitHubServer, tmp_path: Path
) -> None:
    home = market(server, "bills", "letters")
    done = report(server, tmp_path)
    files = home.files(BRANCH)

    assert done.code == 0, done.log
    assert str(files["README.md"], "utf-8").startswith(REPORT_MARKER)
    assert {"report.json", "badges/bills.svg", "badges/marketplace.json"} <= files.keys()
    assert {"plugins/letters.md", "charts/distribution-dark.svg", "history.jsonl"} <= files.keys()
    assert [home.branches["main"][:10]] * 2 == [commit for commit, _ in history(home)]
