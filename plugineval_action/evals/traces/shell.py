"""Shell text as the simple commands in it, and what an exit code says of each.

Not a shell: nothing is ever run or filled in. Enough to tell `npm install` from
`echo "npm install"`, from a line of a here-document, and from an install that may have failed; and
to find it in `echo $(npm install)` and `sudo npm install`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, Literal, NamedTuple

from plugineval_action.evals.traces.starters import inner, is_hidden, shell_script, stripped
from plugineval_action.evals.traces.substitutions import (
    LIFTED,
    MOST_SCRIPTS,
    here_document_end,
    lift,
)

MAX_CHARACTERS: Final = 65_536
"""Longer commands are looked at up to here; scripts that long are files in disguise."""

MOST_TOKENS: Final = 2_000
"""Words and operators that are looked at, here-documents and quoted text counting as one."""

_CUT: Final = (LIFTED,)
"""Stands for what was not looked at: what ran there cannot be told."""

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
      | (?P<quoted>(?:[^\s\\'"`$;&|()<>]++|\\.|'[^']*+'|"(?:[^"\\]++|\\.)*+"|[$'"`\\])++)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_WRAPPED: Final = re.compile(r"(?:/\S*/)?(?:ba|z|da|k|a)?sh -l?c '([^']*)'")
_MAY_WRAP: Final = re.compile(r"[^|&;\n]*?sh[\"' ]")
_PIECE: Final = re.compile(r"""'([^']*+)'|"((?:[^"\\]++|\\.)*+)"|\\(.)""", re.DOTALL)
_IN_QUOTES: Final = re.compile(r'\\([$`"\\]|\n)')
_BRANCHING: Final = frozenset({"case", "for", "function", "if", "select", "until", "while", "!"})
_CHAINING: Final = frozenset({"&&", "||", "|", "|&"})
_DEEPEST: Final = 3
_LONG: Final = 2_000
"""Characters; of longer commands only few are remembered, as a trace may hold any number."""

_CODES: Final[dict[Outcome, int]] = {"succeeded": 0, "failed": 1}


class Simple(NamedTuple):
    """One simple command: its words without quotes, and what became of it."""

    words: tuple[str, ...]
    outcome: Outcome = "unknown"

    @property
    def program(self) -> str:
        """The first word without its folder."""
        return self.words[0].rpartition("/")[2]

    @property
    def is_hidden(self) -> bool:
        """Whether what ran cannot be told, as with `$TOOL install` or `curl … | sh`."""
        return is_hidden(self.words)


class _Joined(NamedTuple):
    """Words, and the operator in front of them ("" for the first)."""

    lead: str
    words: tuple[str, ...]


class Parsed(NamedTuple):
    """The commands of a text; `branching` if what ran depends on more than `&&` and `||`.

    `scripts` are those of its substitutions.
    """

    joined: tuple[_Joined, ...]
    branching: bool
    tail: str
    scripts: tuple[str, ...]


def unwrapped(text: str) -> str:
    """`bash -lc 'npm test'` as `npm test`; anything else as it is."""
    if simple := _WRAPPED.fullmatch(text):
        text = simple[1]
    for _ in range(_DEEPEST if _MAY_WRAP.match(text) else 0):
        joined = parse(text).joined
        script = shell_script(joined[0].words) if len(joined) == 1 else None
        if script is None:
            break
        text = script
    return text


@lru_cache(maxsize=16)
def simple_commands(
    text: str, exit_code: int | None, *, declined: bool = False, depth: int = 0
) -> tuple[Simple, ...]:
    """The simple commands of a text, each with what the exit code of the whole says of it.

    What they start in turn comes behind each: scripts of inner shells and of substitutions, and the
    commands of `sudo`, `xargs`, `find -exec` and `eval`.
    """
    parsed = parse(text)
    found: list[Simple] = []
    for one, sure in zip(parsed.joined, _outcomes(parsed, exit_code), strict=True):
        outcome: Outcome = "declined" if declined else sure
        found += _with_started(Simple(one.words, outcome), depth)
    for script in parsed.scripts:
        found += _of_script(script, "declined" if declined else "unknown", depth)
    return tuple(found)


def _with_started(simple: Simple, depth: int) -> Iterator[Simple]:
    """A command and what it starts; of a shell with a script only that."""
    script = shell_script(simple.words)
    if script is not None:
        yield from _of_script(script, simple.outcome, depth)
        return
    yield simple
    for one in inner(simple.words):
        known = one.sure or simple.outcome == "declined"
        outcome: Outcome = simple.outcome if known else "unknown"
        if one.script is not None:
            yield from _of_script(one.script, outcome, depth)
        elif one.words and depth < _DEEPEST:
            yield from _with_started(Simple(one.words, outcome), depth + 1)


def _of_script(script: str, outcome: Outcome, depth: int) -> tuple[Simple, ...]:
    """The commands of a script in a script; one that lies too deep is hidden."""
    if depth >= _DEEPEST:
        return (Simple((LIFTED,), outcome),)
    declined = outcome == "declined"
    return simple_commands(script, _CODES.get(outcome), declined=declined, depth=depth + 1)


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


def parse(text: str) -> Parsed:
    """Split shell text at its operators; comments, redirections and here-documents are left out."""
    return _remembered(text) if len(text) < _LONG else _remembered_long(text)


def _parsed(text: str) -> Parsed:
    joined: list[_Joined] = []
    branching, lead, words = False, "", list[str]()
    lifted = lift(text[:MAX_CHARACTERS])
    tokens = _tokens(lifted.text)
    for word, operator in islice(tokens, MOST_TOKENS):
        if not operator:
            words.append(word)
            continue
        branching = branching or operator in ("(", ")") or bool(words and words[0] in _BRANCHING)
        if simple := stripped(words):
            joined.append(_Joined(lead, simple))
        # A new line behind `a &&` goes on with it.
        if simple or operator != "\n":
            lead = operator
        words = []
    rest = next(tokens, None) is not None
    if rest or len(lifted.scripts) > MOST_SCRIPTS:
        seen = [_Joined(lead, simple)] if (simple := stripped(words)) else []
        joined += [*seen, _Joined("\n", _CUT)]
        branching = True
    tail = "&" if joined and lead == "&" else ""
    return Parsed(tuple(joined), branching, tail, lifted.scripts[:MOST_SCRIPTS])


_remembered: Final = lru_cache(maxsize=4096)(_parsed)
_remembered_long: Final = lru_cache(maxsize=4)(_parsed)


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
        position = here_document_end(text, position, tag)
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
