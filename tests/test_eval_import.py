"""`plugin-eval eval import`: evals by skill-creator become cases, checks and a rubric that run."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.cli.main import main
from plugineval_action.errors import UsageError
from plugineval_action.evals import imported
from plugineval_action.evals.cases import read_cases
from plugineval_action.evals.rubric import read_rubric
from plugineval_action.evals.suite import read_suite
from plugineval_action.inputs.json_file import read_json
from plugineval_action.inputs.mistakes import Located

SKILL = "---\nname: web-app\ndescription: Makes a web app. Use when asked.\n---\nDo it.\n"
EVALS: dict[str, Any] = {
    "skill_name": "web-app",
    "evals": [
        {
            "id": 1,
            "prompt": 'Make "it",\nplease 🙂',
            "expected_output": "A page: with a title",
            "files": ["evals/files/data/in.bin"],
            "expectations": ["The page has a title", {"type": "contains", "value": "done"}],
        },
        {"id": "named", "prompt": "/web-app", "assertions": ["It runs"]},
        {"query": "What is a web app?", "should_trigger": False},
    ],
}


class Project:
    """A skill with evals in the format of others, and `eval import` on it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.skill, self.evals, self._capsys = root / "skills/web-app", root / "evals", capsys
        self.file = self.skill / "evals/evals.json"
        (self.skill / "evals/files/data").mkdir(parents=True)
        (self.skill / "SKILL.md").write_text(SKILL)
        (self.skill / "evals/files/data/in.bin").write_bytes(b"\xff\0")

    def take(self, evals: object) -> tuple[int, str, str]:
        self.file.write_text(evals if isinstance(evals, str) else json.dumps(evals, indent=1))
        code = main(["eval", "import", str(self.skill), "--evals", str(self.evals)])
        return code, *self._capsys.readouterr()


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    return Project(tmp_path, capsys)


def test_options_may_stand_anywhere(project: Project) -> None:
    other = project.skill / "other.json"
    other.write_text(json.dumps(EVALS))
    words = [str(project.skill), "--evals", str(project.evals), str(other)]

    assert 0 == main(["eval", "import", *words])
    assert (project.evals / "web-app.prompts.csv").is_file()


def entries(*given: object) -> dict[str, object]:
    return {"skill_name": "web-app", "evals": list(given)}


def test_prompts_files_and_statements_are_taken_over(project: Project) -> None:
    code, out, err = project.take(EVALS)
    suite = read_suite("web-app", project.evals)
    rubric = read_rubric(project.evals / "web-app.rubric.yaml", suite.cases)

    assert (0, "") == (code, err)
    assert "3 prompts, 1 check, 3 questions." in out
    assert [
        ("eval-1", 'Make "it",\nplease 🙂', "implicit", "files/eval-1"),
        ("named", "/web-app", "explicit", ""),
        ("eval-3", "What is a web app?", "negative", ""),
    ] == [(one.id, one.prompt, one.kind, one.setup) for one in suite.cases]
    assert b"\xff\0" == (project.evals / "files/eval-1/data/in.bin").read_bytes()
    assert ["activation", "eval-1-1"] == [
        one.id for one in suite.checks if one.applies(suite.cases[0])
    ]
    asked = [about.checks if (about := rubric.about(case)) else () for case in suite.cases]
    assert [
        [
            "Is the result what was expected: A page: with a title",
            "Is this true of the work: The page has a title",
        ],
        ["Is this true of the work: It runs"],
        [],
    ] == [[one.ask for one in checks] for checks in asked]


