"""`--sarif-in`: what the commands share about the results of scanners."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval_action.cli.common import path, tell
from plugineval_action.content.tree import Tree
from plugineval_action.results import Failure, Result
from plugineval_action.review_values import Review

if TYPE_CHECKING:
    from plugineval_action.scanners.log import Run


def add_sarif_in(options: ArgumentParser) -> None:
    """The option that names a scanner's file; it may be given more than once."""
    options.add_argument(
        "--sarif-in",
        type=path,
        action="append",
        metavar="FILE",
        help="tell what another tool found in the same files, as it wrote it in SARIF (repeatable)",
    )


def runs_of(args: Namespace) -> tuple[Run, ...]:
    """What the files hold; reading one loads pydantic, so only if there is one."""
    if not args.sarif_in:
        return ()
    from plugineval_action.scanners.read import read_logs

    return read_logs((name, Path(name)) for name in dict.fromkeys(args.sarif_in))


def with_reports(
    scored: Iterable[Result | Failure], runs: tuple[Run, ...], tree: Tree
) -> Iterable[Result | Failure]:
    """Results of a tree with what scanners found in their files."""
    if not runs:
        return scored
    from plugineval_action.scanners.attach import attach
    from plugineval_action.scanners.read import reports_of

    found, elsewhere = reports_of(runs, tree, [tree.identity])
    tell(filter(None, [elsewhere]))
    return (attach(one, found) if isinstance(one, Result) else one for one in scored)


def review_with_reports(
    review: Review, runs: tuple[Run, ...], base: Tree, head: Tree, root: Path
) -> Review:
    """A review with what scanners found in the files that it is about."""
    if not runs:
        return review
    from plugineval_action.scanners.attach import attach_to_review, in_review
    from plugineval_action.scanners.read import reports_of

    roots = [str(root.resolve())]
    found, elsewhere = reports_of(runs, head, roots, in_review(review))
    tell(filter(None, [elsewhere]))
    return attach_to_review(review, found, base, head)
