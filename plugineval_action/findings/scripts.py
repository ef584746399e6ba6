"""The scripts and data files of a skill: which there are, and what language each one is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from plugineval_action.content.text import read_text
from plugineval_action.errors import ContentError
from plugineval_action.findings.subject import Skill

MOST_SCRIPTS: Final = 40

SCRIPTS: Final = {
    "bash": "bash",
    "cjs": "javascript",
    "js": "javascript",
    "mjs": "javascript",
    "py": "python",
    "sh": "bash",
}
DATA: Final = {"json": "json", "toml": "toml", "yaml": "yaml", "yml": "yaml"}
_ALL: Final = SCRIPTS | DATA


class Script(NamedTuple):
    """A file of the skill: its path in the tree, its language, its text."""

    path: str
    language: str
    text: str


def scripts(subject: Skill, languages: dict[str, str]) -> Iterator[Script]:
    """The files in the languages given, up to a bound; what cannot be read is left out."""
    wanted = set(languages.values())
    return (one for one in subject.once(_read) if one.language in wanted)


def _read(subject: Skill) -> tuple[Script, ...]:
    return tuple(islice(_scripts(subject), MOST_SCRIPTS))


def _scripts(subject: Skill) -> Iterator[Script]:
    for inner in subject.files:
        language = _ALL.get(inner.rpartition(".")[2].lower()) if "." in inner else None
        if language is None:
            continue
        path = subject.at(inner)
        try:
            text = read_text(subject.tree, path)
        except ContentError:
            continue
        if text.decodable and text.content.strip():
            yield Script(path, language, text.content)


def is_template(path: str, text: str) -> bool:
    """Whether a file is filled in before it is used, so that no parser is meant to read it."""
    lower = path.lower()
    return "template" in lower or "{{" in text or "{%" in text or "<%" in text
