"""`plugin-eval eval plan`: a first set that runs, from the skill's own text and without a model."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import CORPUS, needs_corpus
from model_server import Draft, ModelServer
from plugineval_action.cli.main import main
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.evals import draft
from plugineval_action.evals.cases import KINDS
from plugineval_action.evals.rubric import read_rubric
from plugineval_action.evals.suite import Suite, find_folder, read_suite

BODY = """
Run the generator:

```bash
$ npm install --silent
CI=1 npm run build && ls dist   # look
```

It writes the bundle to `dist/app.js` and creates `report.json`. Never create `../x.md`.
"""
DESCRIPTION = 'Builds a web app: with "quotes", #hash. Use when asked.'


def written(folder: str | Path, what: draft.About) -> Suite:
    """The suite of a draft, written and read again."""
    files = {
        "prompts.csv": draft.case_file,
        "checks.yaml": draft.check_file,
        "rubric.yaml": draft.rubric_file,
    }
    for name, text in files.items():
        Path(folder, f"s.{name}").write_text(
            text(what), encoding="utf-8", errors="replace", newline=""
        )
    read_rubric(Path(folder, "s.rubric.yaml"))
    return read_suite("s", Path(folder))


def test_commands_and_files_are_found_in_the_text() -> None:
    what = draft.about("s", DESCRIPTION, BODY, {})

    assert 'build a web app: with "quotes", #hash' == what.task
    assert ("npm install", "npm run") == what.commands
    assert ("dist/app.js", "report.json") == what.files


@pytest.mark.parametrize(
    ("description", "task"),
    [
        ("Writes and reviews commit messages.", "write and review commit messages"),
        ("Writes, tests, and fixes code.", "write, test, and fix code"),
        ("Creates charts, tables and reports.", "create charts, tables and reports"),
        ("Applies a patch or publishes it", "apply a patch or publish it"),
        ("Process a file.", "process a file"),
        ("Crea informes de ventas.", "do what this says: “Crea informes de ventas”"),
        ("Erstellt Berichte und Tabellen.", "do what this says: “Erstellt Berichte und Tabellen”"),
        ("生成销售报告。", "do what this says: “生成销售报告。”"),
    ],
)
def test_a_description_becomes_a_request_and_other_languages_are_quoted(
    description: str, task: str
) -> None:
    assert task == draft.about("s", description, "", {}).task


def test_a_task_in_another_language_is_quoted_too() -> None:
    given = {"task": "crea un informe de ventas"}

    assert "do what this says: “crea un informe de ventas”" == draft.about("s", "", "", given).task


def test_what_is_given_counts_more_than_what_is_found(tmp_path: Path) -> None:
    given = {"task": "ship it", "commands": ["npm ci", "npm test"], "files": ["a.json"]}
    suite = written(tmp_path, draft.about("s", DESCRIPTION, BODY, given))
    checks = {one.id: one for one in suite.checks}

    assert {"makes-1", "json-1", "runs-1", "runs-2", "order"} <= set(checks)
    assert checks["runs-1"].must_pass
    assert checks["makes-1"].must_pass
    assert all("ship it" in one.prompt.lower() for one in suite.cases if one.kind == "implicit")


def test_there_are_prompts_of_all_kinds_and_checks_for_all_goals(tmp_path: Path) -> None:
    suite = written(tmp_path, draft.about("s", DESCRIPTION, BODY, {}))

    assert set(KINDS) == {one.kind for one in suite.cases}
    assert 10 <= len(suite.cases) <= 20
    assert {"outcome", "process", "style", "efficiency"} == {one.goal for one in suite.checks}


def test_what_was_only_guessed_does_not_fail_a_case(tmp_path: Path) -> None:
    suite = written(tmp_path, draft.about("s", DESCRIPTION, BODY, {}))

    guessed = [one for one in suite.checks if one.id.startswith(("makes-", "json-", "runs-"))]
    assert 5 == len(guessed)
    assert not any(one.must_pass for one in guessed)


@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_a_skill_says_the_draft_is_read_again(description: str, body: str) -> None:
    with TemporaryDirectory() as folder:
        text = f"```sh\n{body}\n```\nwrites `{body}`"
        assert written(folder, draft.about("s", description, text, {})).cases


@needs_corpus
def test_every_tenth_skill_of_the_corpus_gets_a_draft_that_is_read_again(tmp_path: Path) -> None:
    skills = sorted(CORPUS.rglob("SKILL.md"))[::10]
    for path in skills:
        front = split_lines(path.read_text(encoding="utf-8", errors="replace"))
        what = draft.about("s", front.text("description"), front.body, {})
        assert written(tmp_path, what).cases

    assert len(skills) > 50


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "skills/web-app"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: web-app\ndescription: '{DESCRIPTION}'\n---\n{BODY}"
    )
    return folder


def test_the_command_writes_four_files_and_says_what_to_do_next(
    skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evals = tmp_path / "evals"

    assert 0 == main(["eval", "plan", str(skill), "--evals", str(evals)])
    names = ["checks.yaml", "prompts.csv", "rubric.schema.json", "rubric.yaml"]
    assert [f"web-app.{name}" for name in names] == sorted(path.name for path in evals.iterdir())
    assert "plugin-eval eval grade" in capsys.readouterr().out


@pytest.mark.parametrize("git", [True, False])
@pytest.mark.parametrize("here", ["", "skills", "skills/web-app", "elsewhere"])
def test_new_evals_lie_beside_the_skills_wherever_one_stands(
    here: str, git: bool, skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    if git:
        (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path / here)

    assert 0 == main(["eval", "plan", os.path.relpath(skill)])
    assert (tmp_path / "evals/web-app.prompts.csv").is_file()


@pytest.mark.parametrize(
    ("folder", "repository", "expected"),
    [
        ("p/skills/s", "", "p/evals"),  # a plugin in a marketplace
        ("p/skills/s", None, "p/evals"),
        ("skills/group/s", "", "evals"),
        ("skills/skills/s", "skills", "skills/evals"),
        ("skills/s", "skills", "skills/evals"),  # the repository itself is called so
        ("p/s", None, "p/evals"),
        ("s", "s", "s/evals"),  # the repository is the skill
    ],
)
def test_without_cases_evals_lie_beside_the_skills_and_in_the_repository(
    folder: str, repository: str | None, expected: str, tmp_path: Path
) -> None:
    root = None if repository is None else tmp_path / repository

    assert tmp_path / expected == find_folder(tmp_path / folder, root, "s")


def test_the_nearest_cases_count_and_none_outside_of_the_repository(tmp_path: Path) -> None:
    skill = tmp_path / "repository/p/skills/s"
    for folder in ("evals", "repository/evals", "repository/p/evals"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "evals/s.prompts.csv").touch()
    (tmp_path / "repository/p/evals/another.prompts.csv").touch()

    assert tmp_path / "evals" == find_folder(skill, None, "s")
    inside = find_folder(skill, tmp_path / "repository", "s")
    assert tmp_path / "repository/p/evals" == inside
    (tmp_path / "repository/evals/s.prompts.yaml").touch()
    assert tmp_path / "repository/evals" == find_folder(skill, None, "s")


def test_a_folder_that_cannot_be_written_is_told_with_a_way_out(
    skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evals").write_text("a file")

    assert 2 == main(["eval", "plan", str(skill)])
    told = "cannot be written (File exists). Name a folder that can be written, with --evals."
    assert told in capsys.readouterr().err


def test_two_files_of_cases_are_refused_since_one_would_be_ignored(
    skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("prompts.csv", "prompts.yaml"):
        (tmp_path / f"web-app.{name}").write_text("id,should_trigger,prompt\na,true,x\n")
    words = ["eval", "grade", str(skill), "--evals", str(tmp_path), "--traces", "x"]

    assert 2 == main(words)
    told = "holds web-app.prompts.csv and web-app.prompts.yaml. Put all into one of them."
    assert told in capsys.readouterr().err


def test_what_the_plan_wrote_grades_at_once(
    skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evals, traces = tmp_path / "evals", tmp_path / "traces"
    traces.mkdir()
    (traces / "negative-1.jsonl").write_text(
        '{"type":"thread.started"}\n{"type":"turn.completed","usage":{}}\n'
    )

    assert 0 == main(["eval", "plan", str(skill), "--evals", str(evals)])
    words = ["eval", "grade", str(skill), "--evals", str(evals), "--traces", str(traces)]
    assert 0 == main(words)
    assert "1 of 1 case passed" in capsys.readouterr().out


def test_files_that_are_there_are_never_replaced(
    skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["eval", "plan", str(skill), "--evals", str(tmp_path / "evals")]

    assert [0, 2] == [main(words), main(words)]
    assert "is there already. Move it away" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--commands", "a && b"], "--commands: 'a && b' is not one command."),
        (["--files", "../x"], "--files: '../x' leads out of the workspace."),
    ],
)
def test_what_cannot_be_checked_is_refused_before_anything_is_written(
    options: list[str], told: str, skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evals = tmp_path / "evals"

    assert 2 == main(["eval", "plan", str(skill), "--evals", str(evals), *options])
    assert told in capsys.readouterr().err
    assert not evals.exists()


def test_the_schema_accepts_the_answer_that_everyone_uses() -> None:
    answer = {
        "overall_pass": True,
        "score": 90,
        "checks": [{"id": "vite", "pass": True, "notes": ""}],
    }
    check = jsonschema_rs.validator_for(json.loads(draft.schema_file()))

    assert check.is_valid(answer)
    assert not check.is_valid(answer | {"score": 101})
    assert not check.is_valid({"overall_pass": True})


def test_with_a_key_a_model_may_write_the_prompts(
    skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = {
        "should": [f"Build app {at}, please" for at in range(6)],
        "should_not": [f"Explain app {at}" for at in range(6)],
    }
    with ModelServer(lambda _: Draft(json.dumps(prompts))) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        words = ["eval", "plan", str(skill), "--evals", str(tmp_path / "e"), "--ask-model"]
        assert 0 == main(words)

    suite = read_suite("web-app", tmp_path / "e")
    by_kind = {kind: [one.prompt for one in suite.cases if one.kind == kind] for kind in KINDS}
    assert (prompts["should"], prompts["should_not"]) == (by_kind["implicit"], by_kind["negative"])
    assert all(by_kind.values())


def test_a_model_that_does_not_answer_leaves_the_made_up_prompts(
    skill: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ModelServer() as server:
        server.fault("401", times=-1)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        words = ["eval", "plan", str(skill), "--evals", str(tmp_path / "e"), "--ask-model"]
        assert 0 == main(words)

    assert "No model wrote prompts, these are made up:" in capsys.readouterr().err
    assert read_suite("web-app", tmp_path / "e").cases
