"""Certify skills of the default branch: tell the cost, ask, publish, and say who is certified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from plugineval_action.action.certificate_commit import (
    FOLDER,
    Digest,
    New,
    certificates_of,
    commit_certificates,
    digests_at,
    games_at,
    usual_at,
)
from plugineval_action.action.ending import end_with
from plugineval_action.action.models import deep_of
from plugineval_action.action.outputs import NOTHING, boolean
from plugineval_action.action.report_commit import Place
from plugineval_action.action.report_place import Home, explained, home_of
from plugineval_action.action.result_file import empty, keep
from plugineval_action.action.run import BROKEN, GATE_FAILED, PASSED, RULESET, Run, say, tell
from plugineval_action.certify.announcing import Begun, begin
from plugineval_action.certify.certificate import VALID_DAYS
from plugineval_action.certify.corpus import OPPONENTS, Corpus, Entry
from plugineval_action.certify.evals_kept import kept_evals
from plugineval_action.certify.ground import Ground, Subject, by_path, entry_of
from plugineval_action.certify.predicate import Terms
from plugineval_action.certify.register import Row, state
from plugineval_action.certify.run import Known, certify
from plugineval_action.certify.run import Run as Certified
from plugineval_action.certify.standing import rated
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.content.globs import selector, unmatched
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import Tree, join
from plugineval_action.deepen import Deep
from plugineval_action.errors import ContentError, PluginEvalError, UsageError
from plugineval_action.llm.cache import Store
from plugineval_action.render.certificate.files import Issued, certificate_files
from plugineval_action.render.certificate.register_page import summary
from plugineval_action.render.words import counted
from plugineval_action.results import Failure
from plugineval_action.rulesets import versioned
from plugineval_action.survey import Target, score_target

_STEPS: Final = 10
"""How often progress is told of each thing that is done."""


class _Work(NamedTuple):
    """What is certified, against what, and where it goes; `cost` is a sentence on it."""

    default: str
    home: Home
    ground: Ground
    subjects: list[Subject]
    deep: Deep
    cost: str = ""

    @property
    def place(self) -> Place:
        """The folder of certificates beside the report."""
        return certificates_of(self.home.place)


def certify_skills(run: Run) -> int:
    """Certify what `paths` names; the exit code. Raises UsageError before anything is paid."""
    work = _prepared(run)
    begun = _begun(run, work)
    work, announced = work._replace(cost=_cost(run, begun)), begun.announced.usd
    done = certify(work.subjects, work.ground, begun.deep, _progress(), begun.piloted)
    terms = Terms(
        settings=work.deep.settings,
        opponents=work.ground.opponents,
        issued=datetime.now(UTC),
        days=VALID_DAYS,
        announced=None if announced is None else announced / len(work.subjects),
    )
    issued = certificate_files(done, work.subjects, terms)
    empty(run.temp, FOLDER)
    for name, text in issued.files.items():
        keep(run.temp, f"{FOLDER}/{name}", text)
    if issued.predicate:
        keep(run.temp, f"{FOLDER}/predicate.json", issued.predicate)
    for line in issued.summary.splitlines():
        say(line)
    return _published(run, work, done, issued, terms.issued)


def _prepared(run: Run) -> _Work:
    """Everything that can go wrong without a model being asked."""
    default = run.github.branches.default()
    if run.settings.ref != f"refs/heads/{default}":
        raise UsageError(
            f"Only {default} is certified, and this run is for {run.settings.ref or 'no branch'}.",
            "Start the workflow on the default branch.",
        )
    deep = deep_of(run)
    if deep is None:
        raise UsageError(
            "A certificate needs models to be asked.",
            "Set anthropic-api-key, and depth to standard, deep or thorough.",
        )
    # A certificate rests on all runs, so that its cost can be told beforehand.
    deep = deep._replace(settings=deep.settings._replace(adaptive=False))
    home = home_of(run.settings, default)
    tree = run.github.tree(run.plan.head)
    units = discover(tree, ruleset=RULESET).skills
    entries = dict(_entries(tree, units))
    place = certificates_of(home.place)
    corpus = Corpus(versioned(RULESET), ".", tuple(entries.values()), games_at(run.github, place))
    ground = Ground(rated(corpus), tree, "", by_path(units, ""), OPPONENTS)
    subjects = [
        Subject(tree, unit, entry, run.plan.head, kept_evals(tree, unit.path, entry.name))
        for unit in units
        if (entry := entries.get(unit.path)) and _wanted(run, unit, entry)
    ]
    _refuse_unmatched(run.settings.paths, subjects)
    return _Work(default, home, ground, subjects, deep)


def _refuse_unmatched(paths: Sequence[str], subjects: Sequence[Subject]) -> None:
    """Raise UsageError for what names no skill: a slip of the pen would go unnoticed."""
    files = (join(one.unit.path, SKILL_FILE) for one in subjects)
    plugins = {one.entry.category for one in subjects}
    left = [one for one in unmatched(paths, files) if one not in plugins]
    if left:
        raise UsageError(
            f"paths names no skill that can be certified: {', '.join(left)}.",
            "Name globs such as plugins/mine/**, or plugins by their name.",
        )


def _entries(tree: Tree, units: Sequence[Unit]) -> Iterator[tuple[str, Entry]]:
    for unit in units:
        result = score_target(tree, Target(unit.path, unit.plugin), RULESET)
        if isinstance(result, Failure):
            tell("warning", [f"{result.message} {result.remedy}"])
            continue
        try:
            yield unit.path, entry_of(tree, unit, "", result)
        except ContentError as error:
            tell("warning", [str(error)])


def _wanted(run: Run, unit: Unit, entry: Entry) -> bool:
    """By a glob on the path, or by the name of its plugin."""
    paths = run.settings.paths
    return selector(paths)(unit.path) or entry.category in paths


def _begun(run: Run, work: _Work) -> Begun:
    """Say what it will cost. Raises UsageError if the cap does not allow that."""
    connection = work.deep.connection
    store = Store(connection.store, writable=False) if connection.store else None
    known = Known(store, usual_at(run.github, work.place), connection.batch)
    say(f"{counted(len(work.subjects), 'skill')} to certify.")
    return begin(work.subjects, work.ground, work.deep, known, say)


def _cost(run: Run, begun: Begun) -> str:
    return begun.announced.words(run.settings.max_usd)


class _progress:  # noqa: N801 - a function with a memory
    """Tells of each thing that is done, in tenths."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        tenth = _STEPS * done // max(1, total)
        if tenth > self._told.get(what, 0):
            self._told[what] = tenth
            say(f"{what}: {done} of {total}")


