"""IN010: another skill's text under a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.market.example import skills
from plugineval_action.findings.shelf import Shelf, Shelved
from plugineval_action.findings.sketch import FEWEST, contained

COPIED: Final = 0.8
"""Share of a text from which on it is called a copy."""

TEMPLATE: Final = 5
"""Skills that have to share a run of words for it to be a template, a licence or a house style."""

_MOST_OTHERS: Final = 8


def find(subject: Shelf) -> Iterator[Hit]:
    """Each skill most of whose text is another's; of two alike, the one with less of its own."""
    long = [one for one in subject.skills if len(one.sketch) >= FEWEST]
    for one, other, share in _copies(long):
        name, place = shown(other.listing.name, 64), shown(other.listing.path)
        yield Hit(1, f"About {share:.0%} of the text is that of {name} in {place}.", one.file)


def _copies(long: Sequence[Shelved]) -> Iterator[tuple[Shelved, Shelved, float]]:
    first, more = _index(long)
    for at, one in enumerate(long):
        others = Counter(
            place for run in one.sketch for place in more.get(run, (first[run],)) if place != at
        )
        likely = [place for place, _ in others.most_common(_MOST_OTHERS)]
        shares = [(contained(one.sketch, long[place].sketch), -place) for place in likely]
        share, place = max(shares, default=(0.0, 0))
        other = long[-place]
        if share >= COPIED and _is_copy(one, other, share) and _differ(one, other):
            yield one, other, share


def _index(long: Sequence[Shelved]) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """Where each run stands first, and all places of those that stand in several texts.

    Most stand in one text only, and need no tuple. Templates keep their first places: whoever
    copies a whole text shares other runs as well.
    """
    first: dict[int, int] = {}
    more: dict[int, tuple[int, ...]] = {}
    for at, one in enumerate(long):
        for run in one.sketch:
            known = more.get(run) or ((first[run],) if run in first else ())
            if not known:
                first[run] = at
            elif len(known) < TEMPLATE:
                more[run] = (*known, at)
    return first, more


def _is_copy(one: Shelved, other: Shelved, share: float) -> bool:
    """Of two that hold each other's text the copy is the one with less of its own, or the later."""
    back = contained(other.sketch, one.sketch)
    if back < COPIED:
        return True
    return (share, one.listing.path) > (back, other.listing.path)


def _differ(one: Shelved, other: Shelved) -> bool:
    """Whether they go by different names; the same skill may well be in two plugins."""
    return one.listing.name != other.listing.name


_BODY = "\n\n" + "".join(
    f"## Part {number}\n\nRun `git log v{number}.0` and keep what {who} {does}; {then} goes to "
    f"page {number * 7 % 19} with its number, {who} first, and {never} is left out.\n\n"
    for number, (who, does, then, never) in enumerate(
        (
            ("users", "notice at once", "the headline", "a refactoring"),
            ("operators", "must change before upgrading", "each new setting", "a test"),
            ("authors", "asked for by name", "their credit", "a typo"),
            ("packagers", "have to build again", "the list of licences", "a comment"),
            ("translators", "find untranslated", "every new string", "a log line"),
            ("auditors", "will want evidence of", "the signed record", "an experiment"),
            ("writers", "should describe in the manual", "the screenshot", "a draft"),
            ("support", "gets calls about", "the known problem", "a duplicate"),
            ("sellers", "may promise to customers", "the price list", "a plan"),
            ("testers", "were able to repeat", "the report of each run", "a flaky case"),
        ),
        start=1,
    )
)

CHECK = Check(
    code="IN010",
    id="COPIED_TEXT",
    family="integrity",
    level="warning",
    title="Text is that of another skill",
    why="A copy under another name adds nothing, and takes prompts from the skill it was made of.",
    source="https://nlp.stanford.edu/IR-book/html/htmledition/near-duplicates-and-shingling-1.html",
    remedy="Write what only this skill does, or remove it; let both link to one reference.",
    bad=skills(("notes", "Writes release notes."), ("summary", "Sums up a sprint."),
               bodies=(_BODY, _BODY)),
    good=skills(("notes", "Writes release notes."), ("summary", "Sums up a sprint."),
                bodies=(_BODY, "\nTake the board, and say what is done.\n")),
    find=find,
    withholds=True,
)  # fmt: skip
