"""What holds for every trace, whoever wrote it: bounds, hostile lines, flat memory."""

from __future__ import annotations

import json
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals_samples import INIT, THREAD, began, done, ended, events, jsonl
from plugineval_action.errors import UsageError
from plugineval_action.evals.traces.events import End, Unknown
from plugineval_action.evals.traces.lines import MAX_LINE, SHOWN
from plugineval_action.evals.traces.reading import read_trace, trace_events

TEXTS = st.sampled_from(
    [
        "type", "item", "msg", "message", "content", "id", "command", "item.completed", "assistant",
        "command_execution", "tool_use", "result", "usage", "system", "init", "user", "changes",
        "tool_result", "thread.started", "exit_code", "input", "bash -lc 'a",
    ]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=20,
)


@given(st.lists(st.dictionaries(TEXTS, VALUES, max_size=6), max_size=8), st.booleans())
def test_no_shape_of_a_line_breaks_a_reader(lines: list[dict[str, object]], claude: bool) -> None:
    found = events(INIT if claude else THREAD, *lines)

    assert isinstance(found[-1], End)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_trace_that_ends(data: bytes) -> None:
    assert isinstance(list(trace_events(BytesIO(data)))[-1], End)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("npm warn deprecated", "not JSON"),
        ("[1]", "no JSON object"),
        ("[" * 100_000, "not JSON"),
        ('{"type": ' + "9" * 5_000 + "}", "not JSON"),
    ],
)
def test_lines_that_are_no_objects_are_kept_and_counted(line: str, kind: str) -> None:
    [unknown] = [one for one in events(THREAD, line, done()) if isinstance(one, Unknown)]

    assert (2, kind, line[:SHOWN]) == unknown


def test_a_byte_order_mark_and_blank_lines_are_passed_over() -> None:
    data = b"\xef\xbb\xbf" + jsonl([THREAD, "", "  ", done()])

    assert [] == [one for one in trace_events(BytesIO(data)) if isinstance(one, Unknown)]


def test_a_trace_of_no_known_harness_says_so() -> None:
    [unknown, end] = events({"type": "hello"})

    assert "hello" == cast("Unknown", unknown).kind
    assert "No line is of a harness that is known" in cast("End", end).reason


def test_a_line_without_end_is_skipped_and_the_next_one_read() -> None:
    long = b'{"type":"' + b"x" * MAX_LINE + b'"}\n'
    found = list(trace_events(BytesIO(jsonl([THREAD]) + long + jsonl([done()]))))

    assert ["longer than 32 MiB"] == [one.kind for one in found if isinstance(one, Unknown)]
    assert End(3, "completed") == found[-1]


def test_memory_stays_flat_however_many_lines_there_are() -> None:
    """Two thousand commands that never end hold no more than the last thousand of them."""
    block = json.dumps(began("echo " + "x" * 40_000)).encode()

    class Long(BytesIO):
        lines = 0

        def readline(self, _size: int | None = -1) -> bytes:
            self.lines += 1
            name = b'"item_%d"' % self.lines
            return b"" if self.lines > 2_000 else block.replace(b'"item_1"', name) + b"\n"

    tracemalloc.start()
    count = sum(1 for _ in trace_events(Long()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 2_001 == count
    assert peak < 60e6


def test_a_trace_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.jsonl cannot be read"):
        list(read_trace(tmp_path / "gone.jsonl"))


def test_a_command_twice_begun_is_one() -> None:
    assert 2 == len(events(began("a"), began("a"), ended("a")))
