"""Traces of Codex, in every form that it has printed."""

from __future__ import annotations

import json

import pytest

from evals_samples import THREAD, TURN, began, done, ended, events, item, of_type
from plugineval_action.evals.traces.events import (
    Command,
    Denial,
    End,
    FileChange,
    Message,
    Notice,
    SkillUse,
    Started,
    ToolCall,
    Unknown,
    Usage,
)


def commands(*lines: dict[str, object]) -> list[tuple[str, int | None, str]]:
    found = of_type(Command, *lines)
    return [(one.text, one.exit_code, one.state) for one in found]


@pytest.mark.parametrize(
    "wrapped",
    [
        "/bin/bash -lc 'npm install'",
        "bash -lc 'npm install'",
        '/usr/bin/zsh -c "npm install"',
        "bash -l -c 'npm install'",
        "npm install",
    ],
)
def test_a_command_is_taken_out_of_the_shell_around_it(wrapped: str) -> None:
    assert [("npm install", 0, "done")] == commands(began(wrapped), ended(wrapped))


def test_quotes_inside_the_wrapper_are_read_as_the_shell_reads_them() -> None:
    wrapped = '/bin/bash -lc "sed -n \'1,200p\' \\"a b\\""'

    assert [("sed -n '1,200p' \"a b\"", 0, "done")] == commands(ended(wrapped))


def test_a_web_search_holds_two_ids_and_is_read_by_its_type() -> None:
    item = '{"id":"item_6","type":"web_search","id":"ws_1","query":"q"}'
    line = f'{{"type":"item.completed","item":{item}}}'

    assert [ToolCall(2, "web_search", ok=True)] == of_type(ToolCall, THREAD, line)


def test_an_error_on_the_stream_is_a_notice_and_no_end() -> None:
    notice = {"type": "error", "message": "Reconnecting... 1/5 (stream disconnected)"}

    found = events(THREAD, TURN, notice, done())

    assert Notice(3, "Reconnecting... 1/5 (stream disconnected)") in found
    assert End(4, "completed") == found[-1]
    assert "completed" == events(THREAD, done(), notice)[-1].state  # type: ignore[union-attr]
    assert "incomplete" == events(THREAD, TURN, notice)[-1].state  # type: ignore[union-attr]


def test_a_failed_turn_is_an_error_of_the_harness_with_its_reason() -> None:
    failed = {"type": "turn.failed", "error": {"message": "429 Too Many Requests"}}

    assert End(2, "error", "429 Too Many Requests") == events(THREAD, failed)[-1]


def test_a_turn_that_fails_behind_one_that_was_done_is_the_end() -> None:
    failed = {"type": "turn.failed", "error": {"message": "429"}}

    assert [End(3, "error", "429")] == of_type(End, THREAD, done(), failed)


def test_a_command_began_where_it_was_first_told_and_is_what_it_was_told_last() -> None:
    updated = item("updated", "command_execution", command="npm test", status="in_progress")
    [finished] = of_type(Command, THREAD, began("npm"), updated, ended("npm test"), done())
    [running] = of_type(Command, THREAD, began("npm"), updated, done())

    assert (2, 4) == (finished.began, finished.line)
    assert (2, "npm test", "incomplete") == (running.began, running.text, running.state)


def test_of_a_chain_that_failed_it_is_not_known_which_part() -> None:
    outcomes = {
        text: [
            part.outcome for command in of_type(Command, ended(text, 1)) for part in command.parts
        ]
        for text in ("a && b", "a || b", "a; b", "a | b")
    }

    unknown = "unknown"
    assert {
        "a && b": [unknown, unknown],
        "a || b": [unknown, unknown],
        "a; b": [unknown, "failed"],
        "a | b": [unknown, "failed"],
    } == outcomes


def test_a_warning_may_come_before_the_turn() -> None:
    warning = item("completed", "error", message="Model metadata not found.")

    assert Notice(1, "Model metadata not found.") == events(warning, THREAD, TURN, done())[0]
    assert "incomplete" == events(warning, THREAD, TURN)[-1].state  # type: ignore[union-attr]


def test_a_command_that_still_runs_when_the_turn_ends_is_incomplete() -> None:
    assert [("npm run dev", None, "incomplete")] == commands(THREAD, began("npm run dev"), done())


def test_parallel_commands_are_paired_by_id_and_know_where_they_began() -> None:
    lines = began("a", "i1"), began("b", "i2"), ended("b", 1, "i2"), ended("a", 0, "i1")

    found = of_type(Command, THREAD, *lines)

    assert [("b", 3, 4, 1), ("a", 2, 5, 0)] == [
        (one.text, one.began, one.line, one.exit_code) for one in found
    ]


def test_a_patch_is_a_change_of_files_and_no_command() -> None:
    changes = [{"path": "/w/a.md", "kind": "add"}, {"path": "/w/b.md", "kind": "delete"}]
    lines = (
        item("started", "file_change", changes=changes, status="in_progress"),
        item("completed", "file_change", changes=changes, status="completed"),
    )

    assert [FileChange(3, "/w/a.md", "add"), FileChange(3, "/w/b.md", "delete")] == of_type(
        FileChange, THREAD, *lines
    )
    assert [] == commands(THREAD, *lines)


def test_a_patch_that_failed_changes_nothing() -> None:
    changes = [{"path": "/w/a.md", "kind": "add"}]

    assert [] == of_type(
        FileChange, item("completed", "file_change", changes=changes, status="failed")
    )


def test_a_declined_command_is_a_denial_and_did_not_run() -> None:
    line = ended("sudo rm x", -1, status="declined")

    assert [("sudo rm x", None, "declined")] == commands(line)
    assert [Denial(1, "shell", "sudo rm x")] == of_type(Denial, line)


