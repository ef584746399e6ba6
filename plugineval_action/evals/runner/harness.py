"""The commands that start an agent: two that are known, or any template.

The prompt goes in on standard input, unless the template says `{prompt}`. Words are filled in one
by one and no shell is involved, so nothing in a prompt can become an option or a command.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from plugineval_action.errors import UsageError
from plugineval_action.evals.processes import environment

KNOWN: Final[Mapping[str, str]] = {
    # It may write in the workspace and has no network.
    "codex": "codex exec --json --skip-git-repo-check --ignore-user-config "
    "--sandbox workspace-write -C {workspace} -",
    # It may edit files in the workspace; commands that are not read-only are denied.
    "claude": "claude -p --output-format stream-json --verbose --setting-sources project "
    "--permission-mode acceptEdits --allowedTools Skill",
}
_OWN_VARIABLES: Final[Mapping[str, re.Pattern[str]]] = {
    "codex": re.compile(r"(?:CODEX|OPENAI)_\w+"),
    "claude": re.compile(r"(?:ANTHROPIC|CLAUDE)_\w+"),
}
_ANY_OWN: Final = re.compile("|".join(one.pattern for one in _OWN_VARIABLES.values()))
_PLACE: Final = re.compile(r"\{(\w+)\}")
_PLACES: Final = ("prompt", "workspace")
_VERSION_SECONDS: Final = 20.0


class Harness(NamedTuple):
    """A command template, taken apart, and the variables that it is given."""

    name: str
    template: tuple[str, ...]
    variables: Mapping[str, str]
    version: str = ""

    @property
    def prompt_is_argument(self) -> bool:
        """Whether the prompt is one of the words; else it is read from standard input."""
        return any("{prompt}" in word for word in self.template)

    def words(self, prompt: str, workspace: str) -> tuple[str, ...]:
        """The command for one run."""
        given = {"prompt": prompt, "workspace": workspace}
        return tuple(_PLACE.sub(lambda found: given[found[1]], word) for word in self.template)


def harness(command: str, passed: Iterable[str], variables: Mapping[str, str]) -> Harness:
    """A known harness or a template. `passed` names variables that it gets beside its own.

    Raises UsageError if it cannot be started here.
    """
    words = template(KNOWN.get(command, command), "--harness", _PLACES)
    named = set(passed)
    if missing := sorted(named - variables.keys()):
        raise UsageError(f"{missing[0]} is not set.", "Set it, or do not pass it.")
    env = agent_environment(words[0], variables, named)
    name = words[0].rpartition("/")[2]
    return Harness(name, words, env, _version(words[0], env))


def agent_environment(
    program: str, variables: Mapping[str, str], passed: Iterable[str] = ()
) -> dict[str, str]:
    """What an agent is given: the plain variables, those of its own kind, and those named.

    A program that is not known gets those of every kind: it may start any of them.
    """
    named = set(passed)
    own = _OWN_VARIABLES.get(program.rpartition("/")[2], _ANY_OWN)
    return environment(
        {name: value for name, value in variables.items() if name in named or own.fullmatch(name)}
    )


def template(command: str, option: str, places: tuple[str, ...]) -> tuple[str, ...]:
    """A command of an option as words, its program found. Raises UsageError."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"{option} cannot be split: {error}.", "Close the quote.") from error
    if not words:
        raise UsageError(f"{option} is empty.", "Give it a command.")
    for place in _PLACE.findall(command):
        if place not in places:
            known = " and ".join(f"{{{one}}}" for one in places)
            raise UsageError(
                f"{option} has a place {{{place}}} that nothing fills.", f"Known are {known}."
            )
    program = shutil.which(words[0])
    if program is None and os.path.isfile(words[0]):
        raise UsageError(
            f"{words[0]!r} is no program that may be run.", "Make it one: chmod +x, and a #! line."
        )
    if program is None:
        raise UsageError(
            f"There is no program {words[0]!r} on the PATH.",
            f"Install it, or give {option} another command.",
        )
    # It is started elsewhere: in the workspace of each run.
    return (os.path.abspath(program), *words[1:])


def _version(program: str, env: Mapping[str, str]) -> str:
    """What `--version` prints, "" if it prints nothing in time: no format has a version itself."""
    try:
        done = subprocess.run(  # noqa: S603 - the user's own harness
            [program, "--version"],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:200] if lines and not done.returncode else ""
