"""Make the tests' copy of GitHub's OpenAPI description again: few paths, no prose, JSON Schema.

Usage: python scripts/reduce_openapi.py api.github.com.json, a file of the npm package
@octokit/openapi (`npm pack @octokit/openapi@23.0.2`, then package/generated/).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = Any

TARGET = Path(__file__).resolve().parents[1] / "tests" / "openapi" / "github.json"
REPOSITORY = "/repos/{owner}/{repo}"
KEPT = {
    "": "get",
    "/actions/artifacts/{artifact_id}": "get",
    "/actions/artifacts/{artifact_id}/{archive_format}": "get",
    "/actions/runs/{run_id}": "get",
    "/actions/runs/{run_id}/artifacts": "get",
    "/check-runs": "post",
    "/check-runs/{check_run_id}": "get patch",
    "/check-runs/{check_run_id}/annotations": "get",
    "/commits": "get",
    "/commits/{commit_sha}/pulls": "get",
    "/commits/{ref}": "get",
    "/commits/{ref}/check-runs": "get",
    "/compare/{basehead}": "get",
    "/contents/{path}": "get",
    "/git/blobs": "post",
    "/git/blobs/{file_sha}": "get",
    "/git/commits": "post",
    "/git/commits/{commit_sha}": "get",
    "/git/ref/{ref}": "get",
    "/git/refs": "post",
    "/git/refs/{ref}": "patch",
    "/git/trees": "post",
    "/git/trees/{tree_sha}": "get",
    "/issues": "post",
    "/issues/comments/{comment_id}": "get patch",
    "/issues/{issue_number}": "get patch",
    "/issues/{issue_number}/comments": "get post",
    "/pulls": "get post",
    "/pulls/{pull_number}": "get",
    "/pulls/{pull_number}/files": "get",
}
"""What is kept: paths below a repository, and their methods."""

PROSE = frozenset(
    {"default", "deprecated", "description", "example", "examples", "externalDocs", "title"}
)


def main() -> None:
    """Read the whole description, write the reduced one."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    whole = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    reduced = reduce(whole)
    TARGET.write_text(json.dumps(reduced, separators=(",", ":"), sort_keys=True) + "\n")
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes, {len(reduced['paths'])} paths")


def reduce(whole: Json) -> Json:
    """The kept operations and the schemas that they need."""
    paths = {
        REPOSITORY + path: {
            method: operation(whole, whole["paths"][REPOSITORY + path][method])
            for method in methods.split()
        }
        for path, methods in KEPT.items()
    }
    schemas = needed(whole, paths)
    for name in ("pull-request", "pull-request-simple"):
        # GitHub sends null for a fork that was deleted; the description does not say so.
        head = schemas[name]["properties"]["head"]["properties"]
        head["repo"] = nullable(head["repo"])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "GitHub REST API, reduced",
            "version": whole["info"]["version"],
            "license": {"name": "MIT", "url": "https://spdx.org/licenses/MIT"},
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def operation(whole: Json, given: Json) -> Json:
    """One operation with its parameters and responses written out, its schemas by reference."""
    parameters = [resolved(whole, parameter) for parameter in given.get("parameters", [])]
    kept: dict[str, Json] = {
        "operationId": given["operationId"],
        "externalDocs": {"url": given["externalDocs"]["url"]},
        "parameters": [
            {
                "name": parameter["name"],
                "in": parameter["in"],
                "required": parameter.get("required", False),
                "schema": schema(parameter["schema"]),
            }
            for parameter in parameters
        ],
        "responses": {
            status: {"description": "", **content(resolved(whole, response))}
            for status, response in given["responses"].items()
        },
    }
    if body := given.get("requestBody"):
        kept["requestBody"] = {"required": body.get("required", False), **content(body)}
    return kept


def resolved(whole: Json, node: Json) -> Json:
    """What a reference points to; anything else as it is."""
    if "$ref" not in node:
        return node
    for key in node["$ref"].removeprefix("#/").split("/"):
        whole = whole[key]
    return whole


def content(node: Json) -> Json:
    """The JSON schema of a body, if it has one."""
    media = node.get("content", {}).get("application/json")
    if media is None:
        return {}
    return {"content": {"application/json": {"schema": schema(media["schema"])}}}


def schema(node: Json) -> Json:
    """A schema of OpenAPI 3.0 as a JSON Schema of OpenAPI 3.1, without prose."""
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    kept = {
        key: part(key, value)
        for key, value in node.items()
        if key not in PROSE and not key.startswith("x-")
    }
    return nullable(kept) if kept.pop("nullable", False) else kept


def part(key: str, value: Json) -> Json:
    """One keyword of a schema; the names below `properties` are no keywords."""
    if key == "properties":
        return {name: schema(inner) for name, inner in value.items()}
    if key in {"items", "additionalProperties", "not"}:
        return schema(value)
    if key in {"allOf", "anyOf", "oneOf"}:
        return [schema(inner) for inner in value]
    return value


def nullable(node: Json) -> Json:
    """The same schema, allowing null."""
    if "type" not in node:
        return {"anyOf": [{"type": "null"}, node]}
    more = {"enum": [*node["enum"], None]} if "enum" in node and None not in node["enum"] else {}
    return {**node, "type": [node["type"], "null"], **more}


def needed(whole: Json, paths: Json) -> dict[str, Json]:
    """Every schema that the paths refer to, through others too."""
    found: dict[str, Json] = {}
    wanted = list(references(paths))
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = schema(whole["components"]["schemas"][name])
            wanted += references(found[name])
    return found


def references(node: Json) -> Iterator[str]:
    """The names of schemas that are referred to."""
    return iter(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(node)))


if __name__ == "__main__":
    main()
