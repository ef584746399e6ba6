"""Apply the rules to what was read: one pass, nothing parsed again, no score touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from plugineval_action.content.discovery import Discovery
from plugineval_action.content.document import Document
from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.text import SHOWN
from plugineval_action.content.tree import Tree
from plugineval_action.findings import catalogue
from plugineval_action.findings.check import Check
from plugineval_action.findings.profiles import DEFAULT_PROFILE, PROFILES, ProfileName
from plugineval_action.findings.shelf import read_shelf
from plugineval_action.findings.subject import Agent, Market, Plugin, Skill
from plugineval_action.results import Finding


def check_skill(document: Document, profile: ProfileName = DEFAULT_PROFILE) -> tuple[Finding, ...]:
    """What the rules say of a skill, by line."""
    subject = Skill(document, PROFILES[profile])
    checks = catalogue.SKILL_CHECKS
    return _sorted(_apply(checks, subject, document.source.text.path, profile))


def check_agent(agent: Agent, profile: ProfileName = DEFAULT_PROFILE) -> tuple[Finding, ...]:
    """What the rules say of an agent file, by line."""
    return _sorted(_apply(catalogue.AGENT_CHECKS, agent, agent.path, profile))


def check_plugin(plugin: Plugin, profile: ProfileName = DEFAULT_PROFILE) -> tuple[Finding, ...]:
    """What the rules say of a plugin.json, by line; nothing if there is none."""
    if not plugin.manifest.fields:
        return ()
    return _sorted(_apply(catalogue.PLUGIN_CHECKS, plugin, plugin.manifest.path, profile))


def check_market(market: Market, profile: ProfileName = DEFAULT_PROFILE) -> tuple[Finding, ...]:
    """What the rules say of a marketplace.json, by line; nothing if it holds no object."""
    if not market.manifest.fields:
        return ()
    return _sorted(_apply(catalogue.MARKET_CHECKS, market, market.manifest.path, profile))


def asides(
    tree: Tree, found: Discovery, profile: ProfileName = DEFAULT_PROFILE
) -> tuple[Finding, ...]:
    """What stands beside skills, agents and plugins: in marketplaces, and under wrong names."""
    return (*found.asides, *check_markets(tree, found, profile))


def check_markets(
    tree: Tree, found: Discovery, profile: ProfileName = DEFAULT_PROFILE
) -> tuple[Finding, ...]:
    """What the rules say of every marketplace.json that was found."""
    own = {plugin.path: plugin.manifest for plugin in found.plugins}
    markets = (Market(tree, one.path, one.manifest, own) for one in found.marketplaces)
    return tuple(note for market in markets for note in check_market(market, profile))


def check_shelf(
    tree: Tree, found: Discovery, profile: ProfileName = DEFAULT_PROFILE
) -> dict[str, tuple[Finding, ...]]:
    """What the rules say of all skills together, by the directory of a skill or plugin.

    One skill alone has nothing beside it.
    """
    if len(found.skills) < 2:
        return {}
    told: dict[str, list[Finding]] = {}
    for note in _apply(catalogue.SHELF_CHECKS, read_shelf(tree, found), "", profile, limit=None):
        folder = note.path.rpartition("/")[0]
        told.setdefault(folder.removesuffix(PLUGIN_FOLDER).rstrip("/"), []).append(note)
    return {path: _sorted(notes) for path, notes in told.items()}


def _apply(
    checks: tuple[Check, ...],
    subject: object,
    path: str,
    profile: ProfileName,
    limit: int | None = SHOWN,
) -> Iterator[Finding]:
    for check in checks:
        if profile in check.profiles:
            for hit in islice(check.find(subject), limit):
                yield check.finding(hit, path)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By file and line; the file that was looked at mostly comes first as the shortest path."""
    return tuple(sorted(findings, key=lambda one: (len(one.path), one.path, one.line, one.rule)))
