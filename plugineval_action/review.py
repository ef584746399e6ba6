"""Review a change: score what it touched on both sides, with the same code in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from plugineval_action.changes import Pair, find_changes, structure_changed
from plugineval_action.content.discovery import Discovery, Unit, discover
from plugineval_action.content.tree import Tree
from plugineval_action.results import Change, Failure, Result, Review
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import Target, score_target


class Side(NamedTuple):
    """One of the two trees, and how the review calls it (a short commit, "working tree")."""

    tree: Tree
    label: str


def everything(_path: str) -> bool:
    """Wants every path."""
    return True


def review_trees(
    base: Side, head: Side, ruleset: Ruleset, wanted: Callable[[str], bool] = everything
) -> Review:
    """Every skill, agent and plugin that differs and lies at a path that is wanted, then or now.

    What a change did not touch is scored too if files came or went, since links may lead elsewhere.
    """
    before, after = _Scored(base.tree, ruleset), _Scored(head.tree, ruleset)
    pairs = find_changes(base.tree, head.tree, before.units, after.units)
    touched = {_key(unit) for pair in pairs for unit in (pair.base, pair.head) if unit}
    kept = [key for key in before.units.keys() & after.units.keys() if key not in touched]
    if structure_changed(base.tree, head.tree):
        pairs += [Pair("affected", before.units[key], after.units[key]) for key in kept]
    changes: list[Change] = []
    failures: list[Failure] = []
    for pair in pairs:
        if not any(wanted(unit.path) for unit in (pair.base, pair.head) if unit):
            continue
        old, new = before.score(pair.base), after.score(pair.head)
        if isinstance(new, Failure):
            failures.append(new)
        # A base that could not be read gives no comparison, only a new score.
        elif not (pair.status == "affected" and _equal(old, new)):
            changes.append(Change(pair.status, old if isinstance(old, Result) else None, new))
    changes.sort(key=_place)
    affected = sum(change.status == "affected" for change in changes)
    return Review(
        base=base.label,
        head=head.label,
        ruleset=versioned(ruleset),
        changes=tuple(changes),
        failures=tuple(failures),
        unchanged=len(kept) - affected,
    )


class _Scored:
    """The units of a tree, and their scores as they are asked for."""

    def __init__(self, tree: Tree, ruleset: Ruleset) -> None:
        self.tree, self.ruleset = tree, ruleset
        found = discover(tree, ruleset=ruleset)
        self.units = {_key(unit): unit for unit in _units(found)}
        self._plugins = {plugin.path: plugin for plugin in found.plugins}

    def score(self, unit: Unit | None) -> Result | Failure | None:
        if unit is None:
            return None
        plugin = self._plugins.get(unit.path) if unit.kind == "plugin" else None
        target = Target(unit.path, unit.plugin, agent=unit.kind == "agent", plugin=plugin)
        return score_target(self.tree, target, self.ruleset)


def _units(found: Discovery) -> Iterator[Unit]:
    yield from found.skills
    yield from found.agents
    yield from found.plugin_units


def _key(unit: Unit) -> str:
    return f"{unit.kind}:{unit.path}"


def _equal(before: Result | Failure | None, after: Result | None) -> bool:
    """Whether nothing that a reader would see differs."""
    return isinstance(before, Result) and after is not None and before.layers == after.layers


def _place(change: Change) -> tuple[str, str]:
    result = change.after or change.before
    return (result.path, result.kind) if result else ("", "")
