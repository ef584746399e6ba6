"""What a scanner says of a result, as a finding of ours: bounded, named after its tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.content.text import read_text
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.escape import shorten
from plugineval_action.results import Finding, Level
from plugineval_action.review.trees import everything
from plugineval_action.scanners.log import Component, Message, Physical, Rule, Run, SarifResult
from plugineval_action.scanners.places import place

_NAME_LIMIT: Final = 40
_RULE_LIMIT: Final = 120
_MESSAGE_LIMIT: Final = 400
_READ: Final = 4_000
_LEVELS: Final[dict[str, Level]] = {"error": "error", "warning": "warning"}
_LINK: Final = re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]{1,300}\)")
_ARGUMENT: Final = re.compile(r"\{(\d{1,2})\}")
_WEB: Final = re.compile(r"https?://[!-~]{1,300}")
_NO_NAME: Final = re.compile(r"[^\w .+-]")
_NO_PROBLEM: Final = ("pass", "notApplicable")


class Report(NamedTuple):
    """A finding of a scanner; `known` if the scanner itself says that it was there before."""

    finding: Finding
    known: bool


class Reports(NamedTuple):
    """What was read: findings in files of the tree, and how many results lie elsewhere."""

    found: tuple[Report, ...] = ()
    elsewhere: int = 0


def reports(
    runs: Sequence[Run],
    tree: Tree,
    roots: Sequence[str],
    wanted: Callable[[str], bool] = everything,
) -> Reports:
    """Every result in a wanted file that is to be told, each once.

    What the scanner was told to suppress is not; what a file itself suppresses is.
    """
    found: dict[Report, None] = {}
    elsewhere = 0
    for run in runs:
        for result in run.results:
            if not _counts(result):
                continue
            where = _where(run, result, tree, roots)
            if where is None:
                elsewhere += 1
            elif wanted(where[0]):
                found[_report(run, result, *where)] = None
    return Reports(tuple(_inside(tree, found)), elsewhere)


def _counts(result: SarifResult) -> bool:
    # Who writes a file could waive what is found in it, so what is suppressed there is told.
    excused = any(
        one.kind == "external" and one.status == "accepted" for one in result.suppressions
    )
    return not excused and result.kind not in _NO_PROBLEM and result.baseline != "absent"


def _where(
    run: Run, result: SarifResult, tree: Tree, roots: Sequence[str]
) -> tuple[str, Physical] | None:
    physical = result.locations[0].physical if result.locations else None
    path = place(run, physical.artifact, tree, roots) if physical else None
    return (path, physical) if path and physical else None


def _report(run: Run, result: SarifResult, path: str, physical: Physical) -> Report:
    rule, tool = _rule(run, result), shorten(run.tool.driver.name, _NAME_LIMIT)
    named = shorten(result.rule_id or result.rule.id or rule.id, _RULE_LIMIT) or "result"
    first = physical.region.first
    told = any(one.kind == "inSource" for one in result.suppressions)
    said = _said(result.message, rule) or f"{tool} reports {named}."
    finding = Finding(
        # Ours hold no slash, and by it `is_imported` tells them apart.
        rule=f"{_NO_NAME.sub('-', tool)}/{named}",
        level=_level(result, rule),
        message=f"{said} (The file itself suppresses it.)" if told else said,
        remedy=_remedy(rule, tool, named),
        path=path,
        line=first,
        end_line=max(first, physical.region.last or first),
    )
    return Report(finding, known=result.baseline == "unchanged")


def _rule(run: Run, result: SarifResult) -> Rule:
    """The rule by its place in the list of its component, else by its id (3.27.5 to 3.27.7)."""
    component = _component(run, result.rule.component.index)
    at = max(result.rule_index, result.rule.index)
    if 0 <= at < len(component.rules):
        return component.rules[at]
    wanted = result.rule_id or result.rule.id
    return next((rule for rule in component.rules if rule.id == wanted), Rule())


def _component(run: Run, index: int) -> Component:
    extensions = run.tool.extensions
    return extensions[index] if 0 <= index < len(extensions) else run.tool.driver


def _level(result: SarifResult, rule: Rule) -> Level:
    """What is only to be reviewed has no level of its own (3.27.10), and is a note."""
    if result.kind not in ("fail", ""):
        return "note"
    return _LEVELS.get(result.level or rule.defaults.level, "note")


def _said(message: Message, rule: Rule) -> str:
    """The message in one line, its links as their texts (3.11.6)."""
    text = message.text or rule.messages.get(message.id, Message()).text
    filled = _ARGUMENT.sub(lambda found: _argument(message, int(found[1])), text[:_READ])
    return shorten(_LINK.sub(r"\1", filled[:_READ]), _MESSAGE_LIMIT)


def _argument(message: Message, at: int) -> str:
    return message.arguments[at][:_READ] if at < len(message.arguments) else f"{{{at}}}"


def _remedy(rule: Rule, tool: str, named: str) -> str:
    if _WEB.fullmatch(rule.help_uri):
        return f"{tool} says more at {rule.help_uri}"
    return f"See what {tool} says about {named}."


def _inside(tree: Tree, found: dict[Report, None]) -> Iterator[Report]:
    """The same with lines that the file has: the file may be another one than was scanned."""
    lengths: dict[str, int] = {}
    for report in found:
        note = report.finding
        if note.path not in lengths:
            lengths[note.path] = _length(tree, note.path)
        first, last = (min(line, lengths[note.path]) for line in (note.line, note.end_line))
        yield report._replace(finding=note._replace(line=first, end_line=last))


def _length(tree: Tree, path: str) -> int:
    """The number of lines, 1 for what cannot be read."""
    try:
        return max(1, len(read_text(tree, path).content.splitlines()))
    except ContentError:
        return 1
