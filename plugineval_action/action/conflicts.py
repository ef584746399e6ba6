"""Inputs that do not go together, or are of no use where they are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from plugineval_action.action.inputs import Inputs


def conflicts(given: Mapping[str, object]) -> Iterator[str]:
    """Inputs that do not go together, by the names of inputs and variables, parsed or as text."""
    yield from _report_conflicts(given)
    comment, annotations = given.get("comment", "changes"), given.get("annotations", "check")
    if given.get("mode") == "post" and comment == "off" and annotations != "check":
        yield f"mode: post publishes nothing with comment: off and annotations: {annotations}."
    limits = [given.get(name) for name in ("fail-under", "max-regression")]
    on_evals = given.get("fail-on-evals", "never") != "never"
    gated = limits != [None, None] or given.get("fail-on", "never") != "never" or on_evals
    if comment == "failures" and not gated:
        yield "comment: failures never comments without fail-under, max-regression or a fail-on."
    # What a fork's run says of its evals is never believed, so that it may not be asked for either.
    if on_evals and not given.get("evals") and given.get(_EVENT) != "workflow_run":
        yield "fail-on-evals is of no use without evals, the files of results: give both or none."


_EVENT: Final = "GITHUB_EVENT_NAME"
_REPORT_INPUTS: Final = (
    *("publish", "report-branch", "report-path", "commit-message", "alert-issue"),
    *("shard", "shards"),
)
REVIEW_INPUTS: Final = ("paths", "sarif-file", "sarif-in", "fail-on", "fail-on-evals")
"""What a report has no use for."""


def _report_conflicts(given: Mapping[str, object]) -> Iterator[str]:
    mode = given.get("mode")
    if mode == "certify":
        yield from _certify_conflicts(given)
        return
    reporting = mode == "report"
    for name in REVIEW_INPUTS if reporting else _REPORT_INPUTS:
        if _says_more_than_the_default(given, name):
            when = "with" if reporting else "without"
            yield f"{name} does nothing {when} mode: report; leave it out."
    if not reporting:
        return
    if given.get("publish") == "main" and _says_more_than_the_default(given, "report-branch"):
        yield "report-branch does nothing with publish: main; leave it out."
    if given.get("publish") == "pull-request" and given.get("report-path") in ("", ".", "./"):
        yield "report-path has to be a folder with publish: pull-request; the root is none."
    if given.get("shard") and given.get("evals"):
        yield "evals does nothing with shard: give it to the job that joins the shares."
    if given.get("shard") and given.get("shards") is not None:
        yield "shard and shards do not go together: one job scores a share, another joins them."
    limits = [given.get(name) for name in ("fail-under", "max-regression")]
    if given.get("alert-issue") in (True, "true") and limits == [None, None]:
        yield "alert-issue never opens an issue without fail-under or max-regression."


_REPORT_ONLY: Final = ("alert-issue", "shard", "shards")


def _certify_conflicts(given: Mapping[str, object]) -> Iterator[str]:
    """Certificates lie beside the report, wherever that is, and `paths` names the skills."""
    for name in ("sarif-file", "sarif-in", "fail-on", "fail-on-evals", "evals", *_REPORT_ONLY):
        if _says_more_than_the_default(given, name):
            yield f"{name} does nothing with mode: certify; leave it out."
    if not given.get("paths"):
        yield "mode: certify needs paths: what it certifies costs money, so it is never everything."
    if given.get("publish") == "pull-request":
        yield "publish: pull-request does not go with mode: certify; use branch or main."


def _says_more_than_the_default(given: Mapping[str, object], name: str) -> bool:
    default = Inputs.model_fields[name.replace("-", "_")].default
    return given.get(name, default) not in (default, str(default).lower())
