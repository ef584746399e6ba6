"""English forms of "use this skill when …", as patterns over lower-cased text.

The published forms count wherever they stand. Most further forms count only where a clause or
sentence opens: "Use to build charts" says when, "tools you use to build charts" does not.
"""

from __future__ import annotations

import re
from functools import cached_property

_REACH = 60
"""How many characters before a phrase decide whether it opens a clause, or is negated."""

_NOT = r"(?:\b(?:not(?!\s+(?:only|just)\b)|never|no|nor|avoid|cannot|without|dont)\b|n't\b)"
_NOT_HINTS = (
    "no",
    "n't",
    "never",
    "avoid",
    "without",
    "dont",
    "skip",
    "unless",
    "except",
    "ignore",
)
"""Pieces of text, one of which is in every negation."""
_NEGATED = (
    rf"{_NOT}(?:\s+(?:be|to|for|ever|even|need|required|meant|intended|designed|supposed|suitable"
    r"|recommended|it|this|the|skill|or|and|should|use[ds]?|using|invoked?|trigger(?:ed)?|load(?:ed)?"
    r"|activated?|call(?:ed)?|run|appl(?:y|ied)|proactively|automatically|auto)\b)*[\s*_\"'`-]{1,4}\Z"
)
_SENTENCE_NEGATED = rf"(?:{_NOT}|\b(?:skip|unless|except|ignore)\b)[^.!?\n]*\Z"

_START = r"(?:\A|[.!?:;()\[\]|*_•\"'`“”«»–—→\n]|\s-)\s*"
_SUBJECT = r"(?:skill|agent|subagent|command|plugin)"
_OPENS_SENTENCE = rf"{_START}\Z"
_OPENS_CLAUSE = (
    rf"(?:{_START}|,\s*|\b(?:always|also|only|and|or|then|please|must|should|can|may|will|but|so"
    r"|instead|best|proactively|automatically|immediately|auto)[-\s]+)\Z"
)
_AFTER_SUBJECT = (
    rf"(?:{_START}|\b(?:(?:should|must|to)\s+be|{_SUBJECT}(?:\s+(?:is|gets|(?:can|may|will)\s+be))?"
    r"|also|only|and|or|always|automatically|auto|proactively)[-\s]+)\Z"
)
_AFTER_MUST_BE = rf"\b(?:(?:should|must)\s+(?:only\s+|always\s+)?be|{_SUBJECT}\s+is)\s+\Z"
_AFTER_IS = rf"(?:{_START}|,\s*|\b(?:is|are|most|very|especially|particularly|also|and|or)\s+)\Z"

_ADVERB = (
    r"(?:(?:only|just|also|always|even|mainly|primarily|especially|specifically|exclusively"
    r"|immediately|automatically|proactively|directly|first)\s+)"
)
_BARE_WHEN = r"(?:when(?:ever)?|after|before)"
_OCCASION = (
    r"(?:commit|push|pull|pr|merge|release|change|edit|save|request|task|session|deploy\w*|build)"
)
_WHEN = (
    rf"(?:{_BARE_WHEN}|if(?!\s*[/-]|\s+statements?\b)|while(?!\s+loops?\b)|during|upon|any\s*time"
    rf"|in\s+case|as\s+soon\s+as|(?:each|every)\s+time|on\s+(?:any|every|each)\s+{_OCCASION}"
    r"|at\s+(?:any\s+time|the\s+(?:start|end|beginning)))"
)
_FOR = r"(?:for(?!\s+loops?\b|-)|to(?!-))"
_FEW_WORDS = r"(?:\s+[\w/-]+){0,3}?"
_ITSELF = rf"(?:(?:it|this|these|them){_FEW_WORDS}|the{_FEW_WORDS}\s+{_SUBJECT})\s+"
_MIDDLE = rf"{_ADVERB}{{0,2}}(?:{_ITSELF})?{_ADVERB}{{0,2}}"

