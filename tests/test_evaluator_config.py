"""evaluator.toml and judgment.toml: what is read, what is refused, what is said not to apply."""

from __future__ import annotations

import json
import os
import pty
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.cli.main import main
from plugineval_action.errors import UsageError
from plugineval_action.evals.evaluator.config import Evaluator, read_evaluator
from plugineval_action.evals.evaluator.judgment_config import INSTRUCTION, read_judgment
from plugineval_action.evals.evaluator.metrics import INSTRUCTIONS
from plugineval_action.inputs.toml_file import read_toml

OWN = '[[metrics]]\nid = "{}"\nname = "LLMPlain"\nsystem_instruction = "Judge it."\n'
DEFAULT = "anthropic:claude-sonnet-5-5"


def read(tmp_path: Path, text: str) -> Evaluator:
    path = tmp_path / "evaluator.toml"
    path.write_text(text)
    return read_evaluator(path)


def metric(name: str, *lines: str) -> str:
    return "\n".join(["[[metrics]]", f'name = "{name}"', *lines, ""])


def test_an_empty_file_has_the_three_metrics_with_their_weights(tmp_path: Path) -> None:
    evaluator = read(tmp_path, "")

    assert [("ClarityCoherence", 0.334), ("Coverage", 0.333), ("Relevance", 0.333)] == [
        (one.id, one.weight) for one in evaluator.metrics
    ]
    assert (DEFAULT, 4_096, 3, 300.0, ()) == evaluator.metrics[0].asking
    assert INSTRUCTIONS["Coverage"] == evaluator.metrics[1].instruction


def test_without_weights_all_weigh_the_same(tmp_path: Path) -> None:
    evaluator = read(tmp_path, metric("Coverage") + metric("Relevance"))

    assert [0.5, 0.5] == [one.weight for one in evaluator.metrics]


def test_many_criteria_of_ones_own_are_told_apart_by_id(tmp_path: Path) -> None:
    evaluator = read(tmp_path, OWN.format("tone") + OWN.format("law"))

    assert [("tone", "LLMPlain"), ("law", "LLMPlain")] == [
        (one.id, one.kind) for one in evaluator.metrics
    ]


@pytest.mark.parametrize("second", ["0.499", "0.5", "0.5009", "0.501"])
def test_weights_add_up_to_one_within_a_thousandth(tmp_path: Path, second: str) -> None:
    text = metric("Coverage", "weight = 0.5") + metric("Relevance", f"weight = {second}")

    assert 2 == len(read(tmp_path, text).metrics)


def test_a_metrics_own_value_counts_first_then_the_default_then_the_root(tmp_path: Path) -> None:
    root = (
        'default_model = "anthropic:root"\nmax_tokens = 1\nmax_retries = 1\ntimeout_seconds = 1\n'
    )
    middle = '[llm_default]\nmodel = "anthropic:middle"\nmax_tokens = 2\nmax_retries = 0\n'
    own = 'model = "anthropic:own"\nsystem_instruction = "Mine."'
    one, other = read(
        tmp_path, root + middle + metric("Coverage", own) + metric("Relevance")
    ).metrics

    assert ("anthropic:own", 2, 0, 1.0, ()) == one.asking
    assert ("anthropic:middle", 2, 0, 1.0, ()) == other.asking
    assert "Mine." == one.instruction


@pytest.mark.parametrize(
    "text",
    [
        "temperature = 0.0\nseed = 1\n" + metric("Coverage"),
        "[llm_default]\ntemperature = 0.0\nseed = 1\n" + metric("Coverage"),
        metric("Coverage", "temperature = 0.0", "seed = 1"),
    ],
)
def test_sampling_keys_are_reported_as_not_applied_wherever_they_stand(
    tmp_path: Path, text: str
) -> None:
    told = "Coverage: temperature, seed requested, not applied: no model takes it from here."

    assert (told,) == read(tmp_path, text).notes


def test_another_provider_is_valid_and_said_not_to_run(tmp_path: Path) -> None:
    [note] = read(tmp_path, metric("Coverage", 'model = "google-gla:gemini-2.5-flash"')).notes

    assert (
        "google-gla:gemini-2.5-flash is valid, but cannot be run here; only anthropic can" in note
    )


def test_a_provider_that_is_nearly_one_that_can_be_asked_is_asked_back(tmp_path: Path) -> None:
    [note] = read(tmp_path, metric("Coverage", 'model = "antropic:m"')).notes

    assert note.endswith("only anthropic can. Did you mean anthropic:m?")


def test_a_line_of_blanks_in_a_list_costs_no_more_than_another(tmp_path: Path) -> None:
    """One that is looked at anew from each blank takes hours."""
    blanks = " " * 20_000

    with pytest.raises(UsageError, match="There is no key 'stop' here"):
        read(tmp_path, f"stop = [\n[{blanks}\n'a']]\n")


