"""The figures of docs/validity.md follow from its labels, and the labels fit the corpus."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from corpus import CORPUS, marketplaces, needs_corpus
from documents import ROOT, read
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.evaluate import score_skill
from plugineval_action.layers.static.antipatterns import SEVERITY
from plugineval_action.results import AntiPattern

FIELDS = ["rule", "ruleset", "collection", "path", "sha256", "line", "detail", "verdict", "why"]
VERDICTS = {
    "plugineval": {"right", "wrong", "debatable"},
    "reference": {"false alarm", "told otherwise", "lost"},
}
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
LABELS = [json.loads(line) for line in read("docs/validity/labels.jsonl").splitlines()]


def tables(text: str) -> list[str]:
    return [found.strip() for found in TABLE.findall(text)]


@cache
def recomputed() -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "scripts/validity.py", str(CORPUS)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def skill_file(label: dict[str, Any]) -> Path:
    return CORPUS / "marketplaces" / str(label["collection"]) / str(label["path"]) / "SKILL.md"


def default_flags() -> Iterator[tuple[Path, AntiPattern]]:
    """Every flag of the default ruleset, with the folder of its skill."""
    for root in marketplaces():
        tree = DirectoryTree(root)
        for unit in discover(tree).skills:
            result = score_skill(tree, unit.path, plugin=unit.plugin)
            for flag in result.layers[0].anti_patterns:
                yield root / unit.path, flag


def linked_targets(lines: list[str]) -> set[str]:
    """What the links of some lines point to, without fragment, decoded: by eye, not by parser."""
    targets = re.findall(r"\]\(\s*<?([^)\s>]+)|(?:href|src)=[\"']([^\"']+)", "\n".join(lines))
    return {unquote(re.split(r"[#?]", one or other)[0]) for one, other in targets}


def is_well_formed(label: dict[str, Any]) -> bool:
    return (
        list(label) == FIELDS + ["cut"] * ("cut" in label)
        and label["rule"] in SEVERITY
        and label["verdict"] in VERDICTS[label["ruleset"]]
        and label["line"] >= 1
        and re.fullmatch("[0-9a-f]{64}", label["sha256"]) is not None
        and re.fullmatch(r"[A-Z0-9\"].{10,150}[.]", label["why"]) is not None
    )


def test_every_label_says_which_flag_it_judges_how_and_why() -> None:
    assert LABELS
    assert [] == [label for label in LABELS if not is_well_formed(label)]


def test_only_right_flags_about_links_are_marked_as_due_to_the_copy() -> None:
    marked = [label for label in LABELS if "cut" in label]
    rules = {"ORPHAN_REFERENCE", "DEAD_CROSS_REF"}

    assert marked
    assert all(label["cut"] is True and label["verdict"] == "right" for label in marked)
    assert {label["rule"] for label in marked} <= rules


def test_no_flag_is_labelled_twice() -> None:
    keys = ("ruleset", "rule", "collection", "path", "line", "detail")
    judged = Counter(tuple(label[key] for key in keys) for label in LABELS)

    assert {1} == set(judged.values())


def test_a_label_quotes_at_most_the_target_of_a_link() -> None:
    quoted = {label["rule"] for label in LABELS if label["detail"]}

    assert {"ORPHAN_REFERENCE", "DEAD_CROSS_REF"} == quoted
    assert max(len(label["detail"]) for label in LABELS) <= 100


def test_the_ranges_are_wilson_intervals() -> None:
    """A share belongs to the interval if what was counted is within 1.96 standard errors of it."""
    shares = re.findall(r"(\d+) of (\d+) = (\d+) % \((\d+)–(\d+) %\)", read("docs/validity.md"))
    for hits, total, *percents in (map(int, share) for share in shares):
        seen = hits / total
        inside = [
            true / 10_000
            for true in range(10_001)
            if (seen - true / 10_000) ** 2 <= 1.96**2 * true / 10_000 * (1 - true / 10_000) / total
        ]

        assert [seen, inside[0], inside[-1]] == pytest.approx([x / 100 for x in percents], abs=6e-3)

    assert len(shares) == len(SEVERITY) + 1


def test_without_a_corpus_the_script_says_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "scripts/validity.py", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert 1 == done.returncode
    assert f"{tmp_path} has no summary.json; name a corpus with PLUGINEVAL_CORPUS.\n" == done.stderr


@needs_corpus
def test_every_flag_that_needs_a_label_has_one_and_every_label_its_flag() -> None:
    assert "" == recomputed().stderr
    assert 0 == recomputed().returncode


@needs_corpus
def test_the_tables_of_the_document_are_recomputed_ones() -> None:
    # The last section has figures of its own: scripts/model_figures.py measures them.
    of_flags = read("docs/validity.md").split("\n## The judge and its numbers\n")[0]

    assert tables(recomputed().stdout) == tables(of_flags)


@needs_corpus
def test_the_table_of_the_methodology_is_a_recomputed_one() -> None:
    below = read("docs/methodology.md").split("\n## Measured differences between the rulesets\n")[1]

    assert tables(below)[0] in tables(recomputed().stdout)


@needs_corpus
def test_every_labelled_file_is_the_one_that_was_read() -> None:
    changed = [
        label["path"]
        for label in LABELS
        if hashlib.sha256(skill_file(label).read_bytes()).hexdigest() != label["sha256"]
    ]

    assert [] == changed


@needs_corpus
def test_every_orphan_reference_is_a_link_to_a_file_that_is_not_there() -> None:
    orphans = [(home, flag) for home, flag in default_flags() if flag.flag == "ORPHAN_REFERENCE"]
    for home, flag in orphans:
        lines = (home / "SKILL.md").read_text(encoding="utf-8").splitlines()
        linked = linked_targets(lines[flag.line - 1 : flag.end_line])
        missing = {one.strip("./") for one in linked if not os.path.lexists(home / one)}

        assert flag.description.partition(" is linked")[0] in missing

    assert len(orphans) == sum(
        label["rule"] == "ORPHAN_REFERENCE" and label["ruleset"] == "plugineval" for label in LABELS
    )
