"""What a repository keeps of a skill's evals, as its certificate repeats it.

Nothing is run here, and the skill's digest does not cover the file: its own digest stands beside
the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.evals.baseline import ANY, FILE, Stand
from plugineval_action.evals.beside import baseline_in, folder_around
from plugineval_action.evals.outcomes import Rate, rate

_MOST_RUNS: Final = 100_000
_MOST_HARNESSES: Final = 100
_NONE: Final = "The repository keeps no results of evals for it."


class HarnessEvals(NamedTuple):
    """How often runs with one harness passed; None is a harness that the file does not tell."""

    harness: str | None
    cases: int
    rate: Rate


class KeptEvals(NamedTuple):
    """`file` holds the results, `digest` is its SHA-256; `reason` says why there are none."""

    file: str = ""
    digest: str = ""
    results: tuple[HarnessEvals, ...] = ()
    reason: str = _NONE


def kept_evals(tree: Tree, path: str, name: str) -> KeptEvals:
    """What the nearest baseline keeps of the skill of a name in a folder."""
    folder = folder_around(tree, path, name)
    if folder is None:
        return KeptEvals()
    file = join(folder, FILE)
    try:
        baseline = baseline_in(tree, folder)
        results = _results(baseline.skills.get(name, {})) if baseline else ()
        return KeptEvals(file, tree.sha256(file), results, "") if results else KeptEvals()
    except PluginEvalError as error:
        return KeptEvals(reason=f"What the repository keeps cannot be read: {error.message}")


def _results(stands: Mapping[str, Stand]) -> tuple[HarnessEvals, ...]:
    """Those with a graded run, by harness. Raises UsageError for more runs than anybody makes."""
    if sum(one.graded for stand in stands.values() for one in stand.cases.values()) > _MOST_RUNS:
        raise UsageError(f"It tells of more than {_MOST_RUNS:,} runs.", "Write it anew.")
    found = (
        (harness, [one for one in stand.cases.values() if one.graded])
        for harness, stand in sorted(stands.items())[:_MOST_HARNESSES]
    )
    return tuple(
        HarnessEvals(
            None if harness == ANY else harness,
            len(cases),
            rate([[at < one.passed for at in range(one.graded)] for one in cases]),
        )
        for harness, cases in found
        if cases
    )
