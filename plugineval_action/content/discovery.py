"""Everything in a tree that can be scored: skills, agents, plugins, and the marketplaces over them.

One walk over the directories, without recursion. A directory is a plugin if it has a
`.claude-plugin` folder that is not merely a marketplace's, or if a marketplace lists it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.content.manifest import shown
from plugineval_action.content.marketplace import (
    MARKETPLACE_FILE,
    Marketplace,
    MarketplaceEntry,
    read_marketplace,
)
from plugineval_action.content.members import (
    PLUGIN_FOLDER,
    RESOURCE_FOLDERS,
    SKIPPED_FOLDERS,
    byte_order,
    expected_file,
    expected_folder,
    in_byte_order,
    refused_link,
)
from plugineval_action.content.plugin import MANIFEST_FILE, PluginSource, read_plugins
from plugineval_action.content.skill import SKILL_FILE, finding
from plugineval_action.content.text import BOM
from plugineval_action.content.tree import EntryKind, Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.results import Finding, Kind
from plugineval_action.rulesets import Ruleset

MOST_UNITS: Final = 20_000
"""Most skills, agents and plugins that are scored in one go, each as often as a plugin lists it."""


class Unit(NamedTuple):
    """What can be scored on its own, and which files make it up.

    `path` is the directory of a skill or plugin and the file of an agent. `files` are sorted: of a
    skill everything below it but other units (at the tree's root: SKILL.md and the resource
    folders), of an agent its file, of a plugin its plugin.json. `plugin` is the directory of the
    plugin around it, None outside any.
    """

    kind: Kind
    path: str
    files: tuple[str, ...]
    plugin: str | None


class Discovery(NamedTuple):
    """All that lies in a directory, in byte order of the paths.

    `plugins` has one for each definition (marketplace entries may share a directory) and
    `plugin_units` one for each directory. `findings` are those that no plugin or marketplace holds.
    """

    skills: tuple[Unit, ...]
    agents: tuple[Unit, ...]
    plugins: tuple[PluginSource, ...]
    marketplaces: tuple[Marketplace, ...]
    findings: tuple[Finding, ...]
    plugin_units: tuple[Unit, ...] = ()

    @property
    def asides(self) -> tuple[Finding, ...]:
        """What was found beside skills, agents and plugins: in manifests, under wrong names."""
        listed = (note for marketplace in self.marketplaces for note in marketplace.findings)
        return (*listed, *self.findings)


def discover(tree: Tree, directory: str = "", *, ruleset: Ruleset = "plugineval") -> Discovery:
    """Find everything in a directory of a tree; what lies above it counts as surroundings.

    Raises ContentError if there is more than MOST_UNITS.
    """
    walk = _Walk(tree)
    walk.descend(directory)
    plugins = tuple(_plugins(tree, walk, ruleset))
    agents = in_byte_order(walk.agents.union(*(plugin.agents for plugin in plugins)))
    known = {note for plugin in plugins for note in plugin.findings}
    return Discovery(
        tuple(_skill_units(walk, frozenset(agents))),
        tuple(Unit("agent", path, (path,), walk.plugin_around(path)) for path in agents),
        plugins,
        tuple(sorted(walk.marketplaces, key=lambda one: byte_order(one.path))),
        tuple(note for note in dict.fromkeys(walk.findings) if note not in known),
        tuple(_plugin_units(walk)),
    )


def _plugins(tree: Tree, walk: _Walk, ruleset: Ruleset) -> Iterator[PluginSource]:
    """One plugin for each name that a directory goes by."""
    units = 0
    for path in in_byte_order(walk.plugins):
        entries = walk.entries.get(path, (None,))
        found = []
        for plugin in read_plugins(tree, path, entries, ruleset=ruleset):
            found.append(plugin)
            # Entries that share a directory repeat everything in it, what is wrong included.
            units += 1 + len(plugin.skills) + len(plugin.agents) + len(plugin.findings)
            _check_number(path, units)
        # From the last to the first, so that of one name the first entry stays.
        named = {plugin.name: plugin for plugin in reversed(found)}
        yield from sorted(named.values(), key=lambda plugin: plugin.name)


def _check_number(path: str, units: int) -> None:
    if units > MOST_UNITS:
        raise ContentError(
            path,
            f"There are more than {MOST_UNITS:,} skills, agents and plugins, counted at "
            f"{shown(path) or '.'}; a directory counts as often as a marketplace lists it.",
            "Score the folders one by one, or list each directory once.",
        )


def _skill_units(walk: _Walk, agents: frozenset[str]) -> Iterator[Unit]:
    for path in in_byte_order(walk.skills):
        files = in_byte_order(file for file in walk.skills[path] if file not in agents)
        yield Unit("skill", path, files, walk.plugin_around(path))


def _plugin_units(walk: _Walk) -> Iterator[Unit]:
    for path in in_byte_order(walk.plugins):
        manifest = join(path, MANIFEST_FILE)
        yield Unit("plugin", path, (manifest,) if walk.tree.is_file(manifest) else (), path)


class _Walk:
    """One walk over the directories, and what it has met."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.skills: dict[str, list[str]] = {}
        self.agents: set[str] = set()
        self.plugins: list[str] = []
        self.marketplaces: list[Marketplace] = []
        self.entries = defaultdict[str, list[MarketplaceEntry]](list)
        self.findings: list[Finding] = []
        self._plugins_met: set[str] = set()

    def descend(self, directory: str) -> None:
        """Visit a directory and everything below it, having looked at what lies above."""
        for above in _above(directory):
            self._look_for_plugin(above)
        waiting: list[tuple[str, str | None]] = [(directory, None)]
        while waiting:
            here, skill = waiting.pop()
            waiting += self._visit(here, skill)
            _check_number(here, len(self.skills) + len(self.agents) + len(self.plugins))

    def plugin_around(self, path: str) -> str | None:
        """The innermost plugin whose directory is, or holds, a path."""
        while path not in self._plugins_met:
            if not path:
                return None
            path = path.rpartition("/")[0]
        return path

    def _visit(self, here: str, skill: str | None) -> Iterator[tuple[str, str | None]]:
        """Take in a directory whose files belong to `skill`; gives the directories inside it."""
        listing = self.tree.listing(here)
        self.findings += expected_folder(listing.get(PLUGIN_FOLDER), join(here, PLUGIN_FOLDER))
        marketplace, is_plugin = self._look_for_plugin(here)
        if marketplace is not None:
            self.marketplaces.append(marketplace)
        if is_plugin:
            self.plugins.append(here)
            skill = None
        if listing.get(SKILL_FILE) == "file":
            skill = here
            self.skills[here] = []
        for name, kind in listing.items():
            path = join(here, name)
            owner = skill if skill is not None and _is_part(skill, path) else None
            if kind == "dir" and name not in SKIPPED_FOLDERS:
                yield path, owner
            elif kind == "file" and owner is not None:
                self.skills[owner].append(path)
            self._notice(path, kind, skill)

    def _look_for_plugin(self, here: str) -> tuple[Marketplace | None, bool]:
        """The marketplace of a directory, and whether the directory is a plugin."""
        marketplace, is_plugin = None, here in self.entries
        if self.tree.is_dir(join(here, PLUGIN_FOLDER)):
            marketplace = self._marketplace_in(here)
            is_plugin = here in self.entries or self._is_defined(here, marketplace)
        if is_plugin:
            self._plugins_met.add(here)
        return marketplace, is_plugin

    def _marketplace_in(self, here: str) -> Marketplace | None:
        if self.tree.kind(join(here, MARKETPLACE_FILE)) is None:
            return None
        marketplace = read_marketplace(self.tree, here)
        for entry in marketplace.plugins:
            if entry.directory is not None:
                self.entries[entry.directory].append(entry)
        return marketplace

    def _is_defined(self, here: str, marketplace: Marketplace | None) -> bool:
        """Whether a directory with a `.claude-plugin` folder is a plugin by itself."""
        if marketplace is None or self.tree.kind(join(here, MANIFEST_FILE)) is not None:
            return True
        # A marketplace that lists nothing, perhaps because it is broken, hides no plugin.
        folders = (join(here, "skills"), join(here, "agents"))
        return not marketplace.plugins and any(map(self.tree.is_dir, folders))

    def _notice(self, path: str, kind: EntryKind, skill: str | None) -> None:
        """Take in an agent outside plugins, or say what bears a name without being the thing."""
        directory, _, name = path.rpartition("/")
        folder = directory.rpartition("/")[2]
        if name == SKILL_FILE:
            self.findings += expected_file(kind, path)
        elif kind == "symlink" and folder == "skills" and "." not in name:
            self.findings.append(refused_link(path))
        elif name.endswith(".md") and folder == "agents":
            if skill is None and self._is_loose(directory):
                self._add_agent(path, kind)
        elif name.lower() == "skill.md" and kind == "file" and folder != "commands":
            self._add_misnamed(path, join(directory, SKILL_FILE))

    def _is_loose(self, agents: str) -> bool:
        """Whether a folder of agents is a project's own: outside plugins, or in `.claude`."""
        return f"/{agents}".endswith("/.claude/agents") or self.plugin_around(agents) is None

    def _add_agent(self, path: str, kind: EntryKind) -> None:
        self.findings += expected_file(kind, path)
        if kind == "file" and self._has_front_matter(path):
            self.agents.add(path)

    def _add_misnamed(self, path: str, right: str) -> None:
        if self.tree.kind(right) is None and self._has_front_matter(path):
            name = path.rpartition("/")[2]
            message = f"{name} is not called {SKILL_FILE}; it is not scored."
            self.findings.append(finding("MISNAMED_SKILL_FILE", message, path))

    def _has_front_matter(self, path: str) -> bool:
        try:
            return self.tree.read(path).removeprefix(BOM.encode()).startswith(b"---")
        except ContentError:
            return False


def _is_part(skill: str, path: str) -> bool:
    """Whether a path inside a skill's directory is the skill's own."""
    first = path.removeprefix(f"{skill}/" if skill else "").partition("/")[0]
    if skill:
        return first != PLUGIN_FOLDER
    return first == SKILL_FILE or first in RESOURCE_FOLDERS


def _above(directory: str) -> Iterator[str]:
    """The directories around a directory, from the root down."""
    if directory:
        yield ""
    for end, character in enumerate(directory):
        if character == "/":
            yield directory[:end]