@pytest.mark.parametrize(
    ("evals", "told"),
    [
        (entries({"prompt": "x", "grader": 1}), ":6: 'grader' has no place here."),
        (entries({"prompt": "x"}) | {"version": 2}, ":8: 'version' has no place here."),
        (EVALS | {"skill_name": "other"}, ":2: The skill is called web-app here, not 'other'."),
        (entries({"prompt": "x", "files": ["no.csv"]}), ":7: The file no.csv is not there."),
        (entries({"prompt": "x", "files": ["SKILL.md"] * 2}), ":8: 'SKILL.md' is there already."),
        (entries({"prompt": "x", "assertions": [7]}), ":7: It is no text."),
        (
            entries({"prompt": "x", "assertions": [{"type": "regex", "value": "a"}]}),
            ":7: Only sentences and type `contains` with a `value` are known.",
        ),
        (
            entries({"prompt": "x", "assertions": ["a"] * 21}),
            ":27: A case takes 20 questions, a file 1,000.",
        ),
        (
            entries({"prompt": "x", "assertions": ["a" * 2_000]}),
            ":7: It is longer than 2,000 characters.",
        ),
    ],
)
def test_what_is_not_taken_over_is_named_with_its_line(
    evals: object, told: str, project: Project
) -> None:
    code, _, err = project.take(evals)

    assert 0 == code
    assert f"evals.json{told} It was not taken over.\n" in err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1: This is not valid JSON: Expecting value. Write a value;"),
        ("[\n{'a': 1}]", ":2: This is not valid JSON: Expecting property name"),
        ('{"evals": []}', ":1: There is no list `evals` with entries. Write {"),
        ('{"evals":\n {}}', ":1: There is no list `evals`"),
        ("[" * 100_000, ":1: This cannot be read: RecursionError. Nest it less"),
        ('[{"id": ' + "9" * 5_000 + "}]", ":1: This cannot be read: ValueError."),
        ("[\n1]", ":2: This is no eval."),
        ('[{"prompt": "x"},\n{"id": 2}]', ":2: prompt is missing. Add it."),
        ('[{"prompt": "x",\n"prompt": "y"}]', ":2: 'prompt' is given twice. Keep one."),
        ('[{"prompt": "x",\n"query": "y"}]', ":1: There are `prompt` and `query`."),
        ('[{"prompt":\n"\\ud800"}]', ":1: There is a zero byte or half a character here."),
        ('[\n{"prompt": "\\u0000"}]', ":2: There is a zero byte or half a character here."),
        ('[{"prompt": "x"},\n{"id": "../x", "prompt": "y"}]', ":2: id is '../x', which is no id."),
        ('[{"id": "A", "prompt": "x"},\n{"id": "a", "prompt": "y"}]', ":2: The id 'a' is there"),
        ('[{"prompt": "x",\n"files": ["../../secret"]}]', ":2: '../../secret' is no file"),
        ('[{"prompt": "x",\n"files": ["/etc/passwd"]}]', ":2: '/etc/passwd' is no file"),
        ('[{"prompt": "x",\n"files": "a.csv"}]', ":2: `files` is no list."),
        ('[{"prompt": "x",\n"assertions": "a"}]', ":2: `assertions` is no list."),
        ('[{"prompt": "x",\n"should_trigger": "maybe"}]', ":2: should_trigger is 'maybe'"),
    ],
)
def test_every_mistake_is_told_with_its_line_before_anything_is_written(
    text: str, told: str, project: Project
) -> None:
    code, _, err = project.take(text)

    assert 2 == code
    assert f"evals.json{told}" in err
    assert not project.evals.exists()


@pytest.mark.parametrize(
    "name", ["files/eval-1", "web-app.prompts.yaml", "web-app.checks.yml", "web-app.rubric.yaml"]
)
def test_files_that_are_there_are_never_replaced_nor_mixed_with(
    name: str, project: Project
) -> None:
    (project.evals / name).mkdir(parents=True)
    code, _, err = project.take(EVALS)

    assert 2 == code
    assert f"{name} is there already." in err
    assert [name.partition("/")[0]] == [path.name for path in project.evals.iterdir()]


def test_a_folder_that_cannot_be_written_is_told(project: Project) -> None:
    project.evals.write_text("a file")
    code, _, err = project.take(EVALS)

    assert 2 == code
    assert (
        "cannot be made (Not a directory). Name a folder that can be written, with --evals." in err
    )


def test_a_link_in_the_skill_is_no_input_file(project: Project, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key")
    (project.skill / "link").symlink_to(tmp_path / "secret")
    (project.skill / "linked").symlink_to(tmp_path)
    evals = entries({"id": 1, "prompt": "x", "files": ["link", "linked/secret"]})
    _, _, err = project.take(evals)

    assert 2 == err.count("is not there. It was not taken over.")
    assert [] == [*(project.evals / "files/eval-1").iterdir()]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(TEXTS, TEXTS)
def test_every_character_of_a_prompt_and_of_a_statement_stays(prompt: str, said: str) -> None:
    value = [{"prompt": f"x{prompt}", "assertions": [f"x{said}x"]}]
    taken = imported.imported(Located("f", value, {}), "s")
    with TemporaryDirectory() as folder:
        cases, rubric = Path(folder, "s.prompts.csv"), Path(folder, "s.rubric.yaml")
        cases.write_text(imported.case_file(taken.cases), encoding="utf-8", newline="")
        rubric.write_text(imported.rubric_file(taken.questions), encoding="utf-8", newline="")

        assert [f"x{prompt}"] == [one.prompt for one in read_cases(cases).cases]
        assert [f"Is this true of the work: x{said}x"] == [
            one.ask for one in read_rubric(rubric).checks
        ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["evals", "prompt", "id", "files", "assertions", "expected_output"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(VALUES)
def test_no_shape_of_a_file_breaks_the_import(value: object) -> None:
    with suppress(UsageError):
        assert imported.imported(Located("f", value, {}), "s").cases


def _lines(value: object, text: str, place: tuple[str | int, ...] = ()) -> dict[object, str]:
    """The text around each value of a JSON file that has one value a line."""
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    found: dict[object, str] = {}
    for key, inner in pairs:
        found[(*place, key)] = json.dumps(inner) if not isinstance(inner, dict | list) else ""
        found |= _lines(inner, text, (*place, key))
    return found


@given(VALUES)
def test_the_line_of_every_value_is_known(value: object) -> None:
    text = json.dumps(value, indent=1)
    with TemporaryDirectory() as folder:
        path = Path(folder, "f.json")
        path.write_text(text)
        try:
            found = read_json(path)
        except UsageError:
            return
    expected = _lines(value, text)

    assert expected.keys() == found.lines.keys()
    for place, shown in expected.items():
        assert shown in text.split("\n")[found.lines[place] - 1]  # type: ignore[index]
