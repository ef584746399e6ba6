"""Recompute every figure of docs/validity.md and print its tables.

Usage: python scripts/validity.py [CORPUS]. CORPUS holds `summary.json` and `marketplaces/`; without
one, the folder that PLUGINEVAL_CORPUS names, else ../shared/corpus. The verdicts are those of
docs/validity/labels.jsonl. Exit code 1: a label and the corpus do not fit each other.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from math import fsum, sqrt
from pathlib import Path
from typing import Any, NamedTuple, get_args

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import finding_validity  # noqa: E402
import sign_validity  # noqa: E402

from plugineval_action.content.directory_tree import DirectoryTree  # noqa: E402
from plugineval_action.content.discovery import discover  # noqa: E402
from plugineval_action.evaluate import score_skill  # noqa: E402
from plugineval_action.layers.static.antipatterns import SEVERITY  # noqa: E402
from plugineval_action.results import Badge, Composite, Result  # noqa: E402
from plugineval_action.rulesets import Ruleset  # noqa: E402
from plugineval_action.scoring.dimensions import DIMENSIONS  # noqa: E402

_MEASURED = {spec.static_source: spec.weight for spec in DIMENSIONS if spec.static_source}
WEIGHTS = {source: weight / fsum(_MEASURED.values()) for source, weight in _MEASURED.items()}
"""What a whole sub-score is worth in the composite, from 0 to 1."""

LABELS = ROOT / "docs/validity/labels.jsonl"
DEFAULT: Ruleset = "plugineval"
REFERENCE: Ruleset = "reference"
BOTH = (REFERENCE, DEFAULT)
BADGES: tuple[Badge, ...] = get_args(Badge)
Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""

TOLD = 0.05
"""Mean points from which a reason has a row of its own."""

_TARGET = re.compile(
    r"(?:No skill, agent or file is found at )?(.*?)(?: is linked and does not exist)?\.",
    re.DOTALL,
)


class Flag(NamedTuple):
    """One flag of one skill; `detail` is the target of a flag about a link."""

    ruleset: str
    rule: str
    collection: str
    path: str
    line: int
    detail: str


class Scored(NamedTuple):
    """One skill under both rulesets."""

    collection: str
    path: str
    results: dict[Ruleset, Result]

    def composite(self, ruleset: Ruleset) -> Composite:
        composite = self.results[ruleset].composite
        assert composite is not None  # every skill has one
        return composite

    def flags(self, ruleset: Ruleset) -> Iterator[Flag]:
        for found in self.results[ruleset].layers[0].anti_patterns:
            link = found.flag in ("ORPHAN_REFERENCE", "DEAD_CROSS_REF")
            target = _TARGET.fullmatch(found.description) if link else None
            detail = target[1] if target else ""
            yield Flag(ruleset, found.flag, self.collection, self.path, found.line, detail)


def main() -> None:
    """Print the tables, then what does not fit."""
    default = os.environ.get("PLUGINEVAL_CORPUS", ROOT.parent / "shared" / "corpus")
    corpus = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    if not (corpus / "summary.json").is_file():
        sys.exit(f"{corpus} has no summary.json; name a corpus with PLUGINEVAL_CORPUS.")
    summary = json.loads((corpus / "summary.json").read_text(encoding="utf-8"))
    skills = list(score_all(corpus))
    labels = read_labels()
    own = [flag for skill in skills for flag in skill.flags(DEFAULT)]
    theirs = [flag for skill in skills for flag in skill.flags(REFERENCE)]
    extra = only(theirs, own)
    unseen = [flag for flag in extra if not is_there(corpus, flag)]
    counted, judged = finding_validity.count(corpus), finding_validity.labels()
    tables = (
        corpus_table(summary, skills),
        precision_table(own, labels),
        lost_table(theirs, extra, unseen, labels),
        phrase_table(extra, labels),
        difference_table(skills, own, theirs),
        badge_table(skills),
        reason_table(skills),
        *finding_tables(counted, judged),
        sign_table(corpus),
    )
    print("\n\n".join("\n".join(table) for table in tables))
    problems = [
        *misfits(corpus, own + unseen, labels),
        *finding_validity.misfits(counted, judged),
    ]
    sys.exit("\n".join(problems) if problems else 0)


def score_all(corpus: Path) -> Iterator[Scored]:
    """Every skill of every marketplace, each marketplace a tree of its own."""
    for folder in sorted((corpus / "marketplaces").iterdir()):
        tree = DirectoryTree(folder)
        for unit in discover(tree).skills:
            results = {
                ruleset: score_skill(tree, unit.path, plugin=unit.plugin, ruleset=ruleset)
                for ruleset in BOTH
            }
            yield Scored(folder.name, unit.path, results)


def read_labels() -> dict[Flag, dict[str, Any]]:
    """The labels by the flag that they judge."""
    rows = map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())
    return {Flag(*(row[field] for field in Flag._fields)): row for row in rows}


def only(theirs: Iterable[Flag], own: Iterable[Flag]) -> list[Flag]:
    """The reference's flags that the default ruleset does not raise, whatever the line."""
    raised: dict[tuple[str, str, str], list[str]] = {}
    for flag in own:
        raised.setdefault((flag.rule, flag.collection, flag.path), []).append(flag.detail)
    return [
        flag
        for flag in theirs
        # The reference cuts targets short, and keeps fragments.
        if not any(flag.detail.split("#")[0] in detail for detail in raised.get(_place(flag), ()))
    ]


