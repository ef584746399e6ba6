"""The one filter between foreign text and everything we print.

Names, descriptions, paths and messages may hold anything. Each function returns text that means
nothing to the format it is for: no markup, no links, no mentions, no commands. Text between two
writers stays raw; it is escaped once, where it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

TEXT_LIMIT: Final = 500
CODE_LIMIT: Final = 200

# Characters without a glyph. Those that only join or hide are dropped; those that steer a terminal
# or turn the reading direction are shown by number, so that the reader sees that they are there.
_HIDDEN: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_BEYOND_ASCII: Final = (
    "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
)
_STEERING: Final = re.compile(f"[\x00-\x1f{_BEYOND_ASCII}]")
_STEERING_IN_JSON: Final = re.compile(f"[{_BEYOND_ASCII}]")
_OLD_COMMAND: Final = "##["
"""Starts a workflow command of the older form, which is obeyed anywhere in a line of a log."""

# GitHub links mentions, references, commits, addresses and emoji after Markdown is parsed, so no
# backslash or entity stops it. An empty comment inside the token does, and is not seen. The last
# word of a text, unless it is a number, may become an emoji with the colon that we write after it.
_APART: Final = "<!-- -->"
_LINKED: Final = r"""
    @(?=\S)
  | \#(?=\d)
  | GH-(?=\d)
  | :(?=//|[\w+-]+:|(?!\d+$)[\w+-]+$)
  | www(?=\.)
"""
_COMMIT: Final = r"(?<![0-9A-Za-z])[0-9a-f]{7,40}(?![0-9A-Za-z])"
_MARKED: Final = r"[*`|\[\]~$] | _(?![0-9A-Za-z]) | \\(?=[!-/:-@\[-`{-~]|$)"
_ACTIVE: Final = re.compile(
    rf"(?P<linked>{_LINKED}) | (?P<commit>{_COMMIT}) | (?P<marked>{_MARKED})"
    r"| (?P<less><) | (?P<ampersand>&(?=[\w\#]))",
    re.VERBOSE | re.IGNORECASE,
)
_BLOCK_START: Final = re.compile(r"(\d{0,9})([#>=:]|[-+](?!\w)|(?<=\d)[.)](?=\s|$))")

_WEB: Final = re.compile(r"https?://[^/]", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[A-Za-z][\w+.-]*:")
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


def printable(text: str) -> str:
    r"""One line without control, direction or invisible characters; white space becomes one space.

    Line breaks become spaces. Characters that steer a terminal or the reading direction, and lone
    surrogates (undecodable bytes of a file name), are shown as `\x1b` or `\u202e`.
    """
    line = " ".join(_HIDDEN.sub("", text).split())
    return _STEERING.sub(_by_number, line)


def shorten(text: str, limit: int) -> str:
    """`printable(text)` in at most `limit` characters, with … for what is left out."""
    line = printable(text)
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def markdown(text: str, limit: int = TEXT_LIMIT) -> str:
    """Text as GitHub-flavoured Markdown that renders as that text: in prose and in a table cell."""
    return _escaped(shorten(text, limit))


def code(text: str, limit: int = CODE_LIMIT) -> str:
    """A code span, in prose and in a table cell; empty for empty text."""
    line = shorten(text, limit)
    if not line:
        return ""
    if "|" in line or _OLD_COMMAND in line:  # a span cannot hold a pipe in and outside of tables
        return f"<code>{_escaped(line)}</code>"
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def fenced(lines: Iterable[str], language: str) -> str:
    """Lines as a code block of Markdown, each shown as `printable` has it, spaces kept."""
    shown = [_STEERING.sub(_by_number, _HIDDEN.sub("", line)) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *shown, fence])


def link(text: str, url: str) -> str:
    """A Markdown link to an http(s) address or a relative path; else the text alone.

    `url` is an address, so percent escapes in it stay; encode a file's path with `path_url` first.
    """
    target = _target(printable(url))
    return f"[{markdown(text) or target}]({target})" if target else markdown(text)


def image_link(text: str, image: str, url: str) -> str:
    """A Markdown picture that leads to `url`, both addresses as for `link`; else the text alone."""
    source, target = _target(printable(image)), _target(printable(url))
    return f"[![{markdown(text)}]({source})]({target})" if source and target else markdown(text)


def path_url(path: str) -> str:
    """A file's path as a relative URL: every byte outside [A-Za-z0-9._~/-] percent-encoded."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def command_data(text: str) -> str:
    """The message of a workflow command, which ends at the line's end."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """The value of a workflow command's property, which also ends at a colon or comma."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def json_text(document: str) -> str:
    r"""A JSON document as the same data, safe to print: what steers is written as an escape.

    A lone surrogate becomes the six characters `\udc80`: strict readers refuse it in any form.
    """
    shown = _STEERING_IN_JSON.sub(_as_json_escape, document)
    return shown.replace(_OLD_COMMAND, "##\\u005b")


def _as_json_escape(match: re.Match[str]) -> str:
    lone_surrogate = "\ud800" <= match[0] <= "\udfff"
    return ("\\\\u" if lone_surrogate else "\\u") + f"{ord(match[0]):04x}"


def _by_number(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def _escaped(line: str) -> str:
    body = _ACTIVE.sub(_inert, line)
    return _BLOCK_START.sub(r"\1\\\2", body, count=1) if _BLOCK_START.match(body) else body


def _inert(match: re.Match[str]) -> str:
    token = match[0]
    match match.lastgroup:
        case "linked":
            return token + _APART
        case "commit":
            return _APART.join(token[at : at + 6] for at in range(0, len(token), 6))
        case "less":
            return "&lt;"
        case "ampersand":
            return "&amp;"
        case _:
            return "\\" + token


def _target(url: str) -> str:
    """The address as a Markdown link destination, empty if it is neither web nor relative."""
    web = bool(_WEB.match(url))
    if not web and (url.startswith("/") or _SCHEME.match(url)):
        return ""
    address = _STRAY_PERCENT.sub("%25", url)
    return quote(address, safe="%/?#&=+,;@:!" if web else "%/?#&=+,;@!").replace("&", "&amp;")
