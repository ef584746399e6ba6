"""Who will load the skill: the fields, limits and name rules of each target.

Sources: the Agent Skills specification (agentskills.io/specification), Claude Code's pages on
skills and subagents, and the checks of skill-creator's quick_validate, which the upload shares.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

ProfileName = Literal["claude-code", "agentskills", "claude-ai-upload", "codex"]

SPECIFIED: Final = frozenset(
    {"allowed-tools", "compatibility", "description", "license", "metadata", "name"}
)
"""The six fields of the open format."""

CLAUDE_CODE_FIELDS: Final = SPECIFIED | {
    "agent",
    "argument-hint",
    "arguments",
    "background",
    "context",
    "disable-model-invocation",
    "disallowed-tools",
    "effort",
    "hooks",
    "model",
    "paths",
    "shell",
    "user-invocable",
    "when_to_use",
}

AGENT_FIELDS: Final = frozenset(
    {
        "background",
        "color",
        "description",
        "disallowedTools",
        "effort",
        "hooks",
        "initialPrompt",
        "isolation",
        "maxTurns",
        "mcpServers",
        "memory",
        "model",
        "name",
        "permissionMode",
        "skills",
        "tools",
    }
)


class Profile(NamedTuple):
    """A target: the fields it reads, and whether it holds to the open format's limits.

    `strict`: refuses names and descriptions that break the format; `closed`: and unknown fields.
    `words` may not occur in a name; `markup` tells whether angle brackets may occur in a
    description. `title` is what a sentence calls it.
    """

    name: ProfileName
    title: str
    fields: frozenset[str]
    strict: bool
    closed: bool
    words: tuple[str, ...] = ()
    markup: bool = True


PROFILES: Final[dict[ProfileName, Profile]] = {
    "claude-code": Profile(
        "claude-code", "Claude Code", CLAUDE_CODE_FIELDS, strict=False, closed=False
    ),
    "agentskills": Profile("agentskills", "The open format", SPECIFIED, strict=True, closed=True),
    "claude-ai-upload": Profile(
        "claude-ai-upload",
        "An upload to claude.ai",
        SPECIFIED,
        strict=True,
        closed=True,
        words=("anthropic", "claude"),
        markup=False,
    ),
    "codex": Profile("codex", "Codex", SPECIFIED, strict=True, closed=False),
}
DEFAULT_PROFILE: Final[ProfileName] = "claude-code"
EVERY_PROFILE: Final = tuple(PROFILES)

NAME_LIMIT: Final = 64
DESCRIPTION_LIMIT: Final = 1_024
COMPATIBILITY_LIMIT: Final = 500
LISTING_LIMIT: Final = 1_536
"""Characters of description and when_to_use that Claude Code lists of one skill."""

UPLOAD_LIMIT: Final = 30_000_000
"""Bytes of all files together from which on an upload to claude.ai or the Skills API is refused."""