def _place(flag: Flag) -> tuple[str, str, str]:
    return flag.rule, flag.collection, flag.path


def is_there(corpus: Path, flag: Flag) -> bool:
    """Whether what an ORPHAN_REFERENCE of the reference calls missing is on the disk."""
    target = corpus / "marketplaces" / flag.collection / flag.path / flag.detail.split("#")[0]
    return flag.rule == "ORPHAN_REFERENCE" and os.path.exists(target)


def interval(hits: int, total: int) -> str:
    """`45 of 45 = 100 % (92–100 %)`: the share with its Wilson 95 % interval."""
    if not total:
        return "none"
    share, spread = hits / total, Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    reach = sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    low, high = round(100 * max(0.0, middle - reach)), round(100 * min(1.0, middle + reach))
    return f"{hits} of {total} = {100 * share:.0f} % ({low}–{high} %)"


def table(*header: str) -> list[str]:
    """The first two lines of a Markdown table."""
    return [_row(*header), _row(*["---"] * len(header))]


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def corpus_table(summary: list[dict[str, Any]], skills: list[Scored]) -> list[str]:
    """What was scored, and whether it is the whole repository."""
    count = Counter(skill.collection for skill in skills)
    lines = table("Repository", "Commit", "Licence", "Skills", "Copy")
    for one in sorted(summary, key=lambda one: str(one["repo"]).lower()):
        left_out = one["dropped"] or one.get("placeholders_capped")
        copy = "whole" if one["whole"] and not left_out else "part"
        name = one["repo"].replace("/", "__")
        lines.append(_row(one["repo"], one["commit"][:12], one["licence"], count[name], copy))
    return [*lines, _row("together", "", "", count.total(), "")]


def precision_table(own: list[Flag], labels: dict[Flag, dict[str, Any]]) -> list[str]:
    """How often the flags of the default ruleset are right; a debatable one is not right."""
    lines = table("Flag", "Wrong", "Debatable", "Right", "Right, but only in this copy")
    for rule in SEVERITY:
        found = [labels.get(flag, {}) for flag in own if flag.rule == rule]
        verdicts = Counter(row.get("verdict") for row in found)
        cut = sum(row.get("cut", False) for row in found)
        right = interval(verdicts["right"], len(found))
        lines.append(_row(rule, verdicts["wrong"], verdicts["debatable"], right, cut))
    return lines


def lost_table(
    theirs: list[Flag], extra: list[Flag], unseen: list[Flag], labels: dict[Flag, dict[str, Any]]
) -> list[str]:
    """What became of the reference's flags that the default ruleset does not raise."""
    header = ("Flag", "Raised by `reference`", "Of those not by `plugineval`", "The file is there")
    lines = table(*header, "False alarm", "Told by another flag", "Lost")
    for rule in SEVERITY:
        mine = [flag for flag in extra if flag.rule == rule]
        read = [flag for flag in unseen if flag.rule == rule]
        verdicts = Counter(labels.get(flag, {}).get("verdict") for flag in read)
        shown = [verdicts[verdict] for verdict in ("false alarm", "told otherwise", "lost")]
        raised = sum(flag.rule == rule for flag in theirs)
        lines.append(_row(rule, raised, len(mine), len(mine) - len(read), *shown))
    return lines


def phrase_table(extra: list[Flag], labels: dict[Flag, dict[str, Any]]) -> list[str]:
    """How often a description passes rightly that passes only by the further phrases."""
    mine = [labels.get(flag, {}) for flag in extra if flag.rule == "MISSING_TRIGGER"]
    verdicts = Counter(row.get("verdict") for row in mine)
    passed = len(mine) - verdicts["told otherwise"]
    return [
        *table("Descriptions that only `plugineval` finds to say when", "They do"),
        _row(passed, interval(verdicts["false alarm"], passed)),
    ]


