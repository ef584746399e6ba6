"""PL002: a field of plugin.json that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import PLUGIN_FIELDS, plugin
from plugineval_action.findings.near import near_field
from plugineval_action.findings.subject import Plugin


def find(subject: Plugin) -> Iterator[Hit]:
    """Each field that is neither documented nor nearly so."""
    for name in subject.manifest.fields:
        if name not in PLUGIN_FIELDS and not near_field(name, PLUGIN_FIELDS):
            message = f"Claude Code does not know the field {shown(name, 40)!r}; it is ignored."
            yield Hit(subject.manifest.line(name), message)


CHECK = Check(
    code="PL002",
    id="UNKNOWN_MANIFEST_FIELD",
    family="manifests",
    level="note",
    title="Field of plugin.json that nobody reads",
    why="It does nothing; claude plugin validate warns of it, and fails with --strict.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Put your own data below metadata, or remove it.",
    bad=plugin('"maturity": "beta"'),
    good=plugin('"metadata": {"maturity": "beta"}'),
    find=find,
    profiles=("claude-code",),
    ignore="If a tool of your own reads it.",
)
