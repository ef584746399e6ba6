"""The one comment on a pull request: what to do about it, then doing it.

A mode decides whether a comment is begun. One that is there is always brought up to date, so that
it never says what is no longer true; an edit notifies nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from plugineval_action.action.gate import Gate
from plugineval_action.action.inputs import CommentMode
from plugineval_action.evals.compared import NO_EVALS, Evals
from plugineval_action.gh import errors
from plugineval_action.gh.client import Comment, GitHub
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped, Unchanged
from plugineval_action.render.evals.brief import changed_cases
from plugineval_action.render.links import Links
from plugineval_action.render.review.comment import MARKER, render_comment
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review_values import Review
from plugineval_action.scoring import delta

BUDGET: Final = 60_000
"""UTF-8 bytes; GitHub refuses a comment of more than 65,536 characters."""

NOTHING_LEFT: Final = """### PluginEval: nothing that is scored has changed

This pull request no longer touches skills, agents or plugins. The history of this comment has the
earlier results.
"""

MOVED: Final = "The result for this pull request stands in [another comment]({url}).\n"
"""What a comment says that two runs at once made one too many of; without a marker."""


class News(NamedTuple):
    """What there is to say; `text` is None if the change touches nothing that is scored.

    `marker` is the first line of the comment, which tells it from those of other jobs.
    `moved` says whether a score or flag differs, `passed` is the gate's verdict.
    """

    text: str | None
    moved: bool
    passed: bool
    marker: str = MARKER

    @property
    def body(self) -> str | None:
        """The comment: the text below its marker."""
        return None if self.text is None else f"{self.marker}\n{self.text}"


class CommentPlan(NamedTuple):
    """What to do: `comment` is the one to edit or keep, `reason` why nothing is done."""

    action: Literal["create", "edit", "keep", "skip"]
    body: str = ""
    comment: Comment | None = None
    reason: str = ""


def news(review: Review, gate: Gate, links: Links, key: str = "", evals: Evals = NO_EVALS) -> News:
    """The comment on a review, as Markdown of at most 60,000 bytes; `key` tells jobs apart."""
    marker = MARKER.replace(" -->", f" {key} -->") if key else MARKER
    if not (review.changes or review.failures or review.findings or _tells(evals)):
        return News(None, moved=False, passed=gate.passed, marker=marker)
    budget = BUDGET - len(marker) - 1
    text = render_comment(review, budget, links, evals=evals, reasons=gate.reasons, marker="")
    return News(text, moved=moved(review) or _tells(evals), passed=gate.passed, marker=marker)


def _tells(evals: Evals) -> bool:
    """Whether evals alone are worth a comment: a case changed, or they could not be read."""
    return bool(evals.problems) or changed_cases(evals)


def moved(review: Review) -> bool:
    """Whether a reader would learn something: a score, a problem, or that something has no score.

    Notes alone are no news.
    """
    return bool(review.failures or review.findings) or any(
        delta.verdict(change) != "same"
        or delta.fixed_flags(change)
        or any(problem.costs or problem.level != "note" for problem in new_problems(change))
        for change in review.changes
    )


def plan_comment(existing: Sequence[Comment], said: News, mode: CommentMode) -> CommentPlan:
    """Decide, from every comment that there is, oldest first."""
    if mode == "off":
        return CommentPlan("skip", reason="Comments are switched off.")
    ours = next(iter(_ours(existing, said.marker)), None)
    if ours is None:
        reason = _why_not(said, mode)
        return CommentPlan("skip", reason=reason) if reason else _create(said)
    body = said.body or f"{said.marker}\n{NOTHING_LEFT}"
    if _text(body) == _text(ours.body):
        return CommentPlan("keep", comment=ours)
    return CommentPlan("edit", body, ours)


def carry_out(plan: CommentPlan, github: GitHub, number: int) -> Outcome:
    """Create or edit; nothing that GitHub refuses loses the run its other results."""
    if plan.action == "skip":
        return Skipped(plan.reason)
    if plan.action == "keep" and plan.comment:
        return Unchanged(plan.comment.url)
    try:
        return Published(_written(plan, github, number).url)
    except errors.Denied as error:
        return Denied(error.permission)
    except errors.GitHubError as error:
        return Skipped(f"The comment could not be posted: {error}")


def _written(plan: CommentPlan, github: GitHub, number: int) -> Comment:
    if plan.comment:
        try:
            return github.edit_comment(plan.comment.id, plan.body)
        except errors.NotFound:
            # Somebody deleted it after it was read.
            pass
    return github.create_comment(number, plan.body)


def publish_comment(github: GitHub, number: int, said: News, mode: CommentMode) -> Outcome:
    """Read what is there, decide, and act; doing it twice changes nothing."""
    try:
        existing = [] if mode == "off" else github.comments(number)
    except errors.Denied as error:
        return Denied(error.permission)
    except errors.GitHubError as error:
        return Skipped(f"The comments could not be read: {error}")
    plan = plan_comment(existing, said, mode)
    outcome = carry_out(plan, github, number)
    if plan.action == "skip" or not isinstance(outcome, Published | Unchanged):
        return outcome
    try:
        if plan.action == "create":
            existing = github.comments(number)
            return _alone(_ours(existing, said.marker), github, plan.body) or outcome
        return _alone(_ours(existing, said.marker), github) or outcome
    except errors.GitHubError:
        # The next run tries again.
        return outcome


def _alone(ours: Sequence[Comment], github: GitHub, body: str = "") -> Outcome | None:
    """Leave one comment of several, the oldest: runs that start at once do not see each other's.

    It takes over the `body` of the one that was made last.
    """
    if len(ours) < 2:
        return None
    first = ours[0]
    for extra in ours[1:]:
        github.edit_comment(extra.id, MOVED.format(url=first.url))
    if body and _text(body) != _text(first.body):
        github.edit_comment(first.id, body)
    return Published(first.url)


def _ours(comments: Sequence[Comment], marker: str) -> list[Comment]:
    """Ours by author and first line: others may quote the marker, and we quote others."""
    return [
        each
        for each in comments
        if each.mine and not each.minimised and each.body.startswith(marker)
    ]


def _why_not(said: News, mode: CommentMode) -> str:
    """Why no comment is begun, "" if one is."""
    if said.text is None:
        return "This change touches no skill, agent or plugin."
    if mode == "failures" and said.passed:
        return "The gate passed, and comment: failures asks for a comment only if it does not."
    # A gate that fails is worth a comment: what it asks for is in the change, moved or not.
    if mode == "changes" and said.passed and not said.moved:
        return "No score moved and no problem came, and comment: changes asks for one of these."
    return ""


def _create(said: News) -> CommentPlan:
    return CommentPlan("create", said.body or "")


def _text(body: str) -> str:
    """What counts when two comments are compared: a form may have changed their line ends."""
    return body.replace("\r\n", "\n").strip()
