"""PL005: a path of plugin.json that is not of the form ./inside."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import clean, shown
from plugineval_action.content.tree import join, normalise
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import plugin
from plugineval_action.findings.subject import Plugin

_OF_MEMBERS = ("skills", "agents")
"""What is missing there is told where members are looked for."""

_KEYS = (*_OF_MEMBERS, "commands", "hooks", "mcpServers", "lspServers", "outputStyles", "workflows")


def find(subject: Plugin) -> Iterator[Hit]:
    """Each path that does not start with ./, leaves the plugin, or leads to nothing."""
    for key in _KEYS:
        value = subject.manifest.fields.get(key)
        items = value if isinstance(value, list) else [value]
        for position, item in enumerate(items[:100]):
            if isinstance(item, str) and (why := _why(subject, key, clean(item))):
                place = (key, position) if isinstance(value, list) else (key,)
                yield Hit(subject.manifest.line(*place), f"The path {shown(clean(item))} {why}.")


def _why(subject: Plugin, key: str, given: str) -> str | None:
    if "://" in given:
        return None
    inner = normalise(given)
    if key not in _OF_MEMBERS and inner is None:
        return "leads out of the plugin"
    if key not in _OF_MEMBERS and not subject.tree.exists(join(subject.path, inner or "")):
        return "is not there"
    if inner is not None and not given.startswith("./") and given != ".":
        return "does not start with ./"
    return None


CHECK = Check(
    code="PL005",
    id="MANIFEST_PATH_FORM",
    family="manifests",
    level="warning",
    title="Path of plugin.json cannot be used",
    why="Paths start with ./ and stay inside the plugin; others are refused when it is loaded.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Write it as ./folder/file, from the plugin's own folder.",
    bad=plugin('"hooks": "../hooks.json"'),
    good={**plugin('"hooks": "./hooks.json"'), "plugins/p/hooks.json": "{}\n"},
    find=find,
    profiles=("claude-code",),
)
