"""What can happen in a run, whichever harness recorded it.

Every event has the line of the trace that it ends on, so that a verdict can be looked up there.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugineval_action.evals.traces.shell import (
    MAX_CHARACTERS,
    MOST_TOKENS,
    Simple,
    simple_commands,
)

Harness = Literal["codex", "claude"]


class Started(NamedTuple):
    """The run begins. What the harness does not tell is "" or None.

    `skills` are those that the harness says it offers, `mode` is its permission mode.
    """

    line: int
    harness: Harness
    version: str = ""
    model: str = ""
    mode: str = ""
    skills: tuple[str, ...] | None = None
    tools: tuple[str, ...] | None = None


class Command(NamedTuple):
    """A shell command, out of the shell that the harness wraps around it.

    `began` is the line on which it was started. `exit_code` is None where none is known: declined,
    unfinished, in the background.
    """

    line: int
    began: int
    text: str
    exit_code: int | None
    state: Literal["done", "declined", "incomplete", "background"]

    @property
    def parts(self) -> tuple[Simple, ...]:
        """Its simple commands with what became of each. Dear: see `may_name` first."""
        return simple_commands(self.text, self.exit_code, declined=self.state == "declined")

    def may_name(self, word: str) -> bool:
        """Whether a word can be one of the command's at all; quotes may stand in the middle."""
        text = self.text
        if word in text or "\\" in text:
            return True
        quoted = "'" in text or '"' in text
        return quoted and word in text.replace("'", "").replace('"', "")

    @property
    def is_hidden(self) -> bool:
        """Whether something ran in it that cannot be told, or it is too long to be looked at."""
        text = self.text
        if len(text) >= MAX_CHARACTERS:
            return True
        # One by one: a trace may hold a hundred thousand commands, and few have any of these.
        may = "$" in text or "`" in text or "sh" in text
        may = may or "*" in text or "?" in text or "{" in text or "[" in text
        may = may or len(text) >= MOST_TOKENS
        return may and any(part.is_hidden for part in self.parts)


class FileChange(NamedTuple):
    """A file written by the harness itself, not by a command."""

    line: int
    path: str
    kind: Literal["add", "update", "delete"]


class SkillUse(NamedTuple):
    """A skill called by its tool, or its SKILL.md read; only an attempt if nothing was loaded."""

    line: int
    name: str
    how: Literal["tool", "read", "command"]
    loaded: bool


class Message(NamedTuple):
    """Text that the agent wrote for the user; `final` if the harness says it is the answer."""

    line: int
    text: str
    final: bool = False


class ToolCall(NamedTuple):
    """Any other tool; `ok` is None if no result came."""

    line: int
    name: str
    ok: bool | None


class Denial(NamedTuple):
    """Something the harness did not allow."""

    line: int
    tool: str
    what: str


class Notice(NamedTuple):
    """A warning or retry; no proof that anything failed."""

    line: int
    text: str


class Usage(NamedTuple):
    """Tokens of the run so far. `input_tokens` holds cached ones, `output_tokens` reasoning.

    `usd` is what the harness estimates, None if it says nothing.
    """

    line: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    usd: float | None = None

    @property
    def total(self) -> int:
        """Every token in and out, cached ones too."""
        return self.input_tokens + self.output_tokens


class End(NamedTuple):
    """How the run ended.

    completed   the agent was done
    stopped     a limit ended it: turns, money, time
    error       the harness or the service failed, which says nothing of the skill
    incomplete  the trace ends before the run does
    """

    line: int
    state: Literal["completed", "stopped", "error", "incomplete"]
    reason: str = ""


class Unknown(NamedTuple):
    """A line that this reader does not know, kept as it is (its first characters)."""

    line: int
    kind: str
    raw: str


Event = (
    Started
    | Command
    | FileChange
    | SkillUse
    | Message
    | ToolCall
    | Denial
    | Notice
    | Usage
    | End
    | Unknown
)
