"""`plugin-eval baseline`: findings that were there before, so that only new ones are told."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator

from plugineval_action.cli.common import new_parser, path
from plugineval_action.cli.output import write_files
from plugineval_action.cli.place import locate
from plugineval_action.cli.policy import policy_of, today
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.text import read_text
from plugineval_action.errors import UsageError
from plugineval_action.findings.run import asides, check_shelf
from plugineval_action.policy.apply import Judge
from plugineval_action.policy.baseline import count, ratcheted, read_baseline, render
from plugineval_action.policy.model import BASELINE_FILE, POLICY_FILE, Policy, naming_baseline
from plugineval_action.render.words import counted
from plugineval_action.results import Finding, Result, findings_of
from plugineval_action.rulesets import DEFAULT
from plugineval_action.survey import (
    PROCESSES,
    loose_targets,
    plugin_targets,
    score_directory,
    with_beside,
)


def parser() -> ArgumentParser:
    """The options of `baseline`."""
    options = new_parser(
        "baseline",
        f"Write the baseline that {POLICY_FILE} names: the findings that there are now.\n"
        f"If it names none, {BASELINE_FILE} is written and named there.\n"
        "A baseline that is there already only gets shorter; delete it to begin anew.",
        "  plugin-eval baseline write .",
    )
    options.add_argument("action", choices=("write",), help="what to do")
    options.add_argument("path", type=path, metavar="PATH", help="a folder of the repository")
    return options


def run(args: Namespace) -> int:
    """Score everything, and write what is found."""
    tree = locate(args.path).tree
    policy = policy_of(tree) or Policy()
    named = policy.baseline or BASELINE_FILE
    files = {} if policy.baseline else {POLICY_FILE: naming_baseline(_policy_text(tree))}
    target = tree.root / named
    if not target.resolve().is_relative_to(tree.root) or target.is_symlink():
        raise UsageError(f"{named} lies outside the repository.", "Name a file inside.")
    old = read_baseline(tree, named) if tree.is_file(named) else None
    baseline = ratcheted(old, count(tree, _findings(tree, policy)))
    write_files(tree.root, {named: render(baseline), **files})
    gone = f", {old.total() - baseline.total()} fewer than before" if old is not None else ""
    sys.stdout.write(f"{named}: {counted(baseline.total(), 'finding')}{gone}.\n")
    if files:
        sys.stdout.write(f"{POLICY_FILE}: names it now. Commit both files.\n")
    return 0


def _policy_text(tree: DirectoryTree) -> str:
    return read_text(tree, POLICY_FILE).content if tree.is_file(POLICY_FILE) else ""


def _findings(tree: DirectoryTree, policy: Policy) -> Iterator[Finding]:
    """Every finding in the repository that the policy does not leave out by itself."""
    found, profile = discover(tree), policy.profile
    shelf = check_shelf(tree, found, profile)
    judge = Judge(policy, tree, today(), Counter())
    targets = plugin_targets(found) + loose_targets(found)
    for one in score_directory(tree, targets, DEFAULT, PROCESSES, profile):
        if isinstance(result := with_beside(one, shelf, DEFAULT), Result):
            yield from findings_of(judge.result(result))
    yield from judge.findings(asides(tree, found, profile))
