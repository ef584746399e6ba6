"""What rules look at: parsed values, and a few views on them that several rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar, cast

from plugineval_action.content.document import Document
from plugineval_action.content.frontmatter import FrontMatter
from plugineval_action.content.manifest import Manifest
from plugineval_action.content.members import SKIPPED_FOLDERS
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import Tree, join
from plugineval_action.findings.profiles import Profile

Value = TypeVar("Value")

SHELLS = frozenset(
    {"", "bash", "cmd", "console", "powershell", "ps1", "sh", "shell", "terminal", "text", "zsh"}
)
"""Languages of code blocks that hold commands, or may."""

MOST_FILES = 400
"""Files of one skill that are looked at."""


class Block(NamedTuple):
    """A code block with its text; `line` is that of its first line of code."""

    line: int
    language: str
    code: str


class Skill:
    """One skill as the rules see it."""

    def __init__(self, document: Document, profile: Profile) -> None:
        self.source, self.content, self.lower, self.front, self.body = document
        self.tree = self.source.tree
        self.path = self.source.path
        self.profile = profile
        self._made: dict[Callable[[Skill], object], object] = {}

    @cached_property
    def lines(self) -> list[str]:
        """The lines of SKILL.md; line 1 stands at 0."""
        return self.content.split("\n")

    @cached_property
    def description(self) -> str:
        """The field description, without blanks around it."""
        return self.front.text("description").strip()

    @cached_property
    def has_html(self) -> bool:
        """Whether the prose may hold an element or a comment: most texts have none."""
        return "<" in self.body.prose

    @cached_property
    def has_inline_link(self) -> bool:
        """Whether the prose may hold a link or picture with its target."""
        return "](" in self.body.prose

    @cached_property
    def blocks(self) -> list[Block]:
        """The code blocks with their text, fences left out."""
        return list(self._blocks())

    def _blocks(self) -> Iterator[Block]:
        for first, last, language in self.body.code_blocks:
            lines = self.lines[first - 1 : last]
            fence = lines[0].lstrip(" \t>-*+0123456789.)")[:3] if lines else ""
            fenced = fence in ("```", "~~~")
            closed = fenced and len(lines) > 1 and lines[-1].lstrip(" \t>").startswith(fence)
            code = lines[fenced : -1 if closed else None]
            yield Block(first + fenced, language, "\n".join(code))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The plain files beside SKILL.md and below, as paths inside the skill, in byte order.

        What lies in a skill further down is that one's own: a chain of skills would else read the
        same scripts once for each of them.
        """
        if not self.path:
            return ()  # at the root of a repository everything else would count as the skill's
        start = len(self.path) + 1
        found = self.tree.files(self.path, skip=SKIPPED_FOLDERS, owner=SKILL_FILE)
        return tuple(
            inner
            for path, _ in zip(found, range(MOST_FILES), strict=False)
            if (inner := path[start:]) != SKILL_FILE
        )

    def once(self, make: Callable[[Skill], Value]) -> Value:
        """What a function makes of the skill, made once for all rules that ask."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("Value", self._made[make])

    def at(self, inner: str) -> str:
        """The path in the tree of a path inside the skill."""
        return join(self.path, inner)


class Agent(NamedTuple):
    """One agent file; `plugin` is the directory of the plugin around it, None outside any."""

    path: str
    front: FrontMatter
    plugin: str | None


class Plugin(NamedTuple):
    """One plugin: its directory and its plugin.json (without fields if there is none)."""

    tree: Tree
    path: str
    manifest: Manifest


class Market(NamedTuple):
    """A marketplace.json, and the manifests of the plugins that lie in its tree, by directory."""

    tree: Tree
    path: str
    manifest: Manifest
    plugins: dict[str, Manifest]
