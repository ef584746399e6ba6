"""What the commands share about the policy file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from plugineval_action.cli.common import tell
from plugineval_action.content.tree import Tree
from plugineval_action.findings.profiles import EVERY_PROFILE
from plugineval_action.results import Failure, Finding, Result

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from plugineval_action.policy.apply import Judge
    from plugineval_action.policy.model import Policy

POLICY_FILE = ".plugin-eval.yml"
_MISNAMED = ".plugin-eval.yaml"


def add_profile(parser: ArgumentParser) -> None:
    """The option that says who will load the skills."""
    parser.add_argument(
        "--profile",
        choices=EVERY_PROFILE,
        help=f"who will load the skills (default: what {POLICY_FILE} says, else claude-code)",
    )


def policy_of(tree: Tree) -> Policy | None:
    """The policy at the root of a tree; reading it loads pydantic, so only if there is one."""
    if tree.kind(POLICY_FILE) is None:
        if tree.is_file(_MISNAMED):
            tell([f"{_MISNAMED} is not read; a policy is called {POLICY_FILE}."])
        return None
    from plugineval_action.policy.model import read_policy

    return read_policy(tree)


class Holder:
    """Holds what is found in a tree to its policy, if there is one."""

    def __init__(self, policy: Policy | None, tree: Tree) -> None:
        self._policy = policy
        self._judge = _judge(policy, tree) if policy else None

    def results(self, scored: Iterable[Result | Failure]) -> Iterable[Result | Failure]:
        """Results under the policy."""
        judge = self._judge
        if judge is None:
            return scored
        return (judge.result(one) if isinstance(one, Result) else one for one in scored)

    def beside(self, notes: Iterable[Finding]) -> tuple[Finding, ...]:
        """What is found beside results under the policy, and what is to be said of the policy."""
        if self._judge is None or self._policy is None:
            return tuple(notes)
        from plugineval_action.policy.expired import expired

        return self._judge.findings((*expired(self._policy, today()), *notes))


def _judge(policy: Policy, tree: Tree) -> Judge:
    from plugineval_action.policy.apply import Judge
    from plugineval_action.policy.baseline import read_baseline

    if policy.baseline and tree.kind(policy.baseline) is None:
        tell([f"{policy.baseline} is not there yet; plugin-eval baseline write . makes it."])
    known = read_baseline(tree, policy.baseline) if policy.baseline else Counter[str]()
    return Judge(policy, tree, today(), known)


def today() -> date:
    """The day in UTC, by which waivers expire."""
    return datetime.now(UTC).date()
