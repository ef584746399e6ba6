"""Suggestions on the lines that a change wrote and that need no judgement to be put right.

GitHub offers to commit a suggestion only where it stands on a line of the diff, so these are
comments of a review. They are few, made once, and taken back when they are of no use any more; one
whose line has changed is folded away by GitHub itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from plugineval_action.escape import fenced
from plugineval_action.findings.catalogue import RULES
from plugineval_action.gh import errors
from plugineval_action.gh.client import GitHub, LineComment, Thread
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped, Unchanged
from plugineval_action.render.links import Links
from plugineval_action.review_values import Mechanical, Review

MOST: Final = 10
"""On one pull request at a time; the comment has them all."""

_MARKER: Final = "<!-- plugin-eval suggestion"
_WHOLE: Final = "all"
_STALE: Final = "Suggestions that are of no use any more could not be taken back."


class SuggestionPlan(NamedTuple):
    """What to write in one review, and the ids of the comments to take back."""

    new: tuple[LineComment, ...]
    stale: tuple[str, ...]


def plan_suggestions(
    review: Review, existing: Sequence[Thread], links: Links, key: str = ""
) -> SuggestionPlan:
    """Decide, from every talk on lines that there is; `key` tells jobs apart."""
    marker = f"{_MARKER} {key or _WHOLE}"
    ours = [one for one in existing if one.mine and one.body.startswith(f"{marker} ")]
    there = {_first_line(one.body) for one in ours}
    wanted = {
        _first_line(comment.body): comment
        for comment in (_comment(each, links, marker) for each in review.mechanical)
    }
    current = [one for one in ours if not one.outdated]
    stale = [one.id for one in current if not one.answered and _first_line(one.body) not in wanted]
    room = max(0, MOST - len(current) + len(stale))
    new = [comment for mark, comment in wanted.items() if mark not in there]
    return SuggestionPlan(tuple(new[:room]), tuple(stale))


def publish_suggestions(  # noqa: PLR0913, PLR0917 - one call, and each says something of its own
    github: GitHub, number: int, head: str, review: Review, links: Links, key: str = ""
) -> Outcome:
    """Read what is there, decide, and act; doing it twice changes nothing."""
    try:
        plan = plan_suggestions(review, github.threads(number), links, key)
        missing = _take_back(github, plan.stale)
        if plan.new:
            url = github.comment_on_lines(number, head, plan.new)
            return Published(url, missing)
    except errors.Denied as error:
        return Denied(error.permission)
    except errors.GitHubError as error:
        return Skipped(f"Suggestions could not be made: {error}")
    return Skipped(missing) if missing else Unchanged("")


def _take_back(github: GitHub, stale: Sequence[str]) -> str:
    """What is to be told if some stay."""
    try:
        for comment in stale:
            github.delete_line_comment(comment)
    except errors.NotFound:
        return ""
    except errors.GitHubError:
        return _STALE
    return ""


def _comment(fix: Mechanical, links: Links, marker: str) -> LineComment:
    told = f"{fix.rule}\0{fix.path}\0{fix.old}\0{fix.new}"
    digest = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    title = RULES[fix.rule].title if fix.rule in RULES else fix.rule
    body = f"{marker} {digest} -->\n{title} ({links.rule(fix.rule)}).\n\n"
    return LineComment(fix.path, fix.line, f"{body}{fenced([fix.new], 'suggestion')}\n")


def _first_line(body: str) -> str:
    """By which a suggestion is known again: where it stood does not matter."""
    return body.partition("\n")[0].strip()
