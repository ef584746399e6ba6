"""Command substitutions in shell text: `$(…)`, backticks, `<(…)`, and those in here-documents.

They are lifted out, so that what is left can be split at its operators, and what was lifted out can
be looked at as the script that it is. Quotes, comments and here-documents are told apart as a shell
does it: "`rm -rf x`" runs a command, '`rm -rf x`' does not.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LIFTED: Final = "\ufffc"
"""Stands in the text where something was lifted out; no operator, blank or quote."""

MOST_SCRIPTS: Final = 200
"""Of one text; who meets one more has to take it that not all were lifted."""

_MAY_HOLD: Final = re.compile(r"`|[$<>]\(")
_QUOTED: Final = re.compile(
    r"""(?s)\\.|(?P<quote>")|(?P<tick>`(?P<body>(?:[^`\\]++|\\.)*+)`?)|(?P<open>\$\()"""
)
_PLAIN: Final = re.compile(
    r"""
    \\.|'[^']*+'?|(?<![^\s;&|()])\#[^\n]*+|<<<
    |(?P<quote>")
    |(?P<tick>`(?P<body>(?:[^`\\]++|\\.)*+)`?)
    |(?P<open>[$<>]\()
    |(?P<nested>\()|(?P<close>\))
    |<<-?[ \t]*+(?P<literal>['"\\]?)(?P<tag>[\w.-]++)['"]?
    |(?P<line>\n)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED: Final = re.compile(r"\\([`$\\])")
_MOST_OPEN: Final = 100
_DEEPEST: Final = 3


class Lifted(NamedTuple):
    """The text without its substitutions, and the scripts in them, outermost ones only."""

    text: str
    scripts: tuple[str, ...] = ()


def lift(text: str, depth: int = 0) -> Lifted:
    """Take the substitutions out of a text; `depth` counts the arithmetic around it."""
    return _Lifting(text, depth).done() if _MAY_HOLD.search(text) else Lifted(text)


def here_document_end(text: str, position: int, tag: str) -> int:
    """Where the here-document that begins at a position ends, with the line of its tag."""
    end = re.compile(rf"^\t*{re.escape(tag)}$", re.MULTILINE).search(text, position)
    return end.end() if end else len(text)


class _Lifting:
    """One pass. `_open` holds what is open, innermost last: a quote, or a parenthesis."""

    def __init__(self, text: str, depth: int = 0, *, document: bool = False) -> None:
        self._text, self._depth, self._document = text, depth, document
        self._kept: list[str] = []
        self._scripts: list[str] = []
        self._open: list[str] = []
        self._documents: list[tuple[str, bool]] = []
        self._from = self._began = self._documents_around = 0

    def done(self) -> Lifted:
        at = 0
        while len(self._scripts) <= MOST_SCRIPTS:
            match = self._rules().search(self._text, at)
            if match is None:
                break
            at = self._met(match)
        if self._is_lifting():
            self._lift(len(self._text), self._text[self._began + 2 :])
        self._kept.append(self._text[self._from :])
        return Lifted("".join(self._kept), tuple(self._scripts))

    def _is_lifting(self) -> bool:
        return ")" in self._open

    def _rules(self) -> re.Pattern[str]:
        inside = self._open[-1] if self._open else '"' if self._document else ""
        return _QUOTED if inside == '"' else _PLAIN

    def _met(self, match: re.Match[str]) -> int:
        """Take note of what was met; where to go on."""
        kind = match.lastgroup
        if kind == "quote":
            self._quote()
        elif kind == "tick" and not self._is_lifting():
            self._began = match.start()
            self._lift(match.end(), _ESCAPED.sub(r"\1", match["body"]))
        elif kind == "open":
            self._open_script(match.start())
        elif kind == "nested" and self._is_lifting():
            self._open.append("(")
        elif kind == "close":
            self._close(match.end())
        elif kind == "tag":
            self._documents.append((match["tag"], bool(match["literal"])))
        elif kind == "line":
            return self._behind_documents(match.end())
        return match.end()

    def _quote(self) -> None:
        if self._open and self._open[-1] == '"':
            self._open.pop()
        elif not self._document or self._open:
            self._open.append('"')

    def _open_script(self, at: int) -> None:
        if not self._is_lifting():
            self._began, self._documents_around = at, len(self._documents)
        if len(self._open) < _MOST_OPEN:
            self._open.append(")")

    def _close(self, end: int) -> None:
        if not self._is_lifting() or self._open[-1] == '"':
            return
        self._open.pop()
        if not self._is_lifting():
            # What looked like a here-document in there, as in $((1<<2)), ends with it.
            del self._documents[self._documents_around :]
            self._lift(end, self._text[self._began + 2 : end - 1])

    def _lift(self, end: int, script: str) -> None:
        arithmetic = self._text.startswith("$((", self._began) and script.endswith(")")
        if arithmetic and self._depth < _DEEPEST:
            self._scripts += lift(script[1:-1], self._depth + 1).scripts
        else:
            self._scripts.append(script)
        self._kept += [self._text[self._from : self._began], LIFTED]
        self._from = end

    def _behind_documents(self, at: int) -> int:
        """Here-documents begin on the next line. In those whose tag has no quotes scripts run."""
        for tag, literal in self._documents:
            end = here_document_end(self._text, at, tag)
            if not literal and not self._is_lifting():
                self._scripts += _Lifting(self._text[at:end], document=True).done().scripts
            at = end
        self._documents = []
        return at
