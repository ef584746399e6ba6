"""A plugin: its name, its skills and agents, and what else it brings.

The reference looks into `skills/*/` and `agents/` only. The default also follows the `skills`
and `agents` keys of plugin.json and of the marketplace entry, nested skills, and a SKILL.md at
the plugin's root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plugineval_action.content.keys import Declared, Keys, keys_with, own_keys
from plugineval_action.content.manifest import Fields, read_manifest, shown
from plugineval_action.content.marketplace import MarketplaceEntry
from plugineval_action.content.members import (
    Members,
    agents_in,
    merged,
    skill_in,
    skills_below,
)
from plugineval_action.content.skill import finding
from plugineval_action.content.tree import Tree, join
from plugineval_action.results import Finding
from plugineval_action.rulesets import Ruleset

MANIFEST_FILE = ".claude-plugin/plugin.json"

_OTHER_COMPONENTS = (
    ("commands", "commands", "commands"),
    ("hooks", "hooks", "hooks"),
    ("MCP servers", ".mcp.json", "mcpServers"),
    ("LSP servers", ".lsp.json", "lspServers"),
    ("output styles", "output-styles", "outputStyles"),
    ("workflows", "workflows", "workflows"),
    ("themes", "themes", "themes"),
    ("monitors", "monitors", "monitors"),
)
"""What else a plugin may bring: its name, where it lies by default, and its key."""


class PluginSource(NamedTuple):
    """One plugin before it is measured.

    `path` is its directory; `skills` are directories and `agents` files, in byte order; `other`
    names what it has that is not scored.
    """

    path: str
    name: str
    skills: tuple[str, ...]
    agents: tuple[str, ...]
    other: tuple[str, ...]
    findings: tuple[Finding, ...]


def read_plugin(
    tree: Tree,
    path: str,
    *,
    ruleset: Ruleset,
    entry: MarketplaceEntry | None = None,
) -> PluginSource:
    """Read the plugin in a directory; `entry` is the marketplace entry that lists it, if any."""
    return next(read_plugins(tree, path, [entry], ruleset=ruleset))


def read_plugins(
    tree: Tree,
    path: str,
    entries: Iterable[MarketplaceEntry | None],
    *,
    ruleset: Ruleset,
) -> Iterator[PluginSource]:
    """Read a directory as the plugin that each of several entries makes of it."""
    folder = _Folder(tree, path)
    for entry in entries:
        if ruleset == "reference":
            keys, skills, agents = Keys(None, None), folder.below("skills"), folder.agents(None)
        else:
            keys = keys_with(folder.keys, path, entry)
            skills, agents = folder.skills(keys), folder.agents(keys.agents)
        found = (*folder.fields.findings, *keys.findings, *skills.findings, *agents.findings)
        findings = tuple(dict.fromkeys((*folder.fields.manifest.findings, *found)))
        name, other = folder.name(entry), folder.other(entry)
        yield PluginSource(path, name, skills.paths, agents.paths, other, findings)


class _Folder:
    """A plugin's directory; its manifest and its folders are read once."""

    def __init__(self, tree: Tree, path: str) -> None:
        self.tree = tree
        self.path = path
        manifest = read_manifest(tree, join(path, MANIFEST_FILE))
        self.fields = Fields(manifest, manifest.fields)
        self.keys = own_keys(self.fields)
        self._own_name = self.fields.text("name")
        self._below: dict[tuple[str, bool], Members] = {}
        self._given: dict[tuple[str, str], Members] = {}

    def name(self, entry: MarketplaceEntry | None) -> str:
        """What the plugin is called; an entry that is the whole definition has the first word."""
        names = [self._own_name, entry.name if entry else ""]
        if entry and not entry.strict:
            names.reverse()
        return names[0] or names[1] or self.path.rpartition("/")[2] or self.tree.name

    def other(self, entry: MarketplaceEntry | None) -> tuple[str, ...]:
        """What the plugin has that is neither skill nor agent."""
        values = self.fields.values
        experimental = values.get("experimental")
        keys = {key for key, value in values.items() if value}
        keys |= set(experimental) if isinstance(experimental, dict) else set()
        keys |= entry.keys if entry else frozenset()
        return tuple(
            name
            for name, place, key in _OTHER_COMPONENTS
            if key in keys or self.tree.exists(join(self.path, place))
        )

    def skills(self, keys: Keys) -> Members:
        """The skills that the keys and the default folders give."""
        given = keys.skills or ()
        declared = [self._follow(one, "skills") for one in given]
        if keys.complete and any(members.paths for members in declared):
            return merged(declared)
        # Who names folders below skills/ has picked them; nested ones not named are left out.
        picked = any((one.inner or "").startswith("skills/") for one in given)
        default = self.below("skills", nested=not picked)
        return merged([skill_in(self.tree, self.path), default, *declared])

    def agents(self, declared: Iterable[Declared] | None) -> Members:
        """The agents in the default folder, or those declared in its place."""
        if declared is None:
            return self._members("agents", "agents")
        return merged(self._follow(one, "agents") for one in declared)

    def below(self, inner: str, *, nested: bool = False) -> Members:
        """The skills below a folder of the plugin."""
        known = self._below.get((inner, nested))
        if known is None:
            known = skills_below(self.tree, join(self.path, inner), nested=nested)
            self._below[inner, nested] = known
        return known

    def _follow(self, declared: Declared, key: str) -> Members:
        inner = declared.inner
        if inner is None:
            return _unusable("BROKEN_MANIFEST_PATH", declared, "leads out of the plugin")
        path = join(self.path, inner)
        kind = self.tree.kind(path)
        if kind == "symlink":
            return _unusable(
                "SYMLINK_REFUSED", declared, "is a symbolic link, which is not followed"
            )
        if kind == "file" and key == "agents" and path.endswith(".md"):
            return Members((path,))
        if kind == "file":
            return _unusable("EXPECTED_DIRECTORY", declared, f"is a file, but not one of {key}")
        members = self._members(key, inner)
        if inner and members == Members():
            what = f"holds no {key}" if kind == "dir" else "is not there"
            return _unusable("BROKEN_MANIFEST_PATH", declared, what)
        return members

    def _members(self, key: str, inner: str) -> Members:
        """What a folder gives; many entries may name it many times, so it is looked at once."""
        known = self._given.get((key, inner))
        if known is None:
            path = join(self.path, inner)
            known = agents_in(self.tree, path) if key == "agents" else self._skills_in(path, inner)
            self._given[key, inner] = known
        return known

    def _skills_in(self, path: str, inner: str) -> Members:
        """A folder that is a skill, or the skills below it; of the root those right in it."""
        own = skill_in(self.tree, path)
        return own if own.paths else merged([own, self.below(inner, nested=bool(inner))])


def _unusable(rule: str, declared: Declared, why: str) -> Members:
    message = f"The path {shown(declared.given)} {why}."
    return Members((), (finding(rule, message, declared.manifest, declared.line),))
