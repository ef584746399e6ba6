"""Settings: every input is parsed strictly, and all problems are told at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.action.config_file import MAX_CHARACTERS, parse_config
from plugineval_action.action.inputs import Inputs, input_name
from plugineval_action.action.settings import Settings, read_settings
from plugineval_action.errors import UsageError
from runner import TOKEN, environ, settings

T = TypeVar("T")

KEY = "sk-ant-0123456789"
NAMES = [input_name(field) for field in Inputs.model_fields]
ADVICE = {
    "mode": "use 'auto', 'pull-request', 'post', 'report' or 'certify'",
    "depth": "use 'auto', 'quick', 'standard', 'deep' or 'thorough'",
    "fail-on": "use 'error', 'warning', 'note' or 'never'",
    "comment": "use 'changes', 'always', 'failures' or 'off'",
    "annotations": "use 'check', 'commands' or 'off'",
    "fail-under": "use a number from 0 to 100",
    "max-regression": "use a number from 0 to 100",
    "sarif-file": "use the path of a file inside of the repository",
    "config": "use the path of a file inside of the repository",
    "publish": "use 'branch', 'main' or 'pull-request'",
    "report-branch": "use the name of a branch, such as plugin-eval-report",
    "report-path": "use the path of a folder inside of the repository",
    "alert-issue": "use 'true' or 'false'",
    "shard": "use a number and of how many, such as 2/8, of at most 256",
    "paths": "use globs inside of the repository, such as plugins/**",
}


def complaints(environment: dict[str, str]) -> list[str]:
    """The problems that reading this environment raises."""
    with pytest.raises(UsageError) as raised:
        read_settings(environment)
    return raised.value.message.split("\n")


def attempt(read: Callable[[], T]) -> T | UsageError:
    """What is read, or why it is refused."""
    try:
        return read()
    except UsageError as error:
        return error


def complaint(name: str, text: str) -> str:
    """The only problem of one input with this text."""
    (only,) = complaints(environ({name: text}))
    return only


def test_without_inputs_everything_has_its_default() -> None:
    read = settings()

    assert ("auto", "auto", ()) == (read.mode, read.depth, read.paths)
    assert (None, None, "never") == (read.fail_under, read.max_regression, read.fail_on)
    assert ("changes", "check") == (read.comment, read.annotations)
    assert (None, None, None) == (read.sarif_file, read.config, read.anthropic_api_key)


def test_an_empty_text_counts_as_no_input() -> None:
    empty = dict.fromkeys(set(NAMES) - {"github-token"}, " \n")

    assert settings() == read_settings(environ(empty))


def test_inputs_are_read_by_the_names_the_runner_gives_them_hyphens_kept() -> None:
    read = read_settings(environ() | {"INPUT_FAIL-UNDER": "60", "INPUT_MAX-REGRESSION": "2.5"})

    assert (60.0, 2.5) == (read.fail_under, read.max_regression)


def test_what_the_runner_tells_is_read() -> None:
    read = read_settings(environ(event="push"))

    assert ("push", "octo-org/skills") == (read.event_name, read.repository)
    assert "https://github.com/octo-org/skills/actions/runs/30433642/attempts/2" == read.run_url


def test_an_enterprise_server_is_addressed_as_its_runner_says() -> None:
    urls = {
        "GITHUB_API_URL": "https://git.example/api/v3",
        "GITHUB_GRAPHQL_URL": "https://git.example/api/graphql",
        "GITHUB_SERVER_URL": "https://git.example",
    }
    read = read_settings(environ(None, "push", **urls))

    assert list(urls.values()) == [read.api_url, read.graphql_url, read.server_url]
    assert read.run_url.startswith("https://git.example/octo-org/skills/")


def test_variables_named_like_inputs_are_not_inputs() -> None:
    assert settings() == read_settings(
        environ() | {"mode": "post", "PATHS": "a", "fail-under": "9"}
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mode", "pull_request"),
        ("depth", "Quick"),
        ("fail-on", "true"),
        ("comment", "false"),
        ("annotations", "yes"),
        ("fail-under", "high"),
        ("fail-under", "-1"),
        ("fail-under", "100.1"),
        ("fail-under", "nan"),
        ("fail-under", "inf"),
        ("fail-under", "1e1"),
        ("fail-under", "6_0"),
        ("fail-under", "60%"),
        ("fail-under", "60,5"),
        ("fail-under", "٦٠"),
        ("max-regression", "+5"),
        ("max-regression", "0x10"),
        ("sarif-file", "../out.sarif"),
        ("sarif-file", "/etc/passwd"),
        ("sarif-file", "/github/workspace-2/out.sarif"),
        ("sarif-file", "reports/"),
        ("sarif-file", "."),
        ("config", "a/../../b.yml"),
        ("config", "https://github.com/o/r/blob/main/c.yml"),
        ("paths", "../other/**"),
        ("paths", "/plugins"),
    ],
)
def test_what_is_no_value_of_an_input_is_refused_with_name_value_and_remedy(
    name: str, text: str
) -> None:
    assert f"{name} is {text!r}: {ADVICE[name]}." == complaint(name, text)


def test_exclusions_in_paths_are_refused_rather_than_taken_for_names() -> None:
    assert "exclusions are not supported" in complaint("paths", "plugins/**\n!plugins/old")


def test_more_globs_than_anyone_writes_are_refused() -> None:
    assert complaint("paths", "a\n" * 101).endswith("use at most 100 globs.")


@pytest.mark.parametrize("text", ["0", "100", "100.0", "62.5", "07"])
def test_numbers_from_0_to_100_are_read(text: str) -> None:
    assert float(text) == settings(fail_under=text).fail_under


@given(st.text(max_size=12))
def test_any_text_is_read_as_a_number_in_range_or_refused_by_name(text: str) -> None:
    read = attempt(lambda: read_settings(environ({"fail-under": text})).fail_under)

    if isinstance(read, UsageError):
        assert read.message.startswith("fail-under is ")
        assert "\n" not in read.message
    else:
        assert 0 <= (read or 0) <= 100


def test_paths_are_globs_one_a_line_in_normal_form() -> None:
    assert ("plugins/**", "a b/*", "x", "**") == settings(
        paths="\n  plugins/**  \r\n./a b/*/\n\nx/./y/..\n.\n"
    ).paths


@pytest.mark.parametrize("text", ["out.sarif", "./out.sarif", "/github/workspace/out.sarif"])
def test_a_file_may_be_given_relative_to_the_workspace_or_below_it(text: str) -> None:
    assert "out.sarif" == settings(sarif_file=text).sarif_file


def test_an_underscore_for_a_hyphen_is_an_error_not_a_gate_left_off() -> None:
    assert ["fail_under is not an input; did you mean fail-under?"] == complaints(
        environ({"fail_under": "60"})
    )


def test_inputs_that_are_none_of_ours_are_left_to_the_runner() -> None:
    assert settings() == read_settings(environ({"args": "x", "entrypoint": "y"}))


def test_all_problems_are_told_in_one_error() -> None:
    wrong = {"mode": "x", "depth": "y", "fail-under": "z", "comment": "failures", "fail_on": "w"}
    found = complaints(environ(wrong, GITHUB_SHA="main"))
    named = [problem.partition(" ")[0] for problem in found]

    assert sorted(["mode", "depth", "fail-under", "GITHUB_SHA", "fail_on"]) == sorted(named)


def test_wrong_values_and_values_that_do_not_go_together_are_told_in_one_error() -> None:
    found = complaints(environ({"depth": "y", "comment": "failures"}))

    assert ["depth", "comment:"] == [problem.partition(" ")[0] for problem in found]


def test_outside_of_a_runner_the_variables_that_are_missing_are_named_in_one_line() -> None:
    (only,) = complaints({"INPUT_GITHUB-TOKEN": TOKEN})

    assert {"GITHUB_EVENT_NAME", "GITHUB_API_URL", "RUNNER_TEMP"} <= set(
        only.removesuffix(".").replace(",", "").split()
    )


def test_an_empty_token_is_explained() -> None:
    (only,) = complaints(environ({"github-token": ""}))

    assert "a secret that does not exist arrives empty" in only


def test_a_long_value_is_cut_and_made_one_line() -> None:
    told = complaint("mode", "::error::" + "x" * 5000 + "\n::set-output")

    assert len(told) < 200
    assert "\n" not in told


@pytest.mark.parametrize("name", ["github-token", "anthropic-api-key"])
def test_a_broken_secret_is_refused_without_showing_it(name: str) -> None:
    told = complaint(name, f"{KEY} {KEY}")

    assert told.startswith(f"{name}: ")
    assert KEY not in told


def test_secrets_show_nowhere_and_can_be_had_for_masking() -> None:
    read = settings(anthropic_api_key=KEY)
    shown = f"{read!r}{read}{read.model_dump()}{read.model_dump_json()}"

    assert TOKEN not in shown
    assert KEY not in shown
    assert (TOKEN, KEY) == read.secrets


def test_the_token_alone_is_masked_without_a_key() -> None:
    assert (TOKEN,) == settings().secrets


@pytest.mark.parametrize("depth", ["standard", "deep", "thorough"])
def test_a_depth_that_lacks_its_key_is_said_plainly(depth: str) -> None:
    read = settings(depth=depth)
    (notice,) = read.notices

    assert "quick" == read.depth_asked
    assert f"depth: {depth} was asked for, but anthropic-api-key is not set" in notice


@pytest.mark.parametrize(
    ("depth", "asked"), [("auto", "standard"), ("quick", "quick"), ("thorough", "thorough")]
)
def test_with_a_key_a_depth_runs_as_asked_and_auto_is_standard(depth: str, asked: str) -> None:
    read = settings(depth=depth, anthropic_api_key=KEY)

    assert (asked, ()) == (read.depth_asked, read.notices)


def test_without_a_key_auto_is_quick_and_has_nothing_to_say() -> None:
    assert ("quick", ()) == (settings().depth_asked, settings().notices)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("judges", "0"),
        ("judges", "6"),
        ("judges", "two"),
        ("max-usd", "0"),
        ("max-usd", "none"),
        ("max-usd", "-1"),
        ("judge-max-chars", "0"),
        ("judge-max-chars", "1e5"),
        ("model", "a model"),
    ],
)
def test_what_makes_no_sense_for_asking_models_is_refused(name: str, text: str) -> None:
    assert complaint(name, text).startswith(f"{name} is {text!r}: ")


def test_how_models_are_asked_is_read() -> None:
    read = settings(judges="3", max_usd="0.5", judge_max_chars="9000", model="opus")

    assert (3, 0.5, 9000, "opus") == (read.judges, read.max_usd, read.judge_max_chars, read.model)


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"comment": "failures"}, "never comments without fail-under"),
        ({"comment": "failures", "fail-on": "never"}, "never comments without fail-under"),
        ({"mode": "post", "comment": "off", "annotations": "off"}, "publishes nothing"),
        ({"mode": "post", "comment": "off", "annotations": "commands"}, "publishes nothing"),
        ({"publish": "main"}, "publish does nothing without mode: report"),
        ({"alert-issue": "true"}, "alert-issue does nothing without mode: report"),
        ({"shards": "shards"}, "shards does nothing without mode: report"),
        ({"mode": "report", "paths": "a"}, "paths does nothing with mode: report"),
        ({"mode": "report", "fail-on": "error"}, "fail-on does nothing with mode: report"),
        (
            {"mode": "report", "publish": "main", "report-branch": "b"},
            "report-branch does nothing with publish: main",
        ),
        ({"mode": "report", "shard": "1/2", "shards": "s"}, "shard and shards do not go together"),
        ({"mode": "report", "alert-issue": "true"}, "alert-issue never opens an issue"),
        (
            {"mode": "report", "publish": "pull-request", "report-path": "."},
            "report-path has to be a folder",
        ),
        ({"mode": "post", "comment": "failures"}, "never comments without fail-under"),
        ({"fail-undr": "99"}, "fail-undr is not an input; did you mean fail-under?"),
        ({"surprise": ""}, "surprise is not an input; there are "),
        ({"paths": "skills/{a,b}"}, "braces"),
        ({"paths": "skills\\a"}, "backslash"),
    ],
)
def test_inputs_that_do_not_go_together_are_refused(inputs: dict[str, str], told: str) -> None:
    (only,) = complaints(environ(inputs))

    assert told in only


@pytest.mark.parametrize(
    "inputs",
    [
        {"comment": "failures", "fail-under": "0"},
        {"comment": "failures", "max-regression": "0"},
        {"comment": "failures", "fail-on": "error"},
        {"mode": "post", "comment": "off"},
        {"mode": "post", "paths": "a", "fail-under": "60", "sarif-file": "a"},
        {"args": "", "entrypoint": ""},
        {"mode": "post", "annotations": "off"},
        {"comment": "off", "annotations": "off", "sarif-file": "a"},
    ],
)
def test_inputs_that_go_together_are_read(inputs: dict[str, str]) -> None:
    assert isinstance(read_settings(environ(inputs)), Settings)


def test_a_file_in_temp_has_the_name_by_which_later_steps_see_it() -> None:
    assert "/home/runner/work/_temp/result.json" == settings().seen_later("result.json")


def test_a_file_in_temp_keeps_its_name_where_no_container_renames_it() -> None:
    read = read_settings(environ(RUNNER_TEMP="/tmp/t"))  # noqa: S108 - nothing is written there

    assert "/tmp/t/result.json" == read.seen_later("result.json")  # noqa: S108 - as above


CONFIG = """\
# What the maintainers want.
paths:
  - plugins/**
  - ./skills
fail-under: 60.5
fail-on: error
comment: off
annotations: off
"""


def test_a_configuration_file_gives_what_no_input_gives() -> None:
    read = settings(fail_under="70").with_config(parse_config(CONFIG, "c.yml"))

    assert (70.0, "error", ("plugins/**", "skills")) == (
        read.fail_under,
        read.fail_on,
        read.paths,
    )


def test_an_input_that_says_what_is_the_default_wins_over_the_file() -> None:
    read = settings(comment="changes").with_config(parse_config(CONFIG, "c.yml"))

    assert "changes" == read.comment


def test_words_that_yaml_takes_for_truth_values_stay_words() -> None:
    read = parse_config(CONFIG, "c.yml")

    assert ("off", "off") == (read.comment, read.annotations)


def test_paths_may_be_a_list_or_lines() -> None:
    assert ("a", "b/**") == parse_config("paths: |\n  a\n  b/**\n", "c.yml").paths
    assert ("a", "b/**") == parse_config("paths: [a, b/**]", "c.yml").paths


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "fail-under:\n", "fail-under: ''", "paths: []"]
)
def test_an_empty_file_or_value_gives_nothing(text: str) -> None:
    assert set() == parse_config(text, "c.yml").model_fields_set


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fail-on: error\nfail_under: 3", "c.yml:2: there is no key 'fail_under'"),
        ("github-token: x", "c.yml:1: there is no key 'github-token'"),
        ("mode: post", "c.yml:1: there is no key 'mode'"),
        ("? [a]\n: b", "c.yml:1: there is no key"),
        ("fail-under: 101", "c.yml:1: fail-under is '101': use a number from 0 to 100."),
        ("\n\ncomment: no", "c.yml:3: comment is 'no': use 'changes'"),
        ("fail-on: note\nfail-on: error", "c.yml:2: fail-on is given more than once."),
        ("paths: {a: b}", "c.yml:1: only words, numbers and lists"),
        ("paths: [[a]]", "c.yml:1: only words, numbers and lists"),
        ("fail-under: [1, 2]", "c.yml:1: fail-under is"),
        ("- a", "c.yml has to be a mapping"),
        ("a: [", "c.yml is not valid YAML: line 2:"),
        ("\0", "c.yml is not valid YAML"),
        ("[" * 15_000, "c.yml is not valid YAML"),
        ("#" * (MAX_CHARACTERS + 1), "c.yml has over 20,000 characters."),
    ],
)
def test_a_fault_in_the_configuration_file_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_config(text, "c.yml")

    assert told in raised.value.message
    assert "base branch" in raised.value.remedy


def test_all_faults_of_the_configuration_file_are_told_at_once() -> None:
    with pytest.raises(UsageError) as raised:
        parse_config("a: 1\nb: 2\nfail-under: x\ncomment: y\n", "c.yml")

    assert 4 == len(raised.value.message.split("\n"))


def test_what_does_not_go_together_is_only_judged_with_the_file() -> None:
    waiting = settings(comment="failures", config="c.yml")

    assert 50.0 == waiting.with_config(parse_config("fail-under: 50", "c.yml")).fail_under
    with pytest.raises(UsageError, match="never comments"):
        waiting.with_config(parse_config("", "c.yml"))


@given(st.text(alphabet=" \n:-#[]{}'\"&*!|>?,%@`\tabfilo0159/.", max_size=60))
def test_any_configuration_file_is_read_or_refused_by_its_name(text: str) -> None:
    read = attempt(lambda: parse_config(text, "c.yml"))

    assert not isinstance(read, UsageError) or read.message.startswith("c.yml")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("report-branch", ["a..b", "-a", "a b", "a/", "a.lock", "a//b", "a/.b", "a~1", "refs@{0}"]),
        ("report-path", ["/etc", "../up", "a/../../b"]),
        ("alert-issue", ["yes", "True", "1"]),
        ("shard", ["0/2", "3/2", "1", "1/257", "1/0", "a/b", "-1/2"]),
    ],
)
def test_what_is_no_branch_folder_switch_or_share_is_refused(name: str, texts: list[str]) -> None:
    for text in texts:
        given = {"mode": "report", "max-regression": "5", name: text}
        assert [f"{name} is {text!r}: {ADVICE[name]}."] == complaints(environ(given, "schedule"))


def test_a_report_is_described_by_its_inputs() -> None:
    read = settings(
        "schedule",
        mode="report",
        publish="pull-request",
        report_branch="team/report",
        report_path="./docs/eval/",
        commit_message="docs: report\n\nEvery week.",
        shard="2/8",
    )

    assert ("pull-request", "team/report", "docs/eval") == (
        read.publish,
        read.report_branch,
        read.report_path,
    )
    assert ("docs: report\n\nEvery week.", (2, 8)) == (read.commit_message, read.shard)


def test_the_root_may_be_the_folder_of_a_report() -> None:
    assert "" == settings("schedule", mode="report", report_path=".").report_path


def test_a_message_nobody_reads_to_the_end_is_refused() -> None:
    given = {"mode": "report", "commit-message": "x" * 2001}
    (only,) = complaints(environ(given, "schedule"))

    assert only.endswith("use at most 2,000 characters.")


def test_a_file_that_serves_reviews_too_may_say_what_a_report_has_no_use_for() -> None:
    file = parse_config("paths: plugins/**\nfail-on: error\nmax-regression: 5\n", "c.yml")
    waiting = settings("schedule", mode="report", alert_issue="true", config="c.yml")

    assert 5.0 == waiting.with_config(file).max_regression


def test_what_a_file_says_to_reviews_still_counts_for_them() -> None:
    file = parse_config("fail-on: error\n", "c.yml")

    assert "error" == settings(comment="failures", config="c.yml").with_config(file).fail_on
