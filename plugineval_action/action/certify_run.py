"""Certify skills of the default branch: tell the cost, ask, publish, and say who is certified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from plugineval_action.action.certificate_commit import (
    FOLDER,
    New,
    certificates_of,
    commit_certificates,
    games_at,
    usual_at,
)
from plugineval_action.action.ending import end_with
from plugineval_action.action.models import deep_of
from plugineval_action.action.outputs import NOTHING, boolean
from plugineval_action.action.report_commit import Place
from plugineval_action.action.report_place import Home, explained, home_of
from plugineval_action.action.result_file import keep
from plugineval_action.action.run import BROKEN, GATE_FAILED, PASSED, RULESET, Run, say, tell
from plugineval_action.certify.announcing import Begun, begin
from plugineval_action.certify.certificate import VALID_DAYS, Terms
from plugineval_action.certify.corpus import OPPONENTS, Corpus, Entry
from plugineval_action.certify.ground import Ground, Subject, by_path, entry_of
from plugineval_action.certify.register import state
from plugineval_action.certify.run import Known, certify
from plugineval_action.certify.run import Run as Certified
from plugineval_action.certify.standing import rated
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.content.globs import selector
from plugineval_action.content.tree import Tree
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
        revision=run.plan.head,
        announced=None if announced is None else announced / len(work.subjects),
    )
    issued = certificate_files(done, work.subjects, terms)
    for name, text in issued.files.items():
        keep(run.temp, f"{FOLDER}/{name}", text)
    if issued.predicate:
        keep(run.temp, f"{FOLDER}/predicate.json", issued.predicate)
    for line in issued.summary.splitlines():
        say(line)
    return _published(run, work, done, issued, terms)


def _prepared(run: Run) -> _Work:
    """Everything that can go wrong without a model being asked."""
    default = run.github.branches.default()
    if run.settings.ref not in ("", f"refs/heads/{default}"):
        raise UsageError(
            f"Only {default} is certified, and this run is for {run.settings.ref}.",
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
        Subject(tree, unit, entries[unit.path])
        for unit in units
        if unit.path in entries and _wanted(run, unit, entries[unit.path])
    ]
    if not subjects:
        raise UsageError(
            "paths names no skill that can be certified.",
            "Name globs such as plugins/mine/**, or plugins by their name.",
        )
    return _Work(home, ground, subjects, deep)


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


def _published(run: Run, work: _Work, done: Certified, issued: Issued, terms: Terms) -> int:
    digests = {one.path: one.digest for one in work.ground.corpus.skills}
    new = New(issued.files, issued.rows, done.corpus.games, done.usual, digests, terms.issued)
    problem = ""
    try:
        commit_certificates(run.github, work.place, new, run.settings.commit_message)
    except PluginEvalError as error:
        problem = str(explained(error, run.settings.publish))
        tell("failure", [problem])
    states = tuple((row, state(row, digests.get(row.path), terms.issued)) for row in issued.rows)
    folder = run.settings.seen_later(f"plugin-eval/{FOLDER}")
    values = {
        **NOTHING,
        "passed": boolean(value=issued.all_certified),
        "certificates": folder,
        "report-url": "" if problem else f"{work.home.site.pages}/{FOLDER}/README.md",
    }
    notes = [problem] if problem else []
    text = summary(
        states, (*run.plan.reasons, *notes, work.cost, issued.summary.replace("\n", " "))
    )
    end_with(run.settings.output, run.settings.step_summary, values, text)
    if problem:
        return BROKEN
    return PASSED if issued.all_certified else GATE_FAILED
