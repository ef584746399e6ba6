"""Report on everything: score it, publish the report with its past, alert, and gate last."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from plugineval_action.action.alerts import carry_out, gate_of, plan_alert
from plugineval_action.action.baseline_commit import shorten
from plugineval_action.action.certificate_commit import certificates_at, certificates_of
from plugineval_action.action.ending import end_with
from plugineval_action.action.eval_files import given_results
from plugineval_action.action.outputs import NOTHING
from plugineval_action.action.report_commit import publish
from plugineval_action.action.report_place import Home, explained, home_of
from plugineval_action.action.report_pull import propose
from plugineval_action.action.report_told import Ending, tell_all
from plugineval_action.action.result_file import keep
from plugineval_action.action.run import BROKEN, GATE_FAILED, PASSED, RULESET, TITLE, Run, say, tell
from plugineval_action.certify.register import Listed
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.gh.errors import GitHubError
from plugineval_action.gh.outcome import Outcome, Published, Skipped, Unchanged
from plugineval_action.policy.model import Policy, read_policy
from plugineval_action.policy.report import BY_HAND, Legacy, decided, legacy_of, with_worked_off
from plugineval_action.render.report.files import files_of
from plugineval_action.render.report.model import Model, Site, model
from plugineval_action.render.words import counted
from plugineval_action.report.evals import with_results
from plugineval_action.report.gather import WHOLE, Moment, Part, Shard, gather_shard, joined
from plugineval_action.report.history import read_history
from plugineval_action.report.shard import merged, shard_file, write_shard
from plugineval_action.report.shard_folder import shards_in
from plugineval_action.report_values import MarketplaceReport, Scored
from plugineval_action.results import Failure

_MOST_REPORTS: Final = 10
"""Reports in a row that are looked past: more are there only if others commit to their folder."""

_ELSEWHERE: Final = "Nothing is published: this is a trial, as only runs for"

_BY_ITSELF: Final = "They are dropped together with this report, unless something was not scored."

_STEPS: Final = 10
"""How often progress is told."""


class Maker:
    """Makes the files of a report from a history; `model` is what the last ones were made from."""

    def __init__(self, report: MarketplaceReport, site: Site, certificates: Listed = ()) -> None:
        self._report, self._site, self._certificates = report, site, certificates
        self.model = model(report, read_history(""), site, certificates)

    def __call__(self, history: str) -> dict[str, str]:
        """Raises HistoryError if the history cannot be read: then nothing may be written."""
        self.model = model(self._report, read_history(history), self._site, self._certificates)
        return files_of(self.model)


def report_on_everything(run: Run) -> int:
    """Score a share, or publish the report on all; the exit code."""
    if run.settings.shard:
        return _score_share(run, Part(*run.settings.shard))
    default = run.github.branches.default()
    home = home_of(run.settings, default)
    subject = _subject(run, home)
    report = _report(run, subject)
    legacy = _legacy(run, subject, report)
    told = with_worked_off(report, legacy, BY_HAND if _is_apart(run) else _BY_ITSELF)
    maker = Maker(_with_evals(run, subject, told), home.site, _certificates(run, home, subject))
    if run.settings.ref not in ("", f"refs/heads/{default}"):
        return _end(run, maker, Skipped(f"{_ELSEWHERE} {default} are added to the report."))
    try:
        outcome = _publish(run, home, maker)
        if legacy is not None and not _is_apart(run):
            shorten(run.github, home.place.branch, legacy)
    except PluginEvalError as error:
        failure = explained(error, run.settings.publish)
        _end(run, maker, Skipped(str(failure)))
        tell("failure", [str(failure)])
        return BROKEN
    # Not without the history: what fell would seem to be mended.
    return _end(run, maker, outcome, *_alert(run, home, maker.model))


def _certificates(run: Run, home: Home, commit: str) -> Listed:
    """Those of the repository, and whether they hold for what lies at a commit."""
    try:
        return certificates_at(run.github, certificates_of(home.place), commit, datetime.now(UTC))
    except PluginEvalError as error:
        # A list that is broken costs its own marks, never the report.
        tell("warning", [str(error)])
        return ()


def _end(run: Run, maker: Maker, outcome: Outcome, alert: str = "", problem: str = "") -> int:
    """Tell what there is to tell, and gate."""
    gate = gate_of(maker.model, run.settings)
    tell_all(run, Ending(maker.model, gate, outcome, alert, problem))
    tell("failure", gate.reasons)
    return PASSED if gate.passed else GATE_FAILED


def _score_share(run: Run, part: Part) -> int:
    """Write one share of the scores for the job that joins them."""
    shard = _gather(run, run.plan.head, part)
    path = keep(run.temp, shard_file(shard), write_shard(shard))
    seen = run.settings.seen_later(path.relative_to(run.temp).as_posix())
    told = f"{counted(len(shard.scored), 'target')} of {shard.targets:,} scored."
    text = f"### {TITLE}: one share of the report\n\n{told}\n"
    values = {**NOTHING, "result-json": seen}
    end_with(run.settings.output, run.settings.step_summary, values, text)
    say(told)
    return PASSED


def _subject(run: Run, home: Home) -> str:
    """The commit to report on: not one that brought the last report, else each begot the next."""
    commit = run.plan.head
    if _is_apart(run) or not home.place.folder:
        return commit
    for _ in range(_MOST_REPORTS):
        before = run.github.branches.before(commit, home.place.folder)
        if before is None:
            break
        commit = before
    return commit


def _report(run: Run, subject: str) -> MarketplaceReport:
    folder = run.settings.shards
    if folder is None:
        report = joined([_gather(run, subject, WHOLE)])
    else:
        report = merged(shards_in(Path(run.settings.workspace) / folder))
        if report.identity not in (subject, run.plan.head):
            raise UsageError(
                f"The shards are of commit {report.identity[:10]}, and this run is for"
                f" {run.plan.head[:10]}.",
                "Score and join in jobs of one workflow run.",
            )
    if not report.plugins and not report.loose:
        raise UsageError(
            f"There are no plugins or skills at {run.plan.head[:10]}.",
            "Run it in a repository that holds some.",
        )
    return report


def _legacy(run: Run, subject: str, report: MarketplaceReport) -> Legacy | None:
    tree = run.github.tree(subject)
    return legacy_of(report, read_policy(tree) or Policy(), tree, datetime.now(UTC).date())


def _is_apart(run: Run) -> bool:
    """Whether the report lies on a branch that holds nothing else, the baseline neither."""
    return run.settings.publish == "branch"


def _with_evals(run: Run, subject: str, report: MarketplaceReport) -> MarketplaceReport:
    """The report with what this job's evals found; what cannot be used is told in it too."""
    globs = run.settings.evals
    if not globs:
        return report
    given = given_results(Path(run.settings.workspace), globs, run.github.tree(subject))
    replaced = with_results(report, given.told)
    problems = (*given.problems, *replaced.problems)
    tell("warning", problems)
    failures = tuple(Failure("evals", said, "") for said in problems)
    return replaced.report._replace(failures=(*replaced.report.failures, *failures))


