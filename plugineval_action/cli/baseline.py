"""`plugin-eval baseline`: findings that were there before, so that only new ones are told."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from plugineval_action.cli.common import new_parser, path
from plugineval_action.cli.place import locate
from plugineval_action.cli.policy import policy_of, today
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.errors import UsageError
from plugineval_action.policy.apply import holder
from plugineval_action.policy.baseline import count, ratcheted, read_baseline, render
from plugineval_action.policy.model import POLICY_FILE, Policy
from plugineval_action.render.words import counted
from plugineval_action.results import Finding, Result, findings_of
from plugineval_action.rulesets import DEFAULT
from plugineval_action.survey import PROCESSES, loose_targets, plugin_targets, score_directory


def parser() -> ArgumentParser:
    """The options of `baseline`."""
    options = new_parser(
        "baseline",
        f"Write the baseline that {POLICY_FILE} names: the findings that there are now.\n"
        "A baseline that is there already only gets shorter; delete it to begin anew.",
        "  plugin-eval baseline write .",
    )
    options.add_argument("action", choices=("write",), help="what to do")
    options.add_argument("path", type=path, metavar="PATH", help="a folder of the repository")
    return options


def run(args: Namespace) -> int:
    """Score everything, and write what is found."""
    tree = locate(args.path).tree
    policy = policy_of(tree)
    if policy is None or policy.baseline is None:
        raise UsageError(
            f"{POLICY_FILE} names no baseline.",
            f"Add to {POLICY_FILE}: baseline: .plugin-eval-baseline.json",
        )
    target = tree.root / policy.baseline
    if not target.resolve().is_relative_to(tree.root) or target.is_symlink():
        raise UsageError(f"{policy.baseline} lies outside the repository.", "Name a file inside.")
    old = read_baseline(tree, policy.baseline) if tree.is_file(policy.baseline) else None
    baseline = ratcheted(old, count(tree, _findings(tree, policy)))
    target.write_text(render(baseline), encoding="utf-8")
    gone = f", {old.total() - baseline.total()} fewer than before" if old is not None else ""
    sys.stdout.write(f"{policy.baseline}: {counted(baseline.total(), 'finding')}{gone}.\n")
    return 0


def _findings(tree: DirectoryTree, policy: Policy) -> Iterator[Finding]:
    """Every finding in the repository that the policy does not leave out by itself."""
    found = discover(tree)
    targets = plugin_targets(found) + loose_targets(found)
    hold = holder(policy, tree, today())
    for one in score_directory(tree, targets, DEFAULT, PROCESSES, policy.profile):
        if isinstance(one, Result):
            yield from findings_of(hold(one))
