"""Traces of Claude Code."""

from __future__ import annotations

import pytest

from evals_samples import INIT, calls, events, gives, of_type, result, says, text
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

OK = {"stdout": "x", "stderr": "", "interrupted": False}


def test_the_first_line_tells_version_model_mode_and_skills() -> None:
    assert (
        Started(
            1, "claude", "2.1.332", "claude-sonnet-5-5", "default",
            ("csv-report",), ("Bash", "Read", "Skill"),
        )
        == events(INIT)[0]
    )  # fmt: skip


def test_hooks_may_come_before_the_first_line() -> None:
    hook = {"type": "system", "subtype": "hook_started", "session_id": "s1"}

    assert [Started, End] == [type(event) for event in events(hook, INIT)]


def test_a_command_that_is_no_error_ended_with_0() -> None:
    [command] = of_type(Command, INIT, calls("Bash", command="ls"), gives("a", tool_use_result=OK))

    assert ("ls", 0, "done", 2, 3) == (
        command.text, command.exit_code, command.state, command.began, command.line,
    )  # fmt: skip


def test_the_exit_code_of_a_failed_command_is_read_from_its_text() -> None:
    answer = gives("Exit code 2\nls: no", error=True, tool_use_result="Error: Exit code 2\nls: no")

    [command] = of_type(Command, calls("Bash", command="ls x"), answer)

    assert 2 == command.exit_code


def test_content_in_blocks_is_read_as_well() -> None:
    answer = gives([{"type": "text", "text": "Exit code 1\n"}], error=True)

    assert 1 == of_type(Command, calls("Bash", command="false"), answer)[0].exit_code


def test_an_interrupted_command_has_no_exit_code() -> None:
    answer = gives("", tool_use_result=OK | {"interrupted": True})

    [command] = of_type(Command, calls("Bash", command="sleep 99"), answer)

    assert (None, "incomplete") == (command.exit_code, command.state)


def test_a_command_in_the_background_is_started_and_no_more() -> None:
    asked = calls("Bash", command="npm run dev", run_in_background=True)

    [command] = of_type(Command, asked, gives("Command running in background"))

    assert (None, "background") == (command.exit_code, command.state)


def test_a_call_without_a_result_is_incomplete() -> None:
    lines = calls("Bash", "t1", command="ls"), calls("Skill", "t2", skill="s")
    found = events(INIT, *lines, calls("Read", "t3", file_path="a"))

    assert "incomplete" == found[1].state  # type: ignore[union-attr] # a Command
    assert [SkillUse(4, "s", "tool", loaded=False), ToolCall(4, "Read", None)] == found[2:4]


@pytest.mark.parametrize(
    "given",
    [
        {"skill": "csv-report", "args": "sales.csv"},
        {"skill": "tools:csv-report"},
        {"command": "/csv-report sales.csv"},
        {"command": "$csv-report"},
    ],
)
def test_the_skill_tool_is_an_activation_whatever_its_input_is_called(
    given: dict[str, str],
) -> None:
    answer = gives("Launching skill: csv-report", tool_use_result={"success": True})

    assert [SkillUse(2, "csv-report", "tool", loaded=True)] == of_type(
        SkillUse, calls("Skill", **given), answer
    )


def test_a_skill_that_is_not_there_is_an_attempt() -> None:
    answer = gives("<tool_use_error>Unknown skill: x</tool_use_error>", error=True)

    assert [SkillUse(2, "x", "tool", loaded=False)] == of_type(
        SkillUse, calls("Skill", skill="x"), answer
    )


def test_reading_a_skills_file_by_tool_or_command_is_an_activation() -> None:
    lines = (
        calls("Read", "t1", file_path="/r/.claude/skills/a/SKILL.md"), gives("x", "t1"),
        calls("Bash", "t2", command="cat skills/b/SKILL.md"), gives("x", "t2"),
    )  # fmt: skip

    assert [
        SkillUse(2, "a", "read", loaded=True),
        SkillUse(4, "b", "command", loaded=True),
    ] == of_type(SkillUse, *lines)


def test_the_skills_own_text_is_no_message_of_the_agent() -> None:
    body = {"role": "user", "content": [text("Base directory for this skill: /r\n\n# CSV")]}

    assert [] == of_type(Message, INIT, {"type": "user", "message": body, "isSynthetic": True})


def test_an_api_error_ends_with_subtype_success_and_is_an_error() -> None:
    spoken = says(text("API Error: 529"), model="<synthetic>")
    found = events(INIT, spoken, result(is_error=True, api_error_status=529, result="API Error"))

    assert End(3, "error", "API error 529") == found[-1]
    assert [] == [event for event in found if isinstance(event, Message)]


