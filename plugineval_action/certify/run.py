"""Certify skills: assess each, let it play against its references, and say what that shows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from plugineval_action.assess import Settings
from plugineval_action.certify.corpus import (
    Corpus,
    Entry,
    References,
    references,
    with_games,
    with_subject,
)
from plugineval_action.certify.games import Player
from plugineval_action.certify.ground import Ground, Subject, player
from plugineval_action.certify.playing import Played, play
from plugineval_action.certify.standing import EloResult, elo_result, rated
from plugineval_action.deepen import Deep, Side, Stoppable, assess_with
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.layers.outcome import Progress, quiet
from plugineval_action.llm.cache import Remembering, Store
from plugineval_action.llm.client import Client, Usage
from plugineval_action.llm.connect import connected
from plugineval_action.llm.estimate import Planned, Rehearsal
from plugineval_action.llm.pilot import Pilot
from plugineval_action.llm.usage import by_model
from plugineval_action.llm.usual import NOTHING_KNOWN, Noting, Usual, together
from plugineval_action.results import Failure, ModelUsage, Result
from plugineval_action.survey import Target


class Measured(NamedTuple):
    """Everything that was found out about one skill.

    `references` are those that it played against; `strength` is its entry with the rating among
    all games, `group` how many skills of the corpus that rating is comparable with. `usage` is
    what the assessment and the games took together.
    """

    subject: Subject
    result: Result
    references: References
    played: Played
    elo: EloResult | None
    strength: Entry
    group: int
    usage: tuple[ModelUsage, ...]


class Run(NamedTuple):
    """What became of each skill, in order, and the corpus with their games and ratings.

    `usual` is how long the answers of this run were.
    Skills that do not lie where those of the corpus do are not taken into it; their games are.
    """

    skills: tuple[Measured | Failure, ...]
    corpus: Corpus
    usual: Usual = NOTHING_KNOWN


class _How(NamedTuple):
    settings: Settings
    batch: bool
    progress: Progress


class _Met(NamedTuple):
    references: References
    played: Played


class Piloted(NamedTuple):
    """What the first questions told of the length of answers, what they took, and left cached."""

    usual: Usual
    usage: tuple[Usage, ...] = ()
    warm: frozenset[str] = frozenset()


NO_PILOT: Final = Piloted(NOTHING_KNOWN)


def certify(
    subjects: Sequence[Subject],
    ground: Ground,
    deep: Deep,
    progress: Progress = quiet,
    piloted: Piloted = NO_PILOT,
) -> Run:
    """Certify skills; what was piloted belongs to the first one.

    References are chosen by the ratings that the corpus came with, so that no skill's certificate
    hangs on who else was certified in the same run.
    """
    done = asyncio.run(_certify(subjects, ground, deep, progress))
    first, *others = done.skills
    if isinstance(first, Measured):
        asked = tuple(ModelUsage(*one) for one in by_model(piloted.usage))
        first = first._replace(usage=_together((*first.usage, *asked)))
    return done._replace(skills=(first, *others), usual=together(piloted.usual, done.usual))


class Known(NamedTuple):
    """What an estimate can rest on.

    Kept verdicts, how long answers were, half prices, and prefixes that the service has cached.
    """

    store: Store | None = None
    usual: Usual = NOTHING_KNOWN
    batch: bool = False
    warm: frozenset[str] = frozenset()


def rehearse(
    subjects: Sequence[Subject], ground: Ground, settings: Settings, known: Known
) -> tuple[Planned, ...]:
    """What certifying the same would send, without sending anything.

    Raises UsageError for a skill that no other could meet: it would be paid for and not certified.
    """
    for one in subjects:
        if not references(ground.corpus.skills, one.entry, 1).chosen:
            raise UsageError(
                f"The corpus has no skill that {one.entry.name} could meet.",
                "Index a folder with other skills: plugin-eval init.",
            )
    rehearsal = Rehearsal(batch=known.batch, usual=known.usual, warm=known.warm)
    client = Remembering(rehearsal, known.store) if known.store else rehearsal
    asyncio.run(_ask(client, subjects, ground, _How(settings, known.batch, quiet)))
    return rehearsal.plan


def pilot(
    subject: Subject, ground: Ground, deep: Deep, store: Store, plan: Sequence[Planned]
) -> Piloted:
    """Ask the first questions of each kind about one skill, outside of any batch.

    `plan` is that of this skill. The answers go to the store of the connection, where certifying
    finds them.
    """
    return asyncio.run(_pilot(subject, ground, deep, store, plan))


async def _pilot(
    subject: Subject, ground: Ground, deep: Deep, store: Store, plan: Sequence[Planned]
) -> Piloted:
    alone = deep.connection._replace(batch=False, resume=())
    async with connected(alone, deep.tell) as client:
        noting = Noting(Stoppable(client, deep.stopped))
        asking = Pilot(noting, store, plan)
        await _ask(asking, [subject], ground, _How(deep.settings, batch=False, progress=quiet))
    return Piloted(noting.seen, tuple(noting.usage), frozenset(asking.warm))


async def _certify(
    subjects: Sequence[Subject], ground: Ground, deep: Deep, progress: Progress
) -> Run:
    async with connected(deep.connection, deep.tell) as client:
        how = _How(deep.settings, deep.connection.batch, progress)
        noting = Noting(Stoppable(client, deep.stopped))
        results, met = await _ask(noting, subjects, ground, how)
    corpus = ground.corpus
    for subject, one in zip(subjects, met, strict=True):
        corpus = with_games(with_subject(corpus, subject.entry), one.played.games)
    corpus = rated(corpus)
    before = {entry.digest: entry.rating for entry in ground.corpus.skills}
    return Run(
        tuple(
            result
            if isinstance(result, Failure)
            else _measured(subject, result, one, corpus, before)
            for subject, result, one in zip(subjects, results, met, strict=True)
        ),
        corpus._replace(skills=tuple(one for one in corpus.skills if one.path in ground.units)),
        noting.seen,
    )


async def _ask(
    client: Client, subjects: Sequence[Subject], ground: Ground, how: _How
) -> tuple[list[Result | Failure], list[_Met]]:
    """Assess and play; together where a batch waits for every question, else one by one."""
    sides = [
        Side(tree, [Target(one.unit.path, one.unit.plugin) for one in own])
        for tree, own in groupby(subjects, key=lambda one: one.tree)
    ]
    assessing = assess_with(client, sides, how.settings, how.progress, at_once=how.batch)
    if how.batch:
        meetings = (_meet(client, one, ground, how) for one in subjects)
        results, met = await asyncio.gather(assessing, asyncio.gather(*meetings))
        return results, met
    results = await assessing
    return results, [await _meet(client, one, ground, how) for one in subjects]


async def _meet(client: Client, subject: Subject, ground: Ground, how: _How) -> _Met:
    """Let a skill play, if its text and those of its references can be shown to a judge."""
    entry = subject.entry
    found = references(ground.corpus.skills, entry, ground.opponents)
    notes: list[str] = []
    own = _player(subject, how.settings, notes)
    others = list(_players(found, ground, how.settings, notes)) if own else []
    if own is None or not others:
        return _Met(found._replace(chosen=()), Played((), 0, tuple(notes), ()))

    def told(what: str, done: int, total: int) -> None:
        how.progress(f"{entry.path}: {what}", done, total)

    played = await play(client, own, others, how.settings.panel, told)
    digests = {one.digest for one in others}
    chosen = tuple(one for one in found.chosen if one.digest in digests)
    return _Met(found._replace(chosen=chosen), played._replace(notes=(*notes, *played.notes)))


def _player(subject: Subject, settings: Settings, notes: list[str]) -> Player | None:
    try:
        return player(subject.tree, subject.unit, subject.entry, settings)
    except ContentError as error:
        notes.append(f"No games were played: {error.message}")
        return None


def _players(
    found: References, ground: Ground, settings: Settings, notes: list[str]
) -> Iterator[Player]:
    for entry in found.chosen:
        try:
            yield player(ground.tree, ground.unit(entry), entry, settings)
        except ContentError as error:
            notes.append(f"{entry.name} was not played against: {error.message}")


def _measured(
    subject: Subject,
    result: Result,
    met: _Met,
    corpus: Corpus,
    before: dict[str, float | None],
) -> Measured:
    digest = subject.entry.digest
    strength = next(one for one in corpus.skills if one.digest == digest)
    ratings = {name: rating for name, rating in before.items() if rating is not None}
    played = [ModelUsage(*one) for one in by_model(met.played.usage)]
    return Measured(
        subject=subject,
        result=result,
        references=met.references,
        played=met.played,
        elo=elo_result(digest, met.played.games, ratings, corpus),
        strength=strength,
        group=sum(one.group is not None and one.group == strength.group for one in corpus.skills),
        usage=_together((*result.model_usage, *played)),
    )


def _together(usages: Sequence[ModelUsage]) -> tuple[ModelUsage, ...]:
    return tuple(ModelUsage(*one) for one in by_model(Usage(*one) for one in usages))
