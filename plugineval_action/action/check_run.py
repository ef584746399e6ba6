"""The check run on a change: its verdict, and annotations on lines.

It is in progress while annotations are added, and concluded whatever happens in between; its
external id then tells what it says, so that a second run leaves it alone or brings it up to date.
Who may not create one gets the annotations as workflow commands, which need no token.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from plugineval_action.action.gate import Gate
from plugineval_action.escape import markdown
from plugineval_action.evals.compared import NO_EVALS, Evals
from plugineval_action.gh import errors
from plugineval_action.gh.client import Annotation, AnnotationLevel, Conclusion, GitHub
from plugineval_action.gh.commands import PER_LEVEL, annotation_command
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped, Unchanged
from plugineval_action.render.review.annotations import Chosen, Remark, with_fewer
from plugineval_action.render.review.comment import headline
from plugineval_action.render.words import counted
from plugineval_action.results import Level
from plugineval_action.review_values import Review

NAME: Final = "PluginEval"
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


def plan_check(
    review: Review, comment: str | None, gate: Gate, chosen: Chosen, evals: Evals = NO_EVALS
) -> CheckPlan:
    """The check run that repeats a comment, without its marker, of at most 60,000 bytes.

    `comment` is None if there is nothing to say.

    It is neutral if the gate passed and something could not be scored or is hidden from scoring, or
    evals could not be read.
    """
    if comment is None:
        text = "This change touches no skill, agent or plugin, so there is nothing to score."
        return CheckPlan("success", "Nothing to score", text, ())
    unsure = review.failures or review.findings or evals.problems
    passed: Conclusion = "neutral" if unsure else "success"
    return CheckPlan(
        conclusion=passed if gate.passed else "failure",
        title=headline(review, evals),
        summary="\n".join([comment, *_more(chosen)]),
        annotations=tuple(map(_annotation, chosen.remarks)),
    )


class _Begun(NamedTuple):
    """A check run that is to be concluded, and the annotations that it lacks."""

    check: int
    missing: tuple[Annotation, ...]


def publish_check(
    github: GitHub, plan: CheckPlan, head_sha: str, details_url: str, key: str = ""
) -> Outcome:
    """Annotate and conclude the check run on a commit; what GitHub refuses is told.

    One that says the same already is left alone, and so are those of other tools and of jobs with
    another `key`, which may have the same name.
    """
    ours = _ours(key)
    try:
        begun = _begin(github, plan, head_sha, details_url, ours)
    except errors.Denied as error:
        return Denied(error.permission)
    except errors.GitHubError as error:
        return Skipped(f"The check run could not be created: {error}")
    if isinstance(begun, Unchanged):
        return begun
    note = _BROKE_OFF
    try:
        _annotate(github, begun, plan)
        note = ""
    except errors.GitHubError as error:
        note = f"Annotations are missing: {error}"
    finally:
        outcome = _conclude(github, begun.check, plan, note, ours)
    return outcome


def as_commands(chosen: Chosen, *, failed: bool = False) -> tuple[list[str], Chosen]:
    """The annotations as workflow commands, and the choice again: a log shows fewer of them.

    One error is left for the gate if it `failed`, one notice for the number of all others.
    """
    room: dict[Level, int] = {
        "error": PER_LEVEL - failed,
        "warning": PER_LEVEL,
        "note": PER_LEVEL - 1,
    }
    fewer = with_fewer(chosen, room)
    lines = [annotation_command(_annotation(remark)) for remark in fewer.remarks]
    lines += [
        annotation_command(Annotation("", 1, 1, "notice", NAME, said)) for said in _more(fewer)
    ]
    return lines, fewer


def _ours(key: str) -> str:
    """How the external id of our check runs begins."""
    return f"plugin-eval/{key} " if key else "plugin-eval "


def _begin(
    github: GitHub, plan: CheckPlan, head_sha: str, details_url: str, mark: str
) -> _Begun | Unchanged:
    """Our newest check run on the commit if it can come to say what is planned, else a new one."""
    checks = github.checks(NAME, head_sha)
    ours = next((one for one in checks if one.external_id.startswith(mark)), None)
    if ours and ours.completed and ours.external_id == _said(plan, mark):
        return Unchanged(ours.url)
    there = set(github.annotations(ours.id)) if ours else set()
    # GitHub takes no annotation back: one that no longer holds would stay.
    if ours and there <= set(plan.annotations):
        return _Begun(ours.id, tuple(each for each in plan.annotations if each not in there))
    made = github.create_check(NAME, head_sha, details_url, f"{mark}{details_url}")
    return _Begun(made, plan.annotations)


def _said(plan: CheckPlan, mark: str) -> str:
    """The external id of a check run that says all of a plan."""
    return f"{mark}sha256:{sha256(json.dumps(plan).encode()).hexdigest()}"


def _annotate(github: GitHub, begun: _Begun, plan: CheckPlan) -> None:
    for at in range(0, len(begun.missing), BATCH):
        batch = begun.missing[at : at + BATCH]
        github.annotate_check(begun.check, plan.title, plan.summary, batch)


def _conclude(github: GitHub, check: int, plan: CheckPlan, note: str, mark: str) -> Outcome:
    summary = "\n\n".join(filter(None, [plan.summary, markdown(note)]))
    said = f"{mark}unfinished" if note else _said(plan, mark)
    try:
        url = github.conclude_check(check, plan.conclusion, plan.title, summary, said)
        return Published(url, note)
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