@pytest.mark.parametrize("subtype", ["error_max_turns", "error_max_budget_usd"])
def test_a_limit_stops_a_run_and_is_no_error_of_the_harness(subtype: str) -> None:
    assert "stopped" == of_type(End, result(subtype=subtype, is_error=True))[0].state


def test_an_error_during_execution_is_one_of_the_harness() -> None:
    line = result(subtype="error_during_execution", is_error=True, errors=["it broke"])

    assert [End(1, "error", "it broke")] == of_type(End, line)


def test_denials_are_read_from_the_record_and_told_once() -> None:
    advice = {
        "type": "system", "subtype": "permission_denied", "tool_name": "Bash",
        "tool_use_id": "t1", "message": "Permission to use Bash was denied.",
    }  # fmt: skip
    record = [
        {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "sudo x"}},
        {"tool_name": "Write", "tool_use_id": "t2", "tool_input": {"file_path": "/etc/x"}},
    ]

    assert [
        Denial(2, "Bash", "Permission to use Bash was denied."),
        Denial(3, "Write", "/etc/x"),
    ] == of_type(Denial, INIT, advice, result(permission_denials=record))


def test_a_denied_command_did_not_run() -> None:
    meta = [{"id": "toolu_1", "permission_decision": {"decision": "deny", "source": "rule"}}]
    answer = gives("Permission denied", error=True, tool_result_meta=meta)
    found = events(calls("Bash", command="sudo x"), answer)

    assert "declined" == found[0].state  # type: ignore[union-attr] # a Command
    assert Denial(2, "Bash", "Permission denied") == found[1]


def test_usage_is_that_of_the_result_line_and_never_a_sum_over_blocks() -> None:
    usage = {
        "input_tokens": 2100, "cache_creation_input_tokens": 900,
        "cache_read_input_tokens": 31000, "output_tokens": 420,
    }  # fmt: skip
    lines = INIT, says(text("a")), says(text("b")), result(usage=usage, total_cost_usd=0.0213)

    assert [Usage(4, 34000, 31000, 420, 0.0213)] == of_type(Usage, *lines)


def test_usage_counts_subagents_where_the_models_are_told() -> None:
    model = {
        "inputTokens": 100, "outputTokens": 5, "cacheReadInputTokens": 10,
        "cacheCreationInputTokens": 1,
    }  # fmt: skip
    line = result(
        usage={"input_tokens": 1, "output_tokens": 1}, modelUsage={"a": model, "b": model}
    )

    assert [Usage(1, 222, 20, 10)] == of_type(Usage, line)


def test_the_answer_is_the_text_of_the_result_line() -> None:
    found = of_type(Message, says(text("Working.")), result(result="Wrote out/report.md."))

    assert Message(2, "Wrote out/report.md.", final=True) == found[-1]


def test_what_a_subagent_says_is_not_what_the_agent_says() -> None:
    assert [] == of_type(Message, says(text("Sub."), parent="toolu_9"))


def test_a_retry_is_a_notice() -> None:
    retry = {"type": "system", "subtype": "api_retry", "attempt": 1, "error": "overloaded"}

    assert [Notice(1, "overloaded")] == of_type(Notice, retry)


def test_a_run_that_was_killed_has_no_result_line_and_is_incomplete() -> None:
    assert "incomplete" == events(INIT, says(text("a")))[-1].state  # type: ignore[union-attr]


@pytest.mark.parametrize(("made", "kind"), [("create", "add"), ("update", "update")])
def test_written_files_are_changes(made: str, kind: str) -> None:
    answer = gives("ok", tool_use_result={"type": made, "filePath": "/r/a"})

    assert [FileChange(2, "/r/a", kind)] == of_type(  # type: ignore[arg-type]
        FileChange, calls("Write", file_path="/r/a", content="x"), answer
    )


def test_the_task_tool_is_known_by_both_of_its_names() -> None:
    lines = calls("Agent", "a", prompt="x"), gives("y", "a"), calls("Task", "b"), gives("y", "b")

    assert [ToolCall(2, "Agent", ok=True), ToolCall(4, "Task", ok=True)] == of_type(
        ToolCall, *lines
    )


def test_unknown_types_subtypes_and_blocks_are_kept_and_counted() -> None:
    lines = (
        {"type": "new_thing", "session_id": "s"},
        {"type": "system", "subtype": "new_subtype"},
        says({"type": "new_block"}),
    )

    assert ["new_thing", "system: new_subtype", "block: new_block"] == [
        one.kind for one in of_type(Unknown, INIT, *lines)
    ]
