"""A marketplace report for machines; docs/schema/report.schema.json describes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from plugineval_action.findings.listings import BUDGET
from plugineval_action.render.report.facts import flag_counts, members, tally
from plugineval_action.render.report.model import Model, Subject
from plugineval_action.render.report.priorities import Priority, priorities
from plugineval_action.render.result_data import (
    Data,
    dump_long,
    failure_data,
    improvement_data,
    result_data,
)
from plugineval_action.report.comparison import Comparison, Shift
from plugineval_action.report.health import Health
from plugineval_action.report.runs import Run
from plugineval_action.report_values import Entry, Listing

FORMAT: Final = "plugineval-report/1"
MOST_FIXES: Final = 50


def render(model: Model) -> str:
    """The report as JSON; plugins in the order of the ranking."""
    report = model.report
    skills, agents = members(report, "skill"), members(report, "agent")
    loose = report.loose if report.plugins else ()
    return dump_long(
        {
            "format": FORMAT,
            "name": report.name,
            "identity": report.identity,
            "date": report.date,
            "ruleset": report.ruleset,
            "totals": {
                "plugins": tally([each.result for each in report.plugins])._asdict(),
                "skills": tally(skills)._asdict(),
                "agents": tally(agents)._asdict(),
            },
            "runs": [_run(run) for run in model.timeline.runs],
            "since_last_week": _comparison(model.week),
            "since_four_weeks": _comparison(model.month),
            "anti_patterns": [each._asdict() for each in flag_counts([*skills, *agents])],
            "fix_first": [_priority(each) for each in priorities(report)[:MOST_FIXES]],
            "health": _health(model.health),
            "plugins": [],
            "loose": [result_data(each.result) for each in loose],
            "external": _entries(report.external),
            "missing": _entries(report.missing),
            "unlisted": list(report.unlisted),
            "failures": [failure_data(each) for each in report.failures],
        },
        "plugins",
        map(_subject, model.subjects),
    )


def _subject(subject: Subject) -> Data:
    result = subject.result
    return {
        **result_data(result),
        "slug": subject.record.slug,
        "digest": subject.record.digest,
        "evals": [
            {
                "skill": one.skill,
                "harness": one.harness,
                "cases": len(one.cases),
                "passed": one.passed,
                "graded": one.graded,
            }
            for one in subject.scored.evals
        ],
        "since": {"commit": subject.since.commit, "date": subject.since.date},
        "members": [result_data(each) for each in result.members],
    }


def _run(run: Run) -> Data:
    return {
        "date": run.date,
        "commit": run.commit,
        "ruleset": run.ruleset,
        "plugins": len(run.records),
        "scored": len(run.scores),
        "mean": run.mean,
    }


def _comparison(found: Comparison | None) -> Data | None:
    if found is None:
        return None
    return {
        "date": found.since.date,
        "commit": found.since.commit,
        "moved": [_shift(shift) for shift in found.shifts],
        "new": [record.slug for record in found.new],
        "removed": [record.slug for record in found.removed],
        "renamed": [
            {"before": shift.before.plugin, "slug": shift.now.slug} for shift in found.renamed
        ],
    }


def _shift(shift: Shift) -> Data:
    return {
        "slug": shift.now.slug,
        "before": shift.before.score,
        "after": shift.now.score,
        "anti_patterns": dict(shift.flags),
        "sub_scores": {name: round(change, 3) for name, change in shift.sub_scores},
        "members": shift.members,
    }


def _priority(found: Priority) -> Data:
    return {
        "total_points": found.points,
        "skills": found.skills,
        "start_with": found.path or ".",
        **improvement_data(found.most),
    }


def _health(found: Health) -> Data:
    budget = found.budget
    return {
        "listing": {
            "budget": BUDGET,
            "skills": budget.skills,
            "characters": budget.characters,
            "dropped_at_least": budget.dropped,
            "cut": [each.path for each in budget.cut],
            "plugins": [share._asdict() for share in budget.shares],
        },
        "similar": [
            {
                "first": pair.first.path,
                "second": pair.second.path,
                "alike": pair.alike,
                "words": list(pair.words),
                "others": pair.others,
            }
            for pair in found.pairs
        ],
        "duplicates": [_group(group) for group in found.duplicates],
        "collisions": [_group(group) for group in found.collisions],
    }


def _group(group: Iterable[Listing]) -> list[dict[str, Any]]:
    return [{"name": each.name, "plugin": each.plugin, "path": each.path} for each in group]


def _entries(entries: Iterable[Entry]) -> list[Data]:
    return [{"name": entry.name, "source": entry.source} for entry in entries]
