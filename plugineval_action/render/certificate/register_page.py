"""The front page of all certificates of a repository, and what a run tells of those it issued."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from plugineval_action.certify.outcome import is_underpowered
from plugineval_action.certify.register import Listed, Row, State
from plugineval_action.escape import code, link, markdown, shorten
from plugineval_action.render.certificate.files import Issued
from plugineval_action.render.certificate.to_markdown import MEANING, check_command
from plugineval_action.render.links import NAME_LIMIT
from plugineval_action.render.report.pages import REPORT_MARKER
from plugineval_action.render.words import NOTHING, counted
from plugineval_action.scoring.bands import badge_name, shown

_MEANING: Final = f"[What a certificate says, and what it does not]({MEANING})"


def render(listed: Listed) -> str:
    """README.md of the folder."""
    return "\n".join((REPORT_MARKER, "# Certificates", "", *_lines(listed))) + "\n"


def summary(issued: Issued, listed: Listed, pages: str, notes: Sequence[str]) -> str:
    """What a run has certified, for the job's summary.

    `listed` are the certificates of this run; `pages` is where their pages are, "" if nowhere.
    """
    told = [f"- {markdown(line)}" for line in issued.unsure]
    parts = (
        [f"### PluginEval: {_holding(listed, len(listed) + issued.failed)}"],
        [markdown(note) for note in notes],
        [*_table(listed, lambda stem: f"{pages}{stem}.md" if pages else "")] if listed else [],
        told,
        [*_check(listed)],
        [_MEANING],
    )
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _lines(listed: Listed) -> Iterator[str]:
    yield f"{_holding(listed, len(listed))}."
    yield ""
    yield from _table(listed, "{}.md".format)
    yield ""
    yield from _check(listed)
    yield ""
    yield _MEANING


def _holding(listed: Listed, of: int) -> str:
    good = sum(state == "certified" for _, state in listed)
    return f"{good:,} of {counted(of, 'skill')} certified"


def _table(listed: Listed, page: Callable[[str], str]) -> Iterator[str]:
    yield "| Skill | State | Badge | Score (95 % interval) | Elo | Until |"
    yield "| :-- | :-- | :-- | --: | --: | :-- |"
    for row, state in listed:
        elo = NOTHING if row.elo is None else f"{row.elo:.0f}"
        badge = badge_name(row.badge) if state == "certified" else NOTHING
        cells = (
            _skill(row, page(row.stem)),
            _state(row, state),
            badge,
            _score(row),
            elo,
            row.expires[:10] if state != "not certified" else NOTHING,
        )
        yield f"| {' | '.join(cells)} |"


def _skill(row: Row, page: str) -> str:
    name = shorten(row.name, NAME_LIMIT)
    told = link(name, page) if page else markdown(name)
    return f"{told} ({code(row.path)})"


def _state(row: Row, state: State) -> str:
    if state == "not certified":
        return f"{state} ({row.outcome})"
    wide = row.score is not None and is_underpowered(row.width)
    return f"{state}, underpowered" if state == "certified" and wide else state


def _score(row: Row) -> str:
    if row.score is None:
        return NOTHING
    if row.ci_lower is None or row.ci_upper is None:
        return shown(row.score)
    return f"{shown(row.score)} ({row.ci_lower:.1f} to {row.ci_upper:.1f})"


def _check(listed: Listed) -> Iterator[str]:
    """How to check the first one that holds; the others are checked the same way."""
    row = next((row for row, state in listed if state == "certified"), None)
    if row is not None:
        yield "To check one, with its JSON and the skill, offline:"
        yield ""
        yield code(check_command(row.stem, row.path))