def _gather(run: Run, commit: str, part: Part) -> Shard:
    moment = Moment(commit, run.github.branches.date(commit))
    tree = run.github.tree(commit)
    said = decided(read_policy(tree) or Policy(), tree, datetime.now(UTC).date())
    return gather_shard(tree, "", RULESET, moment, _progress, part, said)


def _progress(scored: Iterator[Scored], total: int) -> Iterator[Scored]:
    step = max(total // _STEPS, _STEPS)
    for number, each in enumerate(scored, 1):
        yield each
        if number % step == 0 or number == total:
            say(f"Scored {number:,} of {total:,}.")


def _publish(run: Run, home: Home, maker: Maker) -> Outcome:
    message = run.settings.commit_message
    if run.settings.publish == "pull-request":
        url = propose(run.github, home.place, maker, message)
        return Published(url) if url else Unchanged(home.url)
    changed = publish(run.github, home.place, maker, message)
    return Published(home.url) if changed else Unchanged(home.url)


def _alert(run: Run, home: Home, found: Model) -> tuple[str, str]:
    """The address of the issue and, if it could not be written, a sentence about that."""
    if not run.settings.alert_issue:
        return "", ""
    try:
        plan = plan_alert(run.github.issues.open(), found, run.settings, home.place)
        return carry_out(plan, run.github), ""
    except GitHubError as error:
        return "", f"The issue could not be written: {error}"