@pytest.mark.parametrize("wrong", ["", "weight = nan", "wieght = 1"])
def test_a_metric_that_is_refused_is_told_once(tmp_path: Path, wrong: str) -> None:
    """Not also as a list that is too short."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, metric("LLMPlain" if not wrong else "Coverage", wrong))

    assert 1 == len(str(caught.value).splitlines())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("temprature = 1\n", ":1: There is no key 'temprature' here. Did you mean temperature?"),
        ("\nmodel = 'a:b'\n", ":2: There is no key 'model' here. Did you mean default_model?"),
        ("[llm_default]\nmodle = 'a:b'\n", ":2: There is no key 'modle' here. Did you mean model?"),
        ("[other]\nx = 1\n", ":1: There is no key 'other' here."),
        (metric("Coverage", "wieght = 1"), "There is no key 'wieght' here. Did you mean weight?"),
        (metric("Coverige"), ":2: metrics.0.name: there is no metric 'Coverige'. Did you mean Cov"),
        (metric("LLMPlain"), ":1: metrics.0: LLMPlain has no criterion of its own."),
        (metric("Coverage") * 2, ":3: There are two metrics 'Coverage'. Give each an id"),
        (
            metric("Coverage", "weight = 0.5") + metric("Relevance", "weight = 0.502"),
            ":3: The weights add up to 1.002. They have to add up to 1.",
        ),
        (
            metric("Coverage", "weight = 0.5") + metric("Relevance", "weight = 0.498"),
            "The weights add up to 0.998.",
        ),
        (
            metric("Coverage", "weight = 1.0") + metric("Relevance"),
            ":4: Some metrics have a weight, and this one has none. Give all of them one, or none.",
        ),
        ("metrics = []\n", ":1: metrics is []"),
        ("default_model = 'gpt'\n", ":1: default_model: 'gpt' is not provider:name."),
        ("default_model = 'a:'\n", "'a:' is not provider:name. Write it as anthropic:"),
        ("temperature = 3\n", "less than or equal to 2"),
        (metric("Coverage", "top_p = 2"), ":3: metrics.0.top_p is 2"),
        (
            metric("Coverage", 'weight = "1"'),
            ":3: metrics.0.weight is '1', which is no number. Write it without quotes.",
        ),
        ("seed = '7'\n", ":1: seed is '7', which is no whole number. Write it without quotes."),
        ("temperature = true\n", ":1: temperature is true, which is no number. Write a number."),
        ("max_tokens = 0\n", "greater than 0"),
        ("timeout_seconds = 0\n", "greater than 0"),
        ("[custom_metrics]\nx = {module='os', class='x'}\n", ":1: custom_metrics name code."),
        ("x = \n", ":1: This is not valid TOML: Invalid value. Put text in straight"),
        ("x = 1\nx = 2\n", ":2: This is not valid TOML: Cannot overwrite a value."),
        ("x = '''\n", "This is not valid TOML"),
        ("[[metrics]]\n", ":1: metrics.0.name is missing. Add it."),
        ("[metrics]\nname = 'Coverage'\n", "makes one table. Write [[metrics]]."),
        ("x = 1\nx = 2\n", "The same key or table stands twice: keep one."),
        ("x = yes\n", "Put text in straight quotes, and write true, false and numbers without."),
        ("x: 1\n", 'Write key = "value", one a line.'),
        ("x = 1,5\n", "and numbers with a point: 0.5."),
    ],
)  # fmt: skip
def test_every_mistake_is_answered_with_line_reason_and_remedy(
    text: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)

    assert told in str(caught.value)


def test_lines_are_found_behind_long_texts(tmp_path: Path) -> None:
    text = 'x = """\n[a]\ny = 1\n"""\nb = 2 # c\n[[m]]\n"k" = 1\n[[m]]\nz.w = 1\n'
    (tmp_path / "f.toml").write_text(text)
    lines = read_toml(tmp_path / "f.toml").lines

    assert {
        ("x",): 1,
        ("b",): 5,
        ("m", 0): 6,
        ("m", 0, "k"): 7,
        ("m", 1): 8,
        ("m", 1, "z", "w"): 9,
    } == lines


@given(st.text(st.sampled_from("ab =[]\"'{}\n#.,0_"), max_size=80))
def test_any_toml_is_read_or_refused(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder, "evaluator.toml")
        path.write_text(text)
        try:
            read_evaluator(path)
        except UsageError as error:
            told = error

            assert told.remedy


# judgment.toml


def test_every_key_of_a_judgment_is_optional(tmp_path: Path) -> None:
    path = tmp_path / "judgment.toml"
    path.write_text("")
    judgment = read_judgment(path)

    assert (INSTRUCTION, True, ()) == (
        judgment.instruction,
        judgment.on_final_round,
        judgment.notes,
    )
    assert (DEFAULT, 4_096, 3, 60.0, ()) == judgment.asking


def test_a_judgment_says_what_is_not_applied_and_refuses_what_it_does_not_know(
    tmp_path: Path,
) -> None:
    path = tmp_path / "judgment.toml"
    path.write_text("top_p = 0.5\njudge_on_final_round = false\n")
    judgment = read_judgment(path)

    assert (
        "judgment: top_p requested, not applied: no model takes it from here.",
    ) == judgment.notes
    assert not judgment.on_final_round
    path.write_text("judge_on_final_round = 'false'\n")
    with pytest.raises(UsageError, match=r"neither true nor false\. Write it without quotes"):
        read_judgment(path)
    path.write_text("judge_on_last_round = true\n")
    with pytest.raises(UsageError, match="Did you mean judge_on_final_round"):
        read_judgment(path)


# The command


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_init_writes_both_files_and_validates_them(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["config", "init"])
    out = capsys.readouterr().out
    assert "evaluator.toml is valid." in out
    assert f"Coverage: weight 0.333, {DEFAULT}" in out
    assert f"judgment.toml is valid.\n  judgment: {DEFAULT}" in out
    assert 0 == main(["config", "validate"])
    assert 0 == main(["config", "validate", str(here / "judgment.toml")])


def test_what_a_person_would_be_asked_can_be_given_as_options(here: Path) -> None:
    hostile = "Is it \"kind\"?\n\x7f '''"
    words = [
        "--model",
        "anthropic:m",
        "--metric",
        "Coverage=0.6",
        "--criterion",
        f"tone=0.4:{hostile}",
    ]

    assert 0 == main(["config", "init", *words])
    one, two = read_evaluator(here / "evaluator.toml").metrics
    assert ("Coverage", 0.6, "anthropic:m") == (one.id, one.weight, one.asking.model)
    assert ("tone", 0.4, hostile) == (two.id, two.weight, two.instruction)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--metric", "Coverage"], "'Coverage' has no weight. Write one from 0 to 1"),
        (["--metric", "Coverage=0.5"], "The weights add up to 0.5."),
        (["--metric", "Cover=1"], "there is no metric 'Cover'. Did you mean Coverage?"),
        (["--criterion", "a=1"], "has no text. Write ID=WEIGHT:TEXT."),
        (["--model", "gpt"], "evaluator.toml:1: default_model: 'gpt' is not provider:name."),
    ],
)
def test_wrong_options_leave_no_file(
    words: list[str], told: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["config", "init", *words])
    assert told in capsys.readouterr().err
    assert [] == list(here.iterdir())


def at_a_terminal(folder: Path, answers: str) -> tuple[int, str, str]:
    """`config init` by a person who types: exit code, standard output, and what the screen shows.

    A line that was typed is shown once by the terminal itself.
    """
    screen, end = pty.openpty()
    with Popen(
        [sys.executable, "-m", "plugineval_action", "config", "init"],
        cwd=folder, stdin=end, stderr=end, stdout=PIPE, text=True,
    ) as process:  # fmt: skip
        os.close(end)
        os.write(screen, answers.encode())
        out = process.communicate()[0]
    shown = b""
    with suppress(OSError):  # so a terminal ends on Linux
        while data := os.read(screen, 65_536):
            shown += data
    os.close(screen)
    return process.returncode, out, shown.decode().replace("\r\n", "\n")


def test_a_person_at_a_terminal_is_asked(tmp_path: Path) -> None:
    code, out, shown = at_a_terminal(tmp_path, "anthropic:m\n0\n0.6\n0.4\n")

    assert 0 == code, shown
    assert f"Which model? [{DEFAULT}] " in shown
    assert "Weight of Relevance, 0 for none? [0.333] " in shown
    assert "Coverage: weight 0.6, anthropic:m\n  Relevance: weight 0.4, anthropic:m\n" in out
    assert ["Coverage", "Relevance"] == [
        one.id for one in read_evaluator(tmp_path / "evaluator.toml").metrics
    ]


def test_a_person_who_only_confirms_gets_what_is_shown_in_brackets(tmp_path: Path) -> None:
    assert 0 == at_a_terminal(tmp_path, "\n" * 4)[0]
    assert (DEFAULT, 0.334) == (
        (one := read_evaluator(tmp_path / "evaluator.toml").metrics[0]).asking.model,
        one.weight,
    )


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ("\n0\n0\n0\n", "There would be no metric. Give one of them a weight"),
        ("\n-1\n1\n1\n", "That would be no valid file. evaluator.toml:5: metrics.0.weight is -1.0"),
        ("\n1\n1\n1\n", "The weights add up to 3."),
        ("\nmuch\n", "'ClarityCoherence' has no weight. Write one from 0 to 1, as 0.5."),
    ],
)
def test_a_wrong_answer_is_told_and_leaves_no_file(answers: str, told: str, tmp_path: Path) -> None:
    code, _, shown = at_a_terminal(tmp_path, answers)

    assert 2 == code
    assert told in shown
    assert [] == list(tmp_path.iterdir())


def test_init_replaces_nothing_and_validate_needs_something(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["config", "validate"])
    assert "There is no evaluator.toml and no judgment.toml here." in capsys.readouterr().err
    (here / "judgment.toml").write_text("")
    assert 2 == main(["config", "init"])
    assert "is there already" in capsys.readouterr().err


def test_json_texts_are_toml_texts() -> None:
    import tomllib

    text = "".join(map(chr, (*range(127), 0x80, 0x2028, 0x1F600)))
    assert text == tomllib.loads(f"x = {json.dumps(text, ensure_ascii=False)}")["x"]
