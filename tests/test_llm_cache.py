"""The verdict cache: the same question is answered from a file; whatever is wrong is a miss."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from model_client import question
from plugineval_action.llm.cache import Remembering, Store, key_of
from plugineval_action.llm.client import Message, Reply, Request, Said, Text, Unmeasured, Usage

SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "number", "minimum": 0, "maximum": 1}},
}
QUESTION = question(schema=SCHEMA)
ANSWER = Reply(
    text='{"score": 0.5}',
    data={"score": 0.5},
    tool_uses=(),
    usage=Usage(QUESTION.model, calls=1, input_tokens=9, usd=0.01),
    stop_reason="end_turn",
    model=QUESTION.model,
    request_id="req_1",
    said=(Said({"type": "text", "text": '{"score": 0.5}'}),),
)


class Scripted:
    """A Client that gives one answer and counts the questions."""

    def __init__(self, answer: Reply | Unmeasured = ANSWER) -> None:
        self.answer, self.asked = answer, 0

    async def ask(self, request: Request) -> Reply | Unmeasured:
        del request
        self.asked += 1
        return self.answer


def ask(
    client: Scripted, folder: Path, request: Request = QUESTION, *, writable: bool = True
) -> Reply | Unmeasured:
    remembering = Remembering(client, Store(str(folder), writable=writable))
    return asyncio.run(remembering.ask(request))


def entries(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


def test_a_question_is_asked_once_and_remembered_for_nothing(tmp_path: Path) -> None:
    client = Scripted()
    first, second = ask(client, tmp_path), ask(client, tmp_path)

    assert ANSWER == first
    assert ANSWER._replace(usage=Usage(QUESTION.model), remembered=True, took=9) == second
    assert 9 == second.tokens
    assert 1 == client.asked


@pytest.mark.parametrize(
    "other",
    [
        {"identity": "another skill"},
        {"version": "2"},
        {"purpose": "another"},
        {"model": "claude-opus-5-5"},
        {"max_tokens": 999},
        {"effort": "high"},
        {"schema": {**SCHEMA, "description": "another"}},
    ],
)
def test_another_content_prompt_schema_model_or_parameter_is_another_question(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    client = Scripted()
    ask(client, tmp_path)
    ask(client, tmp_path, QUESTION._replace(**other))

    assert 2 == client.asked


def test_the_wording_alone_is_no_other_question() -> None:
    """Which is why a change of it needs another `version`."""
    worded = QUESTION._replace(messages=(Message("user", (Text("Is it any good?"),)),))

    assert key_of(QUESTION) == key_of(worded)


def test_what_was_not_measured_is_not_kept(tmp_path: Path) -> None:
    client = Scripted(Unmeasured("overloaded", "Busy.", Usage(QUESTION.model)))
    ask(client, tmp_path)
    ask(client, tmp_path)

    assert (2, []) == (client.asked, entries(tmp_path))


def test_a_run_that_is_not_trusted_reads_and_never_writes(tmp_path: Path) -> None:
    ask(Scripted(), tmp_path, writable=False)
    assert [] == list(tmp_path.iterdir())

    ask(Scripted(), tmp_path)
    client = Scripted()
    ask(client, tmp_path, writable=False)
    assert 0 == client.asked


def _answer(entry: dict[str, Any], **changes: Any) -> bytes:  # noqa: ANN401 - any JSON
    return json.dumps({**entry, "answer": {**entry["answer"], **changes}}).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: b"",
        lambda _: b"\xff\xfe\x00",
        lambda _: b"[" * 100_000,
        lambda _: b"null",
        lambda entry: json.dumps(entry).encode()[:-20],
        lambda entry: json.dumps({**entry, "question": {}}).encode(),
        lambda entry: json.dumps({"question": entry["question"]}).encode(),
        lambda entry: _answer(entry, data={"score": 1.5}),
        lambda entry: _answer(entry, data=None),
        lambda entry: _answer(entry, text=7),
        lambda entry: _answer(entry, stop_reason="bored"),
        lambda entry: _answer(entry, tool_uses=[{}]),
        lambda entry: _answer(entry, said="text"),
        lambda entry: _answer(entry, tokens="many"),
        lambda entry: _answer(entry, tokens=1e400),
    ],
)
def test_a_corrupt_entry_is_a_miss_and_is_written_anew(tmp_path: Path, spoil: Any) -> None:  # noqa: ANN401
    ask(Scripted(), tmp_path)
    (path,) = entries(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(spoil(json.loads(whole)))
    client = Scripted()

    assert ANSWER == ask(client, tmp_path)
    assert (1, whole) == (client.asked, path.read_bytes())


def test_an_entry_under_the_name_of_another_question_is_a_miss(tmp_path: Path) -> None:
    ask(Scripted(), tmp_path)
    (path,) = entries(tmp_path)
    other = QUESTION._replace(identity="other")
    key = key_of(other)
    (tmp_path / key[:2]).mkdir(exist_ok=True)
    path.rename(tmp_path / key[:2] / f"{key}.json")
    client = Scripted()
    ask(client, tmp_path, other)

    assert 1 == client.asked


def test_nothing_but_whole_entries_is_left_behind(tmp_path: Path) -> None:
    for number in range(5):
        ask(Scripted(), tmp_path, QUESTION._replace(identity=str(number)))

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert 5 == len(files)
    assert entries(tmp_path) == sorted(files)


def test_a_place_where_nothing_can_be_written_loses_the_entry_and_not_the_run(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way")

    assert ANSWER == ask(Scripted(), tmp_path / "file")
    assert ["file"] == os.listdir(tmp_path)
