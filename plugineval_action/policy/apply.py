"""Hold results to a policy. Scores and badges are what they were: only findings change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date

from plugineval_action.content.globs import selector
from plugineval_action.content.tree import Tree
from plugineval_action.findings.catalogue import WITHHOLDING
from plugineval_action.policy.baseline import count, fingerprint, read_baseline
from plugineval_action.policy.expired import expired
from plugineval_action.policy.model import Policy
from plugineval_action.results import Finding, Result, findings_of
from plugineval_action.review_values import Review

Held = Callable[[Result], Result]


def holder(policy: Policy, tree: Tree, today: date, known: Counter[str] | None = None) -> Held:
    """What makes of a result the one that the policy leaves.

    `known` are fingerprints of the baseline and how often each may occur; whoever holds several
    results to it uses them up once, each finding being in one result.
    """
    return Judge(policy, tree, today, Counter(known or ())).result


class Judge:
    """Decides about one finding after the other; one that comes twice gets the same answer."""

    def __init__(self, policy: Policy, tree: Tree, today: date, known: Counter[str]) -> None:
        self.tree, self.today, self.known = tree, today, known
        self.levels = [(one, selector([one.path])) for one in policy.levels]
        self.waivers = [(one, selector([one.path])) for one in policy.waivers]
        self._answers: dict[Finding, Finding | None] = {}

    def result(self, result: Result, *, in_withheld: bool = False) -> Result:
        """The result, with what is to be told of it and of its members.

        `in_withheld`: the plugin around it has no badge because of what its skills show.
        """
        composite = result.composite
        withheld = in_withheld or (composite is not None and composite.badge == "withheld")
        tell = self.reasons_and_findings if withheld else self.findings
        members = (self.result(one, in_withheld=withheld) for one in result.members)
        return result._replace(findings=tell(result.findings), members=tuple(members))

    def reasons_and_findings(self, notes: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those that are to be told, and as notes the others that withhold the badge.

        A policy buys no badge, and a badge is never withheld without a reason.
        """
        told = ((note, self.finding(note)) for note in notes)
        return tuple(kept or _as_reason(note) for note, kept in told if kept or _withholds(note))

    def findings(self, notes: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those that are to be told, as they are to be told."""
        return tuple(kept for note in notes if (kept := self.finding(note)))

    def finding(self, note: Finding) -> Finding | None:
        """The finding as it is to be told; None if it is not."""
        if note not in self._answers:
            self._answers[note] = self._decide(note)
        return self._answers[note]

    def _decide(self, note: Finding) -> Finding | None:
        for level, fits in self.levels:
            if level.rule == note.rule and fits(note.path):
                if level.level == "off":
                    return None
                note = note._replace(level=level.level)
        note, waived = self._waived(note)
        return None if waived or self._is_known(note) else note

    def _waived(self, note: Finding) -> tuple[Finding, bool]:
        """Whether a waiver holds; one that has expired is said where it would have held."""
        for waiver, fits in self.waivers:
            if waiver.rule == note.rule and fits(note.path):
                if self.today <= waiver.expires:
                    return note, True
                said = f"The waiver of {waiver.owner} expired on {waiver.expires}."
                note = note._replace(message=f"{note.message} {said}")
        return note, False

    def _is_known(self, note: Finding) -> bool:
        if not self.known:
            return False
        key = fingerprint(self.tree, note)
        self.known[key] -= 1
        return self.known[key] >= 0


def _withholds(note: Finding) -> bool:
    return note.rule in WITHHOLDING


def _as_reason(note: Finding) -> Finding:
    said = "The policy passes over it, and the badge stays withheld."
    return note._replace(level="note", message=f"{note.message} {said}")


def hold_review(review: Review, policy: Policy, base: Tree, head: Tree, today: date) -> Review:
    """A review under the policy of its base: both sides are held to the same.

    Of the baseline only that counts which the base still has: what was mended once and comes back
    is new. What a change brings in beside the skills is new anyway. Expired waivers are told where
    everything is looked at: no change is to blame for the day.
    """
    known = read_baseline(base, policy.baseline) if policy.baseline else Counter[str]()
    left = known & _found_before(review, base) if review.base else known
    before, after = Judge(policy, base, today, Counter(known)), Judge(policy, head, today, left)
    changes = tuple(
        change._replace(
            before=before.result(change.before) if change.before else None,
            after=after.result(change.after) if change.after else None,
        )
        for change in review.changes
    )
    overdue = () if review.base else expired(policy, today)
    told = after.findings((*overdue, *review.findings))
    return review._replace(changes=changes, findings=told)


def _found_before(review: Review, base: Tree) -> Counter[str]:
    sides = (change.before for change in review.changes if change.before)
    return count(base, (note for side in sides for note in findings_of(side)))
