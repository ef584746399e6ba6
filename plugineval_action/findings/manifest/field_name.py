"""PL001: a field of plugin.json whose name is nearly right."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import PLUGIN_FIELDS, plugin
from plugineval_action.findings.near import near_field
from plugineval_action.findings.subject import Plugin


def find(subject: Plugin) -> Iterator[Hit]:
    """Each field that is one slip away from a documented one."""
    fields = subject.manifest.fields
    for name in fields:
        meant = near_field(name, PLUGIN_FIELDS)
        if meant and meant not in fields:
            message = f"The field {name!r} is ignored; {meant!r} is the one that is read."
            yield Hit(subject.manifest.line(name), message)


CHECK = Check(
    code="PL001",
    id="MANIFEST_FIELD_NAME",
    family="manifests",
    level="warning",
    title="Field of plugin.json is misspelt",
    why="A misspelt field is ignored, and with it what the plugin brings.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Write the field as it is documented.",
    bad=plugin('"mcp_servers": {}'),
    good=plugin('"mcpServers": {}'),
    find=find,
    profiles=("claude-code",),
)
