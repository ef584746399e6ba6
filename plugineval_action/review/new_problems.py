"""What a change brought in: the anti-patterns and findings that were not there before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.problems import Problem, problems
from plugineval_action.results import Finding, LayerResult, Result
from plugineval_action.review_values import Change
from plugineval_action.scoring import delta

_ONCE: Final = frozenset(
    {
        "SKILL_OVER_CODEX_CAP",
        "CLAUDE_TOOL_REFS",
        "CLAUDE_TOOL_PROSE",
        "TOO_INTRICATE",
        "INVALID_YAML",
        "INVALID_JSON",
    }
)
"""A file has these once or not at all, and their messages hold a count, a line or a list: another
message is not another finding."""


def new_problems(change: Change) -> tuple[Problem, ...]:
    """What was not there before; all for something new, nothing where before is not known."""
    if change.after is None:
        return ()
    flags = () if change.after.kind == "plugin" else delta.new_flags(change)
    layer = LayerResult("", 0.0, (), flags, {})
    found = tuple(_new_findings(change, change.after))
    return problems(change.after._replace(layers=(layer,), findings=found, members=()))


def _new_findings(change: Change, after: Result) -> Iterator[Finding]:
    if change.before is None and change.status != "new":
        return
    before = change.before
    known = Counter(_key(found, before) for found in before.findings) if before else Counter()
    for found in after.findings:
        key = _key(found, after)
        known[key] -= 1
        if known[key] < 0:
            yield found


def _key(found: Finding, owner: Result) -> tuple[str, str, str]:
    """Where it stands inside its owner, which may have moved, and what it says."""
    message = "" if found.rule in _ONCE else found.message
    return found.rule, message, found.path.removeprefix(owner.path)
