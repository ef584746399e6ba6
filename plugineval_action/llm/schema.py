"""Structured answers: what of a JSON Schema goes to the service, and whether an answer fits it.

The service refuses ranges, lengths and patterns. They are told to the model in words, and checked
here, on the schema as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import jsonschema_rs

from plugineval_action.llm.client import Json, JsonValue

_IN_WORDS: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
)
_SCHEMAS: Final = ("properties", "$defs")
_LISTS: Final = ("anyOf", "allOf")


class MisfitError(ValueError):
    """An answer that breaks the schema; says where and which rule, and quotes nothing of it."""


def accepted(schema: Json) -> dict[str, Any]:
    """The schema as the service takes it: closed objects, everything required, ranges in words."""
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _SCHEMAS:
            plain[key] = {name: accepted(one) for name, one in value.items()}
        elif key in _LISTS:
            plain[key] = [accepted(one) for one in value]
        elif key == "items":
            plain[key] = accepted(value)
        elif key not in _IN_WORDS:
            plain[key] = value
    words = ", ".join(f"{key} {schema[key]}" for key in _IN_WORDS if key in schema)
    if words:
        plain["description"] = f"{plain.get('description', '')} ({words})".strip()
    if "properties" in plain:
        plain["additionalProperties"] = False
        plain.setdefault("required", list(plain["properties"]))
    return plain


def fitted(schema: Json, answer: JsonValue) -> JsonValue:
    """The answer, with enums spelt as the schema spells them. Raises MisfitError."""
    spelt = _spelt(schema, schema, answer)
    # What was sent closes objects and requires all; what comes back is held to the same.
    for check in (_validator(accepted(schema)), _validator(schema)):
        for error in check.iter_errors(spelt):
            where = "/".join(str(step) for step in error.instance_path) or "the answer"
            rule = error.schema_path[-1] if error.schema_path else "the schema"
            raise MisfitError(f"{where} breaks {rule!r}")
    return spelt


def _validator(schema: Json) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(dict(schema))


def _spelt(root: Json, schema: Json, value: JsonValue) -> JsonValue:
    """Capital and small letters of an enum are not kept by every model."""
    schema = _resolved(root, schema)
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        return {
            key: _spelt(root, inner[key], one) if key in inner else one
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_spelt(root, schema.get("items", {}), one) for one in value]
    if isinstance(value, str):
        return next((one for one in _enum(schema) if one.casefold() == value.casefold()), value)
    return value


def _resolved(root: Json, schema: Json) -> Json:
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    found: Json = root["$defs"][name] if name else schema
    return found


def _enum(schema: Json) -> Iterator[str]:
    yield from (one for one in schema.get("enum", ()) if isinstance(one, str))
