"""Evals as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from plugineval_action.render.evals.view import EvalRun, view_of
from plugineval_action.render.templates import environment


def render(runs: Sequence[EvalRun]) -> str:
    """The evals of one or more skills."""
    views = [view_of(run) for run in runs]
    return environment().get_template("evals.md.j2").render(views=views)
