"""What holds for every trace, whoever wrote it: bounds, hostile lines, flat memory.

Where the traps of both formats are tested, each so that a reader without its handling fails (tried
out on 2026-11-30, by breaking the handling of one after another):

    Codex (test_trace_codex.py)
    commands come wrapped in a shell        a_command_is_taken_out_of_the_shell_around_it
    one item holds two ids                  a_web_search_holds_two_ids_and_is_read_by_its_type
    an error line need not be the end       an_error_on_the_stream_is_a_notice_and_no_end
    items come before the turn              a_warning_may_come_before_the_turn
    sandboxed commands leave no line        (graders) that_codex_leaves_no_line_for_some_commands
    a command outlives the turn             a_command_that_still_runs_when_the_turn_ends
    parallel calls interleave               parallel_commands_are_paired_by_id
    a patch is no command                   a_patch_is_a_change_of_files_and_no_command
    --full-auto has gone                    (run) known_harnesses_ask_for_the_least
    usage is a total, with parts inside     usage_is_a_running_total
    new types come without a version        what_no_version_has_printed_yet_is_kept_and_counted
    older forms                             the_first_form_with_items, the_oldest_form_wraps
    $skill leaves no line                   (graders) activation_is_what_the_case_expects
    skills are read by commands             reading_a_skills_file_is_its_activation

    Claude Code (test_trace_claude.py)
    key order is not fixed                  every result line: `type` does not come first
    hooks precede the first line            hooks_may_come_before_the_first_line
    one line a block, usage not final       usage_is_that_of_the_result_line
    an exit code stands only in text        the_exit_code_of_a_failed_command_is_read_from_its_text
    success with is_error                   an_api_error_ends_with_subtype_success_and_is_an_error
    <synthetic> text                        an_api_error_ends_with_subtype_success_and_is_an_error
    denials do not set is_error             denials_are_read_from_the_record_and_told_once
    killed without a result line            a_run_that_was_killed_has_no_result_line
    Task is called Agent                    the_task_tool_is_known_by_both_of_its_names
    input.skill or input.command, prefixed  the_skill_tool_is_an_activation_whatever_its_input
    unknown skill                           a_skill_that_is_not_there_is_an_attempt
    the skill's text comes as a user line   the_skills_own_text_is_no_message_of_the_agent
    --bare, and skills that are not listed  (graders) activation_is_what_the_case_expects
"""

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
from plugineval_action.evals.traces.events import Command, End, Unknown, Usage
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
        ('{"type": "turn.started"} {"type": "turn.started"}', "not JSON"),
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


def test_ids_are_not_kept_however_long_they_are() -> None:
    """A thousand open calls with an id of a megabyte each would be a gigabyte."""
    lines = [began("x", f"{number}" + "i" * 100_000) for number in range(100)]
    file = BytesIO(jsonl([THREAD, *lines]))
    tracemalloc.start()
    found = sum(1 for _ in trace_events(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert 102 == found
    assert peak < 2_000_000


def test_long_commands_are_not_remembered() -> None:
    lines = [ended(f"{number} " + "a b " * 10_000) for number in range(30)]
    file = BytesIO(jsonl([THREAD, *lines]))
    tracemalloc.start()
    parts = sum(len(one.parts) for one in trace_events(file) if isinstance(one, Command))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert 60 == parts, "each cut, and so with a part that is hidden"
    assert peak < 40_000_000


def test_a_number_that_nobody_counted_is_none() -> None:
    """Python itself refuses to write one of over 4,300 digits."""
    usage = f'{{"input_tokens": {"9" * 4300}, "output_tokens": 5}}'
    line = f'{{"type": "turn.completed", "usage": {usage}}}'

    assert Usage(2, 0, 0, 5) in events(THREAD, line)


def test_an_exit_code_that_contradicts_its_status_is_not_known() -> None:
    [found] = [
        one for one in events(THREAD, ended("x", 0, status="failed")) if isinstance(one, Command)
    ]

    assert (None, "incomplete") == (found.exit_code, found.state)


def test_a_command_twice_begun_is_one() -> None:
    assert 2 == len(events(began("a"), began("a"), ended("a")))
