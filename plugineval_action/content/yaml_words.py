"""What a YAML parser complains of, in the words of somebody who writes it."""

from __future__ import annotations

from typing import Final

_IN_PLAIN_WORDS: Final = (
    ("mapping values are not allowed",
     "a value without quotes holds a colon and a blank, as if a field began there"),
    ("found character",
     "a value without quotes, or a line, starts with a tab, @, % or a backtick"),
    ("found undefined alias", "a value that starts with * needs quotes"),
    ("could not determine a constructor", "a value that starts with ! needs quotes"),
    ("did not find expected key",
     "text follows a closed quote or bracket, or a line is indented unlike the others"),
    ("could not find expected ':'", "a line has no colon, so that it is no field"),
    ("did not find expected ',' or", "a bracket is opened and never closed"),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found a tab character", "a line is indented with a tab, where YAML wants blanks"),
    ("did not find expected hexdecimal", "a backslash in double quotes has to be doubled"),
    ("found unknown escape character", "a backslash in double quotes has to be doubled"),
    ("did not find expected comment or line break",
     "text stands behind > or |, and belongs on the lines below"),
)  # fmt: skip


def in_plain_words(problem: str) -> str:
    """The complaint in plain words; what is seldom met stays in the parser's."""
    return next((said for start, said in _IN_PLAIN_WORDS if problem.startswith(start)), problem)
