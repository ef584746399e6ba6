"""What there is to do about one result: for its reader, and for its score.

Text in here is raw; each writer escapes it for its own format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.problems import place, rule_url
from plugineval_action.render.fixes import SENTENCE_LIMIT, is_form
from plugineval_action.render.helpful import helpful
from plugineval_action.render.words import signed
from plugineval_action.results import Improvement, Level, Result

FORM_ONLY: Final = "For the score; for a reader only if there is something to say."


class Fix(NamedTuple):
    """Something to do; `points` (such as `+3.1`) is what it adds to the score.

    `form` tells that it surely raises the score, and helps a reader only if there is more to say.
    """

    points: str
    title: str
    remedy: str
    place: str
    rule: str | None
    url: str | None
    form: bool = False


class Help(NamedTuple):
    """Something that helps a reader, whatever it does to the score; `said` is what is wrong."""

    level: Level
    said: str
    remedy: str
    place: str
    rule: str
    url: str | None


def help_rows(result: Result, fixes: Sequence[Improvement]) -> Iterator[Help]:
    """What helps a reader most, but for what stands among the fixes anyway."""
    known = {fix.rule for fix in fixes}
    for _, each in helpful([result]):
        if each.rule not in known:
            said = shorten(each.message.removesuffix("."), SENTENCE_LIMIT)
            yield Help(each.level, said, each.remedy, each.place, each.rule, each.url)


def fix_row(improvement: Improvement) -> Fix:
    """An improvement in words."""
    return Fix(
        points=signed(improvement.points),
        title=improvement.title,
        remedy=improvement.remedy,
        place=place(improvement.path, improvement.line),
        rule=improvement.rule,
        url=rule_url(improvement.rule),
        form=is_form(improvement),
    )
