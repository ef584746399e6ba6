"""PL013: an entry whose name or fields are not as documented."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import clean, shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.entries import entries
from plugineval_action.findings.manifest.fields import ENTRY_FIELDS, KEBAB, market
from plugineval_action.findings.manifest.market_fields import ENTRY
from plugineval_action.findings.near import near_field
from plugineval_action.findings.subject import Market


def find(subject: Market) -> Iterator[Hit]:
    """Names that no command could name, and fields that are one slip away."""
    for at, entry in entries(subject):
        name = entry.get("name")
        if isinstance(name, str) and name and not KEBAB.fullmatch(name):
            text = shown(clean(name), 40)
            message = f"The plugin name {text!r} is not of small letters, digits and hyphens."
            yield Hit(subject.manifest.line("plugins", at, "name"), message)
        for key in entry:
            meant = near_field(key, ENTRY_FIELDS)
            if meant and meant not in entry:
                message = f"The field {key!r} is ignored; {meant!r} is the one that is read."
                yield Hit(subject.manifest.line("plugins", at, key), message)


CHECK = Check(
    code="PL013",
    id="ENTRY_FORM",
    family="manifests",
    level="warning",
    title="Entry of a marketplace is not as documented",
    why="People install a plugin by the name of its entry; a misspelt field is ignored.",
    source="https://code.claude.com/docs/en/plugin-marketplaces",
    remedy="Use small letters, digits and hyphens, and the documented fields.",
    bad=market('{"name": "Our P", "source": "./plugins/p"}'),
    good=market(ENTRY),
    find=find,
    profiles=("claude-code",),
)
