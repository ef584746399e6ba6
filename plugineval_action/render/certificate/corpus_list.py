"""A corpus as a table, one for each group of skills that games connect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugineval_action.certify.corpus import Corpus, Entry
from plugineval_action.escape import code, markdown
from plugineval_action.render.links import NAME_LIMIT
from plugineval_action.render.words import NOTHING, counted
from plugineval_action.scoring.bands import shown

_HEAD = (
    "| Rank | Skill | Category | Rating | 95 % interval | Games | Score | Lines |\n"
    "| --: | :-- | :-- | --: | --: | --: | --: | --: |"
)


def render(corpus: Corpus) -> str:
    """The list in Markdown: rated skills by rating, then the others by path."""
    return "\n".join(_lines(corpus)) + "\n"


def _lines(corpus: Corpus) -> Iterator[str]:
    games = counted(len(corpus.games), "game")
    yield f"# Corpus: {counted(len(corpus.skills), 'skill')}, {games}"
    yield ""
    yield f"Ruleset {code(corpus.ruleset)}, skills in {code(corpus.source)}."
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
    if unrated:
        yield ""
        yield "## Without a game"
        yield ""
        yield from _table(unrated)


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    yield _HEAD
    for rank, one in enumerate(entries, start=1):
        yield f"| {_rank(one, rank)} | {' | '.join(_cells(one))} |"


def _rank(entry: Entry, rank: int) -> str:
    return NOTHING if entry.rating is None else str(rank)


def _cells(one: Entry) -> Iterator[str]:
    yield f"{markdown(one.name, NAME_LIMIT)} ({code(one.path)})"
    yield markdown(one.category or NOTHING)
    yield NOTHING if one.rating is None else f"{one.rating:.0f}"
    inside = one.ci_lower is not None and one.ci_upper is not None
    yield f"{one.ci_lower:.0f} to {one.ci_upper:.0f}" if inside else NOTHING
    yield str(one.games)
    yield NOTHING if one.score is None else shown(one.score)
    yield str(one.lines)
