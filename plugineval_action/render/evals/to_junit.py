"""Evals as JUnit XML, for test reports: one test case a run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from plugineval_action.escape import printable
from plugineval_action.evals.outcomes import Trial
from plugineval_action.render.evals.view import EvalRun, failing

_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(runs: Sequence[EvalRun]) -> str:
    """One suite a skill. A run that could not be graded is skipped, since it is no failure."""
    suites = "".join(_suite(run) for run in runs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{suites}</testsuites>\n'


def _suite(run: EvalRun) -> str:
    trials = [one for one in run.summary.trials if one.arm == "with"]
    outcomes = [one.run.outcome for one in trials]
    counts = (
        f'tests="{len(trials)}" failures="{outcomes.count("failed")}" errors="0" '
        f'skipped="{outcomes.count("ungraded")}"'
    )
    name = _attribute(f"evals.{run.summary.skill}")
    tests = "".join(_test(run.summary.skill, one) for one in trials)
    head = f"  <testsuite name={name} {counts} timestamp={_attribute(run.timestamp)}>\n"
    return f"{head}{tests}  </testsuite>\n"


def _test(skill: str, trial: Trial) -> str:
    head = (
        f"    <testcase classname={_attribute(f'evals.{skill}.{trial.run.case.kind}')} "
        f"name={_attribute(f'{trial.run.case.id}.{trial.repeat}')}"
    )
    if trial.run.outcome == "passed":
        return f"{head}/>\n"
    told = "\n".join(
        f"{one.id}: {printable(one.verdict.why)} ({trial.trace}"
        + "".join(f":{line}" for line in one.verdict.lines[-1:])
        + ")"
        for one in failing(trial)
    )
    tag = "failure" if trial.run.outcome == "failed" else "skipped"
    inner = f"<{tag} message={_attribute(trial.run.why)}>{_text(told)}</{tag}>"
    if tag == "skipped":
        inner = f"<skipped message={_attribute(trial.run.why)}/>"
    return f"{head}>\n      {inner}\n    </testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("�", printable(text)))


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("�", text))
