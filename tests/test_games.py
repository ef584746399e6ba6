"""Games: two orders, one result; what disagreements and lost verdicts come to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from memory_tree import MemoryTree
from plugineval_action.certify.games import (
    ASPECTS,
    SCHEMA,
    Game,
    Player,
    Verdicts,
    bias,
    question,
    read,
)
from plugineval_action.certify.playing import TASKS, Played, play
from plugineval_action.content.skill import read_skill
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.shown import show
from plugineval_action.layers.judge.verdict import Void, control
from plugineval_action.llm.client import Reply, Request, Text, Unmeasured, Usage
from plugineval_action.llm.schema import fitted
from plugineval_action.stats.bradley_terry import Better
from simulated_client import SimulatedClient, World, answered

PANEL = Panel(1, "w", "j", "5eed")


def player(name: str) -> Player:
    """A skill of this name."""
    text = f"---\nname: {name}\ndescription: Reads bills of {name}.\n---\n# Bills\n\nRead.\n"
    skill = read_skill(MemoryTree({f"{name}/SKILL.md": text}), name)
    return Player(f"digest of {name}", name, show(skill, "plugineval"))


def verdicts(*better: Better) -> Verdicts:
    """Verdicts on all aspects; the last one given holds for all that follow."""
    return (*better, *(better[-1],) * (len(ASPECTS) - len(better)))


def game(forward: Better, backward: Better) -> Game:
    return Game.between("a", "b", "t", "j", verdicts(forward), verdicts(backward))


def played(
    world: World, changed: Callable[[Request], Reply | Unmeasured | None] | None = None
) -> Played:
    """`a` plays against `b` and `c`."""
    client = SimulatedClient(world, changed=changed)
    return asyncio.run(play(client, player("a"), [player("b"), player("c")], PANEL))


@pytest.mark.parametrize(
    ("forward", "backward", "outcome", "flipped"),
    [
        ("first", "second", 1.0, False),
        ("second", "first", 0.0, False),
        ("equal", "equal", 0.5, False),
        ("first", "first", 0.5, True),
        ("second", "second", 0.5, True),
        ("first", "equal", 0.5, True),
        ("equal", "first", 0.5, True),
    ],
)
def test_a_game_is_won_only_if_both_orders_agree(
    forward: Better, backward: Better, outcome: float, flipped: bool
) -> None:
    one = game(forward, backward)

    assert (outcome, 1 - outcome, flipped) == (one.outcome("a"), one.outcome("b"), one.flipped)


def test_a_game_is_the_same_whoever_it_was_played_for() -> None:
    forward, backward = verdicts("first", "equal"), verdicts("second")

    assert Game.between("a", "b", "t", "j", forward, backward) == Game.between(
        "b", "a", "t", "j", backward, forward
    )


def test_each_aspect_has_its_own_winner() -> None:
    one = Game.between("a", "b", "t", "j", verdicts("first", "second"), verdicts("second", "first"))

    assert [1.0, 0.0, 0.0, 0.0, 0.0] == [one.outcome("a", aspect) for aspect in ASPECTS]


def test_the_preferred_place_is_the_share_of_verdicts_for_who_was_shown_first() -> None:
    games = [game("first", "first")] * 6 + [game("first", "second")] * 4
    found = bias(games)

    assert (10, 6, 0.8) == found[:3]
    assert found.interval is not None
    assert found.interval.low < 0.8 < found.interval.high


def test_without_a_decided_verdict_there_is_no_preferred_place() -> None:
    assert (1, 0, None, None) == bias([game("equal", "equal")])


def test_every_pair_plays_a_task_of_each_side_in_both_orders() -> None:
    client = SimulatedClient()
    found = asyncio.run(play(client, player("a"), [player("b"), player("c")], PANEL))
    asked = [one for one in client.requests if one.purpose == "certify.game"]

    assert (2 * TASKS, 0) == (len(found.games), found.lost)
    assert 2 * 2 * TASKS == len(asked)
    assert 3 == len([one for one in client.requests if one.purpose == "prompts.write"])
    assert len(asked) == len({one.identity for one in asked})


def test_the_tasks_are_the_prompts_that_the_first_judge_has_had_written() -> None:
    """So that a certificate does not pay for them twice."""
    client = SimulatedClient()
    asyncio.run(play(client, player("a"), [player("b")], PANEL))
    judges = {one.identity.split("\0")[3] for one in client.requests if "write" in one.purpose}

    assert {"1"} == judges


def test_a_verdict_that_is_missing_loses_the_game_and_is_no_tie() -> None:
    def changed(request: Request) -> Unmeasured | None:
        about_b = "name: b" in told(request) and request.purpose == "certify.game"
        return Unmeasured("refused", "Declined.", Usage(request.model)) if about_b else None

    found = played(World(), changed)

    assert (TASKS, TASKS) == (len(found.games), found.lost)
    assert ("2 of 4 games were lost: Declined.",) == found.notes


def test_a_wrong_answer_to_the_control_voids_the_verdict() -> None:
    def changed(request: Request) -> Reply | None:
        if request.purpose != "certify.game":
            return None
        data = {"verdicts": [_verdict(aspect) for aspect in ASPECTS], "control": 0}
        return answered(request, data)

    found = played(World(), changed)

    assert ((), 4) == (found.games, found.lost)


@pytest.mark.parametrize("aspects", [ASPECTS[:-1], (*ASPECTS, ASPECTS[0]), ()])
def test_verdicts_that_were_not_asked_for_are_void(aspects: tuple[str, ...]) -> None:
    data = {"verdicts": [_verdict(one) for one in aspects], "control": control("q").answer}

    assert isinstance(read(data, "q"), Void)


def test_verdicts_come_in_the_order_of_the_aspects() -> None:
    told_backwards = [_verdict(aspect) for aspect in reversed(ASPECTS)]
    told_backwards[0]["better"] = "equal"
    data = fitted(SCHEMA, {"verdicts": told_backwards, "control": control("q").answer})

    assert verdicts("first", "first", "first", "first", "equal") == read(data, "q")


def test_the_skills_and_the_task_are_data_between_marks() -> None:
    request = question(player("a").shown, player("b").shown, "Do the bill.", PANEL)
    blocks = cast("tuple[Text, ...]", request.messages[0].blocks)

    assert [1, 1, 1] == [block.text.count("</data-5eed>") for block in blocks]
    assert [False, True, False] == [block.cached for block in blocks]
    assert "Do the bill." in blocks[2].text


def test_both_orders_differ_in_nothing_but_the_order() -> None:
    one, other = player("a").shown, player("b").shown
    forward, backward = question(one, other, "t", PANEL), question(other, one, "t", PANEL)

    assert forward.system == backward.system
    assert forward.identity != backward.identity
    assert told(forward).replace("name: a", "name: b") != told(forward)


def told(request: Request) -> str:
    """The whole text of a request's turns."""
    blocks = (block for message in request.messages for block in message.blocks)
    return "\n".join(block.text for block in blocks if isinstance(block, Text))


def _verdict(aspect: str) -> dict[str, str]:
    return {"aspect": aspect, "reasoning": "So.", "better": "first"}
