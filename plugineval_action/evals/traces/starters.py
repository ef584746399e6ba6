"""Programs that start other programs: `sudo npm ci`, `xargs rm`, `find … -exec rm {} +`, `eval`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Final, NamedTuple

from plugineval_action.evals.traces.substitutions import LIFTED

Words = tuple[str, ...]

_KEYWORDS: Final = frozenset(
    {"!", "{", "}", "do", "done", "elif", "else", "esac", "fi", "if", "then", "until", "while"}
)
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*\+?=")
_SHELLS: Final = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_RUN_FLAG: Final = re.compile(r"-[a-z]*c")
_SHORT_FLAG: Final = re.compile(r"-[a-z]+|-")
_FILLED_IN: Final = re.compile(rf"[$*?{{{LIFTED}]|\[[^\[]")
_FIND_RUNS: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})

_TRANSPARENT: Final[Mapping[str, frozenset[str]]] = {
    "command": frozenset(),
    "env": frozenset({"-C", "-u", "--chdir", "--unset"}),
    "exec": frozenset({"-a"}),
    "ionice": frozenset({"-c", "-n"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "nohup": frozenset(),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-e", "-i", "-o"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-k", "-s", "--kill-after", "--signal"}),
}
"""Programs that are as good as not there, and their options that take a value."""

_RAISING: Final[Mapping[str, frozenset[str]]] = {
    "doas": frozenset({"-C", "-u"}),
    "sudo": frozenset({"-C", "-D", "-g", "-h", "-p", "-R", "-r", "-t", "-T", "-u", "-U"}),
}
_XARGS: Final = frozenset({"-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"})


class Inner(NamedTuple):
    """What a command starts: words, or a script; `sure` if it ends as the command does."""

    words: Words = ()
    script: str | None = None
    sure: bool = False


def stripped(words: list[str]) -> Words:
    """The words without keywords, assignments, and programs that only start another one."""
    at = 0
    while at < len(words):
        word = words[at]
        if word in _KEYWORDS or _ASSIGNMENT.match(word):
            at += 1
        elif word in _TRANSPARENT and not _asks(words[at:]):
            at = _behind_options(words, at + 1, _TRANSPARENT[word]) + (word == "timeout")
        else:
            break
    return tuple(words[at:])


def _asks(words: list[str]) -> bool:
    """`command -v npm` only asks where it is."""
    return words[0] == "command" and words[1:2] in (["-v"], ["-V"])


def inner(words: Words) -> Iterator[Inner]:
    """What else a command starts, as far as its words tell."""
    program = words[0].rpartition("/")[2]
    if program in _RAISING:
        at = _behind_options(words, 1, _RAISING[program])
        yield Inner(stripped(list(words[at:])), sure=True)
    elif program == "xargs":
        yield Inner(stripped(list(words[_behind_options(words, 1, _XARGS) :])))
    elif program == "find":
        yield from _run_by_find(iter(words))
    elif program == "eval":
        yield Inner(script=" ".join(words[1:]), sure=True)


def _run_by_find(words: Iterator[str]) -> Iterator[Inner]:
    """`-exec rm {} +`, each up to its end."""
    for word in words:
        if word in _FIND_RUNS:
            yield Inner(tuple(takewhile(lambda one: one not in (";", "+"), words)))


def shell_script(words: Words) -> str | None:
    """The script of `bash -lc SCRIPT`."""
    if words[0].rpartition("/")[2] not in _SHELLS:
        return None
    for at, word in enumerate(words[1:-1], 1):
        if _RUN_FLAG.fullmatch(word):
            return words[at + 1]
        if not word.startswith("-"):
            return None
    return None


def is_hidden(words: Words) -> bool:
    """Whether what runs cannot be told: `$TOOL x`, `"$(which npm)" ci`, `/bin/r?`, `… | sh`."""
    if _FILLED_IN.search(words[0]):
        return True
    takes_input = all(_SHORT_FLAG.fullmatch(word) for word in words[1:])
    return words[0].rpartition("/")[2] in _SHELLS and takes_input


def _behind_options(words: Words | list[str], at: int, valued: frozenset[str]) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return at