def test_usage_is_a_running_total_whose_parts_are_not_added_again() -> None:
    usage = {
        "input_tokens": 18240, "cached_input_tokens": 15104, "cache_write_input_tokens": 0,
        "output_tokens": 612, "reasoning_output_tokens": 128,
    }  # fmt: skip
    [found] = of_type(Usage, done(usage))

    assert Usage(1, 18240, 15104, 612) == found
    assert 18852 == found.total


@pytest.mark.parametrize(
    "command",
    [
        "cat .agents/skills/csv-report/SKILL.md",
        "sed -n '1,200p' '/r/.codex/skills/csv-report/SKILL.md'",
        "cd x && head -50 csv-report/SKILL.md",
    ],
)
def test_reading_a_skills_file_is_its_activation(command: str) -> None:
    assert [SkillUse(1, "csv-report", "command", loaded=True)] == of_type(SkillUse, ended(command))


@pytest.mark.parametrize(
    "command",
    [
        "cat .agents/skills/csv-report/SKILL.mdx",
        "ls .agents/skills/csv-report/SKILL.md",
        "echo csv-report/SKILL.md",
        "cat csv-report/README.md",
    ],
)
def test_naming_a_skills_file_without_reading_it_is_none(command: str) -> None:
    assert [] == of_type(SkillUse, ended(command))


def test_a_skills_file_that_could_not_be_read_is_an_attempt() -> None:
    [use] = of_type(SkillUse, ended("cat x/SKILL.md", 1))

    assert not use.loaded


def test_a_trace_without_its_end_is_incomplete() -> None:
    assert "incomplete" == events(THREAD, TURN)[-1].state  # type: ignore[union-attr] # an End


def test_tools_of_servers_and_of_other_agents_are_told_with_how_they_ended() -> None:
    lines = (
        item("completed", "mcp_tool_call", server="s", tool="t", status="completed"),
        item("completed", "mcp_tool_call", server="s", tool="u", status="failed"),
        item("completed", "collab_tool_call", tool="spawn_agent", status="completed"),
    )

    assert [
        ToolCall(1, "mcp_tool_call.s.t", ok=True),
        ToolCall(2, "mcp_tool_call.s.u", ok=False),
        ToolCall(3, "collab_tool_call.spawn_agent", ok=True),
    ] == of_type(ToolCall, *lines)


def test_what_no_version_has_printed_yet_is_kept_and_counted() -> None:
    lines = (THREAD, {"type": "item.plan.delta", "delta": "x"}, item("completed", "plan", text="p"))
    found = of_type(Unknown, *lines)

    assert ["item.plan.delta", "item: plan"] == [one.kind for one in found]
    assert {"type": "item.plan.delta", "delta": "x"} == json.loads(found[0].raw)


def test_lists_of_things_to_do_and_reasoning_are_known_and_quiet() -> None:
    lines = (
        item("completed", "todo_list", items=[{"text": "a", "completed": True}]),
        item("completed", "reasoning", text="**Looking**"),
    )

    assert [End] == [type(event) for event in events(*lines)]


def test_the_first_form_with_items_wrote_other_names() -> None:
    lines = (
        {"type": "session.created", "session_id": "s"},
        {
            "type": "item.completed",
            "item": {
                "id": "itm_0", "item_type": "command_execution", "command": "bash -lc ls",
                "aggregated_output": "", "exit_code": 0, "status": "completed",
            },
        },
        {"type": "item.completed", "item": {"item_type": "assistant_message", "text": "Hi"}},
    )  # fmt: skip
    found = events(*lines)

    assert Started(1, "codex") == found[0]
    assert ["ls"] == [one.text for one in found if isinstance(one, Command)]
    assert Message(3, "Hi") in found


def test_a_time_on_the_first_line_changes_nothing() -> None:
    assert Started(1, "codex") == events({**THREAD, "timestamp": "2026-01-01T00:00:00Z"})[0]


def v0(kind: str, **fields: object) -> dict[str, object]:
    return {"id": "0", "msg": {"type": kind, **fields}}


def test_the_oldest_form_wraps_everything_in_messages() -> None:
    changes = {"a.py": {"add": {"content": "x"}}, "b.py": {"update": {"unified_diff": ""}}}
    found = events(
        v0("session_configured", model="m"),
        v0("exec_command_begin", call_id="c", command=["bash", "-lc", "npm test && ls"]),
        v0("exec_command_end", call_id="c", stdout="", stderr="", exit_code=1),
        v0("patch_apply_begin", call_id="p", changes=changes),
        v0("patch_apply_end", call_id="p", success=True),
        v0("agent_message", message="Done."),
        v0("token_count", info={"total_token_usage": {"input_tokens": 5, "output_tokens": 1}}),
        v0("task_complete", last_agent_message="Done."),
    )

    assert Started(1, "codex", model="m") == found[0]
    assert ("npm test && ls", 1) == (found[1].text, found[1].exit_code)  # type: ignore[union-attr]
    assert [
        FileChange(5, "a.py", "add"),
        FileChange(5, "b.py", "update"),
        Message(6, "Done."),
        Usage(7, 5, 0, 1),
        End(8, "completed"),
    ] == found[2:]


def test_in_the_oldest_form_a_patch_may_fail_and_a_turn_be_aborted() -> None:
    lines = (
        v0("patch_apply_begin", call_id="p", changes={"a.py": {"add": {}}}),
        v0("patch_apply_end", call_id="p", success=False),
        v0("turn_aborted", reason="interrupted"),
    )

    assert [] == of_type(FileChange, *lines)
    assert [End(3, "stopped", "interrupted")] == of_type(End, *lines)
