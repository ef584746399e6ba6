"""The front page of all certificates of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugineval_action.certify.register import Listed
from plugineval_action.escape import code, link, markdown, shorten
from plugineval_action.render.certificate.to_markdown import MEANING
from plugineval_action.render.links import NAME_LIMIT
from plugineval_action.render.report.pages import REPORT_MARKER
from plugineval_action.render.words import NOTHING, counted
from plugineval_action.scoring.bands import badge_name, shown


def render(listed: Listed) -> str:
    """README.md of the folder."""
    return "\n".join((REPORT_MARKER, "# Certificates", "", *_lines(listed))) + "\n"


def summary(listed: Listed, notes: Sequence[str]) -> str:
    """What a run has certified, for the job's summary."""
    told = [f"- {markdown(note)}" for note in notes]
    return "\n".join(("### PluginEval: certificates", "", *_table(listed), "", *told)) + "\n"


def _lines(listed: Listed) -> Iterator[str]:
    good = sum(state == "certified" for _, state in listed)
    yield f"{counted(good, 'skill')} of {len(listed)} with a certificate that holds."
    yield f"[What a certificate says, and what it does not]({MEANING})"
    yield ""
    yield from _table(listed)


def _table(listed: Listed) -> Iterator[str]:
    yield "| Skill | State | Badge | Score | Elo | Until |"
    yield "| :-- | :-- | :-- | --: | --: | :-- |"
    for row, state in listed:
        score = NOTHING if row.score is None else shown(row.score)
        elo = NOTHING if row.elo is None else f"{row.elo:.0f}"
        badge = badge_name(row.badge) if state == "certified" else NOTHING
        why = f" ({row.outcome})" if state == "not certified" else ""
        skill = f"{link(shorten(row.name, NAME_LIMIT), f'{row.stem}.md')} ({code(row.path)})"
        yield f"| {skill} | {state}{why} | {badge} | {score} | {elo} | {row.expires[:10]} |"
