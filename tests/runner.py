"""The environment that GitHub's runner gives to a container action."""

from __future__ import annotations

from collections.abc import Mapping

from event_files import HEAD
from plugineval_action.action.settings import Settings, read_settings

TOKEN = "ghs_0123456789abcdefghijABCDEFGHIJ012345"  # noqa: S105 - of GitHub's form, and no one's


def environ(
    inputs: Mapping[str, str] | None = None, event: str = "pull_request", **variables: str
) -> dict[str, str]:
    """Inputs by their names, and variables that differ from those of a run on github.com."""
    given = {"github-token": TOKEN} | dict(inputs or {})
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "octocat",
        "GITHUB_API_URL": "https://api.github.com",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": "/github/workflow/event.json",
        "GITHUB_GRAPHQL_URL": "https://api.github.com/graphql",
        "GITHUB_OUTPUT": "/github/file_commands/set_output",
        "GITHUB_REPOSITORY": "octo-org/skills",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_RUN_ID": "30433642",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_SHA": HEAD,
        "GITHUB_STEP_SUMMARY": "/github/file_commands/step_summary",
        "GITHUB_WORKSPACE": "/github/workspace",
        "RUNNER_TEMP": "/github/runner_temp",
        "RUNNER_WORKSPACE": "/home/runner/work/skills",
        **{f"INPUT_{name.upper()}": text for name, text in given.items()},
        **variables,
    }


def settings(event: str = "pull_request", /, **inputs: str) -> Settings:
    """`settings("push", fail_under="60")`: what is read from such an environment."""
    return read_settings(
        environ({name.replace("_", "-"): text for name, text in inputs.items()}, event)
    )
