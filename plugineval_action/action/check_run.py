"""The check run on a change: its verdict, and annotations on lines.

It is in progress while annotations are added, and concluded whatever happens in between. Who may
not create one gets the annotations as workflow commands, which need no token.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.action.gate import Gate
from plugineval_action.gh import errors
from plugineval_action.gh.client import Annotation, AnnotationLevel, Conclusion, GitHub
from plugineval_action.gh.commands import PER_LEVEL, annotation_command
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped
from plugineval_action.render.escape import markdown
from plugineval_action.render.review.annotations import Chosen, Remark, with_fewer
from plugineval_action.render.review.verdict import headline, without_marker
from plugineval_action.render.words import counted
from plugineval_action.results import Level, Review

NAME: Final = "Plugin Eval"
BATCH: Final = 50
"""Annotations in one request; GitHub takes no more."""

_LEVELS: Final[dict[Level, AnnotationLevel]] = {
    "error": "failure",
    "warning": "warning",
    "note": "notice",
}
_BROKE_OFF: Final = "The run broke off here; annotations may be missing."


class CheckPlan(NamedTuple):
    """What the check run says; `summary` is Markdown of less than 65,000 bytes."""

    conclusion: Conclusion
    title: str
    summary: str
    annotations: tuple[Annotation, ...]


def plan_check(review: Review, comment: str | None, gate: Gate, chosen: Chosen) -> CheckPlan:
    """The check run beside a comment of at most 60,000 bytes, None if there is nothing to say.

    It is neutral if the gate passed and something could not be scored.
    """
    if comment is None:
        text = "This change touches no skill, agent or plugin, so there is nothing to score."
        return CheckPlan("success", "Nothing to score", text, ())
    passed: Conclusion = "neutral" if review.failures else "success"
    return CheckPlan(
        conclusion=passed if gate.passed else "failure",
        title=headline(comment),
        summary="\n".join([without_marker(comment), *_more(chosen)]),
        annotations=tuple(map(_annotation, chosen.remarks)),
    )


def publish_check(github: GitHub, plan: CheckPlan, head_sha: str, details_url: str) -> Outcome:
    """Create a check run on a commit, annotate and conclude it; what GitHub refuses is told."""
    try:
        check = github.create_check(NAME, head_sha, details_url)
    except errors.Denied as error:
        return Denied(error.permission)
    except errors.GitHubError as error:
        return Skipped(f"The check run could not be created: {error}")
    note = _BROKE_OFF
    try:
        _annotate(github, check, plan)
        note = ""
    except errors.GitHubError as error:
        note = f"Annotations are missing: {error}"
    finally:
        outcome = _conclude(github, check, plan, note)
    return outcome


def as_commands(chosen: Chosen) -> tuple[list[str], Chosen]:
    """The annotations as workflow commands, and the choice again: a log shows fewer of them."""
    fewer = with_fewer(chosen, {"error": PER_LEVEL, "warning": PER_LEVEL, "note": PER_LEVEL - 1})
    lines = [annotation_command(_annotation(remark)) for remark in fewer.remarks]
    lines += [
        annotation_command(Annotation("", 1, 1, "notice", NAME, said)) for said in _more(fewer)
    ]
    return lines, fewer


def _annotate(github: GitHub, check: int, plan: CheckPlan) -> None:
    for at in range(0, len(plan.annotations), BATCH):
        batch = plan.annotations[at : at + BATCH]
        github.annotate_check(check, plan.title, plan.summary, batch)


def _conclude(github: GitHub, check: int, plan: CheckPlan, note: str) -> Outcome:
    summary = "\n\n".join(filter(None, [plan.summary, markdown(note)]))
    try:
        return Published(github.conclude_check(check, plan.conclusion, plan.title, summary))
    except errors.Denied as error:
        return Denied(error.permission)
    except errors.GitHubError as error:
        return Skipped(f"The check run could not be concluded: {error}")


def _more(chosen: Chosen) -> Iterator[str]:
    if chosen.rest:
        are = "is" if len(chosen.rest) == 1 else "are"
        yield f"{counted(len(chosen.rest), 'problem')} more {are} in the job summary."


def _annotation(remark: Remark) -> Annotation:
    place = (remark.path, remark.line, remark.end_line)
    return Annotation(*place, _LEVELS[remark.level], remark.title, remark.message)
