"""MK003: names that are taken for one another."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.listings import near_names
from plugineval_action.findings.market.example import skills
from plugineval_action.findings.shelf import Shelf


def find(subject: Shelf) -> Iterator[Hit]:
    """Each skill whose name differs from another's in signs, capitals or the order of words."""
    places = {one.listing.path: (one.name_line, one.file) for one in subject.skills}
    for group in near_names([one.listing for one in subject.skills]):
        for one in group:
            other = next(each for each in group if each is not one)
            line, path = places[one.path]
            said = f"The name is nearly that of {shown(other.name, 64)} in {shown(other.path)}."
            yield Hit(line, said, path)


CHECK = Check(
    code="MK003",
    id="NEAR_NAME",
    family="marketplace",
    level="note",
    title="Name is nearly that of another skill",
    why="People and models mix up names that differ in signs or in the order of words only.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Rename one of the two after what only it does.",
    bad=skills(("release-notes", "Writes notes."), ("notes-release", "Publishes a package.")),
    good=skills(("release-notes", "Writes notes."), ("package-release", "Publishes a package.")),
    find=find,
    ignore="If the two are meant to be one, and are never installed together.",
)
