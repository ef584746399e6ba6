"""MK001: more descriptions than the list of skills has room for."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.listings import BUDGET, least_dropped, room
from plugineval_action.findings.market.example import skills
from plugineval_action.findings.shelf import Shelf, Shelved

_NAMED = 3


def find(subject: Shelf) -> Iterator[Hit]:
    """Each plugin whose own skills are over budget; skills outside plugins count together."""
    groups: dict[str, list[Shelved]] = {}
    for one in subject.skills:
        if not one.listing.hidden:
            groups.setdefault(one.listing.plugin, []).append(one)
    for plugin, group in groups.items():
        sizes = [room(one.listing) for one in group]
        if sum(sizes) > BUDGET:
            path = subject.manifests.get(plugin, "") if plugin else ""
            yield Hit(1, _message(group, sizes), path or _longest(group)[0].file)


def _message(group: list[Shelved], sizes: list[int]) -> str:
    longest = ", ".join(
        f"{shown(one.listing.name, 40)} ({room(one.listing):,})" for one in _longest(group)[:_NAMED]
    )
    return (
        f"The descriptions of {len(group)} skills take {sum(sizes):,} characters, and the list has "
        f"room for {BUDGET:,}: at least {least_dropped(sizes)} are dropped, those of the skills "
        f"that are used least. The longest are {longest}."
    )


def _longest(group: list[Shelved]) -> list[Shelved]:
    return sorted(group, key=lambda one: (-room(one.listing), one.listing.path))


CHECK = Check(
    code="MK001",
    id="LISTING_BUDGET",
    family="marketplace",
    level="note",
    title="Descriptions exceed the list's budget",
    why="A skill whose description is dropped is listed by its name only, and hardly ever loaded.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Shorten the longest descriptions, or split the plugin.",
    bad=skills(*((f"notes-{at}", f"Writes notes of kind {at}. " + f"{at} " * 500)
                 for at in range(11, 19))),
    good=skills(("notes", "Writes release notes from merged pull requests.")),
    find=find,
    profiles=("claude-code",),
    ignore="If users install single skills, or have set skillListingBudgetFraction higher. All"
    " plugins of a marketplace together are not held to the budget: the list has what a user has"
    " installed, and hardly anyone installs all. The weekly report shows the room that all would"
    " take.",
)  # fmt: skip
