"""Findings that were there before: known by their content, so that lines may move.

The file only ever gets shorter: writing it again keeps what is still found and adds nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from plugineval_action.content.text import read_text
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.results import Finding

VERSION = 1
_REMEDY = "Delete it and run plugin-eval baseline write."


def fingerprint(tree: Tree, note: Finding) -> str:
    """The same as long as rule, file and the text of the line are the same."""
    named = f"{note.rule}\0{note.path}\0{_line(tree, note)}"
    return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _line(tree: Tree, note: Finding) -> str:
    try:
        lines = read_text(tree, note.path).content.split("\n")
    except ContentError:
        return ""
    return lines[note.line - 1].strip() if note.line <= len(lines) else ""


def count(tree: Tree, findings: Iterable[Finding]) -> Counter[str]:
    """How often each fingerprint occurs among findings; one that is given twice counts once."""
    return Counter(fingerprint(tree, note) for note in dict.fromkeys(findings))


def ratcheted(old: Counter[str] | None, found: Counter[str]) -> Counter[str]:
    """What a baseline holds from now on: all that is found, or of an old one what is left."""
    return found if old is None else old & found


def render(baseline: Counter[str]) -> str:
    """The file, sorted, so that a change to it can be read."""
    kept = {key: baseline[key] for key in sorted(baseline)}
    return json.dumps({"version": VERSION, "findings": kept}, indent=1) + "\n"


def read_baseline(tree: Tree, path: str) -> Counter[str]:
    """The baseline at a path, empty if there is none. Raises UsageError if it is damaged."""
    if tree.kind(path) is None:
        return Counter()
    try:
        return parse(read_text(tree, path).content)
    except ContentError as error:
        raise UsageError(error.message, error.remedy) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no baseline.", _REMEDY) from error


def parse(text: str) -> Counter[str]:
    """The counts of a baseline. Raises ValueError if it is none."""
    value = json.loads(text)
    findings = value.get("findings") if isinstance(value, dict) else None
    if not isinstance(findings, dict) or value.get("version") != VERSION:
        raise ValueError(text[:20])
    if not all(isinstance(number, int) and number > 0 for number in findings.values()):
        raise ValueError(text[:20])
    return Counter(findings)
