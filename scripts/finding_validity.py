"""Count how often each rule about content fires on real marketplaces, and how often it is right.

The verdicts are those of docs/validity/findings.jsonl; validity.py prints the table.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plugineval_action.content.directory_tree import DirectoryTree  # noqa: E402
from plugineval_action.content.discovery import discover  # noqa: E402
from plugineval_action.errors import ContentError  # noqa: E402
from plugineval_action.evaluate import score_agent, score_plugin, score_skill  # noqa: E402
from plugineval_action.findings.catalogue import RULES, WITHHOLDING  # noqa: E402
from plugineval_action.findings.run import asides, check_shelf  # noqa: E402
from plugineval_action.results import Finding  # noqa: E402

LABELS = ROOT / "docs/validity/findings.jsonl"


SEED = 20261130
SAMPLE = 200
UNSEEN = frozenset({"BROKEN_MANIFEST_PATH", "UNLINKED_REFERENCE"})
"""They tell of files that a part of a repository, or one with empty references, lacks.

They are read apart: of the first, as many as DRAWN, of the second, all.
"""

DRAWN = 100


class Place(NamedTuple):
    """One finding of one file."""

    rule: str
    collection: str
    path: str
    line: int


class Counted(NamedTuple):
    """All findings of the marketplaces, and how many warnings and errors each skill has."""

    messages: dict[Place, str]
    loud_by_skill: tuple[int, ...]

    @property
    def findings(self) -> tuple[Place, ...]:
        """Where they are."""
        return tuple(self.messages)


def count(corpus: Path) -> Counted:
    """Every finding of every skill, agent, plugin and marketplace, each once."""
    found: dict[Place, str] = {}
    loud: list[int] = []
    for folder in sorted((corpus / "marketplaces").iterdir()):
        tree = DirectoryTree(folder)
        discovery = discover(tree)
        told = list(asides(tree, discovery))
        together = check_shelf(tree, discovery)
        told += [note for notes in together.values() for note in notes]
        for unit in discovery.skills:
            alone = score_skill(tree, unit.path, plugin=unit.plugin).findings
            own = (*alone, *together.get(unit.path, ()))
            loud.append(sum(note.level != "note" for note in own))
            told += own
        for unit in discovery.agents:
            told += _of_agent(tree, unit.path, unit.plugin)
        for plugin in discovery.plugins:
            told += score_plugin(tree, plugin).findings
        found |= {Place(one.rule, folder.name, one.path, one.line): one.message for one in told}
    return Counted(found, tuple(loud))


def _of_agent(tree: DirectoryTree, path: str, plugin: str | None) -> tuple[Finding, ...]:
    try:
        return score_agent(tree, path, plugin=plugin).findings
    except ContentError:
        return ()


def labels() -> dict[Place, dict[str, Any]]:
    """The labels by the finding that they judge."""
    rows = map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())
    return {Place(*(row[field] for field in Place._fields)): row for row in rows}


def sample(counted: Counted) -> list[Place]:
    """Findings drawn at random, in order, of those that can be judged and weigh in no score."""
    pool = sorted(one for one in counted.findings if _is_judged(one.rule))
    return sorted(Random(SEED).sample(pool, min(SAMPLE, len(pool))))


def drawn_apart(counted: Counted) -> list[Place]:
    """Findings of the rules in UNSEEN, in order: drawn at random if there are too many to read."""
    pools = (sorted(one for one in counted.findings if one.rule == rule) for rule in sorted(UNSEEN))
    drawn = (Random(SEED).sample(pool, DRAWN) if len(pool) > DRAWN else pool for pool in pools)
    return [place for places in drawn for place in sorted(places)]


def _is_judged(rule: str) -> bool:
    return rule not in UNSEEN and RULES[rule].family != "portability"


def rows(counted: Counted, judged: dict[Place, dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    """Of each rule: code, name, level, how often it fires, how often it is right.

    What nobody could tell from the copy is `open`, and counts as not read.
    """
    fires = Counter(place.rule for place in counted.findings)
    verdicts = Counter((place.rule, row["verdict"]) for place, row in judged.items())
    cut = Counter(place.rule for place, row in judged.items() if row.get("cut"))
    for rule in RULES.values():
        if rule.family in ("anti-pattern", "portability"):
            continue
        right, wrong = verdicts[rule.id, "right"], verdicts[rule.id, "wrong"]
        right_of = f"{right} of {right + wrong}" if right + wrong else "not measured"
        right_of += f", {cut[rule.id]} only in this copy" if cut[rule.id] else ""
        yield rule.code, rule.id, rule.level, fires[rule.id], right_of


def summary(counted: Counted, judged: dict[Place, dict[str, Any]]) -> Iterator[tuple[str, object]]:
    """What the goals ask for."""
    verdicts = Counter(row["verdict"] for row in judged.values() if not row.get("cut"))
    read = verdicts["right"] + verdicts["wrong"]
    loud = sorted(counted.loud_by_skill)
    withheld = {place[1:3] for place in counted.findings if place.rule in WITHHOLDING}
    drawn = {place: judged.get(place, {}).get("verdict") == "right" for place in sample(counted)}
    among = [right for place, right in drawn.items() if RULES[place.rule].level != "note"]
    yield "findings read and judged", read
    yield "of these right", _share(verdicts["right"], read)
    yield f"of {len(drawn)} drawn at random, right", _share(sum(drawn.values()), len(drawn))
    yield f"of the {len(among)} warnings and errors in there", _share(sum(among), len(among))
    yield "warnings and errors of a skill, median", loud[len(loud) // 2]
    yield "warnings and errors of a skill, mean", f"{sum(loud) / len(loud):.2f}"
    yield "skills with none", f"{loud.count(0)} of {len(loud)}"
    yield "skills whose badge is withheld", f"{len(withheld)} of {len(loud)}"


def _share(right: int, of: int) -> str:
    return f"{right} = {100 * right / of:.1f} %"


def misfits(counted: Counted, judged: dict[Place, dict[str, Any]]) -> Iterator[str]:
    """Labels that judge a finding which is not raised any more, and drawn findings without one."""
    for place in sorted(judged.keys() - set(counted.findings)):
        yield f"no finding: {place}"
    for place in sorted({*sample(counted), *drawn_apart(counted)} - judged.keys()):
        yield f"no label: {place}"
