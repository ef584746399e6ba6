"""Evals as a section of a page that has room for all of it."""

from __future__ import annotations

from plugineval_action.evals.compared import Evals
from plugineval_action.render.evals.brief import evals_view
from plugineval_action.render.links import Links
from plugineval_action.render.templates import environment


def render_evals(evals: Evals, links: Links) -> str:
    """The section as Markdown; its size is bounded by that of the files it was read from."""
    view, skills = evals_view(evals, links), len(evals.skills)
    counts = {"evals": skills, "eval_rest": skills, "eval_problems": len(evals.problems)}
    return environment().get_template("comment_evals.md.j2").render(evals=view, counts=counts)
