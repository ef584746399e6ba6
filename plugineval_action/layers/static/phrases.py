"""What a description says of when to use a skill, and what a heading announces, in words.

English forms are patterns (see `english`), other languages are phrases of a data file (see
`languages`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from plugineval_action.layers.static import languages
from plugineval_action.layers.static.english import FORMS
from plugineval_action.layers.static.facts import Pushiness
from plugineval_action.layers.static.phrase_notation import fold
from plugineval_action.layers.static.words import Words

__all__ = [
    "Pushiness",
    "find_trigger",
    "is_example_heading",
    "is_troubleshooting_heading",
    "pushiness",
]

MAX_CHARACTERS = 8_192
"""How much of a text is searched: five times what the most generous harness shows a model."""

_ANYTHING = re.compile(r"(?s:.*)")
_PROACTIVELY = Words(r"\bproactively\b", "proactively")
_STRONG = Words(
    r"\b(?:automatically|always\s+use|trigger|invoke)\b",
    *("automatically", "always", "trigger", "invoke"),
)
_USE_CASE = re.compile(
    r",\s*(?:or\s+)?(?:when|for|during|implementing|building|creating|debugging|testing|deploying"
    r"|configuring|setting up)"
)
_ACTIVITY = Words(r"\b(?:when|for|during)\s+\w+ing\b", "when", "for", "during")
_EXAMPLES = Words(r"\b(?:examples?|usage|samples?)\b", "example", "usage", "sample")
_TROUBLES = Words(
    r"\btroubleshoot|\b(?:common\s+(?:issue|mistake|error)s?|known\s+issues?|edge\s+cases?|error\s+handling"
    r"|faqs?|pitfalls?|gotchas?|limitations?)\b",
    *("troubleshoot", "common", "known", "edge", "error", "faq", "pitfall", "gotcha", "limitation"),
)


def find_trigger(description: str) -> re.Match[str] | None:
    """The phrase that says when to use the skill; None if there is none, or only negated ones.

    The published English forms come first, then further English forms, then other languages; of one
    form the first in the text. The match is one of the description as it was given.
    """
    text = _searched(description)
    found = _english(text) or languages.find_trigger(text)
    return _ANYTHING.match(description, found.start(), found.end()) if found else None


def pushiness(description: str) -> Pushiness:
    """The other measures of how a description asks to be used, in any of the languages we know.

    Use cases are those of the language that has most: words that two languages share count once.
    """
    text = _searched(description)
    english = Pushiness(
        proactively=_PROACTIVELY.there(text),
        strong=_STRONG.there(text),
        use_cases=len(_USE_CASE.findall(text)),
        activity=_ACTIVITY.there(text),
    )
    # A plain English trigger makes a plain English description: no other language is asked.
    if text.isascii() and _english(text):
        return english
    return Pushiness(
        proactively=english.proactively or languages.says("proactively", text),
        strong=english.strong or languages.says("strong", text),
        use_cases=max(english.use_cases, languages.count("use_case", text)),
        activity=english.activity or languages.says("activity", text),
    )


def is_example_heading(text: str) -> bool:
    """Whether a heading announces examples or usage."""
    heading = _searched(text)
    return _EXAMPLES.there(heading) or languages.says("examples_heading", heading)


def is_troubleshooting_heading(text: str) -> bool:
    """Whether a heading announces what can go wrong: troubleshooting, mistakes, limitations."""
    heading = _searched(text)
    return _TROUBLES.there(heading) or languages.says("troubleshooting_heading", heading)


@lru_cache(maxsize=1)
def _english(text: str) -> re.Match[str] | None:
    """The first English form; kept, since trigger and pushiness ask for it one after the other."""
    return next((found for form in FORMS if (found := form.search(text))), None)


def _searched(text: str) -> str:
    return fold(text[:MAX_CHARACTERS])
