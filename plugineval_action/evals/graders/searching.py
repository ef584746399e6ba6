"""Looking for text, or for a pattern of somebody who may mean no good.

A pattern runs in a process of its own, which is ended when it takes long: Python's patterns can
take for ever on a short text, and nothing else stops them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, Field

from plugineval_action.evals.graders.base import Verdict
from plugineval_action.inputs.mistakes import problem, quoted

SECONDS: Final = 2.0
_SEARCH: Final = (
    "import json, re, sys\n"
    "pattern, text = json.load(sys.stdin)\n"
    "sys.exit(0 if re.search(pattern, text, re.MULTILINE) else 3)\n"
)
_FOUND: Final = 0
_NOT_FOUND: Final = 3
_LONGEST: Final = 1_000


class Wanted(NamedTuple):
    """A text, found whatever its case, or a pattern."""

    contains: str | None
    pattern: str | None


def _said(words: str | None) -> str | None:
    if words is not None and not words.strip():
        raise problem("it is empty, which any text holds.", "Write what should be in it.")
    return words


Words = Annotated[str | None, Field(max_length=_LONGEST), AfterValidator(_said)]


def checked_pattern(pattern: str | None) -> str | None:
    """A pattern that compiles; for validators."""
    if pattern is None:
        return None
    if len(pattern) > _LONGEST:
        raise problem("it has over 1,000 characters.", "Look for something shorter.")
    try:
        with warnings.catch_warnings():
            # What Python may read in another way some day, it reads in this way today.
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        raise problem(
            f"{quoted(pattern)} is no regular expression: {error}.",
            "Correct it, or use `contains` for plain text.",
        ) from error
    return pattern


def found_in(text: str, where: str, wanted: Wanted) -> Verdict:
    """Whether a text holds what is wanted."""
    if wanted.contains is not None:
        found = wanted.contains.casefold() in text.casefold()
        return _verdict(where, quoted(wanted.contains), found=found)
    assert wanted.pattern is not None
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and our own three lines
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([wanted.pattern, text]),
            encoding="utf-8",
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        why = f"The pattern {quoted(wanted.pattern)} took over {SECONDS:g} s on {where}."
        return Verdict("unknown", why)
    if done.returncode not in (_FOUND, _NOT_FOUND):
        return Verdict("unknown", f"The pattern {quoted(wanted.pattern)} could not be looked for.")
    what = f"a match of {quoted(wanted.pattern)}"
    return _verdict(where, what, found=done.returncode == _FOUND)


def _verdict(where: str, what: str, *, found: bool) -> Verdict:
    if found:
        return Verdict("passed", f"{where} holds {what}.")
    return Verdict("failed", f"{where} does not hold {what}.")
