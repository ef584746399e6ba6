"""`judgment.toml`: who decides whether another round is worth it, and gives the final verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import Field, StrictBool, ValidationError

from plugineval_action.evals.evaluator.parameters import (
    DEFAULT_MODEL,
    Asking,
    Parameters,
    notes,
    resolved,
)
from plugineval_action.inputs.mistakes import refuse
from plugineval_action.inputs.refused import model_mistakes
from plugineval_action.inputs.toml_file import read_toml

FILE: Final = "judgment.toml"
DEFAULTS: Final = Asking(DEFAULT_MODEL, 4_096, 3, 60.0, ())

INSTRUCTION: Final = (
    "You get the scores that several metrics gave to one answer, over one or more rounds, with "
    "their comments. Decide whether another round would change what one should think of the "
    "answer: yes if scores of the same metric lie far apart or comments contradict each other, no "
    "if they agree. Give a verdict on the answer as far as it is known now, and say how sure you "
    "are."
)


class JudgmentSettings(Parameters):
    """The keys of the file, all optional."""

    system_instruction: Annotated[str, Field(min_length=1, max_length=20_000)] | None = None
    judge_on_final_round: StrictBool = True


class Judgment(NamedTuple):
    """Who judges, and how. Without `on_final_round` the last round ends without a verdict."""

    instruction: str
    on_final_round: bool
    asking: Asking
    notes: tuple[str, ...]


def read_judgment(path: Path) -> Judgment:
    """Read `judgment.toml`. Raises UsageError that names every mistake with its line."""
    file = read_toml(path)
    try:
        settings = JudgmentSettings.model_validate(file.value)
    except ValidationError as error:
        refuse(model_mistakes(error, JudgmentSettings, file))
    asking = resolved((settings,), DEFAULTS)
    return Judgment(
        settings.system_instruction or INSTRUCTION,
        settings.judge_on_final_round,
        asking,
        tuple(notes(asking, "judgment")),
    )
