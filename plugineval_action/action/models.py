"""What a run's settings say about asking models, for an event whose content may be sent."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from plugineval_action.action.result_file import FOLDER
from plugineval_action.action.run import RULESET, Run, say
from plugineval_action.render.spending import spent
from plugineval_action.results import Result

if TYPE_CHECKING:
    from plugineval_action.deepen import Deep


VERDICTS: Final = "verdicts"
"""The folder of the verdict cache, beside result.json in RUNNER_TEMP, for actions/cache."""


def deep_of(run: Run) -> Deep | None:
    """How models are asked; None if they are not."""
    settings = run.settings
    depth = run.depth
    if depth == "quick" or settings.anthropic_api_key is None:
        return None
    from plugineval_action.assess import Settings
    from plugineval_action.deepen import Deep
    from plugineval_action.layers.judge.questions import Panel
    from plugineval_action.llm.connect import Connection
    from plugineval_action.llm.models import model_id

    model = model_id(settings.model)
    return Deep(
        Settings(
            depth=depth,
            # Between marks that nobody can guess, text cannot pretend that it has ended.
            panel=Panel(settings.judges, model_id("haiku"), model, secrets.token_hex(16)),
            executor=model,
            ruleset=RULESET,
            max_chars=settings.judge_max_chars,
        ),
        Connection(
            api_key=settings.anthropic_api_key,
            base_url=settings.anthropic_base_url,
            max_usd=settings.max_usd,
            # Not in the workspace: what a change brings could plant verdicts there.
            store=str(run.temp / FOLDER / VERDICTS),
            # On pull_request_target content of others is judged in the base branch's scope, where
            # later runs of everybody read what is kept.
            store_writable=run.plan.from_workspace,
        ),
        say,
    )


def tell_spending(run: Run, results: Iterable[Result]) -> None:
    """Say in the log what the models took, if any was to be asked."""
    if run.depth != "quick":
        say(spent(results, run.settings.max_usd))
