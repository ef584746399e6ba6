"""Issues by the API."""

from __future__ import annotations

from typing import Final

from plugineval_action.gh import graphql
from plugineval_action.gh.client import Issue
from plugineval_action.gh.failure import Asked
from plugineval_action.gh.session import Session

_WRITE: Final = "issues: write"
_READ: Final = "issues: read"


class ApiIssues:
    """See `client.Issues`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._github = session.repository

    def open(self) -> list[Issue]:
        asked = Asked("read the open issues", _READ)
        issues: list[Issue] = []
        after: str | None = None
        while True:
            page, after = self._session.query(
                asked, graphql.ISSUES, {"after": after}, graphql.issues_page
            )
            issues += page
            if after is None:
                return issues

    def create(self, title: str, body: str) -> Issue:
        asked = Asked("open an issue", _WRITE)
        marker = body.partition("\n")[0]

        def request() -> Issue:
            made = self._github.create_issue(title, body=body)
            return Issue(made.number, body, made.html_url, mine=True)

        def written() -> Issue | None:
            ours = (each for each in self.open() if each.mine and each.body.startswith(marker))
            return next(ours, None)

        return self._session.run(asked, request, written)

    def edit(self, number: int, title: str, body: str, *, close: bool = False) -> str:
        asked = Asked(f"edit issue {number}", _WRITE)
        issue = self._github.get_issue(number)

        def request() -> str:
            if close:
                issue.edit(title=title, body=body, state="closed", state_reason="completed")
            else:
                issue.edit(title=title, body=body)
            return issue.html_url

        return self._session.run(asked, request)
