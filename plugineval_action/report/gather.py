"""Gather what a report is made of: scores, and where a marketplace and the disk differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from plugineval_action.content.discovery import Discovery, discover
from plugineval_action.content.marketplace import MarketplaceEntry
from plugineval_action.content.tree import DirectoryTree, Tree
from plugineval_action.findings.run import asides
from plugineval_action.results import Entry, Failure, MarketplaceReport, Result
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import PROCESSES, loose_targets, plugin_targets, score_directory

Progress = Callable[[Iterator[Result | Failure], int], Iterable[Result | Failure]]
"""Passes scored targets through, told how many there will be."""


class Moment(NamedTuple):
    """Which files are scored (a commit, or a folder's name), and their date (2026-01-31)."""

    identity: str
    date: str


def gather_report(
    tree: DirectoryTree,
    directory: str,
    ruleset: Ruleset,
    moment: Moment,
    progress: Progress,
) -> MarketplaceReport:
    """Score everything at or below a directory of a tree."""
    found = discover(tree, directory, ruleset=ruleset)
    plugins, loose = plugin_targets(found), loose_targets(found)
    targets = plugins + loose
    scored = list(progress(score_directory(tree, targets, ruleset, PROCESSES), len(targets)))
    entries = [entry for marketplace in found.marketplaces for entry in marketplace.plugins]
    return MarketplaceReport(
        name=_name(found, tree, directory),
        identity=moment.identity,
        ruleset=versioned(ruleset),
        date=moment.date,
        plugins=tuple(_results(scored[: len(plugins)])),
        loose=tuple(_results(scored[len(plugins) :])),
        failures=(*(one for one in scored if isinstance(one, Failure)), *_asides(tree, found)),
        external=tuple(Entry(entry.name, entry.external) for entry in entries if entry.external),
        missing=tuple(_missing(tree, entries)),
        unlisted=tuple(_unlisted(found, entries)),
    )


def _results(scored: Iterable[Result | Failure]) -> Iterator[Result]:
    return (one for one in scored if isinstance(one, Result))


def _asides(tree: Tree, found: Discovery) -> Iterator[Failure]:
    """What was found beside the plugins."""
    for note in asides(tree, found):
        yield Failure(f"{note.path}:{note.line}", f"{note.message} ({note.rule})", note.remedy)


def _name(found: Discovery, tree: DirectoryTree, directory: str) -> str:
    names = [marketplace.name for marketplace in found.marketplaces if marketplace.name]
    return names[0] if names else directory.rpartition("/")[2] or tree.name


def _missing(tree: DirectoryTree, entries: Iterable[MarketplaceEntry]) -> Iterator[Entry]:
    for entry in entries:
        if not entry.external and (entry.directory is None or not tree.is_dir(entry.directory)):
            yield Entry(entry.name, entry.directory or "no usable source")


def _unlisted(found: Discovery, entries: list[MarketplaceEntry]) -> Iterator[str]:
    """Plugins that lie here and no marketplace lists; nothing where there is no marketplace."""
    listed = {entry.directory for entry in entries}
    if found.marketplaces:
        yield from (unit.path for unit in found.plugin_units if unit.path not in listed)
