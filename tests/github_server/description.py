"""GitHub's OpenAPI description: finds the operation of a request, checks it and its reply."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import jsonschema_rs

FIXTURE = Path(__file__).resolve().parent.parent / "openapi" / "github.json"
WHEN = "2026-01-02T03:04:05Z"
LONG_PARAMETERS = frozenset({"path", "ref", "basehead"})
"""Those that may hold slashes."""

Json = dict[str, Any]


class Match(NamedTuple):
    operation: Operation
    path: dict[str, str]


class Components(NamedTuple):
    """The schemas that others name, as described and without room for unknown names."""

    open: Json
    closed: Json


class Operation:
    """One method of one path."""

    def __init__(self, method: str, path: str, node: Json, components: Components) -> None:
        self.id: str = node["operationId"]
        self.method = method.upper()
        self.documentation: str = node["externalDocs"]["url"]
        self.path = path
        self.pattern = re.compile(re.sub(r"\{(\w+)\}", _parameter, path))
        self._node = node
        self._components = components
        self._validators: dict[str, jsonschema_rs.Validator] = {}

    def query_problems(self, query: Mapping[str, str]) -> list[str]:
        """What is wrong with the query; values are read by the type that they should have."""
        known = {each["name"]: each for each in self._node["parameters"] if each["in"] == "query"}
        values = {
            name: _read(value, known[name]["schema"].get("type")) if name in known else value
            for name, value in query.items()
        }
        properties = {name: each["schema"] for name, each in known.items()}
        return self._check("query", {"type": "object", "properties": properties}, values)

    def body_problems(self, body: object) -> list[str]:
        """What is wrong with the body, unknown names included."""
        expected = self._node.get("requestBody")
        if expected is None:
            return [] if body is None else ["body: none is expected"]
        return self._check("body", expected["content"]["application/json"]["schema"], body)

    def reply_problems(self, status: int, body: object) -> list[str]:
        """What is wrong with a reply; errors may hold more than is described."""
        reply = self._node["responses"].get(str(status))
        if reply is None:
            return [] if status >= 400 else [f"reply: a status {status} is not described"]
        if "content" not in reply:
            return []
        return self._check(f"reply {status}", reply["content"]["application/json"]["schema"], body)

    def _check(self, what: str, schema: Json, value: object) -> list[str]:
        if what not in self._validators:
            is_error = what.startswith("reply ") and what >= "reply 4"
            self._validators[what] = _validator(schema, self._components, closed=not is_error)
        return [
            f"{what}{_pointer(error.instance_path)}: {error.message[:300]}"
            for error in self._validators[what].iter_errors(value)
        ]


class Description:
    """All described operations."""

    def __init__(self, node: Json) -> None:
        self.components: Json = node["components"]
        components = Components(self.components, _closed(self.components))
        self.operations = [
            Operation(method, path, operation, components)
            for path, methods in node["paths"].items()
            for method, operation in methods.items()
        ]
        # The one with more literal text is the better match.
        self.operations.sort(key=lambda each: -len(re.sub(r"\{\w+\}", "", each.path)))

    def match(self, method: str, path: str) -> Match | None:
        for operation in self.operations:
            found = operation.pattern.fullmatch(path)
            if found and operation.method == method:
                values = {name: unquote(value) for name, value in found.groupdict().items()}
                return Match(operation, values)
        return None

    def fill(self, name: str, value: Json) -> Json:
        """The object of a schema's name, with a neutral value wherever one is required."""
        filled: Json = self._fill({"$ref": f"#/components/schemas/{name}"}, value)
        return filled

    def _resolve(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self.components["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema

    def _fill(self, schema: Json, value: Any) -> Any:  # noqa: ANN401 - any JSON
        schema = self._resolve(schema)
        if isinstance(value, list) and "items" in schema:
            return [self._fill(schema["items"], each) for each in value]
        if not isinstance(value, dict) or "properties" not in schema:
            return value
        properties = schema["properties"]
        filled = {name: self._fill(properties.get(name, {}), each) for name, each in value.items()}
        for name in schema.get("required", ()):
            if name not in filled:
                filled[name] = self._neutral(name, properties[name], value.get("url", ""))
        return filled

    def _neutral(self, name: str, schema: Json, url: str) -> Any:  # noqa: ANN401 - any JSON
        schema = self._resolve(schema)
        kind = schema.get("type")
        if kind is None or isinstance(kind, list):
            return None
        if kind == "object":
            return self._fill(schema, {})
        if kind == "string":
            return _neutral_text(name, schema, url)
        return {"array": [], "boolean": False}.get(kind, 0)


@cache
def description() -> Description:
    """The description, read once."""
    return Description(json.loads(FIXTURE.read_text(encoding="utf-8")))


def _neutral_text(name: str, schema: Json, url: str) -> str:
    if "enum" in schema:
        return str(schema["enum"][0])
    if schema.get("format") == "date-time":
        return WHEN
    return f"{url}/{name.removesuffix('_url')}" if name.endswith("_url") else ""


def _parameter(found: re.Match[str]) -> str:
    name = found[1]
    return f"(?P<{name}>{'.*' if name in LONG_PARAMETERS else '[^/]+'})"


def _read(value: str, kind: object) -> object:
    if kind == "integer" and re.fullmatch(r"[0-9]+", value):
        return int(value)
    if kind == "boolean" and value in {"true", "false"}:
        return value == "true"
    return value


def _validator(schema: Json, components: Components, *, closed: bool) -> jsonschema_rs.Validator:
    if closed:
        whole = {**_closed(schema), "components": components.closed}
    else:
        whole = {**schema, "components": components.open}
    return jsonschema_rs.Draft202012Validator(whole)


def _closed(node: Any) -> Any:  # noqa: ANN401 - any JSON
    """The same schemas, without room for names that they do not mention.

    What `allOf` adds to another schema has to let that one's names pass.
    """
    if isinstance(node, list):
        return [_closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    closed = {name: each if name == "allOf" else _closed(each) for name, each in node.items()}
    if isinstance(node.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


def _pointer(path: list[str | int]) -> str:
    return "".join(f".{each}" if isinstance(each, str) else f"[{each}]" for each in path)
