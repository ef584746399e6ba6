"""`--output github`: annotations by workflow command, for a step without a token.

GitHub shows ten annotations of each level per step, so the ten first of each are written and a
closing notice counts the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import command_data, command_property
from plugineval_action.findings.catalogue import RULES
from plugineval_action.findings.problems import LEVELS, Problem, from_findings, problems_of_all
from plugineval_action.render.view import ScoreRun, below_threshold, method, summary
from plugineval_action.render.words import counted
from plugineval_action.results import Failure, Level, Result
from plugineval_action.scoring.bands import shown_beside

SHOWN_PER_LEVEL: Final = 10

_COMMANDS: Final[dict[Level, str]] = {"error": "error", "warning": "warning", "note": "notice"}


class Annotation(NamedTuple):
    """A message at a place; line 0 stands for the whole file."""

    level: Level
    title: str
    message: str
    path: str
    line: int = 0
    end_line: int = 0


def render(run: ScoreRun) -> str:
    """One command a line: what failed, the problems by level, and a notice with the verdict."""
    annotations = [
        *map(_failure, run.failures),
        *(_gate(result, run) for result in run.results if below_threshold(result, run.threshold)),
        *map(_problem, problems_of_all(run.results)),
        *map(_problem, from_findings(run.findings)),
    ]
    kept = list(_most_urgent(annotations))
    verdict = _verdict(run, annotations, len(annotations) - len(kept))
    return "".join(f"{_command(each)}\n" for each in [*kept, verdict])


def _most_urgent(annotations: Iterable[Annotation]) -> Iterator[Annotation]:
    """By level; one notice fewer than the others, since the verdict is one."""
    room = {"error": SHOWN_PER_LEVEL, "warning": SHOWN_PER_LEVEL, "note": SHOWN_PER_LEVEL - 1}
    for annotation in sorted(annotations, key=lambda each: LEVELS.index(each.level)):
        if room[annotation.level] > 0:
            room[annotation.level] -= 1
            yield annotation


def _failure(failure: Failure) -> Annotation:
    message = f"{failure.message} {failure.remedy}"
    return Annotation("error", "Could not be scored", message, failure.path)


def _gate(result: Result, run: ScoreRun) -> Annotation:
    score = shown_beside(result.composite.score, run.threshold) if result.composite else ""
    message = f"{result.name} scores {score}; {run.threshold:g} is asked for."
    return Annotation("error", "Below the threshold", message, _file(result))


def _problem(problem: Problem) -> Annotation:
    title = RULES[problem.rule].title if problem.rule in RULES else problem.rule
    message = f"{problem.message} {problem.remedy} ({problem.rule})"
    last = max(problem.line, problem.end_line)
    return Annotation(problem.level, title, message, problem.path, problem.line, last)


def _verdict(run: ScoreRun, annotations: list[Annotation], left_out: int) -> Annotation:
    view = summary(run)
    badges = ", ".join(f"{count} {name}" for name, count in view.badges)
    sentences = [f"{view.what} scored{': ' if badges else ''}{badges}."]
    if len(view.rows) == 1:
        row = view.rows[0]
        sentences = [f"{row.name}: {row.score}, {row.badge}."]
    levels = Counter(each.level for each in annotations)
    counts = [counted(levels[level], _COMMANDS[level]) for level in LEVELS if levels[level]]
    if counts:
        rest = f", {left_out} of them not shown" if left_out else ""
        sentences.append(f"{', '.join(counts)}{rest}.")
    sentences.append(f"{method(run)}.")
    return Annotation("note", "PluginEval", " ".join(sentences), "")


def _file(result: Result) -> str:
    """A file of the result, since annotations on folders are not shown."""
    if result.kind == "skill":
        return f"{result.path}/SKILL.md".lstrip("/")
    return result.path


def _command(annotation: Annotation) -> str:
    places = {
        "file": annotation.path,
        "line": str(annotation.line or ""),
        "endLine": str(annotation.end_line or ""),
        "title": annotation.title,
    }
    given = [f"{name}={command_property(value)}" for name, value in places.items() if value]
    return f"::{_COMMANDS[annotation.level]} {','.join(given)}::{command_data(annotation.message)}"
