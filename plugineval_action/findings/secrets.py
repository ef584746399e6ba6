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
    """One kind of secret: who issues it, a plain text that every one holds, and the pattern."""

    issuer: str
    stem: str
    pattern: re.Pattern[str]
    checked: bool = False


def _kind(issuer: str, stem: str, pattern: str, *, checked: bool = False) -> Kind:
    return Kind(issuer, stem, re.compile(rf"{pattern}(?![\w-])"), checked)


KINDS = (
    _kind("GitHub", "", r"gh[pousr]_[0-9A-Za-z]{36}", checked=True),
    _kind("GitHub", "github_pat_", r"github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}"),
    _kind("npm", "npm_", r"npm_[0-9A-Za-z]{36}", checked=True),
    _kind("Anthropic", "sk-ant-", r"sk-ant-(?:api|admin)\d\d-[\w-]{80,120}"),
    _kind("OpenAI", "T3BlbkFJ", r"sk-(?:proj-|svcacct-)?[\w-]{20,90}T3BlbkFJ[\w-]{20,90}"),
    _kind("AWS", "AKIA", r"AKIA[A-Z2-7]{16}"),
    _kind("Google", "AIza", r"AIza[\w-]{35}"),
    _kind("Slack", "xox", r"xox[abpr]-\d{8,14}-\d{8,14}-[0-9A-Za-z-]{20,80}"),
    _kind("Stripe", "_live_", r"[rs]k_live_[0-9A-Za-z]{24,99}"),
    _kind("GitLab", "glpat-", r"glpat-[\w-]{20}"),
    _kind("Hugging Face", "hf_", r"hf_[A-Za-z]{34}"),
    _kind("PyPI", "pypi-AgEI", r"pypi-AgEI[\w-]{50,200}"),
)
_KEY = re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+(?:[A-Za-z0-9+/=]{40,}\s+){3}")


class Secret(NamedTuple):
    """Where one stands, and who issued it; the secret itself is never kept."""

    offset: int
    issuer: str


def secrets_in(text: str) -> Iterator[Secret]:
    """Every secret that no example is."""
    for issuer, stem, pattern, checked in KINDS:
        if stem not in text:  # nearly always; a search takes ten times as long
            continue
        for found in pattern.finditer(text):
            if _is_whole(text, found.start()) and _is_real(found[0], checked=checked):
                yield Secret(found.start(), issuer)
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
