"""What certifying will cost, told before it is spent: what to expect, and the most there can be.

What to expect hangs on how much a model says. Where no answer of it has been seen, the first few
questions of the run are asked and the cost is told again; the answers are kept, so nothing is paid
for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

from plugineval_action.certify.games import PURPOSE
from plugineval_action.certify.ground import Ground, Subject
from plugineval_action.certify.run import NO_PILOT, Known, Piloted, pilot, rehearse
from plugineval_action.deepen import Deep
from plugineval_action.errors import UsageError
from plugineval_action.llm.estimate import Planned
from plugineval_action.llm.usual import Usual, together


class Announced(NamedTuple):
    """Calls, games among them, and dollars; None where a model has no known price.

    `usd` is what to expect, `most_usd` what every answer at its full length would cost, each once.
    `seen` says whether answers of each kind were seen before, or only a table of lengths is there.
    """

    calls: int
    games: int
    usd: float | None
    most_usd: float | None
    seen: bool

    def words(self, cap: float | None) -> str:
        """What people are told; `cap` in dollars, None for none."""
        if not self.calls:
            return "Every answer is kept already: nothing is sent, and nothing is paid."
        counted = f"{self.calls} calls, {self.games} games among them"
        if self.usd is None or self.most_usd is None:
            return f"{counted}: a model has no known price, so the cost is unknown."
        basis = "the length of earlier answers" if self.seen else "a table of usual lengths"
        told = f"{counted}: expected ${self.usd:.2f}, at most ${self.most_usd:.2f}, by {basis}."
        if cap is None or self.most_usd <= cap:
            return told
        return (
            f"{counted}: expected ${self.usd:.2f}, by {basis}. It stops before it costs more than "
            f"${cap:g}; without this cap it could cost up to ${self.most_usd:.2f}."
        )


class Begun(NamedTuple):
    """The cost as it was told last, what is left to ask with, and what was asked already."""

    announced: Announced
    deep: Deep
    piloted: Piloted


def announced(plan: Sequence[Planned], usual: Usual, spent: float | None = 0.0) -> Announced:
    """A plan in sum, with what was spent before it."""
    return Announced(
        calls=sum(row.calls for row in plan),
        games=sum(row.calls for row in plan if row.purpose == PURPOSE) // 2,
        usd=_sum([spent, *(row.usd for row in plan)]),
        most_usd=_sum([spent, *(row.most_usd for row in plan)]),
        seen=all((row.purpose, row.model) in usual for row in plan),
    )


def begin(
    subjects: Sequence[Subject],
    ground: Ground,
    deep: Deep,
    known: Known,
    tell: Callable[[str], None],
) -> Begun:
    """Tell the cost, and once more after the first questions if it hangs on a table.

    Raises UsageError if the cap does not allow it, or for a skill that no other could meet.
    """
    cap = deep.connection.max_usd
    first = announced(rehearse(subjects, ground, deep.settings, known), known.usual)
    tell(first.words(cap))
    refuse_over(first, cap)
    # Answers of a batch that is taken up again are there already, whatever they cost.
    told_already = first.seen or deep.connection.resume
    if told_already or known.store is None or not deep.connection.store_writable:
        return Begun(first, deep, NO_PILOT)
    own = rehearse(subjects[:1], ground, deep.settings, known)
    piloted = pilot(subjects[0], ground, deep, known.store, own)
    spent = _sum([one.usd for one in piloted.usage])
    lost = fsum(one.lost_usd for one in piloted.usage)
    usual = together(known.usual, piloted.usual)
    plan = rehearse(subjects, ground, deep.settings, known._replace(usual=usual, warm=piloted.warm))
    second = announced(plan, usual, spent)._replace(calls=first.calls, games=first.games)
    tell(f"After {sum(one.calls for one in piloted.usage)} first answers: {second.words(cap)}")
    refuse_over(second, cap)
    left = None if cap is None else max(0.0, cap - (spent or 0.0) - lost)
    connection = deep.connection._replace(max_usd=left)
    return Begun(second, deep._replace(connection=connection), piloted)


def refuse_over(told: Announced, cap: float | None) -> None:
    """Raises UsageError if more is to be expected than the cap allows."""
    if told.usd is not None and cap is not None and told.usd > cap:
        raise UsageError(
            f"${told.usd:.2f} is more than the cap of ${cap:g}, and half a certificate is none.",
            "Raise the cap (max-usd), name fewer skills, or let each meet fewer opponents.",
        )


def _sum(dollars: Sequence[float | None]) -> float | None:
    known = [one for one in dollars if one is not None]
    return fsum(known) if len(known) == len(dollars) else None
