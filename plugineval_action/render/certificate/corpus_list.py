"""A corpus as a table, one for each group of skills that games connect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from plugineval_action.certify.corpus import Corpus, Entry
from plugineval_action.escape import code, markdown
from plugineval_action.render.links import NAME_LIMIT
from plugineval_action.render.words import NOTHING, counted
from plugineval_action.scoring.bands import shown

_RATED: Final = (
    "| Rank | Skill | Category | Rating | 95 % interval | Games | Score | Lines |",
    "| --: | :-- | :-- | --: | --: | --: | --: | --: |",
)
_UNRATED: Final = (
    "| Skill | Category | Score | Lines |",
    "| :-- | :-- | --: | --: |",
)


def render(corpus: Corpus) -> str:
    """The list in Markdown: rated skills by rating, then the others by path."""
    return "\n".join(_lines(corpus)) + "\n"


def _lines(corpus: Corpus) -> Iterator[str]:
    yield f"# Corpus of {counted(len(corpus.skills), 'skill')}"
    yield ""
    games = counted(len(corpus.games), "game") if corpus.games else "no game yet"
    yield f"Skills in {code(corpus.source)}, ruleset {code(corpus.ruleset)}, {games}."
    groups = sorted({one.group for one in corpus.skills if one.group is not None})
    for group in groups:
        rated = [one for one in corpus.skills if one.group == group]
        yield ""
        if len(groups) > 1:
            yield f"## Group {group}"
            yield ""
            yield "No game connects it with the others, so its ratings say nothing against theirs."
            yield ""
        yield from _table(sorted(rated, key=lambda one: -(one.rating or 0.0)))
    unrated = [one for one in corpus.skills if one.group is None]
    if unrated and groups:
        yield ""
        yield "## Without a game"
    if unrated:
        yield ""
        yield from _UNRATED
        yield from (_line(_skill(one), *_facts(one)) for one in unrated)
        yield ""
        yield f"{code('plugin-eval certify')} plays games, and rates by them."


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    yield from _RATED
    for rank, one in enumerate(entries, start=1):
        category, *facts = _facts(one)
        yield _line(str(rank), _skill(one), category, *_rating(one), *facts)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _skill(one: Entry) -> str:
    return f"{markdown(one.name, NAME_LIMIT)} ({code(one.path)})"


def _facts(one: Entry) -> tuple[str, str, str]:
    score = NOTHING if one.score is None else shown(one.score)
    return markdown(one.category or NOTHING), score, str(one.lines)


def _rating(one: Entry) -> tuple[str, str, str]:
    inside = one.ci_lower is not None and one.ci_upper is not None
    return (
        NOTHING if one.rating is None else f"{one.rating:.0f}",
        f"{one.ci_lower:.0f} to {one.ci_upper:.0f}" if inside else NOTHING,
        str(one.games),
    )