def _published(run: Run, work: _Work, done: Certified, issued: Issued, now: datetime) -> int:
    """Commit what was issued, and tell of it; the exit code."""
    digest: Digest = {one.path: one.digest for one in work.ground.corpus.skills}.get
    notes = [*run.plan.reasons, *_unfinished(issued), _told(work.cost, issued.paid)]
    problem = ""
    try:
        tip = run.github.branches.tip(work.default)
        if tip and tip != run.plan.head:
            notes.append(f"{work.default} has moved on meanwhile; states are those of its tip.")
            digest = digests_at(run.github, tip)
        new = New(issued, done.corpus.games, done.usual, digest, now)
        taken = commit_certificates(run.github, work.place, new, run.settings.commit_message)
        notes += _kept(issued, taken)
    except PluginEvalError as error:
        problem = str(explained(error, run.settings.publish))
        tell("failure", [problem])
    pages = "" if problem else f"{work.home.site.pages}/{FOLDER}/"
    states = tuple((row, state(row, digest(row.path), now)) for row in issued.rows)
    text = summary(issued, states, pages, [problem, *notes] if problem else notes)
    end_with(run.settings.output, run.settings.step_summary, _outputs(run, issued, pages), text)
    if problem:
        return BROKEN
    return PASSED if issued.all_certified else GATE_FAILED


def _told(cost: str, paid: float | None) -> str:
    return cost if paid is None else f"{cost} Paid: ${paid:.2f}."


def _outputs(run: Run, issued: Issued, pages: str) -> dict[str, str]:
    return {
        **NOTHING,
        "passed": boolean(value=issued.all_certified),
        "certificates": run.settings.seen_later(f"plugin-eval/{FOLDER}"),
        "report-url": f"{pages}README.md" if pages else "",
    }


def _unfinished(issued: Issued) -> Iterator[str]:
    """How to go on where answers are missing."""
    if any(row.outcome == "incomplete" for row in issued.rows):
        yield (
            "What was answered is kept: the next run goes on from there if the workflow keeps the"
            " verdicts, with a higher max-usd if that ran out."
        )


def _kept(issued: Issued, taken: Sequence[Row]) -> Iterator[str]:
    """Which certificates stay as they were."""
    for row in issued.rows:
        if row not in taken:
            yield f"{row.path}: the certificate that it has still holds, and stays."
