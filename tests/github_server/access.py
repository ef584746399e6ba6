"""Tokens, and what they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from github_server.world import BOT

Level = Literal["read", "write"]
PERMISSIONS: Final = ("actions", "checks", "contents", "issues", "pull_requests")
PERSON: Final = "maintainer"


class Token(NamedTuple):
    """Who asks; a person's token is no GitHub App, the workflow's token is."""

    login: str
    permissions: Mapping[str, Level]

    @property
    def is_app(self) -> bool:
        return self.login == BOT

    def may(self, needs: Needs) -> bool:
        held = (self.permissions.get(name) for name in needs.anyone_of)
        return any(level in {needs.level, "write"} for level in held)


class Needs(NamedTuple):
    """One of these permissions, at this level."""

    anyone_of: tuple[str, ...]
    level: Level

    def __str__(self) -> str:
        """As the header x-accepted-github-permissions has it."""
        return "; ".join(f"{name}={self.level}" for name in self.anyone_of)


def everything(level: Level) -> dict[str, Level]:
    return dict.fromkeys(PERMISSIONS, level)


def needs(operation: str, method: str) -> Needs:
    """What an operation of the description needs, by its name."""
    group = operation.partition("/")[0]
    names = {
        "actions": ("actions",),
        "checks": ("checks",),
        "issues": ("issues", "pull_requests"),
        "pulls": ("pull_requests",),
    }
    if operation == "repos/list-pull-requests-associated-with-commit":
        group = "pulls"
    if operation in {"issues/create", "issues/update"}:
        return Needs(("issues",), "write")
    return Needs(names.get(group, ("contents",)), "read" if method == "GET" else "write")


def refusal(token: Token, operation: str, method: str, *, private: bool) -> str | None:
    """Why a token may not; None if it may."""
    if operation in {"checks/create", "checks/update"} and not token.is_app:
        return "You must authenticate via a GitHub App."
    # Everybody may read a public repository, but not download artifacts; who sees a repository
    # at all may see its description.
    open_to_all = operation != "actions/download-artifact" and not private and method == "GET"
    if open_to_all or operation == "repos/get" or token.may(needs(operation, method)):
        return None
    return "Resource not accessible by integration"
