"""`--output sarif`: SARIF 2.1.0 for code scanning and editors.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0, and GitHub's page on the part of it
that code scanning reads.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Final

from plugineval_action import PROJECT_URL, __version__
from plugineval_action.escape import json_text, path_url, printable
from plugineval_action.findings.catalogue import RULES
from plugineval_action.findings.problems import Problem, from_findings, problems_of_all
from plugineval_action.render.json_pieces import filled
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import Failure
from plugineval_action.rules import Rule, is_imported

Json = dict[str, Any]

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT: Final = "%SRCROOT%"
_FINGERPRINT: Final = "pluginEvalProblem/v1"
_RULE_INDEX: Final = {rule: index for index, rule in enumerate(RULES)}
_SEVERITY: Final = {"error": "error", "warning": "warning", "note": "recommendation"}


def render(run: ScoreRun) -> str:
    """One SARIF run with every anti-pattern and finding; a problem is reported once.

    What a scanner found is left to the scanner's own log: two alerts for one thing help nobody.
    """
    return "".join(pieces(run))


def pieces(run: ScoreRun) -> Iterator[str]:
    """The log bit by bit."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(run)]}
    every = (*problems_of_all(run.results), *from_findings(run.findings))
    own = (one for one in every if not is_imported(one.rule))
    yield from filled(f"{_dump(log)}\n", "results", map(_dump, _results(own)))


def _dump(value: Json) -> str:
    return json_text(json.dumps(value, ensure_ascii=False, indent=2))


def _run(run: ScoreRun) -> Json:
    driver = {
        "name": "PluginEval",
        "version": __version__,
        "informationUri": PROJECT_URL,
        "rules": [_rule(rule) for rule in RULES.values()],
    }
    invocation = {
        "executionSuccessful": not run.failures,
        "toolExecutionNotifications": [_notification(failure) for failure in run.failures],
    }
    return {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The tree that was scored."}}},
        "results": [],
        "properties": {"ruleset": run.ruleset, "depth": run.depth_run},
    }


def _rule(rule: Rule) -> Json:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"{rule.title}. {rule.remedy}"},
        "help": {"text": f"{rule.remedy} More: {rule.url}"},
        "helpUri": rule.url,
        "defaultConfiguration": {"level": rule.level},
        "properties": {"tags": [rule.family], "problem.severity": _SEVERITY[rule.level]},
    }


def _results(problems: Iterable[Problem]) -> Iterator[Json]:
    seen: Counter[str] = Counter()
    for problem in problems:
        digest = _digest(problem)
        seen[digest] += 1
        yield _result(problem, f"{digest}:{seen[digest]}")


def _digest(problem: Problem) -> str:
    """The same when lines move, so that an alert stays the same alert."""
    named = f"{problem.rule}\0{problem.path}\0{problem.message}"
    return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _result(problem: Problem, fingerprint: str) -> Json:
    region = {"startLine": problem.line, "endLine": max(problem.line, problem.end_line)}
    result: Json = {"ruleId": problem.rule}
    if problem.rule in _RULE_INDEX:
        result["ruleIndex"] = _RULE_INDEX[problem.rule]
    return {
        **result,
        "level": problem.level,
        "message": {"text": _message(problem.message, problem.remedy)},
        "locations": [_location(problem.path, region)],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }


def _notification(failure: Failure) -> Json:
    return {
        "level": "error",
        "message": {"text": _message(failure.message, failure.remedy)},
        "locations": [_location(failure.path, None)],
    }


def _location(path: str, region: Json | None) -> Json:
    physical: Json = {"artifactLocation": {"uri": path_url(path) or ".", "uriBaseId": _ROOT}}
    if region:
        physical["region"] = region
    return {"physicalLocation": physical}


def _message(message: str, remedy: str) -> str:
    """Plain text; brackets are escaped where the format would read a link."""
    text = printable(f"{message} {remedy}")
    return text.replace("[", "\\[").replace("]", "\\]") if "](" in text else text
