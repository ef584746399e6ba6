"""Every flag and finding of a small repository, wherever it is raised."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from documents import Files
from memory_tree import MemoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_agent, score_plugin, score_skill
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.findings.run import check_markets, check_shelf
from plugineval_action.layers.judge import prescreen
from plugineval_action.policy.expired import expired
from plugineval_action.policy.model import read_policy
from plugineval_action.results import Finding, Result


def findings_of(files: Files, profile: ProfileName = DEFAULT_PROFILE) -> list[Finding]:
    """The findings of every skill, agent, plugin and marketplace, and those beside them."""
    tree = MemoryTree(files)
    found = discover(tree)
    told = [note for result in _results(files, profile) for note in result.findings]
    told += [note for marketplace in found.marketplaces for note in marketplace.findings]
    together = check_shelf(tree, found, profile).values()
    told += [note for notes in together for note in notes]
    return [*told, *found.findings, *check_markets(tree, found, profile)]


def raised(files: Files, profile: ProfileName = DEFAULT_PROFILE) -> set[str]:
    """The names of all flags and findings anywhere in a tree."""
    layers = (layer for result in _results(files, profile) for layer in result.layers)
    flags = {flag.flag for layer in layers for flag in layer.anti_patterns}
    notes = [*findings_of(files, profile), *_asked(files), *_of_policy(files)]
    return flags | {note.rule for note in notes}


def _of_policy(files: Files) -> Iterator[Finding]:
    """What is told of a policy itself, after every day that an example names."""
    policy = read_policy(MemoryTree(files))
    if policy:
        yield from expired(policy, date(2026, 1, 1))


def _asked(files: Files) -> Iterator[Finding]:
    """What is looked for only before a model is asked."""
    tree = MemoryTree(files)
    for unit in discover(tree).skills:
        path = f"{unit.path}/SKILL.md"
        with suppress(ContentError):
            text = tree.read(path).decode("utf-8", "replace")
            yield from prescreen.findings(prescreen.aimed_at_judge(text), path)


def _results(files: Files, profile: ProfileName) -> Iterator[Result]:
    tree = MemoryTree(files)
    found = discover(tree)
    for unit in found.skills:
        with suppress(ContentError):
            yield score_skill(tree, unit.path, plugin=unit.plugin, profile=profile)
    for unit in found.agents:
        yield score_agent(tree, unit.path, plugin=unit.plugin, profile=profile)
    for plugin in found.plugins:
        yield score_plugin(tree, plugin, profile=profile)
