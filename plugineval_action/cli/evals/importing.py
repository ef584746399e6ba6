"""`plugin-eval eval import`: evals that were written for skill-creator, as files of ours."""

from __future__ import annotations

import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plugineval_action.cli.common import path, tell
from plugineval_action.cli.evals.common import (
    ELSEWHERE,
    Skill,
    find_skill,
    new_step,
    refuse_existing,
)
from plugineval_action.cli.output import write_files
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.render.words import counted

if TYPE_CHECKING:
    from plugineval_action.evals.imported import Imported, Wanted
    from plugineval_action.inputs.mistakes import Located, Mistake

FILE = "evals/evals.json"
_MOST_BYTES = 64 << 20


def add_parser(steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """The options of `eval import`."""
    options = new_step(
        steps,
        "import",
        "Take over evals that were written for skill-creator.",
        "  plugin-eval eval import skills/csv-report\n"
        "  plugin-eval eval import skills/csv-report trigger-evals.json",
    )
    options.add_argument(
        "file", nargs="?", type=path, metavar="FILE", help=f"(default: SKILL/{FILE})"
    )


def run(args: Namespace) -> int:
    """Write the files, read them again as `eval grade` will, and name what was left behind."""
    from plugineval_action.evals.imported import imported
    from plugineval_action.evals.rubric import read_rubric
    from plugineval_action.evals.suite import CASE_FILES, CHECK_FILES, read_suite
    from plugineval_action.inputs.json_file import read_json
    from plugineval_action.inputs.text_file import MAX_BYTES

    skill = find_skill(args)
    file = read_json(Path(args.file) if args.file else skill.folder / FILE)
    taken = imported(file, skill.name)
    texts = dict(_texts(skill, taken))
    if any(len(text.encode()) > MAX_BYTES for text in texts.values()):
        raise UsageError(f"{file.path} says more than fits into our files.", "Split it.")
    ours = (f"{skill.name}.{end}" for end in (*CASE_FILES, *CHECK_FILES, "rubric.yaml"))
    refuse_existing(skill.evals, [*ours, *(f"files/{name}" for name in taken.files)])
    missing = list(_copied(skill, file, taken))
    write_files(skill.evals, texts, ELSEWHERE)
    suite = read_suite(skill.name, skill.evals)
    if taken.questions:
        read_rubric(skill.evals / f"{skill.name}.rubric.yaml", suite.cases)
    tell([str(one) for one in sorted((*taken.left, *missing), key=lambda one: one.line)])
    sys.stdout.write(_said(args, skill, taken, texts))
    return 0


def _texts(skill: Skill, taken: Imported) -> Iterator[tuple[str, str]]:
    from plugineval_action.evals import imported

    yield f"{skill.name}.prompts.csv", imported.case_file(taken.cases)
    if taken.checks:
        yield f"{skill.name}.checks.yaml", imported.check_file(taken.checks)
    if taken.questions:
        yield f"{skill.name}.rubric.yaml", imported.rubric_file(taken.questions)


def _copied(skill: Skill, file: Located, taken: Imported) -> Iterator[Mistake]:
    """Copy the input files of all cases; tells which are not there, and which are too much."""
    tree, left = DirectoryTree(skill.folder), _MOST_BYTES
    for case, files in taken.files.items():
        folder = skill.evals / "files" / case
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise UsageError(f"{folder} cannot be made ({error.strerror}).", ELSEWHERE) from error
        for one in files:
            source = _source(tree, one)
            size = tree.size(source) if source else 0
            if source and size <= left and _copy(skill.folder / source, folder / one.target):
                left -= size
                continue
            why = "is not there" if not source else "cannot be copied, or is too much"
            yield file.mistake(one.place, f"The file {one.source} {why}.", "It was not taken over.")


def _source(tree: DirectoryTree, wanted: Wanted) -> str | None:
    """Paths start at the skill's folder, or, as many write them, at that of the evals."""
    for found in (wanted.source, f"evals/{wanted.source}"):
        try:
            tree.size(found)
        except ContentError:
            continue
        return found
    return None


def _copy(source: Path, target: Path) -> bool:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target, follow_symlinks=False)
    except OSError:
        return False
    return True


def _said(args: Namespace, skill: Skill, taken: Imported, texts: Mapping[str, str]) -> str:
    place = shlex.quote(args.skill)
    said = ", ".join(
        counted(len(many), what)
        for many, what in (
            (taken.cases, "prompt"), (taken.checks, "check"), (taken.questions, "question"),
        )
    )  # fmt: skip
    rubric = " --rubric" if taken.questions else ""
    return (
        f"Wrote to {skill.evals}:\n"
        + "".join(f"  {name}\n" for name in texts)
        + f"{said}. Next:\n  plugin-eval eval run {place} --harness claude{rubric}\n"
    )
