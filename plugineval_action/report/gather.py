"""Gather what a report is made of: scores, and where a marketplace and the disk differ.

All of it at once, or in shards on several machines. A shard holds every n-th target and the frame
around them, which is the same in each, so that the shards together give the report that one run
gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from plugineval_action.content.discovery import Discovery, discover
from plugineval_action.content.marketplace import MarketplaceEntry
from plugineval_action.content.tree import Tree
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.findings.run import asides, check_shelf
from plugineval_action.findings.withheld import beside
from plugineval_action.report.evals import broken_baselines
from plugineval_action.report.scan import jobs, scanner
from plugineval_action.report_values import Entry, MarketplaceReport, Scored
from plugineval_action.results import Failure, Finding, Result
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import PROCESSES, over_tree, unlisted

Progress = Callable[[Iterator[Scored], int], Iterable[Scored]]
"""Passes scored targets through, told how many there will be."""


class Moment(NamedTuple):
    """Which files are scored (a commit, or a folder's name), and their date (2026-01-31)."""

    identity: str
    date: str


class Part(NamedTuple):
    """Which share of the targets: number `number` of `of`, counted from 1."""

    number: int
    of: int


WHOLE: Final = Part(1, 1)


class Decided(NamedTuple):
    """What a repository has decided: who loads the skills, and what becomes of findings."""

    profile: ProfileName = DEFAULT_PROFILE
    result: Callable[[Result], Result] = lambda result: result
    findings: Callable[[Iterable[Finding]], Iterable[Finding]] = lambda found: found


NOTHING_DECIDED: Final = Decided()


class Shard(NamedTuple):
    """A share of a report: the frame, without plugins and loose ones, and what was scored of them.

    `plugins` is how many of all targets are plugins; they come first.
    """

    part: Part
    frame: MarketplaceReport
    targets: int
    plugins: int
    scored: tuple[Scored, ...]


def gather_report(
    tree: Tree, directory: str, ruleset: Ruleset, moment: Moment, progress: Progress
) -> MarketplaceReport:
    """Score everything at or below a directory of a tree."""
    return joined([gather_shard(tree, directory, ruleset, moment, progress, WHOLE)])


def gather_shard(  # noqa: PLR0913, PLR0917 - one call, and each says something of its own
    tree: Tree,
    directory: str,
    ruleset: Ruleset,
    moment: Moment,
    progress: Progress,
    part: Part,
    decided: Decided = NOTHING_DECIDED,
) -> Shard:
    """Score a share of what lies at or below a directory of a tree."""
    found = discover(tree, directory, ruleset=ruleset)
    plugins, loose = jobs(found)
    every = plugins + loose
    own = every[part.number - 1 :: part.of]
    weight = sum(len(job.units) for job in own)
    scoring = over_tree(tree, own, scanner(ruleset, decided.profile), weight, PROCESSES)
    notes = check_shelf(tree, found, decided.profile)
    told = (
        each._replace(result=decided.result(beside(each.result, notes, ruleset)))
        for each in scoring
    )
    frame = _frame(found, tree, directory, decided)._replace(
        identity=moment.identity, date=moment.date, ruleset=versioned(ruleset)
    )
    return Shard(part, frame, len(every), len(plugins), tuple(progress(told, len(own))))


def joined(shards: Iterable[Shard]) -> MarketplaceReport:
    """The report that all shards of one run make, in any order."""
    ordered = sorted(shards)
    first = ordered[0]
    every = [ordered[at % first.part.of].scored[at // first.part.of] for at in range(first.targets)]
    return first.frame._replace(
        plugins=tuple(every[: first.plugins]), loose=tuple(every[first.plugins :])
    )


def _frame(found: Discovery, tree: Tree, directory: str, decided: Decided) -> MarketplaceReport:
    """What is known before anything is scored."""
    entries = [entry for marketplace in found.marketplaces for entry in marketplace.plugins]
    return MarketplaceReport(
        name=_name(found, tree, directory),
        identity="",
        ruleset="",
        date="",
        plugins=(),
        failures=(
            *_asides(tree, found, decided),
            *unlisted(tree, directory),
            *broken_baselines(tree, (unit.path for unit in found.skills)),
        ),
        external=tuple(Entry(entry.name, entry.external) for entry in entries if entry.external),
        missing=tuple(_missing(tree, entries)),
        unlisted=tuple(_unlisted(found, entries)),
    )


def _asides(tree: Tree, found: Discovery, decided: Decided) -> Iterator[Failure]:
    """What was found beside the plugins and keeps something from being seen."""
    for note in decided.findings(asides(tree, found, decided.profile)):
        yield Failure(f"{note.path}:{note.line}", f"{note.message} ({note.rule})", note.remedy)


def _name(found: Discovery, tree: Tree, directory: str) -> str:
    names = [marketplace.name for marketplace in found.marketplaces if marketplace.name]
    return names[0] if names else directory.rpartition("/")[2] or tree.name


def _missing(tree: Tree, entries: Iterable[MarketplaceEntry]) -> Iterator[Entry]:
    for entry in entries:
        if not entry.external and (entry.directory is None or not tree.is_dir(entry.directory)):
            yield Entry(entry.name, entry.directory or "no usable source")


def _unlisted(found: Discovery, entries: list[MarketplaceEntry]) -> Iterator[str]:
    """Plugins that lie here and no marketplace lists; nothing where there is no marketplace."""
    listed = {entry.directory for entry in entries}
    if found.marketplaces:
        yield from (unit.path for unit in found.plugin_units if unit.path not in listed)
