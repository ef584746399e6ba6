"""`score --output json` and `jsonl`: the reference's shape, all of it described by the schema."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import CORPUS, needs_corpus
from golden_files import assert_golden
from plugineval_action.cli.main import main
from plugineval_action.render.score.to_json import render
from plugineval_action.render.view import ScoreRun
from sample_results import FAILURE, RUNS, changelog, commands_only, hostile, release_notes, scored
from skills import score, skill_text

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "docs/schema/score.schema.json").read_text(encoding="utf-8"))
REFERENCE_KEYS = (
    *("plugin_path", "timestamp", "config", "layers", "composite", "elo", "model_usage"),
    "total_duration_ms",
)


def strictly_valid(document: Any) -> bool:  # noqa: ANN401 - that is what JSON is
    return jsonschema_rs.validator_for(SCHEMA).is_valid(document)


def definition(name: str) -> dict[str, Any]:
    """A part of the schema as a schema of its own."""
    return {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}


def lines(run: ScoreRun) -> list[Any]:
    return [json.loads(line) for line in render(run._replace(output_format="jsonl")).splitlines()]


def objects(schema: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Every schema of an object, wherever it stands."""
    if isinstance(schema, list):
        return [found for item in schema for found in objects(item)]
    if not isinstance(schema, dict):
        return []
    inside = [found for item in schema.values() for found in objects(item)]
    return inside + ([schema] if schema.get("type") == "object" else [])


@pytest.mark.parametrize("name", ["one", "plugin", "many", "reference", "hostile"])
def test_golden(name: str) -> None:
    assert_golden(f"score_{name}.json", render(RUNS[name]))


@pytest.mark.parametrize("name", RUNS)
def test_every_output_is_what_the_schema_says(name: str) -> None:
    document = json.loads(render(RUNS[name]))

    assert [] == [
        error.message for error in jsonschema_rs.validator_for(SCHEMA).iter_errors(document)
    ]
    assert all(strictly_valid(line) for line in lines(RUNS[name]))


def test_the_schema_is_strict_and_says_what_things_mean() -> None:
    jsonschema_rs.meta.validate(SCHEMA)

    assert all("additionalProperties" in schema for schema in objects(SCHEMA))
    assert SCHEMA["description"]


@pytest.mark.parametrize("where", [(), ("config",), ("composite",), ("layers", 0), ("findings", 0)])
def test_the_schema_refuses_a_key_too_many_and_a_key_too_few(where: tuple[str | int, ...]) -> None:
    for change in ("add", "remove"):
        document = json.loads(render(RUNS["one"]))
        target = document
        for step in where:
            target = target[step]
        target.pop(next(iter(target))) if change == "remove" else target.update(surprise=1)

        assert not strictly_valid(document)


def test_one_result_is_an_object_with_the_reference_keys_first() -> None:
    document = json.loads(render(RUNS["one"]))

    assert list(REFERENCE_KEYS) == list(document)[: len(REFERENCE_KEYS)]
    assert jsonschema_rs.is_valid(definition("result"), document)


@pytest.mark.parametrize(
    "run",
    [
        scored(release_notes(), changelog()),
        scored(release_notes(), failures=(FAILURE,)),
        scored(failures=(FAILURE,)),
        scored(),
    ],
)
def test_anything_else_stands_under_results_beside_failures(run: ScoreRun) -> None:
    document = json.loads(render(run))

    assert jsonschema_rs.is_valid(definition("several"), document)
    assert len(run.results) == len(document["results"])
    assert len(run.failures) == len(document["failures"])


def test_jsonl_is_one_line_for_each_result_and_failure_in_order() -> None:
    found = lines(RUNS["many"])

    assert ["release-notes", "changelog", "commands-only", "editor", "skills/broken"] == [
        line.get("name") or line["path"] for line in found
    ]
    assert FAILURE.remedy == found[-1]["error"]["remedy"]


@pytest.mark.parametrize(
    ("ruleset", "unmeasured"), [("plugineval/1", None), ("reference/0.1.0", 0.0)]
)
def test_an_unmeasured_dimension_is_null_and_zero_in_the_reference(
    ruleset: str, unmeasured: float | None
) -> None:
    document = json.loads(render(scored(release_notes(ruleset))))
    dimensions = {each["name"]: each for each in document["composite"]["dimensions"]}

    assert unmeasured == dimensions["robustness"]["score"]
    assert unmeasured == dimensions["robustness"]["weighted_score"]
    assert "—" == dimensions["robustness"]["grade"]
    assert 0.25 * 0.47 == dimensions["triggering_accuracy"]["weighted_score"]


