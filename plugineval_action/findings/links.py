"""Where the links of a skill lead, looked up once for all rules about links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from plugineval_action.content.tree import Tree, join, normalise
from plugineval_action.findings.subject import Skill
from plugineval_action.layers.static.links import local_target, names_another

MOST_LINKS = 1_000

_PLACEHOLDER = re.compile(
    r"[{}<>*$…\[\]|]|\.\.\.|^(?:link|url|path|file|href|todo|tbd)$|(?:^|/)(?:path/to|your[-_]|my[-_])"
    r"|(?:^|[/_.-])(?:example|placeholder|xxx|foo|bar)(?:$|[/_.-])|[A-Z]{2}-?NNN",
    re.IGNORECASE,
)


class FileLink(NamedTuple):
    """A relative link: its target as written and decoded, the place that means, what is there.

    `place` is None if the link leaves the tree; `flagged` tells whether an anti-pattern of its own
    tells that it is dead.
    """

    line: int
    target: str
    place: str | None
    found: str | None
    flagged: bool


def file_links(subject: Skill) -> tuple[FileLink, ...]:
    """The relative links of SKILL.md that are no placeholders, each target once."""
    return subject.once(_looked_up)


def _looked_up(subject: Skill) -> tuple[FileLink, ...]:
    return tuple(_file_links(subject))


def _file_links(subject: Skill) -> Iterator[FileLink]:
    met: set[str] = set()
    for line, written in subject.body.links[:MOST_LINKS]:
        target = local_target(written)
        if not target or target in met or not is_path(target):
            continue
        met.add(target)
        place = normalise(join(subject.path, target))
        found = place if place is not None and subject.tree.exists(place) else None
        own = place is not None and place.startswith(subject.at("references/"))
        yield FileLink(line, target, place, found, own or names_another(target))


def is_path(target: str) -> bool:
    """Whether a target is meant as a path: no placeholder, and a folder or file."""
    last = target.rpartition("/")[2]
    return (not last or "." in last) and not _PLACEHOLDER.search(target)


def other_case(tree: Tree, place: str | None) -> str | None:
    """The path that is there under other capitals; None if there is none."""
    here = ""
    for name in (place or "").split("/"):
        match = name if name in tree.listing(here) else _by_lower(tree, here).get(name.lower())
        if match is None:
            return None
        here = join(here, match)
    return here if here and here != place else None


@lru_cache(maxsize=64)
def _by_lower(tree: Tree, directory: str) -> dict[str, str]:
    """The first name of each spelling in small letters: a thousand links may ask for one folder."""
    return {name.lower(): name for name in reversed([*tree.listing(directory)])}


def relative(subject: Skill, place: str) -> str:
    """A path of the tree as a link from SKILL.md."""
    return posixpath.relpath(place, subject.path or ".")
