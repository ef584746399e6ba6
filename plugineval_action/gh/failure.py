"""A request that went wrong, as a value; what it means, and which error says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from plugineval_action.gh.errors import (
    Conflict,
    Denied,
    Exhausted,
    GitHubError,
    NotFound,
    Protected,
)

Limit = Literal["primary", "secondary"]

# Parts of GitHub's sentences for a token that may not do something, in lower case.
_DENIED: Final = (
    "not accessible by",
    "must authenticate via a github app",
    "must have",
    "not been granted",
    "not granted",
    "not permitted to",
)
# Likewise for rules that keep a branch from being written to.
_PROTECTED: Final = (
    "protected branch",
    "rule violations",
    "through a pull request",
    "must have verified signatures",
)
_MOVED: Final = (
    "conflict",
    "expected branch to point to",
    "not a fast forward",
    "reference already exists",
)
_PROPOSE: Final = "create or approve pull requests"
_NO_COMMIT: Final = "no commit found"
_APPS_ONLY: Final = "must authenticate via a github app"
_ACCEPTED: Final = re.compile(r"([a-z_]+)=(read|write|admin)")
_REASON_LIMIT: Final = 200


class Asked(NamedTuple):
    """What was asked, as in "GitHub could not …", and the permission that it takes."""

    what: str
    permission: str


class Failure(NamedTuple):
    """One request that gave no result.

    `status` is 0 if no answer came whole, `reason` one short line, `headers` have lower-case names,
    `kind` is what GraphQL calls the trouble.
    """

    status: int
    reason: str
    headers: Mapping[str, str] = {}
    kind: str = ""

    @property
    def uncertain(self) -> bool:
        """Whether the request may have had its effect all the same."""
        return self.status == 0 or self.status >= 500

    @property
    def limit(self) -> Limit | None:
        """Which rate limit was hit: of requests an hour, or of requests in a short while."""
        if self.status not in (403, 429) or self.denied:
            return None
        reason = self.reason.lower()
        if "secondary" in reason or "abuse" in reason or "retry-after" in self.headers:
            return "secondary"
        if "rate limit" in reason or self.headers.get("x-ratelimit-remaining") == "0":
            return "primary"
        return "secondary" if self.status == 429 else None

    @property
    def denied(self) -> bool:
        """Whether the token lacks a permission."""
        reason = self.reason.lower()
        return self.status == 403 and any(words in reason for words in _DENIED)

    @property
    def protected(self) -> bool:
        """Whether rules of the branch stand against it."""
        reason = self.reason.lower()
        return self.kind == "BRANCH_PROTECTION_RULE_VIOLATION" or (
            self.status in (403, 409, 422) and any(words in reason for words in _PROTECTED)
        )

    @property
    def moved(self) -> bool:
        """Whether a branch had another tip than expected."""
        reason = self.reason.lower()
        return self.kind == "STALE_DATA" or any(words in reason for words in _MOVED)


def one_line(text: str) -> str:
    """Foreign text as a short line without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _REASON_LIMIT else f"{line[: _REASON_LIMIT - 1]}…"


def explain(failure: Failure, asked: Asked) -> GitHubError:
    """The error for a request that was given up."""
    asked = asked._replace(what=one_line(asked.what))
    said = f"{failure.status}: {failure.reason}" if failure.reason else f"{failure.status}"
    if failure.limit:
        return _limited(failure, asked)
    if failure.denied:
        return _denied(failure, asked, said)
    if failure.status == 401:
        return GitHubError(
            f"GitHub could not {asked.what}: it does not accept the token ({said}).",
            "Leave the input github-token out, or give it a token that is valid.",
            401,
        )
    if failure.status == 404 or _NO_COMMIT in failure.reason.lower():
        return NotFound(
            f"GitHub could not {asked.what} ({said}).",
            f"Check that it exists and that the token may see it ({asked.permission}).",
            failure.status,
        )
    if failure.uncertain:
        return GitHubError(
            f"GitHub could not {asked.what} ({said if failure.status else failure.reason}).",
            "Run the job again; if that does not help, look at GitHub's status page.",
            failure.status,
        )
    return _refused(failure, f"GitHub refused to {asked.what} ({said}).")


def _refused(failure: Failure, message: str) -> GitHubError:
    if failure.protected:
        remedy = "Write to another branch, or let the token pass the rules of this one."
        return Protected(message, remedy, failure.status)
    if failure.moved:
        remedy = "Run the job again; something else wrote to the same place."
        return Conflict(message, remedy, failure.status)
    remedy = "Check what GitHub says against the settings of the repository."
    return GitHubError(message, remedy, failure.status)


def _limited(failure: Failure, asked: Asked) -> Exhausted:
    if failure.limit == "primary":
        return Exhausted(
            f"GitHub could not {asked.what}: the token's requests for this hour are used up.",
            "Run the job again in an hour.",
            failure.status,
        )
    return Exhausted(
        f"GitHub could not {asked.what}: too many requests came in a short while.",
        "Run the job again in a few minutes.",
        failure.status,
    )


def _denied(failure: Failure, asked: Asked, said: str) -> Denied:
    permission = _permission(failure, asked)
    remedy = f"Grant it in the workflow's permissions: {permission}."
    if _APPS_ONLY in failure.reason.lower():
        remedy = (
            "A personal access token cannot do it: leave the input github-token out, or use "
            f"${{{{ github.token }}}} with {permission}."
        )
    if _PROPOSE in failure.reason.lower():
        remedy = (
            "Tick “Allow GitHub Actions to create and approve pull requests” in the repository's"
            " settings, under Actions, General."
        )
    return Denied(f"GitHub refused to {asked.what} ({said}).", remedy, permission)


def _permission(failure: Failure, asked: Asked) -> str:
    """What was asked for, unless GitHub names only other permissions that would do."""
    accepted = failure.headers.get("x-accepted-github-permissions", "")
    choices = [
        [f"{name.replace('_', '-')}: {level}" for name, level in _ACCEPTED.findall(choice)]
        for choice in accepted.split(";")
    ]
    if not choices[0] or [asked.permission] in choices:
        return asked.permission
    return ", ".join(choices[0])
