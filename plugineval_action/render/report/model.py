"""A report with its past: what all of its pages are made from. Pure over report and history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from plugineval_action.certify.register import Listed
from plugineval_action.render.links import NO_LINKS, Links
from plugineval_action.render.report.facts import rank_key
from plugineval_action.render.words import is_commit
from plugineval_action.report.comparison import FOUR_WEEKS, WEEK, Comparison, Shift, compared
from plugineval_action.report.health import Health, health
from plugineval_action.report.history import History, Record, with_run
from plugineval_action.report.records import records_of, subjects
from plugineval_action.report.runs import Run
from plugineval_action.report.timeline import Timeline, timeline, unchanged_since
from plugineval_action.report_values import MarketplaceReport, Scored
from plugineval_action.results import Result
from plugineval_action.scoring.points import points_of


class Site(NamedTuple):
    """Where readers find what a report speaks of; None where it is shown without a web view.

    `blobs` comes before a commit and a file (`https://github.com/o/r/blob`); `images` and `pages`
    before a file of the report, to be shown as it is or as a page.
    """

    blobs: str | None = None
    images: str | None = None
    pages: str | None = None

    def links(self, commit: str) -> Links:
        """Links to files as they are at a commit."""
        return Links(f"{self.blobs}/{commit}/") if self.blobs and is_commit(commit) else NO_LINKS


NO_SITE: Final = Site()


def page_path(slug: str) -> str:
    """The page about a plugin, from the front page."""
    return f"plugins/{slug}.md"


class Subject(NamedTuple):
    """A ranked plugin (or skill, where there are no plugins) and its past.

    `shift` compares it with last week, None without such a run, for a new one, or if nothing moved;
    `scores` are those of all comparable runs, the last one now; `since` is the run that first
    found the content as it is.
    """

    scored: Scored
    record: Record
    new: bool
    shift: Shift | None
    scores: tuple[float | None, ...]
    since: Run

    @property
    def result(self) -> Result:
        """The scores now."""
        return self.scored.result

    @property
    def page(self) -> str:
        """The page about it, from the front page."""
        return page_path(self.record.slug)


class Model(NamedTuple):
    """Everything a report says; `subjects` are ranked, those without a score last.

    `certificates` are those of the repository, and whether they hold at this commit.
    """

    report: MarketplaceReport
    history: History
    timeline: Timeline
    week: Comparison | None
    month: Comparison | None
    subjects: tuple[Subject, ...]
    health: Health
    site: Site
    certificates: Listed = ()

    @property
    def links(self) -> Links:
        """Links to what was scored."""
        return self.site.links(self.report.identity)


def model(
    report: MarketplaceReport, past: History, site: Site = NO_SITE, certificates: Listed = ()
) -> Model:
    """A report and what earlier runs found; this run joins the history."""
    records = records_of(report, past)
    history = with_run(past, records)
    runs = timeline(history, Run(report.identity, report.date, report.ruleset, records))
    week, month = compared(runs, WEEK), compared(runs, FOUR_WEEKS)
    pairs = zip(subjects(report), records, strict=True)
    found = sorted(_subjects(pairs, runs, week), key=lambda each: _order(each.result))
    ranked, seen = tuple(found), health(report)
    return Model(report, history, runs, week, month, ranked, seen, site, certificates)


def _subjects(
    pairs: Iterable[tuple[Scored, Record]], runs: Timeline, week: Comparison | None
) -> Iterator[Subject]:
    shifts = {shift.now.slug: shift for shift in week.shifts} if week else {}
    new = {each.slug for each in week.new} if week else set()
    for scored, record in pairs:
        slug = record.slug
        yield Subject(
            scored,
            record,
            slug in new,
            shifts.get(slug),
            tuple(runs.scores(slug)),
            unchanged_since(runs, slug),
        )


def _order(result: Result) -> tuple[bool, tuple[float, bool, float, str, str]]:
    return points_of(result) is None, rank_key(result)
