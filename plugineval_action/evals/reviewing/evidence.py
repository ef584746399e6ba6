"""What a reviewer gets to see of a run: task, skill, commands, files, and the last message."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.errors import ContentError
from plugineval_action.escape import printable
from plugineval_action.evals.outcomes import Trial
from plugineval_action.evals.recordings import Recording
from plugineval_action.evals.traces.events import Command
from plugineval_action.evals.traces.reading import read_trace

_MOST_COMMANDS: Final = 200
_MOST_FILES: Final = 20
_LONGEST_FILE: Final = 10_000
_LONGEST_SKILL: Final = 30_000
_LONGEST_TEXT: Final = 20_000
_LONGEST: Final = 120_000
_HARNESS_FOLDERS: Final = frozenset({".agents", ".claude", ".codex", ".git", "node_modules"})


class Evidence(NamedTuple):
    """`task` and `skill` say what was asked, `work` is what the agent did and left."""

    task: str
    skill: str
    work: str


def evidence_of(trial: Trial, recording: Recording, skill: str) -> Evidence:
    """Everything about a run that fits a prompt. Raises UsageError if the trace has gone."""
    parts = [
        "Commands:",
        *_commands(recording.trace),
        "",
        "Changed according to git:",
        *(recording.seen.changes or ("not known",))[:_MOST_COMMANDS],
        *(_files(recording.files) if recording.files else ("", "The files were not kept.")),
        "",
        "The last message of the agent:",
        (trial.run.facts.answer or "none")[:_LONGEST_TEXT],
    ]
    return Evidence(
        trial.run.case.prompt[:_LONGEST_TEXT], skill[:_LONGEST_SKILL], "\n".join(parts)[:_LONGEST]
    )


def _commands(trace: Path) -> Iterator[str]:
    commands = (event for event in read_trace(trace) if isinstance(event, Command))
    for event in islice(commands, _MOST_COMMANDS):
        code = event.state if event.exit_code is None else f"exit status {event.exit_code}"
        yield f"- {event.text[:500]} ({code})"


def _files(folder: Path) -> Iterator[str]:
    """Text files, the first ones whole or cut; the others by name."""
    tree = DirectoryTree(folder)
    shown = 0
    for path in islice(tree.files(skip=_HARNESS_FOLDERS), _MOST_COMMANDS):
        text = _text(tree, path) if shown < _MOST_FILES else None
        shown += text is not None
        yield f"\nFile {printable(path)}:"
        yield "(not shown)" if text is None else text


def _text(tree: DirectoryTree, path: str) -> str | None:
    try:
        text = tree.read(path).decode("utf-8")
    except (ContentError, UnicodeDecodeError):
        return None
    return text if len(text) <= _LONGEST_FILE else f"{text[:_LONGEST_FILE]}\n(cut)"
