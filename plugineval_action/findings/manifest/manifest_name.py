"""PL003: the name of a plugin."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import clean, shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import KEBAB, PLUGIN_FILE, SKILL, plugin
from plugineval_action.findings.subject import Plugin


def find(subject: Plugin) -> Iterator[Hit]:
    """A name that is missing, or not in small letters with hyphens."""
    name = subject.manifest.fields.get("name", "")
    if not isinstance(name, str):
        return
    if not name:
        yield Hit(1, "plugin.json has no name, the one field that is required.")
    elif not KEBAB.fullmatch(name):
        message = (
            f"The name {shown(clean(name), 40)!r} is not of small letters, digits and hyphens."
        )
        yield Hit(subject.manifest.line("name"), message)


CHECK = Check(
    code="PL003",
    id="MANIFEST_NAME",
    family="manifests",
    level="error",
    title="Plugin without a usable name",
    why="The name is part of every command of the plugin; without one it is not loaded.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Name it in small letters, digits and hyphens, as in release-tools.",
    bad={PLUGIN_FILE: '{\n  "name": "Release Tools"\n}\n', "plugins/p/skills/s/SKILL.md": SKILL},
    good=plugin('"displayName": "Release Tools"'),
    find=find,
    profiles=("claude-code",),
)
