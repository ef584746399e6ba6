"""One small skill in a repository, built and scored from the text a test shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_tree import MemoryTree
from plugineval_action.evaluate import score_agent, score_skill
from plugineval_action.results import Part, Result
from plugineval_action.rulesets import Ruleset

PLUGIN: Final = "plugins/own"
HOME: Final = f"{PLUGIN}/skills/s"
"""The skill's directory: its name is `s`, it lies in a plugin, and a repository is around it."""

DESCRIPTION: Final = "Reads bills. Use when a bill arrives."
FRONT: Final = f"name: s\ndescription: {DESCRIPTION}\n"
FIRST_BODY_LINE: Final = 5

Files = Mapping[str, str | bytes | None]


def skill_text(body: str = "", front: str = FRONT) -> str:
    """A SKILL.md; with the usual front matter its body starts on line FIRST_BODY_LINE."""
    return f"---\n{front}---\n{body}"


def described(description: str, name: str = "s") -> str:
    """A SKILL.md with this description, quoted, and nothing else."""
    return skill_text("", f"name: {name}\ndescription: '{description}'\n")


def repository(text: str | bytes, files: Files | None = None) -> MemoryTree:
    """The skill and its plugin; `files` has paths from the repository's root."""
    manifest = f"{PLUGIN}/.claude-plugin/plugin.json"
    return MemoryTree({f"{HOME}/SKILL.md": text, manifest: '{"name": "own"}', **(files or {})})


def beside(*names: str) -> dict[str, str | bytes | None]:
    """Files of the skill's own folder, each with a line of text."""
    return {f"{HOME}/{name}": "Text.\n" for name in names}


def score(
    text: str | bytes, files: Files | None = None, *, ruleset: Ruleset = "plugineval"
) -> Result:
    """Score the skill."""
    return score_skill(repository(text, files), HOME, plugin=PLUGIN, ruleset=ruleset)


def score_agent_text(text: str | bytes, *, ruleset: Ruleset = "plugineval") -> Result:
    """Score an agent file `agents/a.md`."""
    return score_agent(MemoryTree({"agents/a.md": text}), "agents/a.md", ruleset=ruleset)


def sub_score(result: Result, name: str) -> float:
    """A sub-score, 0 to 1."""
    return next(sub.score for sub in result.layers[0].sub_scores if sub.name == name)


def part(result: Result, sub: str, name: str) -> Part:
    """One addend of a sub-score."""
    parts = next(one.parts for one in result.layers[0].sub_scores if one.name == sub)
    return next(one for one in parts if one.name == name)


def points(result: Result, sub: str, name: str) -> float:
    """What one addend adds, rounded far below anything that counts."""
    return round(part(result, sub, name).points, 12)


def flags(result: Result) -> list[str]:
    """The anti-patterns, in order."""
    return [found.flag for found in result.layers[0].anti_patterns]


def flag_lines(result: Result, flag: str) -> list[int]:
    """The lines of one anti-pattern."""
    return [found.line for found in result.layers[0].anti_patterns if found.flag == flag]


def rules(result: Result) -> list[str]:
    """The rules of the findings, in order."""
    return [found.rule for found in result.findings]


def composite(result: Result) -> float:
    """The composite, 0 to 100."""
    assert result.composite is not None
    return result.composite.score


def filled(lines: int, start: str) -> str:
    """`start` with different lines after it, `lines` in all, without a final newline."""
    return start + "\n".join(
        f"Text {number}." for number in range(start.count("\n") + 1, lines + 1)
    )
