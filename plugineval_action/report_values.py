"""What a report is made of, as gathering, shards and renderings speak of it."""

from __future__ import annotations

from typing import NamedTuple

from plugineval_action.evaluation_values import Evaluation
from plugineval_action.results import Failure, Improvement, Result


class Entry(NamedTuple):
    """A plugin that a marketplace lists, and what it gives as the place to find it."""

    name: str
    source: str


class Listing(NamedTuple):
    """A skill as a harness lists it: by `text`, its description and when_to_use.

    `hidden` skills are run by name only, so nothing lists them. `plugin` is the plugin's name, ""
    outside any.
    """

    name: str
    plugin: str
    path: str
    text: str
    hidden: bool


class EvalRuns(NamedTuple):
    """Evals of a skill (its path) with one harness: of each case the runs passed and graded.

    `evaluations` are those of answers, which only results of the same job tell.
    """

    skill: str
    harness: str
    cases: tuple[tuple[int, int], ...]
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def passed(self) -> int:
        """Runs that passed, over all cases."""
        return sum(passed for passed, _ in self.cases)

    @property
    def graded(self) -> int:
        """Runs that were graded, over all cases."""
        return sum(graded for _, graded in self.cases)


class Scored(NamedTuple):
    """One scored plugin, or a skill or agent outside of plugins, with what a report adds to it.

    `digest` stands for the bytes it is made of ("" if they cannot be read), `fixes` are what would
    raise its skills, each with the path of the skill, `listings` its skills in the harness,
    `evals` how the evals of its skills stand, if it has any.
    """

    result: Result
    digest: str = ""
    fixes: tuple[tuple[str, Improvement], ...] = ()
    listings: tuple[Listing, ...] = ()
    evals: tuple[EvalRuns, ...] = ()


class MarketplaceReport(NamedTuple):
    """Everything a report is made of.

    `identity` says which files were scored (a commit, or a directory's name) and `date` when
    (`2026-01-31`). `loose` are skills and agents outside of plugins; `external` entries lie in
    other places and are not scored, `missing` ones are listed and not there; `unlisted` are paths
    of plugins that are there and not listed. A plugin or skill that could not be scored at all is a
    result without a score; `failures` are what stands beside those.
    """

    name: str
    identity: str
    ruleset: str
    date: str
    plugins: tuple[Scored, ...]
    loose: tuple[Scored, ...] = ()
    failures: tuple[Failure, ...] = ()
    external: tuple[Entry, ...] = ()
    missing: tuple[Entry, ...] = ()
    unlisted: tuple[str, ...] = ()
