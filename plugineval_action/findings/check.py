"""What a rule in this folder is made of: the rule itself, its page, its examples, its function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from plugineval_action.findings.profiles import EVERY_PROFILE, ProfileName
from plugineval_action.results import Finding, Level
from plugineval_action.rules import Family, Rule

Files = Mapping[str, str]
"""A small repository: the content of each file by its path."""


class Hit(NamedTuple):
    """One place that breaks a rule; `path` is empty for the file that the rule looks at."""

    line: int
    message: str
    path: str = ""
    end_line: int = 0


class Check(NamedTuple):
    """A rule: `find` looks at a subject (a skill, an agent, a manifest, a marketplace).

    `title` says in a few words what is wrong, `why` in a sentence or two whom that hurts, `source`
    where that is written down. `bad` raises the rule, `good` raises nothing; both are its tests.
    `withholds`: a skill with such a finding keeps its score and gets no badge.
    """

    code: str
    id: str
    family: Family
    level: Level
    title: str
    why: str
    source: str
    remedy: str
    bad: Files
    good: Files
    find: Callable[[Any], Iterator[Hit]]
    profiles: tuple[ProfileName, ...] = EVERY_PROFILE
    ignore: str = ""
    withholds: bool = False

    @property
    def rule(self) -> Rule:
        """The entry of the catalogue."""
        return Rule(self.code, self.id, self.family, self.level, self.title, self.remedy)

    def finding(self, hit: Hit, path: str) -> Finding:
        """A hit as a finding, where `path` is the file that the rule looks at."""
        line, message, other, end = hit
        return Finding(self.id, self.level, message, self.remedy, other or path, line, end or line)


SKILL_PATH = "skills/release-notes/SKILL.md"
DESCRIPTION = "Writes release notes from merged pull requests. Use when a release is tagged."


def skill(fields: str = "", body: str = "# Release notes\n", **files: str) -> Files:
    """An example of one skill: further lines of front matter, the body, files beside SKILL.md."""
    text = f"---\nname: release-notes\ndescription: {DESCRIPTION}\n{fields}---\n\n{body}"
    beside = {f"skills/release-notes/{name}": content for name, content in files.items()}
    return {SKILL_PATH: text, **beside}
