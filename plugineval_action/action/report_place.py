"""Where a report goes, how its pages find each other there, and what to say if it may not."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote

from plugineval_action.action.inputs import Publish
from plugineval_action.action.report_commit import Place
from plugineval_action.action.settings import Settings
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.escape import path_url
from plugineval_action.gh.errors import Protected
from plugineval_action.render.report.model import Site

FOLDER: Final = "plugin-eval"
"""On the default branch, unless report-path says otherwise; a branch of its own has no folder."""

_WAYS_OUT: Final[dict[Publish, str]] = {
    "branch": (
        "Exempt this branch from the rules that match it (a rule for all branches does), or give"
        " report-branch a name that none matches."
    ),
    "main": (
        "There are two ways out: publish: branch, the default, keeps the report on a branch of its"
        " own; publish: pull-request proposes each report."
    ),
    "pull-request": (
        "Exempt the branch of report-branch from the rules that match it (a rule for all branches"
        " does), or give it a name that none matches."
    ),
}


class Home(NamedTuple):
    """`place` is written to; `site` is where its pages are read, once they are merged."""

    place: Place
    site: Site

    @property
    def url(self) -> str:
        """The front page."""
        return f"{self.site.pages}/README.md"


def home_of(settings: Settings, default_branch: str) -> Home:
    """Where the report goes. Raises UsageError if a branch of its own would be the default one."""
    own = settings.publish == "branch"
    folder = settings.report_path
    if folder is None:
        folder = "" if own else FOLDER
    if settings.publish != "main" and settings.report_branch == default_branch:
        raise UsageError(
            f"report-branch: {default_branch} is the default branch.",
            "Use publish: main to have the report there, or name another branch.",
        )
    branch = default_branch if settings.publish == "main" else settings.report_branch
    read_on = branch if own else default_branch
    return Home(Place(branch, folder), _site(settings, Place(read_on, folder)))


def _site(settings: Settings, place: Place) -> Site:
    repository = f"{settings.server_url}/{settings.repository}"
    inside = f"{quote(place.branch)}/{path_url(place.folder)}".rstrip("/")
    return Site(
        blobs=f"{repository}/blob",
        images=f"{repository}/raw/{inside}",
        pages=f"{repository}/blob/{inside}",
    )


def explained(error: PluginEvalError, publish: Publish) -> PluginEvalError:
    """The same error; that of a protected branch with the ways out of it."""
    if not isinstance(error, Protected):
        return error
    message = f"{error.message} The branch is protected."
    return Protected(message, _WAYS_OUT[publish], error.status)
