"""Paths of results from several trees, all from one folder: no two files then share a name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from plugineval_action.content.tree import join
from plugineval_action.results import Failure, Finding, Result


def prefixes(roots: Iterable[Path]) -> dict[Path, str]:
    """What stands before the paths of each tree: nothing if there is only one.

    Paths are counted from the working directory if it is around all trees, else from the innermost
    folder that is.
    """
    roots = [*dict.fromkeys(roots)]
    if len(roots) < 2:
        return dict.fromkeys(roots, "")
    around = Path(os.path.commonpath(roots))
    here = Path.cwd().resolve()
    base = here if around.is_relative_to(here) else around
    return {root: "" if root == base else root.relative_to(base).as_posix() for root in roots}


T = TypeVar("T", Result, Failure, Finding, Result | Failure)


def below(prefix: str, one: T) -> T:
    """A result, failure or finding with every path in it below a folder."""
    if not prefix:
        return one
    if isinstance(one, Result):
        return _below(prefix, one)
    return one._replace(path=join(prefix, one.path))


def _below(prefix: str, result: Result) -> Result:
    return result._replace(
        path=join(prefix, result.path),
        layers=tuple(
            layer._replace(
                anti_patterns=tuple(
                    flag._replace(path=join(prefix, flag.path)) for flag in layer.anti_patterns
                )
            )
            for layer in result.layers
        ),
        findings=tuple(
            finding._replace(path=join(prefix, finding.path)) for finding in result.findings
        ),
        members=tuple(_below(prefix, member) for member in result.members),
    )
