"""Certificates for goldens: simulated judges, fixed seeds and a fixed day; some of it hostile."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from certify_desk import SHARP
from memory_tree import MemoryTree
from plugineval_action.assess import Settings, assess_skill
from plugineval_action.certify.certificate import statement
from plugineval_action.certify.corpus import Corpus, references, with_games
from plugineval_action.certify.ground import Subject, entry_of, player
from plugineval_action.certify.playing import Played, play
from plugineval_action.certify.predicate import Terms
from plugineval_action.certify.run import Measured
from plugineval_action.certify.standing import elo_result, rated
from plugineval_action.content.discovery import discover
from plugineval_action.evaluate import score_skill
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.results import ModelUsage
from sample_results import HOSTILE
from simulated_client import SimulatedClient, World

SETTINGS = Settings("deep", Panel(5, "writer-1", "judge-1", "5eed"), "executor-1", adaptive=False)
REVISION = "1f0c2d3e4b5a69788796a5b4c3d2e1f001122334"
TERMS = Terms(
    settings=SETTINGS,
    opponents=12,
    issued=datetime(2026, 1, 31, 12, 0, tzinfo=UTC),
    days=90,
    announced=0.91,
)
USAGE = (ModelUsage("judge-1", 120, 90_000, 30_000, 250_000, 120_000, 0.8412),)


def certificate(world: World = SHARP, name: str = "s1") -> dict[str, Any]:
    """The certificate of one of five skills, after games against the others."""
    measured = _measured(world)
    named = measured.subject.entry._replace(name=name)
    result = measured.result._replace(name=name)
    told = measured._replace(subject=measured.subject._replace(entry=named), result=result)
    return statement(told, TERMS)


def hostile_certificate() -> dict[str, Any]:
    """One whose name, notes and opponents try everything, and that certifies nothing."""
    measured = _measured(World())
    evil = measured.subject.entry._replace(name=HOSTILE, path=HOSTILE)
    elo = measured.elo
    assert elo is not None
    return statement(
        measured._replace(
            subject=measured.subject._replace(entry=evil),
            result=measured.result._replace(name=HOSTILE, notes=(HOSTILE,)),
            elo=elo._replace(closest_comparable=HOSTILE),
            played=Played(measured.played.games, 7, (HOSTILE,), (), HOSTILE),
        ),
        TERMS,
    )


def _measured(world: World) -> Measured:
    text = (
        "---\nname: s{0}\ndescription: Simulated. Reads bills of kind {0}. Use when one arrives.\n"
        "---\n# Bills\n\nRead bill {0}.\n"
    )
    tree = MemoryTree({f"p/skills/s{one}/SKILL.md": text.format(one) for one in range(5)})
    units = {unit.path: unit for unit in discover(tree).skills}
    entries = [entry_of(tree, unit, "", score_skill(tree, path)) for path, unit in units.items()]
    subject = Subject(tree, units["p/skills/s1"], entries[1], REVISION)
    client = SimulatedClient(world)
    result = asyncio.run(assess_skill(client, tree, subject.unit.path, SETTINGS))
    chosen = references(entries, subject.entry)
    players = [player(tree, units[one.path], one, SETTINGS) for one in (entries[1], *chosen.chosen)]
    played = asyncio.run(play(client, players[0], players[1:], SETTINGS.panel))
    corpus = rated(with_games(Corpus("r/1", ".", tuple(entries)), played.games))
    strength = next(one for one in corpus.skills if one.path == subject.entry.path)
    elo = elo_result(strength.digest, played.games, {}, corpus)
    return Measured(subject, result, chosen, played, elo, strength, 5, USAGE)
