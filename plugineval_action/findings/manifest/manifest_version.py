"""PL004: a version that cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import clean, shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import SEMVER, plugin
from plugineval_action.findings.subject import Plugin


def find(subject: Plugin) -> Iterator[Hit]:
    """The version, if it is text and not three numbers."""
    version = subject.manifest.fields.get("version")
    if isinstance(version, str) and not SEMVER.fullmatch(version):
        message = f"The version {shown(clean(version), 40)!r} is not of the form 1.2.3."
        yield Hit(subject.manifest.line("version"), message)


CHECK = Check(
    code="PL004",
    id="MANIFEST_VERSION",
    family="manifests",
    level="warning",
    title="Version of a plugin is no version",
    why="Who has the plugin gets an update only if the version is seen to rise.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Write three numbers, as in 1.2.0.",
    bad=plugin('"version": "next"'),
    good=plugin('"version": "1.2.0"'),
    find=find,
    profiles=("claude-code",),
)
