"""The checks of a skill: `evals/<skill>.checks.yaml`.

    checks:
      - id: report-written
        type: file_exists
        path: out/report.md

Whether the skill was activated is checked in every case, without being asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from plugineval_action.evals.cases import Cases
from plugineval_action.evals.graders.activation import Activation
from plugineval_action.evals.graders.base import Check
from plugineval_action.evals.graders.registry import CHECKS
from plugineval_action.inputs.mistakes import (
    Located,
    Mistake,
    did_you_mean,
    quoted,
    refuse,
)
from plugineval_action.inputs.refused import model_mistakes
from plugineval_action.inputs.yaml_file import read_yaml

MOST_CHECKS: Final = 100


def read_checks(path: Path, skill: str, cases: Cases | None = None) -> tuple[Check, ...]:
    """The checks of a file, activation first. Raises UsageError that names every mistake.

    With `cases`, checks that name a case that is not there are mistakes too.
    """
    file = read_yaml(path)
    found: list[Check] = []
    mistakes = [*_shape(file)]
    if not mistakes:
        for at, entry in enumerate(file.value["checks"] or ()):
            made = _check(file, at, entry, skill)
            if isinstance(made, Check):
                found.append(made)
            else:
                mistakes += made
        mistakes += [*_repeated(file), *_strangers(file, found, cases)]
    if mistakes:
        refuse(mistakes)
    return with_activation(tuple(found), skill)


def with_activation(checks: tuple[Check, ...], skill: str) -> tuple[Check, ...]:
    """The checks, and in front of them that of activation, unless the file has its own."""
    if any(isinstance(one, Activation) for one in checks):
        return checks
    return (Activation(id="activation", type="activation", skill=skill), *checks)


def _shape(file: Located) -> Iterator[Mistake]:
    top = file.value
    if not isinstance(top, dict) or "checks" not in top:
        yield file.mistake((), "There is no list `checks`.", "Start the file with `checks:`.")
        return
    for key in top.keys() - {"checks"}:
        yield file.mistake((key,), f"There is no key {quoted(key)} here.", "Known is checks.")
    entries = top["checks"]
    if entries is not None and not isinstance(entries, list):
        remedy = "Start each check with `- id: …`."
        yield file.mistake(("checks",), "`checks` is no list.", remedy)
    elif entries and len(entries) > MOST_CHECKS:
        place = ("checks", MOST_CHECKS)
        yield file.mistake(place, f"These are over {MOST_CHECKS} checks.", "Keep the set small.")


def _check(file: Located, at: int, entry: object, skill: str) -> Check | list[Mistake]:
    place = ("checks", at)
    if not isinstance(entry, dict):
        return [file.mistake(place, "This is no check.", "Write `- id: …` and below it `type: …`.")]
    kind = entry.get("type")
    if kind is None:
        remedy = f"Add type: one of {', '.join(CHECKS)}."
        return [file.mistake(place, "The check has no type.", remedy)]
    if not isinstance(kind, str) or kind not in CHECKS:
        reason = f"There is no type {quoted(kind)}."
        return [file.mistake((*place, "type"), reason, did_you_mean(str(kind), [*CHECKS]))]
    model = CHECKS[kind]
    given = {"skill": skill} | entry if kind == "activation" else entry
    try:
        return model.model_validate(given)
    except ValidationError as error:
        return model_mistakes(error, model, file, place)


def _repeated(file: Located) -> Iterator[Mistake]:
    met: dict[str, int] = {}
    for at, entry in enumerate(file.value["checks"] or ()):
        name = entry.get("id") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in met:
            reason = f"The id {quoted(name)} stands on line {met[name]} already."
            place = ("checks", at, "id")
            yield file.mistake(place, reason, "Give every check its own id.")
        elif isinstance(name, str):
            met[name] = file.line("checks", at, "id")


def _strangers(file: Located, checks: list[Check], cases: Cases | None) -> Iterator[Mistake]:
    """Cases that a check is for and that do not exist."""
    known = [one.id for one in cases.cases] if cases else []
    lines = {
        entry.get("id"): at
        for at, entry in enumerate(file.value["checks"] or ())
        if isinstance(entry, dict) and isinstance(entry.get("id"), str)
    }
    for check in checks if cases else ():
        for name in check.only.cases if check.only else ():
            if name not in known:
                reason = f"The check is for a case {quoted(name)}, and there is none."
                place = ("checks", lines[check.id], "only", "cases")
                yield file.mistake(place, reason, did_you_mean(name, known))
