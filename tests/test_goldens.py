"""The `reference` ruleset equals the reference implementation, to the last bit."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

from corpus import CORPUS, GoldenRow, golden_rows, needs_corpus
from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.document import read_document
from plugineval_action.content.frontmatter import split_reference
from plugineval_action.content.plugin import read_plugin
from plugineval_action.content.skill import read_skill
from plugineval_action.evaluate import score_plugin, score_skill
from plugineval_action.layers.static import formulas, reference
from plugineval_action.results import Failure, Result
from plugineval_action.scoring.bands import grade
from plugineval_action.survey import Target, score_target

pytestmark = needs_corpus


def test_every_skill_of_the_corpus_has_its_golden_score() -> None:
    rows = list(golden_rows("skill"))
    trees = _trees(rows)

    differences = [
        (golden.path, found, wanted)
        for golden in rows
        if "error" not in golden.row
        and (found := _facts(score_skill(trees[golden.root], golden.path, ruleset="reference")))
        != (wanted := _golden(golden.row))
    ]

    assert len(rows) >= 700
    assert differences == []


def test_every_plugin_of_the_corpus_has_its_golden_score() -> None:
    rows = list(golden_rows("plugin"))
    trees = _trees(rows)
    differences = []
    for golden in rows:
        plugin = read_plugin(trees[golden.root], golden.path, ruleset="reference")
        result = score_plugin(trees[golden.root], plugin, ruleset="reference")
        if "error" not in golden.row and _facts(result) != _golden(golden.row):
            differences.append((golden.path, _facts(result), _golden(golden.row)))

    assert len(rows) >= 180
    assert differences == []


def test_what_crashes_the_reference_is_scored_with_a_finding_or_refused_by_name() -> None:
    crashing = [golden for golden in golden_rows("skill") if "error" in golden.row]
    for golden in crashing:
        target = Target(golden.path)
        result = score_target(DirectoryTree(golden.root), target, "reference")

        if isinstance(result, Failure):
            assert golden.path in result.path
        else:
            assert result.composite is not None
            assert result.findings

    assert len(crashing) >= 10


def test_descriptions_measure_as_the_reference_vectors_say() -> None:
    for vector in _vectors()["description"]:
        text = f"---\nname: s\ndescription: {json.dumps(vector['in'])}\n---\n"
        facts, _ = reference.extract(
            read_document(read_skill(MemoryTree({"s/SKILL.md": text}), "s"))
        )
        points = 0.0
        for part in formulas.pushiness(facts):
            points += part.points

        assert (vector["in"], facts.trigger is not None, points) == (
            vector["in"],
            vector["trigger"],
            vector["pushiness"],
        )


def test_front_matter_is_split_as_the_reference_vectors_say() -> None:
    for vector in _vectors()["split_frontmatter"]:
        front = split_reference(vector["in"])
        fields = {name: _as_in_vectors(field.value) for name, field in front.fields.items()}

        assert (vector["in"], fields, front.body) == (
            vector["in"],
            vector["frontmatter"],
            vector["body"],
        )


def test_cross_references_are_found_as_the_reference_vectors_say() -> None:
    for vector in _vectors()["cross_references"]:
        found = [spot.text for spot in reference.cross_references(vector["in"])]

        assert (vector["in"], found) == (vector["in"], vector["out"])


def test_grades_fall_where_the_reference_vectors_say() -> None:
    for vector in _vectors()["grades"]:
        assert (vector["in"], grade(vector["in"])) == (vector["in"], vector["out"])


def _vectors() -> dict[str, Any]:
    vectors: dict[str, Any] = json.loads((CORPUS / "goldens" / "vectors.json").read_text("utf-8"))
    return vectors


def _as_in_vectors(value: object) -> object:
    return f"date:{value.isoformat()}" if isinstance(value, date) else value


def _trees(rows: list[GoldenRow]) -> dict[Path, DirectoryTree]:
    return {root: DirectoryTree(root) for root in {golden.root for golden in rows}}


def _facts(result: Result) -> dict[str, Any]:
    assert result.composite is not None
    layer, composite = result.layers[0], result.composite
    members = {
        "skill_scores": [one.layers[0].score for one in result.members if one.kind == "skill"],
        "agent_scores": [one.layers[0].score for one in result.members if one.kind == "agent"],
    }
    return {
        "layer": layer.score,
        "sub_scores": {sub.name: sub.score for sub in layer.sub_scores} or members,
        "flags": [flag.flag for flag in layer.anti_patterns],
        "severities": [flag.severity for flag in layer.anti_patterns],
        "composite": composite.score,
        "penalty": composite.anti_pattern_penalty,
        "badge": composite.badge,
        "label": composite.confidence_label,
        "dimensions": [
            (one.name, one.weight, 0.0 if one.score is None else one.score, one.grade)
            for one in composite.dimensions
        ],
    }


def _golden(row: dict[str, Any]) -> dict[str, Any]:
    static, composite = row["static"], row["composite"]
    return {
        "layer": static["score"],
        "sub_scores": static["sub_scores"],
        "flags": row["flags"],
        "severities": [flag["severity"] for flag in static["anti_patterns"]],
        "composite": composite["score"],
        "penalty": composite["anti_pattern_penalty"],
        "badge": composite["badge"],
        "label": composite["confidence_label"],
        "dimensions": [
            (one["name"], one["weight"], one["score"], one["grade"])
            for one in composite["dimensions"]
        ],
    }
