"""A report under a policy: profile, levels and waivers count there too.

The baseline does not: a report fails no run for a finding, and is where old ones are worked off.
"""

from __future__ import annotations

from collections import Counter
from datetime import date

from plugineval_action.content.tree import Tree
from plugineval_action.policy.apply import Judge
from plugineval_action.policy.model import Policy
from plugineval_action.report.gather import Decided


def decided(policy: Policy, tree: Tree, today: date) -> Decided:
    """What the repository has decided, as a report asks for it."""
    judge = Judge(policy, tree, today, Counter())
    return Decided(policy.profile, judge.result, judge.findings)
