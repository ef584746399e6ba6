"""PL006: a field of plugin.json with a value of the wrong kind."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import described
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import PLUGIN_FIELDS, plugin
from plugineval_action.findings.subject import Plugin

_TOLD_ELSEWHERE = {"agents", "name", "skills"}
_WORDS = {bool: "true or false", dict: "an object", list: "a list", str: "text"}


def find(subject: Plugin) -> Iterator[Hit]:
    """Each documented field whose value is of no kind that it takes."""
    for name, value in subject.manifest.fields.items():
        kinds = PLUGIN_FIELDS.get(name)
        if kinds and name not in _TOLD_ELSEWHERE and not isinstance(value, kinds):
            wanted = " or ".join(_WORDS[kind] for kind in kinds)
            message = f"{name} is {described(value)}, not {wanted}."
            yield Hit(subject.manifest.line(name), message)


CHECK = Check(
    code="PL006",
    id="MANIFEST_TYPE",
    family="manifests",
    level="error",
    title="Field of plugin.json has a value of the wrong kind",
    why="Unknown fields only warn, but a wrong kind of value keeps the plugin from being loaded.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Give it a value of the kind that the message names.",
    bad=plugin('"keywords": "release, notes"'),
    good=plugin('"keywords": ["release", "notes"]'),
    find=find,
    profiles=("claude-code",),
)