def test_a_plugin_lists_the_scores_of_its_members() -> None:
    document = json.loads(render(RUNS["plugin"]))
    sub_scores = document["layers"][0]["sub_scores"]
    members = {
        kind: [m for m in document["members"] if m["kind"] == kind] for kind in ("skill", "agent")
    }

    assert [each["layers"][0]["score"] for each in members["skill"]] == sub_scores["skill_scores"]
    assert [each["agent_score"] for each in members["agent"]] == sub_scores["agent_scores"]


@pytest.mark.parametrize(("threshold", "passed"), [(None, None), (40.0, True), (80.0, False)])
def test_whether_it_passed_is_null_without_a_threshold(
    threshold: float | None,
    passed: bool | None,
) -> None:
    assert passed is json.loads(render(scored(release_notes(), threshold=threshold)))["passed"]


def test_what_has_no_composite_neither_passes_nor_fails() -> None:
    document = json.loads(render(scored(commands_only(), threshold=80)))

    assert document["composite"] is document["passed"] is None
    assert "only commands" in document["unscored"]


@given(st.text(max_size=30))
def test_foreign_text_comes_back_as_it_was(text: str) -> None:
    document = json.loads(render(scored(hostile(text or "x"))))

    assert (text or "x") == document["name"] == document["findings"][0]["message"]


def test_lines_of_the_output_hold_nothing_that_steers() -> None:
    for output_format in ("json", "jsonl"):
        text = render(RUNS["hostile"]._replace(output_format=output_format))

        assert not set("\x1b\x07\u202e\r") & set(text)
        assert "##[" not in text
        assert text.encode()


def test_writing_json_loads_neither_jinja_nor_rich() -> None:
    """Cold start: they would more than double it."""
    program = (
        "import sys; import plugineval_action.render.score.to_json;"
        "print(sorted({'jinja2', 'rich'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "[]\n" == done.stdout


def printed_by_the_reference() -> dict[str, Any]:
    """What the reference implementation printed, by the path that it scored.

    A folder with marketplace.json alone is left out: it is a plugin there and a marketplace here.
    """
    file = CORPUS / "goldens/cli.jsonl"
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines()) if file.exists() else ()
    return {
        row["args"][1]: json.loads(row["stdout"])
        for row in rows
        if "json" in row["args"] and row["rc"] == 0 and row["cwd"] == "."
        if not row["args"][1].endswith("p-no-plugin-json")
    }


def differences(expected: Any, actual: Any, at: str = "") -> list[str]:  # noqa: ANN401
    """Where `actual`, which may hold more, does not hold what is expected."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        pairs = ((key, value, actual.get(key, "missing")) for key, value in expected.items())
    elif isinstance(expected, list) and len(expected) == len(actual):
        pairs = ((str(at), *pair) for at, pair in enumerate(zip(expected, actual, strict=True)))
    else:
        return [] if expected == actual else [at]
    return [found for key, one, other in pairs for found in differences(one, other, f"{at}/{key}")]


@needs_corpus
@pytest.mark.parametrize("path", printed_by_the_reference())
def test_ruleset_reference_prints_what_the_reference_printed(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """But for the path, the time, and our own words for anti-patterns."""
    options = ["--depth", "quick", "--ruleset", "reference", "--output", "json"]
    main(["score", str(CORPUS / path), *options])
    found = differences(printed_by_the_reference()[path], json.loads(capsys.readouterr().out))
    ours = re.compile("/plugin_path|/timestamp|/total_duration_ms|.*/description")

    assert [] == [at for at in found if not ours.fullmatch(at)]


def test_a_part_says_what_would_raise_it_unless_it_is_at_its_best() -> None:
    layer = json.loads(render(scored(score(skill_text()))))["layers"][0]
    told = {
        (name, part["name"]): part["remedy"]
        for name, parts in layer["parts"].items()
        for part in parts
    }

    assert "Show five code blocks." == told["structural_completeness", "code blocks"]
    assert "" == told["frontmatter_quality", "name"]
