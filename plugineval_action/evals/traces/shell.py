"""Shell text as the simple commands in it, and what an exit code says of each.

Not a shell: substitutions stay text, and nothing is ever run. Enough to tell `npm install` from
`echo "npm install"`, from a line of a here-document, and from an install that may have failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

MAX_CHARACTERS: Final = 65_536
"""Longer commands are looked at up to here; scripts that long are files in disguise."""

Outcome = Literal["succeeded", "failed", "unknown", "declined"]

_TOKEN: Final = re.compile(
    r"""
    (?:[ \t\r]|\\\n)*+
    (?:
        (?P<word>(?:[^\s\\'"`$;&|()<>\#0-9][^\s\\'"`$;&|()<>]*+)(?=[\s;&|)]|\Z))
      | (?P<operator>&&|\|\||;;|\|&|[;|\n()]|&(?!>))
      | \#[^\n]*+
      | (?P<redirect>\d*+(?:<<(?!<)-?[ \t]*+(?P<quote>['"]?)\\?(?P<tag>[\w.-]++)(?P=quote)
            | (?:&>>|&>|>>|>\||>&|<>|<<<|<&|>|<)[ \t]*+))
      | (?P<quoted>(?:[^\s\\'"`$;&|()<>]++|\\.|'[^']*+'|"(?:[^"\\]++|\\.)*+"|`[^`]*+`
            | \$\((?:[^()]++|\([^()]*+\))*+\)|[$'"`\\])++)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_WRAPPED: Final = re.compile(r"(?:/\S*/)?(?:ba|z|da|k|a)?sh -l?c '([^']*)'")
_MAY_WRAP: Final = re.compile(r"[^|&;\n]*?sh[\"' ]")
_PIECE: Final = re.compile(r"""'([^']*+)'|"((?:[^"\\]++|\\.)*+)"|\\(.)""", re.DOTALL)
_IN_QUOTES: Final = re.compile(r'\\([$`"\\]|\n)')
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*\+?=")
_SHELLS: Final = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_RUN_FLAG: Final = re.compile(r"-[a-z]*c")
_KEYWORDS: Final = frozenset(
    {"!", "{", "}", "do", "done", "elif", "else", "esac", "fi", "if", "then", "until", "while"}
)
_BRANCHING: Final = frozenset({"case", "for", "function", "if", "select", "until", "while", "!"})
_PREFIXES: Final = frozenset({"command", "env", "exec", "nice", "nohup", "stdbuf", "time"})
_TAKES_A_VALUE: Final = frozenset({"-k", "-s", "--kill-after", "--signal"})
_CHAINING: Final = frozenset({"&&", "||", "|", "|&"})
_DEEPEST: Final = 3
_CODES: Final[dict[Outcome, int]] = {"succeeded": 0, "failed": 1}


class Simple(NamedTuple):
    """One simple command: its words without quotes, and what became of it."""

    words: tuple[str, ...]
    outcome: Outcome = "unknown"

    @property
    def program(self) -> str:
        """The first word without its folder."""
        return self.words[0].rpartition("/")[2]


class _Joined(NamedTuple):
    """Words, and the operator in front of them ("" for the first)."""

    lead: str
    words: tuple[str, ...]


class Parsed(NamedTuple):
    """The commands of a text; `branching` if what ran depends on more than `&&` and `||`."""

    joined: tuple[_Joined, ...]
    branching: bool
    tail: str


def unwrapped(text: str) -> str:
    """`bash -lc 'npm test'` as `npm test`; anything else as it is."""
    if simple := _WRAPPED.fullmatch(text):
        text = simple[1]
    for _ in range(_DEEPEST if _MAY_WRAP.match(text) else 0):
        joined = parse(text).joined
        inner = _inner(joined[0].words) if len(joined) == 1 else None
        if inner is None:
            break
        text = inner
    return text


@lru_cache(maxsize=256)
def simple_commands(
    text: str, exit_code: int | None, *, declined: bool = False, depth: int = 0
) -> tuple[Simple, ...]:
    """The simple commands of a text, each with what the exit code of the whole says of it.

    Scripts of inner shells (`bash -c "…"`) are taken apart as well.
    """
    parsed = parse(text)
    found: list[Simple] = []
    for one, sure in zip(parsed.joined, _outcomes(parsed, exit_code), strict=True):
        outcome: Outcome = "declined" if declined else sure
        inner = _inner(one.words) if depth < _DEEPEST else None
        if inner is None:
            found.append(Simple(one.words, outcome))
        else:
            code = _CODES.get(outcome)
            found += simple_commands(inner, code, declined=declined, depth=depth + 1)
    return tuple(found)


def _outcomes(parsed: Parsed, exit_code: int | None) -> list[Outcome]:
    """What the exit code of the whole says of each part.

    `a; b`, `a | b` and `a || b` tell nothing of a; `a && b` that failed does not tell which.
    """
    if exit_code is None or parsed.branching or parsed.tail:
        return ["unknown"] * len(parsed.joined)
    if len(parsed.joined) == 1:
        return ["failed" if exit_code else "succeeded"]
    leads = [one.lead for one in parsed.joined]
    last_break = max((at for at, lead in enumerate(leads) if lead not in _CHAINING), default=0)
    last_chain = leads[last_break + 1 :]
    found: list[Outcome] = ["unknown"] * len(leads)
    if exit_code:
        # Only what stands alone, or at the end of one pipe, is known to be what failed.
        if leads and not {"&&", "||"}.intersection(last_chain):
            found[-1] = "failed"
    elif "||" not in last_chain:
        for at in range(last_break, len(leads)):
            piped = at + 1 < len(leads) and leads[at + 1] in ("|", "|&")
            found[at] = "unknown" if piped else "succeeded"
    return found


@lru_cache(maxsize=4096)
def parse(text: str) -> Parsed:
    """Split shell text at its operators; comments, redirections and here-documents are left out."""
    joined: list[_Joined] = []
    branching, lead, words = False, "", list[str]()
    for word, operator in _tokens(text[:MAX_CHARACTERS]):
        if not operator:
            words.append(word)
            continue
        branching = branching or operator in ("(", ")") or bool(words and words[0] in _BRANCHING)
        if simple := _stripped(words):
            joined.append(_Joined(lead, simple))
        # A new line behind `a &&` goes on with it.
        if simple or operator != "\n":
            lead = operator
        words = []
    return Parsed(tuple(joined), branching, "&" if joined and lead == "&" else "")


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Words (first) and operators (second); what a redirection names is left out.

    A line end comes last, so that whoever collects words has an end to each command.
    """
    position, into_file = 0, False
    documents: list[str] = []
    while match := _TOKEN.match(text, position):
        position, kind = match.end(), match.lastgroup
        if kind == "word":
            if not into_file:
                yield match["word"], ""
            into_file = False
        elif kind == "quoted":
            if not into_file:
                yield _plain(match["quoted"]), ""
            into_file = False
        elif kind == "operator":
            if documents and match["operator"] == "\n":
                position = _behind(text, position, documents)
                documents = []
            yield "", match["operator"]
            into_file = False
        elif tag := match["tag"]:
            documents.append(tag)
        elif kind:
            into_file = True
    yield "", "\n"


def _behind(text: str, position: int, tags: list[str]) -> int:
    """Where the here-documents with these tags end."""
    for tag in tags:
        end = re.compile(rf"^\t*{re.escape(tag)}$", re.MULTILINE).search(text, position)
        position = end.end() if end else len(text)
    return position


def _plain(word: str) -> str:
    """A word without its quotes."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _PIECE.sub(_unquoted, word)


def _unquoted(match: re.Match[str]) -> str:
    single, double, escaped = match.groups()
    if single is not None:
        return single
    if double is not None:
        return _IN_QUOTES.sub(lambda m: "" if m[1] == "\n" else m[1], double)
    return "" if escaped == "\n" else escaped


def _stripped(words: list[str]) -> tuple[str, ...]:
    """The words without keywords, assignments, and programs that only start another one."""
    at = 0
    while at < len(words):
        word = words[at]
        if word in _KEYWORDS or word in _PREFIXES or _ASSIGNMENT.match(word):
            at += 1
        elif word == "timeout":
            at = _behind_options(words, at + 1) + 1
        else:
            break
    return tuple(words[at:])


def _behind_options(words: list[str], at: int) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _TAKES_A_VALUE else 1
    return at


def _inner(words: tuple[str, ...]) -> str | None:
    """The script of `bash -lc SCRIPT`."""
    if words[0].rpartition("/")[2] not in _SHELLS:
        return None
    for at, word in enumerate(words[1:-1], 1):
        if _RUN_FLAG.fullmatch(word):
            return words[at + 1]
        if not word.startswith("-"):
            return None
    return None
