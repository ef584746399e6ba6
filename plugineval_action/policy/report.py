"""A report under a policy: profile, levels and waivers count there too.

The baseline does not: a report fails no run for a finding, and is where old ones are worked off. So
it also says which of its entries are, and can be dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree
from plugineval_action.findings.run import asides
from plugineval_action.policy.apply import Judge
from plugineval_action.policy.baseline import count, ratcheted, read_baseline
from plugineval_action.policy.expired import expired
from plugineval_action.policy.model import Policy
from plugineval_action.report.gather import Decided
from plugineval_action.report_values import MarketplaceReport
from plugineval_action.results import Failure, Finding, findings_of


def decided(policy: Policy, tree: Tree, today: date) -> Decided:
    """What the repository has decided, as a report asks for it."""
    judge = Judge(policy, tree, today, Counter())

    def beside(found: Iterable[Finding]) -> tuple[Finding, ...]:
        return judge.findings((*expired(policy, today), *found))

    return Decided(policy.profile, judge.result, beside)


def with_worked_off(
    report: MarketplaceReport, policy: Policy, tree: Tree, today: date
) -> MarketplaceReport:
    """The report, saying how many entries of the baseline are found no more.

    `report` is one of the whole tree, under the policy.
    """
    if policy.baseline is None:
        return report
    known = read_baseline(tree, policy.baseline)
    scored = (one.result for one in (*report.plugins, *report.loose))
    # What stands beside the plugins is in the report as sentences only.
    beside = Judge(policy, tree, today, Counter()).findings(
        asides(tree, discover(tree), policy.profile)
    )
    inside = (note for result in scored for note in findings_of(result))
    found = count(tree, (*inside, *beside))
    over = known.total() - ratcheted(known, found).total()
    if not over:
        return report
    said = f"{over:,} of {known.total():,} in the baseline are found no more."
    failure = Failure(policy.baseline, said, "plugin-eval baseline write . drops them.")
    return report._replace(failures=(*report.failures, failure))
