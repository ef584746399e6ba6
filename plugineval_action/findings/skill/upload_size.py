"""SK038: a skill that is too large to be uploaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from plugineval_action.errors import ContentError
from plugineval_action.findings.check import SKILL_PATH, Check, Hit, skill
from plugineval_action.findings.profiles import UPLOAD_LIMIT
from plugineval_action.findings.subject import Skill

_MEGABYTE: Final = 1_000_000


def find(subject: Skill) -> Iterator[Hit]:
    """All files together, and the largest of them."""
    sizes = {name: _size(subject, name) for name in ("SKILL.md", *subject.files)}
    total = sum(sizes.values())
    if total >= UPLOAD_LIMIT:
        name = max(sizes, key=lambda each: sizes[each])
        yield Hit(
            1,
            f"The skill has {total / _MEGABYTE:.1f} MB, and an upload has to be under "
            f"{UPLOAD_LIMIT // _MEGABYTE} MB; the largest file is {name} "
            f"({sizes[name] / _MEGABYTE:.1f} MB).",
        )


def _size(subject: Skill, name: str) -> int:
    try:
        return subject.tree.size(subject.at(name))
    except ContentError:
        return 0


class _Large(Mapping[str, str]):
    """An example whose largest file is made when it is asked for: it would fill the memory."""

    _picture = SKILL_PATH.replace("SKILL.md", "assets/cover.svg")
    _files = skill()

    def __getitem__(self, path: str) -> str:
        return "<svg/>" * (UPLOAD_LIMIT // 6) if path == self._picture else self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._files, self._picture))

    def __len__(self) -> int:
        return len(self._files) + 1


CHECK = Check(
    code="SK038",
    id="UPLOAD_SIZE",
    family="front matter",
    level="error",
    title="Skill is too large to upload",
    why="claude.ai and the Skills API refuse an upload of 30 MB or more, all files together.",
    source="https://apidog.com/blog/claude-skills-api-ga/",
    remedy="Make pictures and data smaller, or have a script fetch what is large.",
    bad=_Large(),
    good=skill(**{"assets/cover.svg": "<svg/>\n"}),
    find=find,
    profiles=("claude-ai-upload",),
)
