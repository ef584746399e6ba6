"""PL015: a marketplace and a plugin that say different things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.content.manifest import clean, shown
from plugineval_action.content.tree import join, normalise
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.entries import entries
from plugineval_action.findings.manifest.fields import market
from plugineval_action.findings.subject import Market

_KEYS: Final = ("name", "version", "author", "homepage", "license", "repository")
"""What has one right value. Descriptions and keywords are often worded for their place: of 157
plugins that give a description twice, 39 give two."""


def find(subject: Market) -> Iterator[Hit]:
    """Each of these fields that both give, and that differs; of an author the name counts."""
    for at, entry in entries(subject):
        source = entry.get("source")
        inner = normalise(clean(source)) if isinstance(source, str) else None
        own = subject.plugins.get(join(subject.path, inner)) if inner is not None else None
        if own is None or entry.get("strict") is False:
            continue
        for key in _KEYS:
            listed, given = _text(entry.get(key)), _text(own.fields.get(key))
            if listed is not None and given is not None and listed != given:
                here, there = shown(clean(listed), 40), shown(clean(given), 40)
                message = f"The {key} is {here!r} here and {there!r} in the plugin's plugin.json."
                yield Hit(subject.manifest.line("plugins", at, key), message)


def _text(value: object) -> str | None:
    """A text, or the one that an object is known by: the name of an author, a repository's URL."""
    if isinstance(value, dict):
        value = value.get("name", value.get("url"))
    return value.strip() if isinstance(value, str) else None


CHECK = Check(
    code="PL015",
    id="MANIFEST_DRIFT",
    family="manifests",
    level="warning",
    title="marketplace.json and plugin.json differ",
    why="People choose by what the marketplace shows, and get what plugin.json says.",
    source="https://code.claude.com/docs/en/plugin-marketplaces",
    remedy="Make both the same, or leave the field out of the marketplace.",
    bad=market('{"name": "p", "version": "1.3.0", "source": "./plugins/p"}'),
    good=market('{"name": "p", "version": "1.2.0", "source": "./plugins/p"}'),
    find=find,
    profiles=("claude-code",),
    ignore="Descriptions and keywords may differ, and are not compared.",
)
