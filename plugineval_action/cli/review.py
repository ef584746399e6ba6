"""`plugin-eval review`: what a change made better or worse."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from plugineval_action.cli.common import add_ruleset, new_parser, path
from plugineval_action.cli.deep import add_deep, deep_of, progress_bar, tell_spending
from plugineval_action.cli.policy import policy_of, today
from plugineval_action.cli.scanners import add_sarif_in, review_with_reports, runs_of
from plugineval_action.cli.stopping import Stop
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.git import merge_base, resolve
from plugineval_action.content.git_tree import GitTree
from plugineval_action.content.repository import repository_root
from plugineval_action.content.tree import normalise
from plugineval_action.errors import UsageError
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.fixing.review import with_mechanical
from plugineval_action.review.trees import Side, everything, review_trees
from plugineval_action.review_values import Review

_SHORT = 10


def parser() -> ArgumentParser:
    """The options of `review`."""
    options = new_parser(
        "review",
        "Show what a change made better or worse: every skill, agent and plugin it touched,\n"
        "scored before and after. Before is where the change branched off from --base.",
        "  plugin-eval review --base main\n"
        "  plugin-eval review --base HEAD --worktree\n"
        "  plugin-eval review --base v1.2 --head v1.3 plugins/my-plugin --output json",
    )
    options.add_argument(
        "paths", type=path, nargs="*", metavar="PATH", help="only what lies at or below these paths"
    )
    options.add_argument(
        "--base", required=True, metavar="REV", help="the revision to compare with"
    )
    head = options.add_mutually_exclusive_group()
    head.add_argument(
        "--head",
        default="HEAD",
        metavar="REV",
        help="the revision to review (default: %(default)s)",
    )
    head.add_argument(
        "--worktree", action="store_true", help="review the files as they are, committed or not"
    )
    add_ruleset(options)
    add_sarif_in(options)
    add_deep(options)
    options.add_argument(
        "--output", choices=("markdown", "json"), default="markdown", help="(default: %(default)s)"
    )
    return options


def run(args: Namespace) -> int:
    """Score both sides and print the comment."""
    repository = repository_root(Path.cwd())
    if repository is None:
        raise _no_repository(Path.cwd())
    stop = Stop()
    review = _review(repository, args, stop)
    if args.output == "json":
        from plugineval_action.render.review.to_json import render

        sys.stdout.write(render(review))
    else:
        from plugineval_action.render.review.comment import render_comment

        sys.stdout.write(render_comment(review))
    sys.stdout.flush()
    stop.finish()
    return 0


def _review(repository: Path, args: Namespace, stop: Stop) -> Review:
    head = "HEAD" if args.worktree else args.head
    resolve(repository, head)  # first, as without any commit the base is not what is wrong
    base = merge_base(repository, args.base, head) or resolve(repository, args.base)
    folders = {given: _inside(repository, given) for given in args.paths}
    with GitTree.open(repository, base) as before:
        base_side = Side(before, before.identity[:_SHORT])
        if args.worktree:
            head_side = Side(DirectoryTree(repository), "working tree")
            return _review_sides(repository, base_side, head_side, args, folders, stop)
        with GitTree.open(repository, head) as after:
            head_side = Side(after, after.identity[:_SHORT])
            return _review_sides(repository, base_side, head_side, args, folders, stop)


def _review_sides(  # noqa: PLR0913, PLR0917 - one call, and each says something of its own
    repository: Path,
    base: Side,
    head: Side,
    args: Namespace,
    folders: dict[str, str],
    stop: Stop,
) -> Review:
    """Review what lies in folders, by the names they were given on the command line."""
    for given, path_inside in folders.items():
        if not (base.tree.exists(path_inside) or head.tree.exists(path_inside)):
            raise UsageError(
                f"There is no {given!r}, neither in {base.label} nor in {head.label}.",
                "Name a file or folder of the repository.",
            )
    policy, runs = policy_of(base.tree), runs_of(args)
    profile = policy.profile if policy else DEFAULT_PROFILE
    review = review_trees(base, head, args.ruleset, _below(list(folders.values())), profile)
    review = _deepened(review, base, head, args, profile, stop)
    if policy:
        from plugineval_action.policy.apply import hold_review

        review = hold_review(review, policy, base.tree, head.tree, today())
    review = with_mechanical(review, base.tree, head.tree)
    return review_with_reports(review, runs, base.tree, head.tree, repository)


def _deepened(  # noqa: PLR0913, PLR0917 - one call, and each says something of its own
    review: Review, base: Side, head: Side, args: Namespace, profile: ProfileName, stop: Stop
) -> Review:
    """The review with what models say, if they are to be asked."""
    deep = deep_of(args, stop)
    if deep is None:
        return review
    from plugineval_action.review.deeper import deepen_review

    with stop.listening(), progress_bar() as progress:
        deeper = deepen_review(review, base.tree, head.tree, deep, progress, profile)
    sides = (side for change in deeper.changes for side in (change.before, change.after))
    tell_spending(sides, args)
    return deeper


def _no_repository(here: Path) -> UsageError:
    if (here / "HEAD").is_file() and (here / "objects").is_dir() and (here / "refs").is_dir():
        return UsageError(
            "This is a bare repository, without files to review.",
            "Clone it (git clone), and run the review in the clone.",
        )
    return UsageError("This folder is in no git repository.", "Run the review inside one.")


def _below(folders: list[str]) -> Callable[[str], bool]:
    """Whether a path lies at or below one of the folders; without any, every path does."""
    if not folders or "" in folders:
        return everything
    return lambda path: any(f"{path}/".startswith(f"{folder}/") for folder in folders)


def _inside(repository: Path, path: str) -> str:
    """A path of the command line as a path in the repository; it may exist on one side only."""
    absolute = (Path.cwd() / path).resolve()
    if not absolute.is_relative_to(repository.resolve()):
        raise UsageError(
            f"{path!r} lies outside the repository.", f"Name a path below {repository}."
        )
    return normalise(absolute.relative_to(repository.resolve()).as_posix()) or ""
