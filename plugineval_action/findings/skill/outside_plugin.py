"""SK047: a link that leaves the plugin."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.links import file_links
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each link to something that is there, but not in the plugin."""
    plugin = subject.source.plugin
    if not plugin:
        return
    for link in file_links(subject):
        if link.found is not None and not f"{link.found}/".startswith(f"{plugin}/"):
            message = (
                f"{shown(link.target)} lies outside the plugin, so it is not installed with it."
            )
            yield Hit(link.line, message)


def _plugin(target: str) -> dict[str, str]:
    text = "---\nname: a\ndescription: Writes notes. Use when a release is tagged.\n---\n\n"
    return {
        "plugins/p/.claude-plugin/plugin.json": '{"name": "p"}\n',
        "plugins/p/skills/a/SKILL.md": f"{text}Read [the rules]({target}).\n",
        "plugins/p/rules.md": "Text.\n",
        "docs/rules.md": "Text.\n",
    }


CHECK = Check(
    code="SK047",
    id="OUTSIDE_PLUGIN",
    family="links",
    level="warning",
    title="Link leaves the plugin",
    why="Only the plugin's own folder is copied when somebody installs it.",
    source="https://code.claude.com/docs/en/plugins-reference",
    remedy="Move the file into the plugin, or link to its address on the web.",
    bad=_plugin("../../../../docs/rules.md"),
    good=_plugin("../../rules.md"),
    find=find,
)
