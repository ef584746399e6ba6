"""What pydantic refuses in a file that somebody wrote, in words that fit the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from plugineval_action.inputs.mistakes import (
    Located,
    Mistake,
    Place,
    did_you_mean,
    quoted,
)

_EMPTY: Final = ("is empty.", "Write a value behind the colon, or remove the line.")
_SUBJECT: Final = re.compile(r"^(?:Input|List|String|Tuple) ")
_WITHOUT_QUOTES: Final = {
    "bool_type": re.compile(r"true|false"),
    "float_type": re.compile(r"-?\d+(?:\.\d+)?"),
    "int_type": re.compile(r"-?\d+"),
}
"""Text that would be a value of the type if it were not in quotes."""

_TOLD: Final = {
    "string_type": ("is no text.", "Put it in quotes if it is meant as text."),
    # One pattern is used for them all, that of an id.
    "string_pattern_mismatch": (
        "is no id.",
        "Use letters, digits, - and _, 64 at most; a letter or digit comes first.",
    ),
    "bool_type": ("is neither true nor false.", "Write true or false."),
    "int_type": ("is no whole number.", "Write a whole number."),
    "float_type": ("is no number.", "Write a number."),
    "tuple_type": ("is no list.", "Write a list, in brackets: [one, two]."),
    "model_type": ("has no keys of its own.", "Write it as keys with values, one a line."),
}


def model_mistakes(
    error: ValidationError, model: type[BaseModel], file: Located, place: Place = ()
) -> list[Mistake]:
    """What was refused, with lines. `place` is where the model's values stand in the file."""
    errors = error.errors(include_url=False)
    return [_told(one, model, file, place) for one in errors if not _follows(one, errors)]


def _follows(error: ErrorDetails, errors: Sequence[ErrorDetails]) -> bool:
    """Whether a list is only too short because what is in it was refused."""
    place = error["loc"]
    return error["type"] == "too_short" and any(
        len(one["loc"]) > len(place) and one["loc"][: len(place)] == place for one in errors
    )


def _told(error: ErrorDetails, model: type[BaseModel], file: Located, place: Place) -> Mistake:
    at, kind, value = (*place, *error["loc"]), error["type"], error["input"]
    name = ".".join(str(step) for step in error["loc"])
    match kind:
        case "extra_forbidden":
            key = error["loc"][-1]
            names = _names(model, error["loc"][:-1])
            reason = f"There is no key {quoted(key)} here."
            return file.mistake(at, reason, did_you_mean(str(key), names))
        case "missing":
            return file.mistake(at, f"{name} is missing.", "Add it.")
        case "remedied":
            reason, remedy = error["ctx"]["reason"], error["ctx"]["remedy"]
            reason = f"{name}: {reason}" if name else reason[:1].upper() + reason[1:]
            return file.mistake(at, reason, remedy)
    if value is None:
        what, remedy = _EMPTY
        return file.mistake(at, f"{name or 'This'} {what}", remedy)
    what, remedy = _said(error)
    return file.mistake(at, f"{name or 'This'} is {quoted(value)}, which {what}", remedy)


def _said(error: ErrorDetails) -> tuple[str, str]:
    """What a value is, and what to write instead."""
    kind, value = error["type"], error["input"]
    if kind == "string_too_short" and not str(value).strip():
        return "is empty.", "Write something between the quotes."
    what, remedy = _TOLD.get(kind) or _others(error)
    bare = _WITHOUT_QUOTES.get(kind)
    if bare and isinstance(value, str) and bare.fullmatch(value):
        return what, "Write it without quotes."
    if kind == "string_type" and isinstance(value, list | dict):
        return what, "Write a single text here; several need an entry each."
    return what, remedy


def _others(error: ErrorDetails) -> tuple[str, str]:
    """Everything that pydantic itself says well enough, as in "should be greater than 0"."""
    if error["type"] != "literal_error":
        remedy = "Shorten it." if error["type"] == "string_too_long" else "Correct the value."
        return f"{_SUBJECT.sub('', error['msg'])}.", remedy
    known = [one.strip("' ") for one in error["ctx"]["expected"].replace(" or ", ", ").split(",")]
    return "is not known.", did_you_mean(str(error["input"]), known)


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
