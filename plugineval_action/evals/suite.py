"""The evals of a skill: where its files lie, read together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from plugineval_action.errors import UsageError
from plugineval_action.evals.cases import Case, read_cases
from plugineval_action.evals.checks import read_checks, with_activation
from plugineval_action.evals.graders.base import Check

FOLDER: Final = "evals"
SKILLS: Final = "skills"
CASE_FILES: Final = ("prompts.csv", "prompts.yaml", "prompts.yml")
CHECK_FILES: Final = ("checks.yaml", "checks.yml")


class Suite(NamedTuple):
    """Cases and checks of one skill. `folder` holds their files.

    `directory` is what the skill's own folder is called: agents that read files know that name.
    """

    skill: str
    directory: str
    folder: Path
    cases: tuple[Case, ...]
    checks: tuple[Check, ...]


def read_suite(skill: str, folder: Path, directory: str = "") -> Suite:
    """Read the cases and checks of a skill. Raises UsageError that names every mistake.

    Without a checks file only activation is checked.
    """
    case_file = _only(folder, skill, CASE_FILES)
    if case_file is None:
        raise UsageError(
            f"{folder} holds no {skill}.{CASE_FILES[0]}.",
            "Write one by hand, or let `plugin-eval eval plan` write a first one.",
        )
    cases = read_cases(case_file)
    check_file = _only(folder, skill, CHECK_FILES)
    checks = read_checks(check_file, skill, cases) if check_file else with_activation((), skill)
    return Suite(skill, directory or skill, folder, cases.cases, checks)


def idle(suite: Suite) -> Iterator[str]:
    """What is not checked though somebody may think so: no checks, or checks for no case."""
    if all(one.type == "activation" for one in suite.checks):
        near = sorted(path.name for path in suite.folder.glob("*check*.y*ml"))[:3]
        hint = f" There is {', '.join(near)}." if near else ""
        yield (
            "Nothing but activation is checked: write checks in "
            f"{suite.folder / suite.skill}.{CHECK_FILES[0]}.{hint}"
        )
    for one in suite.checks:
        if one.only and not any(one.applies(case) for case in suite.cases):
            yield f"Check {one.id} is for no case: none fits its `only`."


def find_folder(skill_folder: Path, repository: Path | None, skill: str) -> Path:
    """The nearest `evals/` from the skill's folder upwards that has cases for it.

    Without one, that beside `skills/`, or beside the skill if it lies in no such folder. Nothing
    outside of the repository is looked at or named, if there is one.
    """
    around = (skill_folder, *skill_folder.parents)
    if repository:
        around = around[: around.index(repository) + 1]
    for at in around:
        if _only(at / FOLDER, skill, CASE_FILES):
            return at / FOLDER
    above = around[1:] or around
    beside = next((at.parent for at in above[:-1] if at.name == SKILLS), above[0])
    return beside / FOLDER


def _only(folder: Path, skill: str, names: tuple[str, ...]) -> Path | None:
    """The file that is there. Raises UsageError if there are two: one would be ignored."""
    there = [path for name in names if (path := folder / f"{skill}.{name}").exists()]
    if len(there) > 1:
        raise UsageError(
            f"{folder} holds {there[0].name} and {there[1].name}.", "Put all into one of them."
        )
    return there[0] if there else None
