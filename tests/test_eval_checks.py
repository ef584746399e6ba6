"""The checks file: what is read, and how every mistake is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugineval_action.errors import UsageError
from plugineval_action.evals.cases import Case, Cases
from plugineval_action.evals.checks import read_checks
from plugineval_action.evals.graders.base import Check

CASE = Case(id="a", should_trigger=True, prompt="x", kind="implicit", tags=("smoke",))
OTHER = Case(id="n", should_trigger=False, prompt="x", kind="negative")


def read(tmp_path: Path, text: str) -> tuple[Check, ...]:
    path = tmp_path / "s.checks.yaml"
    path.write_text(text)
    return read_checks(path, "s", Cases(tmp_path / "s.csv", (CASE, OTHER)))


def one(tmp_path: Path, *lines: str) -> Check:
    return read(tmp_path, "checks:\n- id: c\n" + "".join(f"  {line}\n" for line in lines))[-1]


def test_activation_is_checked_without_being_asked_for(tmp_path: Path) -> None:
    [check] = read(tmp_path, "checks: []\n")

    assert ("activation", True) == (check.type, check.must_pass)
    assert check.applies(CASE)
    assert check.applies(OTHER)


def test_a_check_of_activation_in_the_file_takes_its_place(tmp_path: Path) -> None:
    [check] = read(tmp_path, "checks:\n- {id: x, type: activation, must_pass: false}\n")

    assert not check.must_pass


def test_a_check_is_for_cases_that_should_trigger_unless_it_says_otherwise(tmp_path: Path) -> None:
    plain = one(tmp_path, "type: file_exists", "path: a")
    kinds = one(tmp_path, "type: file_exists", "path: a", "only: {kinds: [negative]}")
    tags = one(tmp_path, "type: file_exists", "path: a", "only: {tags: [smoke], cases: [a]}")

    assert [(True, False), (False, True), (True, False)] == [
        (check.applies(CASE), check.applies(OTHER)) for check in (plain, kinds, tags)
    ]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["path: a"], ":2: The check has no type. Add type: one of activation, build,"),
        (["type: file_exsts"], ":3: There is no type 'file_exsts'. Did you mean file_exists?"),
        (["type: file_exists"], ":2: path is missing. Add it."),
        (["type: file_exists", "path: ../x"], ":4: path: '../x' leads out of the workspace."),
        (["type: file_exists", "path: /etc/x"], ":4: path: '/etc/x' leads out of the workspace."),
        (["type: file_exists", "path: ."], ":4: path: '.' leads out of the workspace."),
        (["type: file_exists", "pth: a"], ":4: There is no key 'pth' here. Did you mean path?"),
        (["type: command_ran", "command: a && b"], ":4: command: 'a && b' is not one command."),
        (["type: command_ran", "command: ''"], ":4: command: '' is not one command."),
        (["type: command_order", "commands: [a]"], "at least 2 items"),
        (["type: max_tokens", "limit: many"], ":4: limit is 'many'"),
        (["type: max_tokens", "limit: many"], "Write a whole number."),
        (["type: max_tokens", "limit: -1"], "greater than or equal to 0"),
        (["type: final_message"], "It takes one of contains and pattern. Give exactly one"),
        (["type: final_message", "contains: ' '"], "it is empty, which any text holds."),
        (["type: final_message", "pattern: '('"], "'(' is no regular expression"),
        (
            ["type: smoke", "command: x", "url: http://example.com:80/"],
            "no address of this machine",
        ),
        (["type: smoke", "command: x", "url: http://127.0.0.1/"], "with the port."),
        (["type: smoke", "command: x", "url: https://127.0.0.1:1/"], "no address of this machine"),
        (["type: command_ran", f"command: {'x ' * 21}"], "it has over 20 words. Name only the"),
        (["type: smoke", "command: x", "url: http://127.0.0.1:1/é"], "holds what no address does."),
        (["type: smoke", "command: x", "url: http://127.0.0.1:1/a b"], "Write other characters as"),
        (["type: smoke", "command: x", "url: http://u@127.0.0.1:1/"], "no address of this machine"),
        (["type: smoke", "command: x", "url: 'http://[::1'"], "no address of this machine"),
        (["type: build", 'command: "npm \'x"'], "Close the quote."),
        (["type: build", "command: ''"], "it is empty. Write a command, such as npm run build."),
        (["type: build", "command: x", "seconds: 0"], "greater than 0"),
        (["type: no_thrash", "only: {}"], "it names nothing. Give cases, kinds or tags"),
        (
            ["type: no_thrash", "only: {kind: [x]}"],
            "There is no key 'kind' here. Did you mean kinds",
        ),
        (["type: no_thrash", "only: {cases: [b]}"], "for a case 'b', and there is none."),
        (["type: no_thrash", "must_pass: maybe"], "Write true or false."),
        (["type: no_thrash", "only: a"], "only is 'a', which has no keys of its own."),
        (["type: no_thrash", "only: {kinds: [x]}"], "only.kinds.0 is 'x', which is not known."),
        (["type: final_message", "contains: yes"], "contains is true, which is no text. Put it"),
        (["type: command_order", "commands: a"], "commands is 'a', which is no list. Write a"),
        (["type: command_ran", "command:"], ":4: command is empty. Write a value behind"),
    ],
)
def test_every_mistake_is_answered_with_line_reason_and_remedy(
    lines: list[str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        one(tmp_path, *lines)

    assert told in str(caught.value)


@pytest.mark.parametrize(
    "lines",
    [
        ["type: max_commands", "limit: '8'"],
        ["type: max_tokens", 'limit: "8"'],
        ["type: no_thrash", "repeats: '2'"],
        ["type: build\n  command: x", "seconds: '1.5'"],
        ["type: smoke\n  command: x\n  url: http://127.0.0.1:1/", "status: '200'"],
        ["type: smoke\n  command: x\n  url: http://127.0.0.1:1/", "seconds: '2'"],
        ["type: no_thrash", "must_pass: 'true'"],
        ["type: no_escalation", "denials: 'false'"],
        ["type: command_ran\n  command: x", "succeeded: 'false'"],
    ],
)
def test_a_number_or_truth_value_in_quotes_is_none(lines: list[str], tmp_path: Path) -> None:
    """The mistake names the line, the value, and the way out."""
    line = 3 + "\n".join(lines).count("\n")
    key, _, value = lines[-1].replace('"', "'").partition(": ")

    with pytest.raises(UsageError) as caught:
        one(tmp_path, *lines)

    assert f":{line}: {key} is {value}, which is " in str(caught.value)
    assert str(caught.value).endswith("Write it without quotes.")


def test_a_pattern_that_python_warns_of_is_a_pattern(tmp_path: Path) -> None:
    """Warnings are errors here, and would be lines between the results elsewhere."""
    assert "[[a]" == one(tmp_path, "type: final_message", "pattern: '[[a]'").model_dump()["pattern"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["type: max_commands", "limit: 8.0"], "limit is 8.0, which is no whole number."),
        (["type: max_commands", "limit: yes"], "limit is true, which is no whole number."),
        (["type: max_commands", "limit: '0.5'"], "which is no whole number. Write a whole number."),
        (["type: no_thrash", "must_pass: 1"], "must_pass is 1, which is neither true nor false."),
        (["type: no_thrash", "must_pass: 'yes'"], "neither true nor false. Write true or false."),
        (["type: build", "command: x", "seconds: true"], "seconds is true, which is no number."),
        (["type: build", "command: x", "seconds: 1e9"], "which is no number. Write a number."),
        (["type: max_commands", 'limit: !!int ""'], ":4: limit is '', which is no whole number."),
        (["type: build", "command: x", 'seconds: !!float ""'], ":5: seconds is '', which is no"),
        (["type: build", "command: x", "seconds: .nan"], "seconds is nan, which should be"),
    ],
)
def test_values_of_another_type_are_not_made_to_fit(
    lines: list[str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        one(tmp_path, *lines)

    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1: There is no list `checks`. Start the file with `checks:`."),
        ("checks: 1\n", ":1: `checks` is no list."),
        ("checks: []\nskill: x\n", ":2: There is no key 'skill' here."),
        ("checks:\n- x\n", ":2: This is no check."),
        ("checks:\n- {id: [a], type: no_thrash}\n", ":2: id is ['a'], which is no text."),
        (
            "checks:\n" + "- {id: a, type: no_thrash}\n" * 2,
            ":3: The id 'a' stands on line 2 already",
        ),
        ("checks:\n" + "- {id: a, type: no_thrash}\n" * 101, "over 100 checks"),
    ],
)
def test_the_shape_of_the_file_is_told_too(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)

    assert told in str(caught.value)
