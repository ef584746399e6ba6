"""What to fix first over many skills: each remedy once, where it adds most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.words import counted, signed
from plugineval_action.results import Improvement, Result
from plugineval_action.scoring.advice import urgency

SENTENCE_LIMIT: Final = 200


class SharedFix(NamedTuple):
    """One remedy, the skill that it would raise most, and how many skills it would raise."""

    owner: Result
    most: Improvement
    skills: int


class Fix(NamedTuple):
    """A remedy in words: for how many points, where, and in how many other skills ("": in none)."""

    points: str
    name: Markdown
    remedy: str
    place: Markdown
    rule: Markdown | None
    others: str


def shared_fixes(
    improvements_of: Iterable[tuple[Result, Improvement]], most: int
) -> list[SharedFix]:
    """Improvements, each with the skill it is for, as at most so many remedies."""
    found = defaultdict[tuple[str, str | None], list[SharedFix]](list)
    for skill, each in improvements_of:
        found[each.remedy, each.rule].append(SharedFix(skill, each, 1))
    shared = [min(same, key=_urgency)._replace(skills=_owners(same)) for same in found.values()]
    return sorted(shared, key=_urgency)[:most]


def fix(found: SharedFix, links: Links) -> Fix:
    """A remedy with its links."""
    owner, most, skills = found
    return Fix(
        points=signed(most.points),
        name=links.name(owner),
        remedy=shorten(most.remedy, SENTENCE_LIMIT),
        place=links.place(most.path, most.line),
        rule=links.rule(most.rule) if most.rule else None,
        others=counted(skills - 1, "other skill") if skills > 1 else "",
    )


def _owners(fixes: Iterable[SharedFix]) -> int:
    return len({fix.owner.path for fix in fixes})


def _urgency(fix: SharedFix) -> tuple[bool, float, str, int, str]:
    return urgency(fix.most)
