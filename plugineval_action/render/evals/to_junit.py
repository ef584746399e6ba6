"""Evals as JUnit XML, for test reports: one test case a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from plugineval_action.escape import printable
from plugineval_action.evals.outcomes import Trial
from plugineval_action.render.evals.evaluated import evaluated_row
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
    tests = "".join(_test(run, one) for one in trials)
    head = f"  <testsuite name={name} {counts} timestamp={_attribute(run.timestamp)}>\n"
    return f"{head}{tests}  </testsuite>\n"


def _test(run: EvalRun, trial: Trial) -> str:
    head = (
        f"    <testcase classname={_attribute(f'evals.{run.summary.skill}.{trial.run.case.kind}')} "
        f"name={_attribute(f'{trial.run.case.id}.{trial.repeat}')}"
    )
    inner = "".join(f"      {one}\n" for one in (*_fault(trial), *_evaluated(run, trial)))
    return f"{head}>\n{inner}    </testcase>\n" if inner else f"{head}/>\n"


def _fault(trial: Trial) -> Iterator[str]:
    """Why a run did not pass, or could not be graded."""
    if trial.run.outcome == "passed":
        return
    message = _attribute(trial.run.why)
    if trial.run.outcome == "ungraded":
        yield f"<skipped message={message}/>"
        return
    told = "\n".join(
        f"{one.id}: {printable(one.verdict.why)} ({trial.trace}"
        + "".join(f":{line}" for line in one.verdict.lines[-1:])
        + ")"
        for one in failing(trial)
    )
    yield f"<failure message={message}>{_text(told)}</failure>"


def _evaluated(run: EvalRun, trial: Trial) -> Iterator[str]:
    """What the metrics and the judgment say of a run's answer, beside whether it passed."""
    for one in run.evaluated:
        if (one.case, one.repeat) == (trial.run.case.id, trial.repeat):
            row = evaluated_row(one)
            said = f"Overall {row.overall}; {row.metrics}; verdict: {row.verdict}"
            yield f"<system-out>{_text(printable(said))}</system-out>"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("�", printable(text)))


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("�", text))
