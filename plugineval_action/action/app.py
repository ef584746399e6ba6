"""The container's entry: read what was asked for, do what the event wants, and end with a code.

0 passed or advisory, 1 a gate failed, 2 wrong settings, a refusal that leaves nothing to show, or a
mistake of ours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from plugineval_action.action.config_file import parse_config
from plugineval_action.action.ending import end
from plugineval_action.action.event import MAX_PAYLOAD_BYTES, read_event
from plugineval_action.action.mode import Plan, decide
from plugineval_action.action.outputs import NOTHING
from plugineval_action.action.run import BROKEN, PASSED, Run, tell
from plugineval_action.action.settings import Settings, read_settings
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.text import read_text
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.gh.client import GitHub
from plugineval_action.gh.commands import mask, verbatim
from plugineval_action.render.words import short_id

_REPORT_SECONDS: Final = 900.0
"""Seconds that a report may spend on GitHub: it reads every file, and nobody waits for it."""

_BUG: Final = "This is a mistake in the action. Please report it with the log of this step."


def main(environ: Mapping[str, str], sleep: Callable[[float], None] = time.sleep) -> int:
    """Run the action in an environment that the runner made; the exit code.

    `sleep` lets seconds pass before GitHub is asked again.
    """
    try:
        settings = read_settings(environ)
    except PluginEvalError as error:
        return _fail(environ.get("GITHUB_OUTPUT"), environ.get("GITHUB_STEP_SUMMARY"), error)
    # Before anything else is printed: a mask works from here on only.
    for secret in settings.secrets:
        sys.stdout.write("".join(f"{line}\n" for line in mask(secret)))
    sys.stdout.flush()
    places = settings.output, settings.step_summary
    try:
        return _run(settings, sleep)
    except PluginEvalError as error:
        return _fail(*places, error)
    except Exception:  # noqa: BLE001 - whatever it is, outputs and summary have to say so
        import traceback

        sys.stdout.write(verbatim(traceback.format_exc()))
        return _fail(*places, PluginEvalError("The action broke down.", _BUG))


def _run(settings: Settings, sleep: Callable[[float], None]) -> int:
    event = read_event(settings.event_name, _payload(settings))
    plan = decide(event, settings)
    if plan.kind == "nothing":
        return _nothing(settings, plan)
    github = _connect(settings, plan, sleep)
    if settings.config:
        settings = _configured(settings, plan, github)
        plan = decide(event, settings)
    tell("notice", (*plan.reasons, *settings.notices))
    run = Run(settings, plan, github)
    # Each kind is imported alone: posting a result needs no scoring, and the other way round.
    if plan.kind == "review":
        from plugineval_action.action.review_run import review_change

        return review_change(run)
    if plan.kind == "score":
        from plugineval_action.action.score_run import score_everything

        return score_everything(run)
    if plan.kind == "report":
        from plugineval_action.action.report_run import report_on_everything

        return report_on_everything(run)
    if plan.kind == "certify":
        from plugineval_action.action.certify_run import certify_skills

        return certify_skills(run)
    from plugineval_action.action.post_run import post_result

    return post_result(run)


def _nothing(settings: Settings, plan: Plan) -> int:
    tell("notice", plan.reasons)
    end(settings.output, settings.step_summary, NOTHING, plan.reasons)
    return PASSED


def _connect(settings: Settings, plan: Plan, sleep: Callable[[float], None]) -> GitHub:
    from plugineval_action.gh.api import connect
    from plugineval_action.gh.retry import BUDGET, Deadline

    workspace = Path(settings.workspace)
    seconds = _REPORT_SECONDS if plan.kind in ("report", "certify") else BUDGET
    return connect(
        token=settings.github_token.get_secret_value(),
        repository=settings.repository,
        api_url=settings.api_url,
        graphql_url=settings.graphql_url,
        deadline=Deadline(seconds, sleep=sleep),
        local=DirectoryTree(workspace) if plan.from_workspace and workspace.is_dir() else None,
    )


def _configured(settings: Settings, plan: Plan, github: GitHub) -> Settings:
    """The settings with those of the file at the base, which a change cannot touch."""
    name, tree = settings.config or "", github.tree(plan.base or plan.head)
    if tree.kind(name) is None:
        raise UsageError(
            f"config: {name} is not in commit {short_id(tree.identity)}, where it is read from.",
            "Merge it into the base branch first, and leave the input out until then.",
        )
    text = read_text(tree, name)
    return settings.with_config(parse_config(text.content, name))


def _payload(settings: Settings) -> object:
    """The event's payload as JSON. Raises UsageError if it cannot be read."""
    path = Path(settings.event_path)
    try:
        if path.stat().st_size > MAX_PAYLOAD_BYTES:
            raise UsageError(f"{path} is too large for an event.", "Let GitHub's runner write it.")
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        message = f"GITHUB_EVENT_PATH: {path} cannot be read as JSON."
        raise UsageError(message, "Let GitHub's runner write it.") from error


def _fail(output: str | None, summary: str | None, error: PluginEvalError) -> int:
    """Say what went wrong in every place that needs no rights."""
    tell("failure", [str(error)])
    problems = [line for line in str(error).splitlines() if line]
    end(output, summary, NOTHING | {"passed": "false"}, problems, done=False)
    return BROKEN
