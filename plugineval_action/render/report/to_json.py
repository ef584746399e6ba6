"""A marketplace report for machines; docs/schema/report.schema.json describes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from plugineval_action.render.fixes import best_fixes
from plugineval_action.render.report.facts import MOST_FIXES, flag_counts, members, tally
from plugineval_action.render.result_data import (
    Data,
    dump,
    failure_data,
    improvement_data,
    result_data,
)
from plugineval_action.results import Entry, MarketplaceReport

FORMAT: Final = "plugineval-report/1"


def render(report: MarketplaceReport) -> str:
    """The report as JSON; plugins, skills and agents in the order they were given in."""
    skills, agents = members(report, "skill"), members(report, "agent")
    return dump(
        {
            "format": FORMAT,
            "name": report.name,
            "identity": report.identity,
            "date": report.date,
            "ruleset": report.ruleset,
            "totals": {
                "plugins": tally(report.plugins)._asdict(),
                "skills": tally(skills)._asdict(),
                "agents": tally(agents)._asdict(),
            },
            "anti_patterns": [each._asdict() for each in flag_counts([*skills, *agents])],
            "fix_first": [
                {
                    "name": best.owner.name,
                    **improvement_data(best.most),
                    "skills": best.skills,
                }
                for best in best_fixes(skills, MOST_FIXES)
            ],
            "plugins": [
                {**result_data(plugin), "members": [result_data(each) for each in plugin.members]}
                for plugin in report.plugins
            ],
            "loose": [result_data(each) for each in report.loose],
            "external": _entries(report.external),
            "missing": _entries(report.missing),
            "unlisted": list(report.unlisted),
            "failures": [failure_data(each) for each in report.failures],
        }
    )


def _entries(entries: Iterable[Entry]) -> list[Data]:
    return [{"name": entry.name, "source": entry.source} for entry in entries]
