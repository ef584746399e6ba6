"""Secrets by the patterns that their makers publish, with a check digit where there is one.

Sources: GitHub's "Behind GitHub's new authentication token formats" (CRC32 in base 62), and the
providers' own descriptions of their prefixes, as collected by gitleaks and GitHub secret scanning.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_EXAMPLE = re.compile(
    r"example|sample|dummy|fake|placeholder|your|xxx|123456|abcdef|redacted|\.\.\.|foobar|changeme",
    re.IGNORECASE,
)
_LEAST_ENTROPY = 3.2
"""Bits a character; random base 62 of this length has over 4, words and repetition under 3."""


class Kind(NamedTuple):
    """One kind of secret: who issues it, and the pattern; `checked` if it ends in check digits."""

    issuer: str
    pattern: re.Pattern[str]
    checked: bool = False


def _kind(issuer: str, pattern: str, *, checked: bool = False) -> Kind:
    return Kind(issuer, re.compile(rf"{pattern}(?![\w-])"), checked)


class _Group(NamedTuple):
    """Kinds, and what stands in each secret of them.

    A sign is one character to look for, and what is around it: nothing is found faster.
    """

    sign: re.Pattern[str]
    kinds: tuple[Kind, ...]


_GROUPS = (
    _Group(
        re.compile(r"_[0-9A-Za-z]{22}"),
        (
            _kind("GitHub", r"gh[pousr]_[0-9A-Za-z]{36}", checked=True),
            _kind("GitHub", r"github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}"),
            _kind("npm", r"npm_[0-9A-Za-z]{36}", checked=True),
            _kind("Stripe", r"[rs]k_live_[0-9A-Za-z]{24,99}"),
            _kind("Hugging Face", r"hf_[A-Za-z]{34}"),
        ),
    ),
    _Group(
        re.compile(r"A(?=KIA|Iza)"),
        (_kind("AWS", r"AKIA[A-Z2-7]{16}"), _kind("Google", r"AIza[\w-]{35}")),
    ),
    _Group(
        re.compile(r"k(?=-ant-)"),
        (_kind("Anthropic", r"sk-ant-(?:api|admin)\d\d-[\w-]{80,120}"),),
    ),
    _Group(
        re.compile(r"T(?=3BlbkFJ)"),
        (_kind("OpenAI", r"sk-(?:proj-|svcacct-)?[\w-]{20,90}T3BlbkFJ[\w-]{20,90}"),),
    ),
    _Group(
        re.compile(r"x(?=ox[abpr]-\d)"),
        (_kind("Slack", r"xox[abpr]-\d{8,14}-\d{8,14}-[0-9A-Za-z-]{20,80}"),),
    ),
    _Group(re.compile(r"g(?=lpat-)"), (_kind("GitLab", r"glpat-[\w-]{20}"),)),
    _Group(re.compile(r"A(?=gEI)"), (_kind("PyPI", r"pypi-AgEI[\w-]{50,200}"),)),
)
_KEY = re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+(?:[A-Za-z0-9+/=]{40,}\s+){3}")


class Secret(NamedTuple):
    """Where one stands, and who issued it; the secret itself is never kept."""

    offset: int
    issuer: str


def secrets_in(text: str) -> Iterator[Secret]:
    """Every secret that no example is."""
    for kind in (kind for sign, kinds in _GROUPS if sign.search(text) for kind in kinds):
        for found in kind.pattern.finditer(text):
            if _is_whole(text, found.start()) and _is_real(found[0], checked=kind.checked):
                yield Secret(found.start(), kind.issuer)
    if "PRIVATE KEY-----" in text:
        yield from (Secret(found.start(), "private key") for found in _KEY.finditer(text))


def _is_whole(text: str, start: int) -> bool:
    """Whether no word goes on here; asked in the pattern it would slow the search down."""
    before = text[max(0, start - 1) : start]
    return not (before.isalnum() or before in ("_", "-"))


def _is_real(token: str, *, checked: bool) -> bool:
    if _EXAMPLE.search(token) or _entropy(token[4:]) < _LEAST_ENTROPY:
        return False
    return not checked or check_digits(token[4:-6]) == token[-6:]


def check_digits(text: str) -> str:
    """The six digits that end a token of GitHub or npm: CRC32 in base 62."""
    number, digits = crc32(text.encode()), ""
    while number:
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits.rjust(6, "0")


def _entropy(text: str) -> float:
    """Shannon's, in bits a character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
