"""Review a change: score what it touched on both sides, with the same code in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from plugineval_action.content.discovery import Discovery, Unit, discover
from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.tree import Tree
from plugineval_action.evaluate import MemberScores
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.findings.run import asides, check_shelf
from plugineval_action.results import Failure, Finding, Result
from plugineval_action.review.changes import Pair, find_changes, structure_changed
from plugineval_action.review_values import Change, ChangeStatus, Review
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import Target, score_target, unlisted, with_beside


class Side(NamedTuple):
    """One of the two trees, and how the review calls it (a short commit, "working tree")."""

    tree: Tree
    label: str


def everything(_path: str) -> bool:
    """Wants every path."""
    return True


def review_trees(
    base: Side,
    head: Side,
    ruleset: Ruleset,
    wanted: Callable[[str], bool] = everything,
    profile: ProfileName = DEFAULT_PROFILE,
) -> Review:
    """Every skill, agent and plugin that differs and lies at a path that is wanted, then or now.

    What a change did not touch is scored too if files came or went, since links may lead elsewhere.
    """
    before, after = (_Scored(side.tree, ruleset, profile) for side in (base, head))
    pairs = find_changes(base.tree, head.tree, before.units, after.units)
    touched = {_key(unit) for pair in pairs for unit in (pair.base, pair.head) if unit}
    kept = sorted(before.units.keys() & after.units.keys() - touched)
    if structure_changed(base.tree, head.tree):
        pairs += [Pair("affected", before.units[key], after.units[key]) for key in kept]
    changes: list[Change] = []
    failures: list[Failure] = []
    for pair in pairs:
        if not any(wanted(unit.path) for unit in (pair.base, pair.head) if unit):
            continue
        olds, news = before.scores(pair.base), after.scores(pair.head)
        for name in sorted(olds.keys() | news.keys()):
            old, new = olds.get(name), news.get(name)
            if isinstance(new, Failure):
                if old != new or pair.status != "affected":
                    failures.append(new)
            elif new is None and not isinstance(old, Result):
                # Gone now, and never read: there is nothing to say about it.
                continue
            # A base that could not be read gives no comparison, only a new score.
            elif not (pair.status == "affected" and _equal(old, new)):
                known = old if isinstance(old, Result) else None
                changes.append(Change(_status(pair, old, new), known, new))
    failures += (one for one in unlisted(head.tree) if wanted(one.path))
    changes.sort(key=_place)
    affected = sum(change.status == "affected" for change in changes)
    return Review(
        base=base.label,
        head=head.label,
        ruleset=versioned(ruleset),
        changes=tuple(changes),
        failures=tuple(failures),
        unchanged=len(kept) - affected,
        findings=tuple(_brought_in(before.asides, after.asides, wanted)),
    )


def _brought_in(
    before: tuple[Finding, ...], after: tuple[Finding, ...], wanted: Callable[[str], bool]
) -> Iterator[Finding]:
    """What is found beside the units now and was not, wherever in its file it stands.

    Manifests say what there is to score, so theirs count whatever is wanted.
    """
    known = {(one.rule, one.path, one.message) for one in before}
    for one in after:
        is_new = (one.rule, one.path, one.message) not in known
        if is_new and (wanted(one.path) or PLUGIN_FOLDER in one.path.split("/")):
            yield one


class _Scored:
    """The units of a tree, and their scores as they are asked for."""

    def __init__(self, tree: Tree, ruleset: Ruleset, profile: ProfileName) -> None:
        self.tree, self.ruleset, self.profile = tree, ruleset, profile
        found = discover(tree, ruleset=ruleset)
        self.units = {_key(unit): unit for unit in _units(found)}
        self.asides = asides(tree, found, profile)
        self._plugins = found.plugins
        self._beside = check_shelf(tree, found, profile)
        self._known = MemberScores()

    def scores(self, unit: Unit | None) -> dict[str, Result | Failure]:
        """The scores of a unit; plugins by name, since several may share a directory."""
        if unit is None:
            return {}
        if unit.kind == "plugin":
            here = [plugin for plugin in self._plugins if plugin.path == unit.path]
            names = [plugin.name for plugin in here] if len(here) > 1 else [""]
            targets = [Target(unit.path, plugin=plugin) for plugin in here]
        else:
            names, targets = [""], [Target(unit.path, unit.plugin, agent=unit.kind == "agent")]
        scored = (
            with_beside(
                score_target(self.tree, one, self.ruleset, self._known, self.profile),
                self._beside,
                self.ruleset,
            )
            for one in targets
        )
        return dict(zip(names, scored, strict=True))


def _status(pair: Pair, old: Result | Failure | None, new: Result | None) -> ChangeStatus:
    """That of the pair, but for a plugin that came or went in a directory with others."""
    if pair.base and pair.head and (old is None or new is None):
        return "new" if old is None else "removed"
    return pair.status


def _units(found: Discovery) -> Iterator[Unit]:
    yield from found.skills
    yield from found.agents
    yield from found.plugin_units


def _key(unit: Unit) -> str:
    return f"{unit.kind}:{unit.path}"


def _equal(before: Result | Failure | None, after: Result | None) -> bool:
    """Whether nothing that a reader would see differs."""
    if not isinstance(before, Result) or after is None:
        return False
    return (before.layers, before.findings) == (after.layers, after.findings)


def _place(change: Change) -> tuple[str, str]:
    result = change.after or change.before
    return (result.path, result.kind) if result else ("", "")
