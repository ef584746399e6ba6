"""PL015: a marketplace and a plugin that say different things."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import clean, shown
from plugineval_action.content.tree import join, normalise
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.entries import entries
from plugineval_action.findings.manifest.fields import market
from plugineval_action.findings.subject import Market


def find(subject: Market) -> Iterator[Hit]:
    """Each name and version that both give, and that differ."""
    for at, entry in entries(subject):
        source = entry.get("source")
        inner = normalise(clean(source)) if isinstance(source, str) else None
        own = subject.plugins.get(join(subject.path, inner)) if inner is not None else None
        if own is None or entry.get("strict") is False:
            continue
        for key in ("name", "version"):
            listed, given = entry.get(key), own.fields.get(key)
            if isinstance(listed, str) and isinstance(given, str) and listed != given:
                here, there = shown(clean(listed), 40), shown(clean(given), 40)
                message = f"The {key} is {here!r} here and {there!r} in the plugin's plugin.json."
                yield Hit(subject.manifest.line("plugins", at, key), message)


CHECK = Check(
    code="PL015",
    id="MANIFEST_DRIFT",
    family="manifests",
    level="warning",
    title="marketplace.json and plugin.json differ",
    why="People choose by what the marketplace shows, and get what plugin.json says.",
    source="https://code.claude.com/docs/en/plugin-marketplaces",
    remedy="Make both the same; the version may be left out of the marketplace.",
    bad=market('{"name": "p", "version": "1.3.0", "source": "./plugins/p"}'),
    good=market('{"name": "p", "version": "1.2.0", "source": "./plugins/p"}'),
    find=find,
    profiles=("claude-code",),
)
