"""What can go wrong with GitHub, as errors that a person can act on.

GitHubError            what was asked and what GitHub answered; `status` 0 if no answer came whole
├── Denied             the token may not do it; `permission` is what the workflow has to grant
├── NotFound           there is no such thing, or the token may not know of it
├── Conflict           the branch is not where it was expected any more
├── Protected          rules of the branch refuse to have it written to
└── Exhausted          the time or the requests that we may spend are used up
"""

from __future__ import annotations

from plugineval_action.errors import PluginEvalError


class GitHubError(PluginEvalError):
    """GitHub refused or could not be reached. No text of it ever holds a token."""

    def __init__(self, message: str, remedy: str, status: int = 0) -> None:
        super().__init__(message, remedy)
        self.status = status


class Denied(GitHubError):  # noqa: N818 # named like the outcome that it leads to
    """The token may not do it; `permission` is like `pull-requests: write`."""

    def __init__(self, message: str, remedy: str, permission: str, status: int = 403) -> None:
        super().__init__(message, remedy, status)
        self.permission = permission


class NotFound(GitHubError):  # noqa: N818 # what GitHub calls it
    """There is no such thing, or the token may not know of it."""


class Conflict(GitHubError):  # noqa: N818 # what GitHub calls it
    """The branch is not where it was expected any more: someone else has written to it."""


class Protected(GitHubError):  # noqa: N818 # what GitHub calls it
    """Rules of the branch refuse to have it written to, whatever the token may do."""


class Exhausted(GitHubError):  # noqa: N818 # a budget that is used up is no mistake
    """The time or the requests that we may spend are used up; nothing more is asked of GitHub."""