_PUBLISHED = (
    r"\b(?:(?:should\s+be\s+)?used?\s+(?:this\s+skill\s+)?(?:immediately\s+)?"
    rf"{_BARE_WHEN}|use\s+proactively|triggers?\s+(?:when|on)|auto[-\s]?loads?\s+(?:when|on))\b"
)
_IMPERATIVE = (
    rf"\b(?:use\s+{_MIDDLE}(?:{_WHEN}|{_FOR})"
    rf"|(?:invoke|activate|trigger|fire|consult|engage)\s+{_MIDDLE}(?:{_WHEN}|for|on)"
    rf"|(?:invoke|activate|run|apply|call|load)\s+(?:[^\s.!?;:,]+\s+){{1,5}}?{_BARE_WHEN}"
    rf"|(?:invoke|activate|run|apply|call|load|read|follow)\s+{_ITSELF}{_FOR}"
    rf"|(?:run|apply|call|load|read|follow|launch|execute|start|enable)\s+{_MIDDLE}{_WHEN}"
    rf"|(?:do|reach\s+for)\s+{_ITSELF}{_WHEN})\b"
)
_PASSIVE = (
    rf"\b(?:used\s+(?:proactively|{_ADVERB}?(?:{_WHEN}|for))"
    rf"|(?:invoked|activated|triggered|called|activates|triggers|fires|kicks\s+in)\s+{_ADVERB}?"
    rf"(?:{_WHEN}|for|by|on|with)"
    rf"|(?:loaded|applied|consulted|run|loads|runs|applies|invokes)\s+{_ADVERB}?{_WHEN}"
    rf"|auto-(?:activat|trigger|invok|load|run|appl)\w*\s+{_ADVERB}?(?:{_WHEN}|for|by|on))\b"
)
_USED_TO = r"\bused\s+to\b"
_LABEL = (
    r"\b(?:(?:(?:activation|common|key|main|example|other|user|skill|keywords?|and)\s+){0,2}triggers?"
    r"(?:[-\s]+(?:phrases?|words?|keywords?|terms?|conditions?|examples?|scenarios?))?"
    r"|activation(?:[-\s]+(?:phrases?|words?|keywords?|conditions?))?|use[-\s]cases?|when"
    r"|when\s+to\s+(?:use|invoke|apply|activate|call|load)(?:\s+(?:it|this)(?:\s+[\w-]+)?)?)"
    r"(?:\s+(?:include|are))?[*_]*\s*(?:[:：=]|[–—]|-\s)"
    r"|\btrigger[-\s]+(?:phrases?|words?|keywords?|terms?)\s+(?:include|are|such|like)\b"
)
_SAYS = (
    r"(?:asks?|wants?|needs?|says?|mentions?|requests?|types?|reports?|would\s+like"
    r"|(?:is|are)\s+asking)\b"
)
_REQUEST = (
    r"\b(?:when(?:ever)?|if)\s+(?:(?:the|a|an)\s+)?(?:users?|you|someone|anyone)\s+"
    rf"(?:\w+ly\s+)?{_SAYS}"
    r"|\bwhen(?:ever)?\s+(?:explicitly\s+)?(?:asked\s+(?:to|for|about)|invoked|requested)\b"
)
_SAID = r"\b(?:the\s+)?users?\s+(?:asks?|wants?|says?|mentions?|would\s+like)\b"
_QUALITY = (
    r"\b(?:(?:useful|helpful|handy|ideal|perfect|best|great|good|suitable|suited|recommended)\s+"
    rf"(?:used\s+)?{_ADVERB}?(?:{_WHEN}|for)"
    r"|(?:appropriate|required|needed|necessary|relevant|essential|intended|meant|designed|applies)\s+"
    rf"{_ADVERB}?{_WHEN})\b"
)
_FIRST_WORD = (
    rf"\A[\s\"'“(*]*(?:{_BARE_WHEN}|if)\s(?![^.!?\n]{{0,200}}?(?:\bnot|n't|\bnever)\s+"
    r"(?:use|invoke|trigger|load|apply|run|call|activate)\b)"
)
_FRONTED = (
    rf"\b(?:{_BARE_WHEN}|if|for|during|while)\s[^.!?\n]{{1,120}}?(?<!not\s)(?<!n't\s)(?<!never\s)"
    rf"\b(?:use|invoke|load|run|apply|activate|consult|call|follow)\s+(?:this\b|the\s+[\w-]+\s+{_SUBJECT}\b)"
)
_GUIDANCE = (
    r"\b(?:guidance|guidelines?|guide|best\s+practices|conventions|patterns|rules|advice|instructions"
    r"|checklist|playbook|reference|standards|helps?)\b[^.!?\n]{0,80}?"
    rf"\b(?:{_BARE_WHEN}|while)\s+\w+ing\b"
)
_ALL_REQUESTS = r"\bfor\s+(?:any|all|every|each)\s[^.!?\n]{1,120}?\brequests?\b"
_FOR_ONLY = r"\b(?:only\s+)?for\s[^.;:!?\n]{1,60}?\sonly\b"


class Form:
    """A pattern; what must stand right before it (anything if empty), and what negates it there."""

    def __init__(self, pattern: str, opening: str = "", negation: str = _NEGATED) -> None:
        self._sources = pattern, opening, negation

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it counts, in text in lower case."""
        found = self._pattern.search(text)
        while found and not self._counts(text, found.start()):
            found = self._pattern.search(text, found.start() + 1)
        return found

    def _counts(self, text: str, start: int) -> bool:
        reach = max(0, start - _REACH)
        if self._sources[1] and not self._opening.search(text, reach, start):
            return False
        before = text[reach:start]
        return not (
            any(hint in before for hint in _NOT_HINTS) and self._negation.search(text, reach, start)
        )

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._sources[0])

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        return re.compile(self._sources[1])

    @cached_property
    def _negation(self) -> re.Pattern[str]:
        return re.compile(self._sources[2])


FORMS = (
    Form(_PUBLISHED),
    Form(_IMPERATIVE, _OPENS_CLAUSE),
    Form(_PASSIVE, _AFTER_SUBJECT),
    Form(_USED_TO, _AFTER_MUST_BE),
    Form(_LABEL, _OPENS_SENTENCE),
    Form(_REQUEST, negation=_SENTENCE_NEGATED),
    Form(_SAID, _OPENS_SENTENCE),
    Form(_QUALITY, _AFTER_IS),
    Form(_FIRST_WORD),
    Form(_FRONTED, _OPENS_SENTENCE),
    Form(_GUIDANCE, negation=_SENTENCE_NEGATED),
    Form(_ALL_REQUESTS),
    Form(_FOR_ONLY, _OPENS_SENTENCE),
)
"""Tried in this order, each compiled when the ones before it found nothing."""
