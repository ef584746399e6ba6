"""What is wrong with a file that somebody wrote: where, why, and what to do; all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple, NoReturn

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten

MOST_SHOWN: Final = 20

Place = tuple[str | int, ...]
"""Keys and list positions from the top of a file, as in `("checks", 3, "id")`."""

_SHOWN: Final = 80
_REMEDIES: Final = {
    "string_type": "Put it in quotes if it is meant as text.",
    "bool_parsing": "Write true or false.",
    "bool_type": "Write true or false.",
    "int_parsing": "Write a whole number.",
    "int_type": "Write a whole number.",
    "float_parsing": "Write a number.",
    "list_type": "Write a list: one line each, starting with a hyphen.",
    "tuple_type": "Write a list, in brackets.",
}


class Mistake(NamedTuple):
    """One mistake: `reason` and `remedy` are sentences."""

    path: str
    line: int
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason} {self.remedy}"


def refuse(mistakes: Sequence[Mistake]) -> NoReturn:
    """Raise one UsageError that tells all mistakes, in the order of their lines."""
    ordered = sorted(mistakes, key=lambda one: one.line)
    lines = [str(one) for one in ordered[:MOST_SHOWN]]
    if len(ordered) > MOST_SHOWN:
        lines.append(f"{len(ordered) - MOST_SHOWN} more mistakes follow.")
    *before, last = lines
    remedy = ordered[-1].remedy if len(ordered) <= MOST_SHOWN else "Correct these first."
    raise UsageError("\n".join([*before, last.removesuffix(f" {remedy}")]), remedy)


def quoted(value: object) -> str:
    """A value as a message shows it: short, and in quotes if it is text."""
    return f"'{shorten(value, _SHOWN)}'" if isinstance(value, str) else shorten(repr(value), _SHOWN)


def did_you_mean(typed: str, known: Sequence[str]) -> str:
    """A hint at the name that is nearest to what was typed, and all names."""
    near = get_close_matches(typed, known, n=1) or [one for one in known if typed in one]
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"{hint}Known are {', '.join(known)}."


def problem(reason: str, remedy: str) -> PydanticCustomError:
    """For validators: an error of a field with its own remedy."""
    return PydanticCustomError("remedied", "{reason}", {"reason": reason, "remedy": remedy})


class Located(NamedTuple):
    """The values of a file, and the lines on which they stand."""

    path: str
    value: Any
    lines: Mapping[Place, int]

    def line(self, *place: str | int) -> int:
        """The line of a place, or of the nearest thing around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def mistake(self, place: Place, reason: str, remedy: str) -> Mistake:
        """A mistake at a place."""
        return Mistake(self.path, self.line(*place), reason, remedy)


def model_mistakes(
    error: ValidationError, model: type[BaseModel], file: Located, place: Place = ()
) -> list[Mistake]:
    """What pydantic refused, with lines. `place` is where the model's values stand in the file."""
    return [_told(one, model, file, place) for one in error.errors(include_url=False)]


def _told(error: ErrorDetails, model: type[BaseModel], file: Located, place: Place) -> Mistake:
    at = (*place, *error["loc"])
    name = ".".join(str(step) for step in error["loc"]) or "this"
    match error["type"]:
        case "extra_forbidden":
            parent = _names(model, error["loc"][:-1])
            reason = f"There is no key {quoted(error['loc'][-1])} here."
            return file.mistake(at, reason, did_you_mean(str(error["loc"][-1]), parent))
        case "missing":
            return file.mistake(at, f"{name} is missing.", "Add it.")
        case "remedied":
            context = error["ctx"]
            return file.mistake(at, f"{name}: {context['reason']}", context["remedy"])
        case kind:
            reason = f"{name} is {quoted(error['input'])}: {error['msg'][:1].lower()}"
            remedy = _REMEDIES.get(kind, "Correct the value.")
            return file.mistake(at, f"{reason}{error['msg'][1:]}.", remedy)


def _names(model: type[BaseModel], place: Place) -> list[str]:
    """The keys that a model, or the model of one of its fields, takes."""
    for step in place:
        field = model.model_fields.get(str(step))
        inner = _types(field.annotation if field else None)
        model = inner[0] if inner else model
    return [field.alias or name for name, field in model.model_fields.items()]


def _types(annotation: Any) -> list[type[BaseModel]]:  # noqa: ANN401 - any annotation of a field
    """The models that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for one in getattr(annotation, "__args__", ()) for found in _types(one)]
