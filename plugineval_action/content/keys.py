"""The keys by which manifests say where a plugin's skills and agents lie.

Both plugin.json and the marketplace entry may have them; `strict: false` makes the entry the
whole definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plugineval_action.content.manifest import Fields
from plugineval_action.content.marketplace import MARKETPLACE_FILE, MarketplaceEntry
from plugineval_action.content.skill import finding
from plugineval_action.content.tree import join, normalise
from plugineval_action.results import Finding


class Declared(NamedTuple):
    """A path as a manifest gives it, relative to the plugin, and where it does."""

    given: str
    manifest: str
    line: int

    @property
    def inner(self) -> str | None:
        """The path inside the plugin, "" for its root; None if it leads out."""
        return normalise(self.given)


class Keys(NamedTuple):
    """Where members lie (None: not given).

    `complete`: the skills given are all there are, no default folder adds to them.
    """

    skills: tuple[Declared, ...] | None
    agents: tuple[Declared, ...] | None
    complete: bool = False
    findings: tuple[Finding, ...] = ()


def own_keys(fields: Fields) -> Keys:
    """The keys of a plugin.json."""
    file = fields.manifest.path
    return Keys(_declared(fields.paths("skills"), file), _declared(fields.paths("agents"), file))


def keys_with(own: Keys, path: str, entry: MarketplaceEntry | None) -> Keys:
    """The keys of the plugin in a directory: its own, and those of the entry that lists it."""
    if entry is None:
        return own
    file = join(entry.marketplace, MARKETPLACE_FILE)
    skills, agents = _declared(entry.skills, file), _declared(entry.agents, file)
    complete = skills is not None and _is_complete(path, entry, skills)
    if entry.strict:
        return Keys(_both(own.skills, skills), _both(own.agents, agents), complete)
    return Keys(skills, agents, complete, tuple(_conflicts(own, file, entry.line)))


def _declared(paths: tuple[tuple[str, int], ...] | None, file: str) -> tuple[Declared, ...] | None:
    return None if paths is None else tuple(Declared(given, file, line) for given, line in paths)


def _both(
    own: tuple[Declared, ...] | None, added: tuple[Declared, ...] | None
) -> tuple[Declared, ...] | None:
    return own if added is None else (*(own or ()), *added)


def _is_complete(path: str, entry: MarketplaceEntry, skills: tuple[Declared, ...]) -> bool:
    """Whether the entry's skills are all there are.

    So it is where the entry is the whole definition, and where plugins share the marketplace's own
    folder; but who lists the plugin's root means the default as well.
    """
    inner = {one.inner for one in skills}
    shares_root = path == entry.marketplace and "skills" not in inner
    return "" not in inner and (not entry.strict or shares_root)


def _conflicts(own: Keys, file: str, line: int) -> Iterator[Finding]:
    for key, declared in (("skills", own.skills), ("agents", own.agents)):
        if declared is not None:
            message = f"plugin.json gives {key}, but strict is false here: only this entry counts."
            yield finding("DUPLICATE_KEY", message, file, line)
