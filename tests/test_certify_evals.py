"""Evals in a certificate: what the repository keeps, said as what it is."""

from __future__ import annotations

import json

import pytest

from certify_desk import SHARP, Desk
from memory_tree import MemoryTree
from model_server import ModelServer
from plugineval_action.certify.evals_kept import KeptEvals, kept_evals
from simulated_model import world_model

pytest_plugins = ["certify_fixtures"]

CASES = "id,should_trigger,prompt\na,true,Read the bill.\nb,true,Read it.\nc,false,Sing.\n"
STAND = {
    "cases": {
        "a": {"passed": 2, "graded": 2},
        "b": {"passed": 0, "graded": 1},
        "c": {"passed": 0, "graded": 0},
    }
}


def baseline(**harnesses: object) -> str:
    """A baseline of the skill s1."""
    return json.dumps({"version": 2, "skills": {"s1": harnesses}})


def test_a_certificate_has_what_the_repository_keeps_of_its_evals(desk: Desk) -> None:
    folder = desk.at / "market/p/evals"
    folder.mkdir()
    (folder / "s1.prompts.csv").write_text(CASES)
    (folder / "baseline.json").write_text(baseline(codex=STAND))
    with ModelServer(world_model(SHARP)) as server:
        desk.certify(server)
    predicate = desk.certificate()["predicate"]
    told = predicate["evals"]
    page = (desk.at / "certificates/p--s1.md").read_text()

    assert "p/evals/baseline.json" == told["file"]
    assert [("codex", 2, 3, 2)] == [
        (one["harness"], one["cases"], one["runs"], one["passed"]) for one in told["results"]
    ]
    assert 2 / 3 == told["results"][0]["share"]
    assert "evals" not in [one["what"] for one in predicate["not_measured"]]
    assert "keeps them (not run for this certificate)" in page
    assert "| codex | 2 | 2 of 3 | 67 % (" in page
    assert 0 == desk.verify(), desk.out


def test_without_evals_the_certificate_says_that_there_are_none(certified: Desk) -> None:
    predicate = certified.certificate()["predicate"]

    assert predicate["evals"] is None
    assert {"what": "evals", "reason": "The repository keeps no results of evals for it."} in (
        predicate["not_measured"]
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "What the repository keeps cannot be read: evals/baseline.json"),
        (baseline(codex={"cases": {"a": {"passed": 1, "graded": 10**6}}}), "cannot be read"),
        (baseline(codex={"cases": {"c": {"passed": 0, "graded": 0}}}), "keeps no results"),
        (json.dumps({"version": 2, "skills": {}}), "keeps no results"),
    ],
)
def test_a_baseline_that_tells_nothing_costs_no_certificate(text: str, reason: str) -> None:
    tree = MemoryTree({"evals/s1.prompts.csv": CASES, "evals/baseline.json": text})
    found = kept_evals(tree, "p/skills/s1", "s1")

    assert found == KeptEvals(reason=found.reason)
    assert reason in found.reason


def test_a_file_that_names_no_harness_gives_none() -> None:
    text = json.dumps({"version": 1, "skills": {"s1": STAND["cases"]}})
    tree = MemoryTree({"evals/s1.prompts.csv": CASES, "evals/baseline.json": text})

    assert [None] == [one.harness for one in kept_evals(tree, "p/skills/s1", "s1").results]
