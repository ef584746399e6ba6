"""Measure how far real skills are from the thresholds of the signs that withhold badges.

validity.py prints the table.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plugineval_action.content.directory_tree import DirectoryTree  # noqa: E402
from plugineval_action.content.discovery import discover  # noqa: E402
from plugineval_action.content.document import read_document  # noqa: E402
from plugineval_action.content.skill import read_skill  # noqa: E402
from plugineval_action.findings.integrity import (  # noqa: E402
    empty_examples,
    hidden_text,
    nothing_to_do,
    one_mould,
    repeated_text,
    sentences,
    word_salad,
)
from plugineval_action.findings.integrity.prose import prose  # noqa: E402
from plugineval_action.findings.profiles import DEFAULT_PROFILE, PROFILES  # noqa: E402
from plugineval_action.findings.subject import Skill  # noqa: E402


class Sign(NamedTuple):
    """A measure of a sign; `measure` is None for a skill that is too short or no English.

    `side`: whether the badge goes from the threshold upwards, or below it. Gates that only save
    time are left out, so that the distance is that of the measure itself.
    """

    rule: str
    what: str
    threshold: float
    side: Literal["from", "below"]
    measure: Callable[[Skill], float | None]


def _share(found: tuple[int, int], least: int) -> float | None:
    count, total = found
    return count / total if total >= least else None


def _repeated(subject: Skill) -> float | None:
    words = prose(subject).words
    return repeated_text.repeated_share(words) if len(words) >= repeated_text.LEAST_WORDS else None


def _richness(subject: Skill) -> float | None:
    different, total = repeated_text.different_words(prose(subject).words)
    return different / math.sqrt(total) if total >= repeated_text.LEAST_PLAIN_WORDS else None


def _same(subject: Skill) -> float | None:
    return _share(repeated_text.same_sections(subject), repeated_text.LEAST_SECTIONS)


def _echo(subject: Skill) -> float | None:
    return _share(repeated_text.echoing_sentences(subject), repeated_text.LEAST_SENTENCES)


def _stray(subject: Skill) -> float | None:
    return _share(word_salad.stray_articles(prose(subject).words), word_salad.LEAST_ARTICLES)


def _known(subject: Skill) -> float | None:
    return _share(word_salad.known_words(prose(subject).words), word_salad.LEAST_JUDGED)


def _blank(subject: Skill) -> float | None:
    text = prose(subject).text
    return hidden_text.blanks(text) / len(text) if text else None


def _idle(subject: Skill) -> float | None:
    total = empty_examples.length(subject.blocks)
    idle = [block for block in subject.blocks if empty_examples.is_idle(block)]
    return empty_examples.length(idle) / total if total >= empty_examples.LEAST_CODE else None


def _telling(subject: Skill) -> float | None:
    found = sentences.said(subject)
    full = [one for one in found if sentences.is_full(one)]
    if not nothing_to_do.is_judged(full):
        return None
    return nothing_to_do.telling_share(found, full, nothing_to_do.name_stems(subject))


def _frames(subject: Skill) -> float | None:
    return _share(one_mould.shared_frames(prose(subject).text), one_mould.LEAST_SENTENCES)


SIGNS = (
    Sign("IN001", "runs of five words that stand again elsewhere",
         repeated_text.MOST_REPEATED, "from", _repeated),
    Sign("IN001", "different words by the root of all",
         repeated_text.LEAST_RICHNESS, "below", _richness),
    Sign("IN001", "sections that repeat another one", repeated_text.MOST_SAME, "from", _same),
    Sign("IN001", "sentences made of the description's words",
         repeated_text.MOST_ECHO, "from", _echo),
    Sign("IN003", "articles before a word that no article stands before",
         word_salad.MOST_STRAY, "from", _stray),
    Sign("IN003", "words near common English ones", word_salad.LEAST_KNOWN, "below", _known),
    Sign("IN006", "characters that show nothing", hidden_text.LEAST_BLANK_SHARE, "from", _blank),
    Sign("IN008", "code that does nothing", empty_examples.MOST_IDLE, "from", _idle),
    Sign("IN011", "sentences that tell something", nothing_to_do.LEAST_TELLING, "below", _telling),
    Sign("IN012", "sentences that share their frame", one_mould.MOST_ALIKE, "from", _frames),
)  # fmt: skip


def rows(corpus: Path) -> Iterator[tuple[object, ...]]:
    """Of each measure: rule, what, from where the badge goes, nearest value, median, skills."""
    subjects = list(skills(corpus))
    for sign in SIGNS:
        found = sorted(
            (value for one in subjects if (value := sign.measure(one)) is not None),
            reverse=sign.side == "from",
        )
        gone = f"{sign.side} {sign.threshold:.2f}"
        middle = found[len(found) // 2]
        yield sign.rule, sign.what, gone, f"{found[0]:.2f}", f"{middle:.2f}", len(found)


def skills(corpus: Path) -> Iterator[Skill]:
    """Every skill of every marketplace."""
    for folder in sorted((corpus / "marketplaces").iterdir()):
        tree = DirectoryTree(folder)
        for unit in discover(tree).skills:
            yield Skill(read_document(read_skill(tree, unit.path)), PROFILES[DEFAULT_PROFILE])
