"""A report under a policy: profile, levels and waivers count there too.

The baseline does not: a report fails no run for a finding, and is where old ones are worked off. So
it also says which of its entries are, and can be dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final, NamedTuple

from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree
from plugineval_action.findings.run import asides
from plugineval_action.policy.apply import Judge
from plugineval_action.policy.baseline import count, ratcheted, read_baseline
from plugineval_action.policy.expired import expired
from plugineval_action.policy.model import Policy
from plugineval_action.report.gather import Decided
from plugineval_action.report_values import MarketplaceReport
from plugineval_action.results import Failure, Finding, Result, findings_of

BY_HAND: Final = "plugin-eval baseline write . drops them."


def decided(policy: Policy, tree: Tree, today: date) -> Decided:
    """What the repository has decided, as a report asks for it."""
    judge = Judge(policy, tree, today, Counter())

    def beside(found: Iterable[Finding]) -> tuple[Finding, ...]:
        return judge.findings((*expired(policy, today), *found))

    return Decided(policy.profile, judge.result, beside)


class Legacy(NamedTuple):
    """The baseline beside a report: its path, what it holds, and what of that is still found.

    `complete` says whether everything could be scored: what was not may still hold findings.
    """

    path: str
    known: Counter[str]
    left: Counter[str]
    complete: bool

    @property
    def worked_off(self) -> int:
        """Entries that are found no more."""
        return self.known.total() - self.left.total()


def legacy_of(report: MarketplaceReport, policy: Policy, tree: Tree, today: date) -> Legacy | None:
    """What became of the baseline, None without one.

    `report` is one of the whole tree, under the policy.
    """
    if policy.baseline is None:
        return None
    known = read_baseline(tree, policy.baseline)
    scored = [one.result for one in (*report.plugins, *report.loose)]
    # What stands beside the plugins is in the report as sentences only.
    beside = Judge(policy, tree, today, Counter()).findings(
        asides(tree, discover(tree), policy.profile)
    )
    inside = (note for result in scored for note in findings_of(result))
    left = ratcheted(known, count(tree, (*inside, *beside)))
    return Legacy(policy.baseline, known, left, all(map(_is_complete, scored)))


def _is_complete(result: Result) -> bool:
    return result.composite is not None and all(map(_is_complete, result.members))


def with_worked_off(
    report: MarketplaceReport, legacy: Legacy | None, remedy: str
) -> MarketplaceReport:
    """The report, saying how many entries of the baseline are found no more, and what of it."""
    if legacy is None or not legacy.worked_off:
        return report
    said = f"{legacy.worked_off:,} of {legacy.known.total():,} in the baseline are found no more."
    failure = Failure(legacy.path, said, remedy)
    return report._replace(failures=(*report.failures, failure))
