"""Where a skill points to: into its references, and to other skills and agents.

Only what is surely a reference is judged. URLs, home and absolute paths, variables and
placeholders are not; a path in running prose is one only if something of that name is there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple
from urllib.parse import unquote

from plugineval_action.content.markdown import Outline
from plugineval_action.content.members import RESOURCE_FOLDERS
from plugineval_action.content.skill import SKILL_FILE, SkillSource
from plugineval_action.content.text import Spot
from plugineval_action.content.tree import join, normalise
from plugineval_action.layers.static import words
from plugineval_action.layers.static.qualified_names import qualified_names

Manner = Literal["link", "code", "prose"]

MAX_REFERENCES = 2_000
"""Different paths of one skill that are looked up: far more than a real skill names."""

_FOLDERS = ("skills", "skill", "sub-skills", "agents")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FOLDER_IN_TEXT = re.compile(r"(?:skills?|agents)/")
_TOKEN_END = re.compile(r"[^\s`'\"()\[\]|,;]*")
_DELIMITERS = frozenset(" \t\n`'\"()[]|,;")
_TOKEN_REACH = 200
_NOT_A_PATH = re.compile(r"^[~/$%#]|^[^/]*[@:]|[${}<>*…\\]|\.\.\.|://")
_HOST = re.compile(r"^[\w.-]+\.(?:com|org|io|dev|net|sh|ai)$", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"^(?:your[-_]|my[-_]|example|(?:foo|bar|xxx|name|(?:skill|agent)[-_]?name)(?:$|\.))",
    re.IGNORECASE,
)


class References(NamedTuple):
    """Missing targets in `references/`, references that resolve, references that do not.

    `discloses` tells whether the text links to any file beside SKILL.md.
    """

    orphans: tuple[Spot, ...]
    live: tuple[Spot, ...]
    dead: tuple[Spot, ...]
    discloses: bool


class _Candidate(NamedTuple):
    line: int
    path: str
    manner: Manner


def find_references(skill: SkillSource, outline: Outline) -> References:
    """Everything the outline points to, each target once."""
    links = [
        _Candidate(link.line, path, "link")
        for link in outline.links[: words.EXAMINED]
        if (path := local_target(link.target))
    ]
    code = [
        _Candidate(spot.line, spot.text, "code")
        for spot in outline.inline_code[: words.EXAMINED]
        if "/" in spot.text
    ]
    live, dead = _cross_references(skill, _candidates(outline, links, code))
    for path, spot in qualified_names(skill, outline):
        live.setdefault(path, spot)
    return References(
        _orphans(skill, links),
        tuple(live.values()),
        tuple(dead.values()),
        _discloses(skill, links + code),
    )


def local_target(target: str) -> str | None:
    """The path of a relative link without fragment and query, decoded; None for any other link."""
    if not target or target[0] in "#/~" or _SCHEME.match(target):
        return None
    path = target
    for mark in "#?":
        path = path.partition(mark)[0]
    return unquote(path).strip() or None


def _orphans(skill: SkillSource, links: Iterable[_Candidate]) -> tuple[Spot, ...]:
    missing: dict[str, Spot] = {}
    folder = join(skill.path, "references")
    for link in links:
        target = normalise(join(skill.path, link.path))
        if target and f"{target}/".startswith(f"{folder}/") and not skill.tree.exists(target):
            shown = join("references", target[len(folder) + 1 :])
            missing.setdefault(target, Spot(link.line, shown))
    return tuple(missing.values())


def _discloses(skill: SkillSource, candidates: Iterable[_Candidate]) -> bool:
    if skill.references is not None:
        return True
    for candidate in candidates:
        inside = normalise(candidate.path)
        if inside and inside != SKILL_FILE and skill.tree.exists(join(skill.path, inside)):
            return True
    return False


def _cross_references(
    skill: SkillSource, candidates: Iterable[_Candidate]
) -> tuple[dict[str, Spot], dict[str, Spot]]:
    live: dict[str, Spot] = {}
    dead: dict[str, Spot] = {}
    judged: set[tuple[str, Manner]] = set()
    for candidate in sorted(candidates, key=lambda one: one.line):
        path = _named_path(candidate.path)
        if (candidate.path, candidate.manner) in judged or len(judged) == MAX_REFERENCES:
            continue
        judged.add((candidate.path, candidate.manner))
        if path is None or _is_own_file(skill, path):
            continue
        found = _resolve(skill, path)
        if found is None and _is_meant(skill, path, candidate.manner):
            dead.setdefault(posixpath.normpath(path), Spot(candidate.line, path))
        elif found is not None and not _is_own(skill, path, found):
            live.setdefault(found.removesuffix(f"/{SKILL_FILE}"), Spot(candidate.line, path))
    return live, dead


def _candidates(
    outline: Outline, links: Iterable[_Candidate], code: Iterable[_Candidate]
) -> Iterator[_Candidate]:
    for link in links:
        if _names_another(link.path):
            yield link
    for span in code:
        # A path alone in a code span is meant; one inside a command or sentence is as prose is.
        manner: Manner = "prose" if " " in span.path.strip() else "code"
        for _, token in _tokens(span.path, span.line):
            yield _Candidate(span.line, token, manner)
    for line, token in _tokens(outline.prose, outline.first_line):
        yield _Candidate(line, token, "prose")


def _names_another(path: str) -> bool:
    """Whether a link target looks like a path to another skill or to an agent."""
    segments = path.split("/")
    return (
        any(segment in _FOLDERS for segment in segments[:-1])
        or segments[-1] == SKILL_FILE
        or (segments[0] == ".." and "references" in segments)
    )


def _tokens(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """Path-like words around `skill/`, `skills/` and `agents/`, with their lines."""
    end = 0
    if not any(folder in text for folder in ("skills/", "skill/", "agents/")):
        return
    for line, found in words.every(_FOLDER_IN_TEXT, text, first_line):
        if found.start() < end:
            continue
        start = found.start()
        while start > max(end, found.start() - _TOKEN_REACH) and text[start - 1] not in _DELIMITERS:
            start -= 1
        match = _TOKEN_END.match(text, found.start())
        end = match.end() if match else found.end()
        yield line, text[start:end]


def _named_path(token: str) -> str | None:
    """The path a token names, None if it names none that could be looked up here."""
    path = token.rstrip(".:!?/…").removeprefix("./")
    if _NOT_A_PATH.search(token) or _HOST.match(path.partition("/")[0]):
        return None
    segments = path.split("/")
    if segments[-1] == SKILL_FILE or segments[0] == "..":
        return path
    position = next((at for at, segment in enumerate(segments) if segment in _FOLDERS), None)
    if position is None or position == len(segments) - 1:
        return None
    if segments[position] == "agents" and not path.endswith(".md"):
        return None
    return path


def _name_at(segments: list[str]) -> int:
    """Where the name of the skill or agent that is meant stands: after `skills/` or its like."""
    folders = (at for at, segment in enumerate(segments[:-1]) if segment in _FOLDERS)
    outside = (at for at, segment in enumerate(segments) if segment != "..")
    return next((at + 1 for at in folders), next(outside, 0))


def _target_name(path: str) -> str:
    segments = path.split("/")
    return segments[_name_at(segments)]


def _is_own_file(skill: SkillSource, path: str) -> bool:
    """Whether a path leads into a folder of the skill that is not for further skills or agents."""
    first = path.partition("/")[0]
    if first in RESOURCE_FOLDERS:
        return True
    other = not skill.path or first == ".." or first in _FOLDERS
    return not other and skill.tree.is_dir(join(skill.path, first))


def _is_own(skill: SkillSource, path: str, found: str) -> bool:
    """A target in the skill's own folder is a file of its own, unless it is a skill or agent."""
    if found == join(skill.path, SKILL_FILE):
        return True
    if not skill.path or not f"{found}/".startswith(f"{skill.path}/"):
        return False
    folder = found[len(skill.path) + 1 :].partition("/")[0]
    return folder not in _FOLDERS or _target_name(path) == skill.directory_name


def _resolve(skill: SkillSource, path: str) -> str | None:
    """The tree path of an existing target, looked up where a reader would look."""
    beside = skill.path.rpartition("/")[0]
    places = [join(base, path) for base in (skill.path, beside, skill.plugin or "", "")]
    if path.startswith(("skill/", "skills/")):
        places.append(join(beside, path.partition("/")[2]))
    for place in dict.fromkeys(places):
        found = normalise(place)
        for spelled in (found, f"{found}.md") if found else ():
            if skill.tree.exists(spelled):
                return spelled
    return None


def _is_meant(skill: SkillSource, path: str, manner: Manner) -> bool:
    """Whether a path that leads nowhere was meant to lead somewhere in this repository."""
    segments = path.split("/")
    if any(segment.startswith(".") and segment != ".." for segment in segments[:-1]):
        return False
    name_at = _name_at(segments)
    name = segments[name_at]
    if name == skill.directory_name or _PLACEHOLDER.search(name):
        return False
    if manner == "link":
        return True
    # Elsewhere a path from a folder that is not here, such as src/skills/, is of another project.
    known = segments[: name_at - 1] if manner == "code" else segments[: name_at + 1]
    return not known or _resolve(skill, "/".join(known)) is not None
