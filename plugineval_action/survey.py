"""Score many skills and plugins of one directory, on one process or several."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import Discovery
from plugineval_action.content.plugin import PluginSource
from plugineval_action.content.skill import finding
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import MemberScores, score_agent, score_plugin, score_skill
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.findings.run import check_plugin
from plugineval_action.findings.subject import Plugin
from plugineval_action.findings.withheld import beside
from plugineval_action.results import Failure, Finding, Result
from plugineval_action.rulesets import Ruleset

T = TypeVar("T")
R = TypeVar("R")

PROCESSES: Final = 4
"""Processes for long runs, unless told otherwise; never more than there are processors."""

_WORTH_A_PROCESS = 400
"""Skills and agents under which starting a second process costs more than it saves."""

_CHUNK = 25


class Target(NamedTuple):
    """One thing to score: a skill or agent (with the plugin around it), or a plugin."""

    path: str
    skill_of: str | None = None
    agent: bool = False
    plugin: PluginSource | None = None


def skill_targets(found: Discovery) -> list[Target]:
    """Every skill of a discovery."""
    return [Target(unit.path, skill_of=unit.plugin) for unit in found.skills]


def plugin_targets(found: Discovery) -> list[Target]:
    """Every plugin of a discovery."""
    return [Target(plugin.path, plugin=plugin) for plugin in found.plugins]


def loose_targets(found: Discovery) -> list[Target]:
    """Skills and agents that no plugin takes in."""
    taken = {path for plugin in found.plugins for path in (*plugin.skills, *plugin.agents)}
    skills = [target for target in skill_targets(found) if target.path not in taken]
    agents = [Target(unit.path, agent=True) for unit in found.agents if unit.path not in taken]
    return skills + agents


def score_target(
    tree: Tree,
    target: Target,
    ruleset: Ruleset,
    known: MemberScores | None = None,
    profile: ProfileName = DEFAULT_PROFILE,
) -> Result | Failure:
    """Score one target; a file that cannot be read never stops a run over many."""
    try:
        if target.plugin is not None:
            return score_plugin(tree, target.plugin, ruleset=ruleset, known=known, profile=profile)
        score, around = score_agent if target.agent else score_skill, target.skill_of
        return score(tree, target.path, plugin=around, ruleset=ruleset, profile=profile)
    except ContentError as error:
        return Failure(error.path, error.message, error.remedy)


def with_beside(
    scored: Result | Failure, notes: Mapping[str, tuple[Finding, ...]], ruleset: Ruleset
) -> Result | Failure:
    """What was scored, with what all skills together say of it; see `check_shelf`."""
    return beside(scored, notes, ruleset) if isinstance(scored, Result) else scored


def around_skills(
    tree: Tree,
    found: Discovery,
    shelf: Mapping[str, tuple[Finding, ...]],
    ruleset: Ruleset,
    profile: ProfileName = DEFAULT_PROFILE,
) -> tuple[Finding, ...]:
    """What a run over skills alone would pass over: in plugin.json, in agents, of whole plugins.

    `shelf` is what all skills together say, by directory; see `check_shelf`.
    """
    skills = {unit.path for unit in found.skills}
    of_plugins = (note for path, notes in shelf.items() if path not in skills for note in notes)
    every = (*_in_plugins(tree, found, profile), *_in_agents(tree, found, ruleset, profile))
    return tuple(dict.fromkeys((*every, *of_plugins)))


def _in_plugins(tree: Tree, found: Discovery, profile: ProfileName) -> Iterator[Finding]:
    for plugin in found.plugins:
        yield from plugin.findings
        yield from check_plugin(Plugin(tree, plugin.path, plugin.manifest), profile)


def _in_agents(
    tree: Tree, found: Discovery, ruleset: Ruleset, profile: ProfileName
) -> Iterator[Finding]:
    for unit in found.agents:
        target = Target(unit.path, unit.plugin, agent=True)
        scored = score_target(tree, target, ruleset, profile=profile)
        if isinstance(scored, Failure):
            yield finding("UNREADABLE_FILE", f"{scored.message} {scored.remedy}", scored.path)
        else:
            yield from scored.findings


def unlisted(tree: Tree, directory: str = "") -> tuple[Failure, ...]:
    """The folders at or below a directory that could not be looked into, so far.

    What lies in them has no score, and a gate may not take it for nothing.
    """
    return tuple(
        Failure(one.path, one.message, one.remedy)
        for one in tree.refused()
        if not directory or f"{one.path}/".startswith(f"{directory}/")
    )


def score_directory(
    tree: DirectoryTree,
    targets: list[Target],
    ruleset: Ruleset,
    processes: int,
    profile: ProfileName = DEFAULT_PROFILE,
) -> Iterator[Result | Failure]:
    """Score targets of a directory, in order; several processes only where they pay."""
    work = partial(score_target, ruleset=ruleset, known=MemberScores(), profile=profile)
    yield from over_tree(tree, targets, work, sum(map(_weight, targets)), processes)


def over_tree(
    tree: Tree, items: list[T], work: Callable[[Tree, T], R], weight: int, processes: int
) -> Iterator[R]:
    """Do some work on items of a tree, in order.

    On several processes where `weight`, the number of files, makes that pay; they read a directory,
    and `work` has to be something that can be pickled.
    """
    processes = min(processes, os.cpu_count() or 1)
    if processes < 2 or weight < _WORTH_A_PROCESS or not isinstance(tree, DirectoryTree):
        yield from (work(tree, item) for item in items)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(processes, initializer=_open, initargs=(tree.root, work)) as pool:
        yield from pool.map(_work, items, chunksize=_CHUNK)


def _weight(target: Target) -> int:
    """How many skills and agents there are to read, at most."""
    plugin = target.plugin
    return 1 if plugin is None else len(plugin.skills) + len(plugin.agents)


_worker: list[tuple[DirectoryTree, Callable[[Tree, Any], Any]]] = []
"""The tree and work of a process, so that a directory is listed once and not for each item."""


def _open(root: Path, work: Callable[[Tree, Any], Any]) -> None:
    # Ctrl-C reaches every process; only the first one has something to say about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker[:] = [(DirectoryTree(root), work)]


def _work(item: Any) -> Any:  # noqa: ANN401 - whatever the work takes and gives
    tree, work = _worker[0]
    return work(tree, item)
