"""`plugin-eval eval export`: our evals in the format of skill-creator and of agentskills.io."""

from __future__ import annotations

import filecmp
import json
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plugineval_action.cli.common import tell
from plugineval_action.cli.evals.common import Skill, find_skill, new_step, refuse_existing
from plugineval_action.cli.output import write_files
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.errors import UsageError
from plugineval_action.render.words import counted

if TYPE_CHECKING:
    from plugineval_action.evals.rubric import Rubric
    from plugineval_action.evals.suite import Suite


def add_parser(steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """The options of `eval export`."""
    new_step(
        steps,
        "export",
        "Write the evals as evals/evals.json in the skill's folder, as skill-creator reads them.",
        "  plugin-eval eval export skills/csv-report",
    )


def run(args: Namespace) -> int:
    """Write the file and its input files, and name what the format has no word for."""
    from plugineval_action.evals.exported import exported
    from plugineval_action.evals.imported import FILES
    from plugineval_action.evals.suite import FOLDER, read_suite
    from plugineval_action.inputs.text_file import MAX_BYTES

    skill = find_skill(args)
    suite = read_suite(skill.name, skill.evals)
    inputs, lost = _inputs(suite)
    done = exported(
        suite, _rubric(skill, suite), {case: [*files] for case, files in inputs.items()}
    )
    text = json.dumps(done.document, ensure_ascii=False, indent=2) + "\n"
    if len(text.encode()) > MAX_BYTES:
        raise UsageError(f"{skill.evals} says more than fits into one file.", "Split the cases.")
    sources = {
        f"{FILES}{path}": inputs[case][path] for case, paths in done.files.items() for path in paths
    }
    target = f"{FOLDER}/evals.json"
    refuse_existing(skill.folder, [target, *sources], "Move it away.")
    _copy(skill.folder, sources)
    write_files(skill.folder, {target: text}, _ELSEWHERE)
    tell([f"Not kept as it was: {one}" for one in (*done.lost, *lost)])
    said = f"{counted(len(suite.cases), 'case')}, {counted(len(sources), 'input file')}"
    sys.stdout.write(f"Wrote {skill.folder / target}: {said}.\n")
    return 0


_ELSEWHERE = "Copy the skill to a folder that can be written."


def _rubric(skill: Skill, suite: Suite) -> Rubric | None:
    from plugineval_action.evals.rubric import read_rubric

    file = skill.evals / f"{skill.name}.rubric.yaml"
    return read_rubric(file, suite.cases) if file.exists() else None


def _inputs(suite: Suite) -> tuple[dict[str, dict[str, Path]], list[str]]:
    """The files of each case's setup, and those that another case has otherwise.

    In the format the path of a file is where it lies for every case.
    """
    taken: dict[str, Path] = {}
    found: dict[str, dict[str, Path]] = {}
    lost = []
    for case in suite.cases:
        if not case.setup:
            continue
        folder = suite.folder / case.setup
        for path in DirectoryTree(folder).files():
            source = folder / path
            if not filecmp.cmp(taken.setdefault(path, source), source, shallow=False):
                lost.append(f"Case {case.id}: another case has another file {path}.")
                continue
            found.setdefault(case.id, {})[path] = source
    return found, lost


def _copy(folder: Path, sources: dict[str, Path]) -> None:
    try:
        for name, source in sources.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / name, follow_symlinks=False)
    except OSError as error:
        message = f"{error.filename} cannot be written ({error.strerror})."
        raise UsageError(message, _ELSEWHERE) from error
