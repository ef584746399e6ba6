"""`plugin-eval eval export`: what it keeps `eval import` reads again, and the rest is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.cli.main import main
from plugineval_action.evals.cases import Case
from plugineval_action.evals.checks import with_activation
from plugineval_action.evals.exported import exported
from plugineval_action.evals.graders.final_message import FinalMessage
from plugineval_action.evals.imported import Imported, imported
from plugineval_action.evals.rubric import Rubric
from plugineval_action.evals.suite import Suite, read_suite
from plugineval_action.inputs.mistakes import Located
from skills import described

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
SAID = TEXT.filter(str.strip)
IDS = st.from_regex(r"eval-[0-9]{1,3}|[A-Za-z0-9][A-Za-z0-9_-]{0,8}", fullmatch=True)
ENTRIES = st.fixed_dictionaries(
    {"id": IDS | st.integers(0, 999), "prompt": SAID},
    optional={
        "should_trigger": st.booleans(),
        "expected_output": SAID,
        "assertions": st.lists(
            SAID | st.fixed_dictionaries({"type": st.just("contains"), "value": SAID}), max_size=4
        ),
        "files": st.lists(
            st.sampled_from(["evals/files/a.csv", "evals/files/b/c.csv"]), max_size=2
        ),
    },
)


def _name(entry: dict[str, Any]) -> str:
    """What an entry is called after the import."""
    given = entry["id"]
    return f"eval-{given}" if isinstance(given, int) else given.lower()


DOCUMENTS = st.lists(
    ENTRIES,
    min_size=1,
    max_size=4,
    unique_by=_name,
)


def taken(document: object) -> Imported:
    return imported(Located("f", document, {}), "s")


def suite_of(one: Imported) -> tuple[Suite, Rubric | None]:
    """What stands in the files after an import."""
    checks = with_activation(tuple(FinalMessage.model_validate(each) for each in one.checks), "s")
    asked = [*one.questions]
    rubric = Rubric.model_validate({"must_pass": True, "checks": asked}) if asked else None
    return Suite("s", "s", Path(), one.cases, checks), rubric


@given(DOCUMENTS)
def test_what_was_imported_is_exported_without_loss_and_read_again_as_it_was(
    document: list[dict[str, Any]],
) -> None:
    first = taken(document)
    suite, rubric = suite_of(first)
    files = {case: [one.target for one in files] for case, files in first.files.items() if files}
    done = exported(suite, rubric, files)
    again = taken(json.loads(json.dumps(done.document)))

    assert () == done.lost
    assert first.cases == again.cases
    assert _asked(first.questions) == _asked(again.questions)
    assert _asked(first.checks) == _asked(again.checks)
    assert files == {case: [one.target for one in each] for case, each in again.files.items()}


def _asked(many: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """Without the ids, which are made anew."""
    return [{key: value for key, value in one.items() if key != "id"} for one in many]


KINDS = {True: ["explicit", "implicit", "contextual"], False: ["negative"]}
CASES = st.booleans().flatmap(
    lambda wanted: st.builds(
        lambda **given: Case(should_trigger=wanted, **given),
        id=IDS,
        prompt=SAID,
        kind=st.sampled_from(KINDS[wanted]),
        tags=st.lists(st.sampled_from(["a", "b"]), max_size=1).map(tuple),
    )
)


@given(st.lists(CASES, min_size=1, max_size=4, unique_by=lambda one: one.id.lower()))
def test_each_case_is_read_again_as_it_was_or_named(cases: list[Case]) -> None:
    done = exported(Suite("s", "s", Path(), tuple(cases), ()), None, {})

    for before, after in zip(cases, taken(done.document).cases, strict=True):
        named = any(one.startswith(f"Case {before.id}: ") for one in done.lost)
        assert before.id == after.id
        assert before.prompt == after.prompt
        assert named == (before != after)


EVALS = """id,should_trigger,kind,setup,tags,prompt
eval-1,true,contextual,files/one,smoke,Make it
b,true,,files/two,,Make it too
"""
CHECKS = """checks:
- {id: made, type: file_exists, path: out.txt}
- {id: said, type: final_message, contains: Done}
- {id: soft, type: final_message, contains: Soft, must_pass: false}
- {id: styled, type: final_message, contains: Nice, goal: style}
"""
RUBRIC = """pass_score: 80
checks:
- {id: good, ask: Is it good?}
"""


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    for name in ("skills/s", "evals/files/one", "evals/files/two"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "skills/s/SKILL.md").write_text(described("Does s."))
    for name in ("one", "two"):
        (tmp_path / f"evals/files/{name}/in.csv").write_text(name)
        (tmp_path / f"evals/files/{name}/same.csv").write_text("same")
    (tmp_path / "evals/s.prompts.csv").write_text(EVALS)
    (tmp_path / "evals/s.checks.yaml").write_text(CHECKS)
    (tmp_path / "evals/s.rubric.yaml").write_text(RUBRIC)
    return tmp_path / "skills/s"


def test_every_loss_is_named_by_case_check_and_question(
    skill: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["eval", "export", str(skill)])
    told = [
        "The rubric: must_pass: false; there a review that fails fails the case.",
        "The rubric: pass_score 80.",
        "Check made: its type file_exists.",
        "Check soft: its type final_message, must_pass: false.",
        "Check styled: the goal style.",
        "Case eval-1: the kind contextual becomes implicit.",
        "Case eval-1: the tags smoke.",
        "Question good: it stands there as a statement.",
        "Case b: another case has another file in.csv.",
    ]
    assert (
        "".join(f"plugin-eval: Not kept as it was: {one}\n" for one in told)
        == capsys.readouterr().err
    )
    contains = [{"type": "contains", "value": value} for value in ("Done", "Nice")]
    assert {
        "skill_name": "s",
        "evals": [
            {
                "id": 1,
                "prompt": "Make it",
                "files": ["evals/files/in.csv", "evals/files/same.csv"],
                "assertions": ["Is it good?", *contains],
            },
            {
                "id": "b",
                "prompt": "Make it too",
                "files": ["evals/files/same.csv"],
                "assertions": ["Is it good?", *contains],
            },
        ],
    } == json.loads((skill / "evals/evals.json").read_text())
    assert "one" == (skill / "evals/files/in.csv").read_text()


def test_the_import_takes_over_what_the_export_wrote(
    skill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["eval", "export", str(skill)])
    capsys.readouterr()
    assert 0 == main(["eval", "import", str(skill), "--evals", str(tmp_path / "again")])
    assert "" == capsys.readouterr().err
    again = read_suite("s", tmp_path / "again")
    assert ["eval-1", "b"] == [one.id for one in again.cases]
    assert "one" == (tmp_path / "again/files/eval-1/in.csv").read_text()


def test_what_is_there_is_never_replaced(skill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (skill / "evals").mkdir()
    (skill / "evals/evals.json").write_text("mine")

    assert 2 == main(["eval", "export", str(skill)])
    assert "evals.json is there already." in capsys.readouterr().err
    assert "mine" == (skill / "evals/evals.json").read_text()
    assert not (skill / "evals/files").exists()