def difference_table(skills: list[Scored], own: list[Flag], theirs: list[Flag]) -> list[str]:
    """Flags, scores and badges under both rulesets."""
    lines = table("What", "`reference`", "`plugineval`")
    for rule in SEVERITY:
        counts = [sum(flag.rule == rule for flag in flags) for flags in (theirs, own)]
        lines.append(_row(rule, *counts))
    scores = [[skill.composite(ruleset).score for skill in skills] for ruleset in BOTH]
    flagged = [len({_place(flag)[1:] for flag in flags}) for flags in (theirs, own)]
    lines.append(_row("skills with a flag", *flagged))
    lines.append(_row("mean composite", *(f"{statistics.mean(each):.1f}" for each in scores)))
    lines.append(_row("median composite", *(f"{statistics.median(each):.1f}" for each in scores)))
    for badge in BADGES:
        counts = [
            sum(each.composite(ruleset).badge == badge for each in skills) for ruleset in BOTH
        ]
        lines.append(_row(badge.replace("_", " "), *counts))
    return lines


def badge_table(skills: list[Scored]) -> list[str]:
    """How many skills keep their badge, and where the others go."""
    moves = Counter(tuple(each.composite(ruleset).badge for ruleset in BOTH) for each in skills)
    ways = Counter[str]()
    for (old, new), count in moves.items():
        step = BADGES.index(old) - BADGES.index(new)
        ways["higher" if step > 0 else "lower" if step else "the same"] += count
    lines = table("Badge under `reference`", "under `plugineval`", "Skills")
    lines += [_row("any", way, ways[way]) for way in ("the same", "higher", "lower")]
    changed = [(pair, count) for pair, count in moves.most_common() if pair[0] != pair[1]]
    return lines + [_row(*(badge.replace("_", " ") for badge in pair), n) for pair, n in changed]


def reason_table(skills: list[Scored]) -> list[str]:
    """What moves the composite, the most first; the points add up to the means' difference."""
    split = [reasons(skill) for skill in skills]
    before, after = (fsum(each.composite(ruleset).score for each in skills) for ruleset in BOTH)
    total = (after - before) / len(skills)
    means = {name: fsum(each[name] for each in split) / len(split) for name in split[0]}
    told = [name for name in means if abs(means[name]) >= TOLD]
    lines = table("What moves the composite", "Skills up", "Skills down", "Points, mean of all")
    for name in sorted(told, key=lambda name: -abs(means[name])):
        up, down = (sum(sign * each[name] > 1e-9 for each in split) for sign in (1, -1))
        lines.append(_row(name, up, down, f"{means[name]:+.2f}"))
    rest = total - fsum(means[name] for name in told)
    sums = {"all else": rest, "together": total}
    return lines + [_row(name, "", "", f"{points:+.2f}") for name, points in sums.items()]


def reasons(skill: Scored) -> dict[str, float]:
    """By how many points the penalty and each part of a sub-score move one skill."""
    old, new = (skill.composite(ruleset) for ruleset in BOTH)
    before, after = old.anti_pattern_penalty, new.anti_pattern_penalty
    bare = (old.score / before + new.score / after) / 2
    moved = {"flags (the penalty)": bare * (after - before)}
    subs = (skill.results[ruleset].layers[0].sub_scores for ruleset in BOTH)
    for sub_old, sub_new in zip(*subs, strict=True):
        worth = 100 * (before + after) / 2 * WEIGHTS.get(sub_new.name, 0.0)
        for part_old, part_new in zip(sub_old.parts, sub_new.parts, strict=True):
            moved[f"{sub_new.name}: {part_new.name}"] = worth * (part_new.points - part_old.points)
    return moved


def finding_tables(
    counted: finding_validity.Counted, judged: dict[finding_validity.Place, dict[str, Any]]
) -> Iterator[list[str]]:
    """How often findings occur and are right: all together, and rule by rule."""
    lines = table("What", "Measured")
    yield lines + [_row(*one) for one in finding_validity.summary(counted, judged)]
    lines = table("Code", "Rule", "Level", "Raised", "Right, of those that were read")
    yield lines + [_row(*one) for one in finding_validity.rows(counted, judged)]


def sign_table(corpus: Path) -> list[str]:
    """How far the nearest real skill is from each threshold that costs a badge."""
    header = ("What is measured", "The badge goes", "Nearest real skill", "Median", "Skills")
    return [*table("Code", *header), *(_row(*one) for one in sign_validity.rows(corpus))]


def misfits(corpus: Path, flags: list[Flag], labels: dict[Flag, dict[str, Any]]) -> Iterator[str]:
    """Flags without label, labels without flag, and files that are not those that were read."""
    for flag in sorted(set(flags) - labels.keys()):
        yield f"no label: {flag}"
    for flag in sorted(labels.keys() - set(flags)):
        yield f"no flag: {flag}"
    for flag, row in labels.items():
        file = corpus / "marketplaces" / flag.collection / flag.path / "SKILL.md"
        if hashlib.sha256(file.read_bytes()).hexdigest() != row["sha256"]:
            yield f"another text: {file}"


if __name__ == "__main__":
    main()
