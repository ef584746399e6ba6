"""The first questions of a run: which are asked, and which a stand-in answers."""

from __future__ import annotations

import asyncio
from pathlib import Path

from model_client import MODEL, question
from plugineval_action.llm.cache import Store
from plugineval_action.llm.client import Reply, Request, Text, Unmeasured
from plugineval_action.llm.estimate import Planned, stand_in
from plugineval_action.llm.pilot import FEWEST, SHARE, Pilot
from simulated_client import answered

FORM = {"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]}

PLAN = (Planned("many", MODEL, 3 * SHARE, 0, 0, 0.0, 0.0),)


class Service:
    """Answers everything, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, request: Request) -> Reply | Unmeasured:
        self.asked.append(request.identity)
        return answered(request, {"why": "so"} if request.schema else None, text="So.")


def asked(store: Path, *requests: Request) -> list[str]:
    service = Service()
    pilot = Pilot(service, Store(str(store), writable=False), PLAN)

    async def run() -> None:
        await asyncio.gather(*map(pilot.ask, requests))

    asyncio.run(run())
    return service.asked


def test_a_few_questions_of_each_kind_are_asked(tmp_path: Path) -> None:
    """A kind is a purpose, a model, and a form of answers."""
    plain = [question(f"plain {number}") for number in range(FEWEST + 3)]
    formed = [question(f"formed {number}", schema=FORM) for number in range(FEWEST + 3)]
    other = question("other", purpose="other")
    expected = ["plain 0", "plain 1", "formed 0", "formed 1", "other"]

    assert expected == asked(tmp_path, *plain, *formed, other)


def test_of_what_is_asked_often_more_is_asked_first(tmp_path: Path) -> None:
    often = [question(f"{number}", purpose="many") for number in range(9)]

    assert ["0", "1", "2"] == asked(tmp_path, *often)


def test_what_rests_on_a_stand_in_is_not_asked(tmp_path: Path) -> None:
    """The run would ask it with other words, and pay again."""
    written = stand_in(question("write", schema=FORM)).data["why"]
    said = stand_in(question("reply")).text
    resting = [question(text) for text in (f"Rate this: {written}", f"Rate this: {said}")]
    resting.append(question("of the system", system=(Text(f"Rules for {written}"),)))

    assert [] == asked(tmp_path, *resting)


def test_what_was_kept_is_not_asked_and_takes_nobodys_place(tmp_path: Path) -> None:
    kept = [question(f"kept {number}") for number in range(FEWEST)]
    store = Store(str(tmp_path), writable=True)
    for one in kept:
        store.write(one, answered(one, None, text="So."))

    assert ["fresh"] == asked(tmp_path, *kept, question("fresh"))
