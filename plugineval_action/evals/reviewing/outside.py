"""A review by a program of the user's, such as `codex exec -s read-only --output-schema {schema}`.

It gets the same text as a model on standard input, runs in an empty folder, and answers with JSON:
in the file that `{output}` names, or at the end of its output.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple

from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.marks import rules
from plugineval_action.evals.processes import Streams, limits, started, watch
from plugineval_action.evals.reviewing.answers import verdict_of
from plugineval_action.evals.reviewing.evidence import Evidence
from plugineval_action.evals.reviewing.model import instructions, material
from plugineval_action.evals.rubric import ANSWER_SCHEMA, Rubric
from plugineval_action.evals.scratch import scratch_folder

SECONDS: Final = 600.0
PLACES: Final = ("schema", "output")
_MOST_OUTPUT: Final = 1 << 20


class Reviewer(NamedTuple):
    """The program's words, with places, and the variables that it is given."""

    template: tuple[str, ...]
    variables: Mapping[str, str]


def reviewed_outside(
    evidence: Evidence, rubric: Rubric, reviewer: Reviewer, nonce: str, seconds: float = SECONDS
) -> Verdict:
    """The verdict of a program; unknown if it does not answer."""
    prompt = f"{instructions(rubric)}\n\n{rules(nonce)}\n\n{material(evidence, nonce)}\n"
    with scratch_folder() as scratch:
        schema, output = scratch / "schema.json", scratch / "answer.json"
        schema.write_text(json.dumps(ANSWER_SCHEMA), encoding="utf-8")
        given = {"schema": str(schema), "output": str(output)}
        words = tuple(_filled(word, given) for word in reviewer.template)
        folder = scratch / "empty"
        folder.mkdir()
        try:
            text, problem = _said(words, folder, reviewer, prompt, seconds)
        except OSError as error:
            return Verdict("unknown", f"{words[0]} cannot be started ({error.strerror}).")
        if problem:
            return Verdict("unknown", problem)
        if output.is_file() and not output.is_symlink():
            with output.open("rb") as file:
                text = file.read(_MOST_OUTPUT).decode("utf-8", "replace")
    found = _json_in(text)
    if found is None:
        return Verdict("unknown", "The reviewer did not answer with JSON.")
    return verdict_of(found, rubric)


def _filled(word: str, given: Mapping[str, str]) -> str:
    for name, value in given.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _said(
    words: tuple[str, ...], folder: Path, reviewer: Reviewer, prompt: str, seconds: float
) -> tuple[str, str]:
    """What the program printed last, and what went wrong."""
    with TemporaryFile() as stdin, TemporaryFile() as output, TemporaryFile() as errors:
        stdin.write(prompt.encode("utf-8", "replace"))
        stdin.seek(0)
        with started(words, folder, reviewer.variables, Streams(output, stdin, errors)) as process:
            stopped = watch(process, limits(seconds, output, errors))
        if stopped:
            return "", f"The reviewer {stopped}."
        if process.returncode:
            last = _end(errors).strip().rpartition("\n")[2]
            return "", f"The reviewer ended with exit status {process.returncode}: {last}"
        return _end(output), ""


def _end(output: IO[bytes]) -> str:
    size = output.seek(0, 2)
    output.seek(max(0, size - _MOST_OUTPUT))
    return output.read(_MOST_OUTPUT).decode("utf-8", "replace")


def _json_in(text: str) -> object:
    """The text as JSON, or its last line that is an object; None if there is none."""
    for part in (text, *reversed(text.splitlines()[-100:])):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None
