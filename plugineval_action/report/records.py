"""What a run adds to the history: one record for each plugin, or for each skill without plugins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum
from typing import Final

from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.report.evals import pooled
from plugineval_action.report.history import History, Record, plugin_key, storable
from plugineval_action.report.runs import runs_of
from plugineval_action.report.slugs import Plugin, slugs
from plugineval_action.report_values import MarketplaceReport, Scored
from plugineval_action.results import Result

DECIMALS: Final = 4
"""Of a score in the history: what badges decide on is the score itself."""


def subjects(report: MarketplaceReport) -> tuple[Scored, ...]:
    """What is ranked: the plugins; where there are none, the skills and agents by themselves."""
    return report.plugins or report.loose


def records_of(report: MarketplaceReport, history: History) -> tuple[Record, ...]:
    """The records of a run, in the order of the report's subjects."""
    found = subjects(report)
    names = [_key(each.result) for each in found]
    named = slugs(names, _known(history))
    return tuple(
        _record(report, each, named[name]) for each, name in zip(found, names, strict=True)
    )


def _record(report: MarketplaceReport, scored: Scored, slug: str) -> Record:
    result = scored.result
    members = result.members or (result,)
    kinds = Counter(each.kind for each in members if each.kind != "plugin")
    name, path = _key(result)
    return Record(
        date=report.date,
        commit=storable(report.identity),
        ruleset=report.ruleset,
        plugin=name,
        path=path,
        slug=slug,
        score=_score(result),
        badge=result.composite.badge if result.composite else None,
        flags=_flags(result),
        skills=kinds["skill"],
        agents=kinds["agent"],
        sub_scores=_means(members),
        digest=scored.digest,
        evals=pooled(scored.evals) or None,
    )


def _key(result: Result) -> Plugin:
    return storable(result.name), storable(result.path or ".")


def _score(result: Result) -> float | None:
    return round(result.composite.score, DECIMALS) if result.composite else None


def _flags(result: Result) -> dict[str, int]:
    flags = Counter(found.flag for layer in result.layers for found in layer.anti_patterns)
    return {flag: flags[flag] for flag in sorted(flags)}


def _means(members: Iterable[Result]) -> tuple[float, ...] | None:
    """The mean of each sub-score over the skills that have one."""
    found: list[Mapping[str, float]] = [
        {sub.name: sub.score for sub in member.layers[0].sub_scores}
        for member in members
        if member.kind == "skill" and member.layers
    ]
    if not found:
        return None
    return tuple(round(fsum(each[name] for each in found) / len(found), 3) for name in WEIGHTS)


def _known(history: History) -> dict[Plugin, str]:
    """The file name that each plugin had last, if no other has had it since."""
    every = [record for run in runs_of(history) for record in run.records]
    last = {plugin_key(record): record.slug for record in every}
    owners = {record.slug: plugin_key(record) for record in every}
    return {plugin: slug for plugin, slug in last.items() if owners[slug] == plugin}
