"""Score many skills and plugins of one directory, on one process or several."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from plugineval_action.content.discovery import Discovery
from plugineval_action.content.plugin import PluginSource
from plugineval_action.content.tree import DirectoryTree, Tree
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_agent, score_plugin, score_skill
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset

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
    tree: Tree, target: Target, ruleset: Ruleset, profile: ProfileName = DEFAULT_PROFILE
) -> Result | Failure:
    """Score one target; a file that cannot be read never stops a run over many."""
    try:
        if target.plugin is not None:
            return score_plugin(tree, target.plugin, ruleset=ruleset, profile=profile)
        if target.agent:
            return score_agent(
                tree, target.path, plugin=target.skill_of, ruleset=ruleset, profile=profile
            )
        around = target.skill_of
        return score_skill(tree, target.path, plugin=around, ruleset=ruleset, profile=profile)
    except ContentError as error:
        return Failure(error.path, error.message, error.remedy)


def score_directory(
    tree: DirectoryTree,
    targets: list[Target],
    ruleset: Ruleset,
    processes: int,
    profile: ProfileName = DEFAULT_PROFILE,
) -> Iterator[Result | Failure]:
    """Score targets of a directory, in order; several processes only where they pay."""
    processes = min(processes, os.cpu_count() or 1)
    if processes < 2 or sum(map(_weight, targets)) < _WORTH_A_PROCESS:
        yield from (score_target(tree, target, ruleset, profile) for target in targets)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(
        processes, initializer=_open, initargs=(tree.root, ruleset, profile)
    ) as pool:
        yield from pool.map(_score_in_worker, targets, chunksize=_CHUNK)


def _weight(target: Target) -> int:
    """How many skills and agents there are to read."""
    plugin = target.plugin
    return 1 if plugin is None else len(plugin.skills) + len(plugin.agents)


_worker: list[tuple[DirectoryTree, Ruleset, ProfileName]] = []
"""The tree of a worker process, so that a directory is listed once and not for each target."""


def _open(root: Path, ruleset: Ruleset, profile: ProfileName) -> None:
    # Ctrl-C reaches every process; only the first one has something to say about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker[:] = [(DirectoryTree(root), ruleset, profile)]


def _score_in_worker(target: Target) -> Result | Failure:
    tree, ruleset, profile = _worker[0]
    return score_target(tree, target, ruleset, profile)
