"""All skills of a repository side by side: what each is listed as, and a sketch of its text."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.content.discovery import Discovery, Unit
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.content.plugin import MANIFEST_FILE
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.text import BOM, read_text
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.findings.sketch import sketch
from plugineval_action.report_values import Listing

_MOST_CHARACTERS: Final = 24 << 20
"""Text that is looked at, so that reading it leaves enough for what is scored."""


class Shelved(NamedTuple):
    """A skill beside others: how it is listed (with the plugin's directory), and its sketch.

    `line` is that of the description, `name_line` that of the name.
    """

    listing: Listing
    line: int
    name_line: int
    sketch: array[int]

    @property
    def file(self) -> str:
        """The path of its SKILL.md."""
        return join(self.listing.path, SKILL_FILE)


class Shelf(NamedTuple):
    """The skills, by path; `manifests` are the plugin.json that are there, by directory."""

    skills: tuple[Shelved, ...]
    manifests: dict[str, str]


def read_shelf(tree: Tree, found: Discovery) -> Shelf:
    """Read what was found; what cannot be read is left out, and told where it is scored."""
    own = {unit.path: join(unit.path, MANIFEST_FILE) for unit in found.plugin_units if unit.files}
    return Shelf(tuple(_skills(tree, found.skills)), own)


def _skills(tree: Tree, units: tuple[Unit, ...]) -> Iterator[Shelved]:
    left = _MOST_CHARACTERS
    for unit in units:
        try:
            content = read_text(tree, join(unit.path, SKILL_FILE)).content
        except ContentError:
            continue
        left -= len(content)
        if left < 0:
            return
        yield _shelved(tree, unit, content)


def _shelved(tree: Tree, unit: Unit, content: str) -> Shelved:
    front = split_lines(content.removeprefix(BOM))
    texts = [front.text(key).strip() for key in ("description", "when_to_use")]
    manual = front.fields.get("disable-model-invocation")
    name = front.text("name").strip() or unit.path.rpartition("/")[2] or tree.name
    hidden = manual is not None and manual.value is True
    text = "\n".join(filter(None, texts))
    listing = Listing(name, unit.plugin or "", unit.path, text, hidden)
    return Shelved(listing, front.line("description"), front.line("name"), sketch(front.body))
