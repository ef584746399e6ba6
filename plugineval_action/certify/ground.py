"""What certification stands on: skills on the disk, and the corpus around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from plugineval_action.assess import Settings
from plugineval_action.certify.contents import checksums, digest_of
from plugineval_action.certify.corpus import OPPONENTS, Corpus, Entry
from plugineval_action.certify.evals_kept import KeptEvals
from plugineval_action.certify.games import Player
from plugineval_action.content.discovery import Unit
from plugineval_action.content.skill import read_skill
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.layers.judge.prescreen import aimed_at_judge
from plugineval_action.layers.judge.shown import show
from plugineval_action.results import Result

_LONGEST_NAME: Final = 200


class Subject(NamedTuple):
    """A skill to certify: where it lies, and its entry as the corpus would have it.

    `revision` is the commit that holds these very bytes, None if none is known to; `evals` what
    the repository keeps of its evals.
    """

    tree: Tree
    unit: Unit
    entry: Entry
    revision: str | None = None
    evals: KeptEvals = KeptEvals()


class Ground(NamedTuple):
    """The corpus, the tree where its skills lie, and how many of them a skill meets.

    `base` is the path of the corpus' source in the tree, `units` what lies there, by path.
    """

    corpus: Corpus
    tree: Tree
    base: str
    units: dict[str, Unit]
    opponents: int = OPPONENTS

    def unit(self, entry: Entry) -> Unit:
        """The skill of an entry. Raises ContentError if it is gone."""
        if entry.path not in self.units:
            raise ContentError(entry.path, f"{entry.path} is not there any more.", "Index anew.")
        return self.units[entry.path]


def by_path(units: Iterable[Unit], base: str) -> dict[str, Unit]:
    """Skills by their path below the folder that was indexed."""
    return {inside(unit.path, base): unit for unit in units}


def inside(path: str, base: str) -> str:
    """A path of a tree, as seen from a folder of it."""
    return path.removeprefix(base).removeprefix("/")


def entry_of(tree: Tree, unit: Unit, base: str, result: Result) -> Entry:
    """A skill for the index; its category is the plugin it belongs to. Raises ContentError."""
    category = unit.plugin.rpartition("/")[2] if unit.plugin else None
    composite = result.composite
    return Entry(
        name=result.name[:_LONGEST_NAME],
        path=inside(unit.path, base),
        category=category or None,
        lines=int(result.layers[0].metadata["line_count"]),
        digest=digest_of(checksums(tree, unit)),
        score=composite.score if composite else None,
        badge=composite.badge if composite else None,
    )


def player(tree: Tree, unit: Unit, entry: Entry, settings: Settings) -> Player:
    """A skill as the judge of a game sees it.

    Raises ContentError if it cannot be read, is not the one that was indexed, or speaks to its
    judge (unless the settings allow that).
    """
    skill = read_skill(tree, unit.path, unit.plugin)
    path = skill.text.path
    if digest_of(checksums(tree, unit)) != entry.digest:
        raise ContentError(path, f"{unit.path} has changed since it was indexed.", "Index anew.")
    aimed = aimed_at_judge(skill.text.content)
    if aimed and not settings.judge_anyway:
        where = f"line {aimed[0].line} ({aimed[0].what})"
        raise ContentError(path, f"{path} speaks to its judge: {where}.", "Take that out.")
    shown = show(skill, settings.ruleset, settings.max_chars)
    return Player(entry.digest, entry.name, shown)
