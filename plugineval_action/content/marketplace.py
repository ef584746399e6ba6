"""A marketplace: which plugins `.claude-plugin/marketplace.json` lists, and where each one lies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from plugineval_action.content.manifest import (
    Fields,
    Manifest,
    clean,
    described,
    read_manifest,
    shown,
)
from plugineval_action.content.tree import Tree, join, normalise
from plugineval_action.results import Finding

MARKETPLACE_FILE = ".claude-plugin/marketplace.json"

MOST_ENTRIES = 2_000
"""Plugins that are read of one marketplace; more are ignored, with a finding."""

_SHOWN_KEYS: Mapping[str, tuple[str, ...]] = {
    "github": ("repo",),
    "url": ("url",),
    "git-subdir": ("url", "path"),
    "npm": ("package",),
    "archive": ("url",),
    "command": (),
}
_OTHER_SHOWN_KEYS = ("url", "repo", "package")


class MarketplaceEntry(NamedTuple):
    """One plugin of a marketplace.

    `source_kind` is "local", or what the source calls itself ("github", "npm", …); `directory` is
    set for a local plugin that is there, `external` says where any other one comes from. `skills`
    and `agents` are the paths as written, relative to the plugin, each with its line (None: not
    given). `line` is the line of the entry, `keys` what else it gives, and `marketplace` the
    directory of the marketplace.
    """

    name: str
    source_kind: str
    directory: str | None
    external: str
    skills: tuple[tuple[str, int], ...] | None
    agents: tuple[tuple[str, int], ...] | None
    strict: bool
    line: int
    keys: frozenset[str] = frozenset()
    marketplace: str = ""


class Marketplace(NamedTuple):
    """A marketplace.json; `path` is the directory that holds its `.claude-plugin` folder."""

    path: str
    name: str
    plugins: tuple[MarketplaceEntry, ...]
    findings: tuple[Finding, ...]
    manifest: Manifest


class _Source(NamedTuple):
    kind: str
    directory: str | None = None
    external: str = ""


def read_marketplace(tree: Tree, path: str = "") -> Marketplace:
    """Read the marketplace.json of a directory, if there is one; what is wrong is a finding."""
    file = join(path, MARKETPLACE_FILE)
    manifest = read_manifest(tree, file)
    if not manifest.fields and (manifest.findings or not tree.is_file(file)):
        return Marketplace(path, "", (), manifest.findings, manifest)
    top = Fields(manifest, manifest.fields)
    name, bases = top.text("name"), _bases(top, path)
    items = top.objects("plugins", MOST_ENTRIES)
    entries = tuple(_entry(tree, path, bases, item) for item in items)
    _note_repeated_names(entries, items)
    found = [*manifest.findings, *top.findings]
    found += (note for item in items for note in item.findings)
    return Marketplace(path, name, entries, tuple(found), manifest)


def _bases(top: Fields, path: str) -> tuple[str, ...]:
    """Where local sources may start: at the marketplace, and at its `metadata.pluginRoot`."""
    values = top.values.get("metadata")
    if not isinstance(values, dict):
        return (path,)
    metadata = top.inner("metadata", values)
    root = normalise(metadata.text("pluginRoot"))
    return (path, join(path, root)) if root else (path,)


def _entry(tree: Tree, path: str, bases: tuple[str, ...], fields: Fields) -> MarketplaceEntry:
    if "name" not in fields.values:
        fields.note("WRONG_TYPE", "This plugin has no name.")
    kind, directory, external = _source(tree, bases, fields)
    return MarketplaceEntry(
        fields.text("name"),
        kind,
        directory,
        external,
        fields.paths("skills"),
        fields.paths("agents"),
        fields.flag("strict", default=True),
        fields.line(),
        frozenset(clean(key) for key, value in fields.values.items() if value),
        path,
    )


def _source(tree: Tree, bases: tuple[str, ...], fields: Fields) -> _Source:
    value = fields.values.get("source")
    if isinstance(value, str):
        if "://" in value or value.startswith("git@"):
            return _Source("url", None, f"url: {_address(value)}")
        return _Source("local", _local(tree, bases, clean(value), fields))
    if not isinstance(value, dict):
        message = f"The source is {described(value)}, not a path or an object."
        fields.note("WRONG_TYPE", message, "source")
        return _Source("unknown", None, "unknown source")
    source = fields.inner("source", value)
    if "source" not in value:
        source.note("WRONG_TYPE", "The source has no field 'source', which names its kind.")
    kind = source.text("source") or "unknown"
    if kind == "local":
        return _Source("local", _local(tree, bases, source.text("path"), fields))
    return _external(kind, source)


_A_FILE: Final = ("EXPECTED_DIRECTORY", "is a file, not the folder of a plugin")
_NOT_A_FOLDER: Final[dict[str | None, tuple[str, str]]] = {
    "symlink": ("SYMLINK_REFUSED", "is a symbolic link, which is not followed"),
    None: ("BROKEN_MANIFEST_PATH", "is not a folder of this repository"),
}


def _local(tree: Tree, bases: tuple[str, ...], given: str, fields: Fields) -> str | None:
    """The directory of a local plugin, if it is there."""
    inner = normalise(given)
    if inner is None:
        message = f"The source {shown(given)} leads out of the marketplace."
        fields.note("BROKEN_MANIFEST_PATH", message, "source")
        return None
    # A name without ./ belongs below pluginRoot; with ./ it counts from the marketplace itself.
    ordered = bases if given.startswith("./") else bases[::-1]
    places = [join(base, inner) for base in ordered]
    for place in places:
        if tree.is_dir(place):
            return place
    rule, what = _NOT_A_FOLDER.get(tree.kind(places[0]), _A_FILE)
    fields.note(rule, f"The source {shown(given)} {what}.", "source")
    return None


def _external(kind: str, source: Fields) -> _Source:
    keys = _SHOWN_KEYS.get(kind, _OTHER_SHOWN_KEYS)
    parts = [_address(source.text(key), key) for key in keys if source.values.get(key)]
    return _Source(
        shown(kind), None, ": ".join([shown(kind, 20), *filter(None, [", ".join(parts)])])
    )


def _address(text: str, key: str = "url") -> str:
    """A URL, repository or package without scheme, user, password and query."""
    scheme, _, rest = text.rpartition("://")
    if scheme or key != "package":
        rest = rest.rpartition("@")[2]
    return shown(re.split("[?#]", rest, maxsplit=1)[0])


def _note_repeated_names(entries: tuple[MarketplaceEntry, ...], items: list[Fields]) -> None:
    first: dict[str, int] = {}
    for entry, fields in zip(entries, items, strict=True):
        if entry.name and entry.name in first:
            where = f"line {first[entry.name]} already lists a plugin of this name"
            fields.note("DUPLICATE_KEY", f"{shown(entry.name)}: {where}.", "name")
        first.setdefault(entry.name, entry.line)
