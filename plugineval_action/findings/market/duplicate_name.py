"""MK002: two skills of one name where only one of them can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.listings import same_name
from plugineval_action.findings.shelf import Shelf
from plugineval_action.report_values import Listing


def find(subject: Shelf) -> Iterator[Hit]:
    """Each skill of a plugin whose name another one of the same plugin has."""
    lines = {one.listing.path: (one.name_line, one.file) for one in subject.skills}
    plugins: dict[str, list[Listing]] = {}
    for each in subject.skills:
        # Skills outside of plugins are picked one by one, so that they need not meet.
        if each.listing.plugin:
            plugins.setdefault(each.listing.plugin, []).append(each.listing)
    for members in plugins.values():
        for group in same_name(members):
            for one in group:
                twin = next(other for other in group if other is not one)
                line, path = lines[one.path]
                name, place = shown(one.name, 64), shown(twin.path)
                yield Hit(line, f"The skill in {place} has the name {name} as well.", path)


_TEXT = "---\nname: {}\ndescription: Writes release notes. Use when asked.\n---\n"
_PLUGIN = {"p/.claude-plugin/plugin.json": '{"name": "p"}'}

CHECK = Check(
    code="MK002",
    id="DUPLICATE_NAME",
    family="marketplace",
    level="warning",
    title="Two skills of a plugin have the same name",
    why="A skill is called by its name; of two with the same one, nobody can say which is meant.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Give each skill a name of its own, the one of its directory.",
    bad={**_PLUGIN, "p/skills/a/SKILL.md": _TEXT.format("a"),
         "p/skills/b/SKILL.md": _TEXT.format("a")},
    good={**_PLUGIN, "p/skills/a/SKILL.md": _TEXT.format("a")},
    find=find,
)  # fmt: skip
