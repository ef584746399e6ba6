"""Evals in a report: how the cases of each skill stand, as the repository's baselines keep it.

Baselines are committed, so the report stays a function of the commit; results of the same job may
take their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from plugineval_action.content.text import BOM, read_text
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import PluginEvalError
from plugineval_action.evals.baseline import FILE, Baseline, harness_of, parse_baseline
from plugineval_action.evals.beside import folder_around
from plugineval_action.evals.compared import Told
from plugineval_action.evals.outcomes import Rate, rate
from plugineval_action.evals.suite import FOLDER
from plugineval_action.report_values import EvalRuns, Listing, MarketplaceReport, Scored
from plugineval_action.results import Failure


class Replaced(NamedTuple):
    """A report with results in it, and sentences on those that belong to no skill of it."""

    report: MarketplaceReport
    problems: tuple[str, ...]


def kept_evals(tree: Tree, listings: Iterable[Listing]) -> Iterator[EvalRuns]:
    """What the nearest baseline keeps of each skill, by harness; none from one that is broken."""
    for listing in listings:
        folder = folder_around(tree, listing.path, listing.name)
        baseline = _baseline(tree, join(folder, FILE)) if folder is not None else None
        stands = baseline.skills.get(listing.name, {}) if baseline else {}
        for harness, stand in sorted(stands.items()):
            cases = tuple((one.passed, one.graded) for one in stand.cases.values())
            yield EvalRuns(listing.path, harness, cases)


def broken_baselines(tree: Tree, folders: Iterable[str]) -> Iterator[Failure]:
    """Baselines at or above folders of skills that cannot be read, each once."""
    around = {parent for folder in folders for parent in _parents(folder)}
    for path in sorted(join(parent, FOLDER, FILE) for parent in around):
        try:
            if tree.kind(path) is not None:
                _parsed(path, read_text(tree, path).content)
        except PluginEvalError as error:
            yield Failure(path, error.message, error.remedy)


def with_results(report: MarketplaceReport, told: Iterable[Told]) -> Replaced:
    """The report with what this job's evals found, in place of what the baselines keep."""
    every = {
        one.path: one for scored in (*report.plugins, *report.loose) for one in scored.listings
    }
    found: dict[str, dict[str, EvalRuns]] = {}
    problems: list[str] = []
    for each in told:
        skill, harness = each.summary.skill, harness_of(each.summary)
        paths = [path for path, one in every.items() if one.name == skill]
        if len(paths) != 1:
            what = "several skills are" if paths else "no skill is"
            problems.append(f"{each.source}: {what} called {skill}, so its evals are not shown.")
            continue
        cases = tuple((one.passed, one.graded) for one in each.summary.cases)
        runs = EvalRuns(paths[0], harness, cases, each.evaluations)
        found.setdefault(paths[0], {})[harness] = runs
    plugins = tuple(_with(scored, found) for scored in report.plugins)
    loose = tuple(_with(scored, found) for scored in report.loose)
    return Replaced(report._replace(plugins=plugins, loose=loose), tuple(problems))


def pooled(evals: Iterable[EvalRuns]) -> dict[str, tuple[int, int]]:
    """By harness the runs that passed, and those that were graded; none without any."""
    sums: dict[str, tuple[int, int]] = {}
    for one in evals:
        passed, graded = sums.get(one.harness, (0, 0))
        passed, graded = passed + one.passed, graded + one.graded
        if graded:
            sums[one.harness] = passed, graded
    return dict(sorted(sums.items()))


def rate_of(evals: Iterable[EvalRuns], harness: str) -> Rate:
    """The share of runs that passed with a harness; repeats of a case count for less than cases."""
    cases = [case for one in evals if one.harness == harness for case in one.cases]
    return rate([[at < passed for at in range(graded)] for passed, graded in cases if graded])


def _with(scored: Scored, found: Mapping[str, Mapping[str, EvalRuns]]) -> Scored:
    kept = {(one.skill, one.harness): one for one in scored.evals}
    for listing in scored.listings:
        kept |= {(one.skill, one.harness): one for one in found.get(listing.path, {}).values()}
    return scored._replace(evals=tuple(kept[key] for key in sorted(kept)))


def _baseline(tree: Tree, path: str) -> Baseline | None:
    try:
        return _parsed(path, read_text(tree, path).content) if tree.is_file(path) else None
    except PluginEvalError:
        # `broken_baselines` tells of it, once.
        return None


@lru_cache(maxsize=8)
def _parsed(path: str, text: str) -> Baseline:
    """One file may serve thousands of plugins, each of which asks for it."""
    return parse_baseline(path, text.removeprefix(BOM))


def _parents(folder: str) -> Iterator[str]:
    yield folder
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder
