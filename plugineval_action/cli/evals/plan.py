"""`plugin-eval eval plan`: a first set of cases, checks and a rubric, from the skill's own text."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plugineval_action.cli.evals.common import find_skill, new_step
from plugineval_action.cli.output import write_files
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.errors import UsageError


def add_parser(steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """The options of `eval plan`."""
    options = new_step(
        steps,
        "plan",
        "Write a first set of prompts, checks and a rubric for a skill; asks no model.",
        "  plugin-eval eval plan skills/csv-report\n"
        "  plugin-eval eval plan skills/demo-app --task 'set up a demo app' "
        "--commands 'npm install' 'npm run build' --files package.json src/App.tsx",
    )
    options.add_argument("--task", metavar="TEXT", help="what the skill is asked to do, in words")
    options.add_argument("--commands", nargs="+", metavar="COMMAND", help="commands that must run")
    options.add_argument("--files", nargs="+", metavar="PATH", help="files that must exist then")


def run(args: Namespace) -> int:
    """Write the files, read them again as `eval grade` will, and say what to do next."""
    from plugineval_action.evals import draft
    from plugineval_action.evals.graders.base import inside
    from plugineval_action.evals.graders.words import checked_command
    from plugineval_action.evals.suite import read_suite

    skill = find_skill(args)
    front = split_lines(skill.source.text.content)
    _check("--commands", checked_command, args.commands)
    _check("--files", inside, args.files)
    given = {"task": args.task, "commands": args.commands, "files": args.files}
    what = draft.about(skill.name, front.text("description"), front.body, given)
    files = {
        f"{skill.name}.prompts.csv": draft.case_file(what),
        f"{skill.name}.checks.yaml": draft.check_file(what),
        f"{skill.name}.rubric.yaml": draft.rubric_file(what),
        f"{skill.name}.rubric.schema.json": draft.schema_file(),
    }
    _refuse_existing(skill.evals, files)
    write_files(skill.evals, files)
    suite = read_suite(skill.name, skill.evals)
    place = shlex.quote(args.skill)
    sys.stdout.write(
        f"Wrote to {skill.evals}:\n"
        + "".join(f"  {name}\n" for name in files)
        + f"{len(suite.cases)} prompts and {len(suite.checks)} checks. Put the prompts into the "
        "words of your users, then:\n"
        f"  plugin-eval eval run {place} --harness codex      records to "
        f"{skill.evals}/traces/{skill.name}/\n"
        f"  plugin-eval eval grade {place} --traces DIR       grades runs from elsewhere\n"
    )
    return 0


def _check(option: str, checked: Callable[[str], str], values: list[str] | None) -> None:
    """What would be a mistake in the checks file is one here already."""
    from pydantic_core import PydanticCustomError

    for value in values or ():
        try:
            checked(value)
        except PydanticCustomError as error:
            context = error.context or {}
            raise UsageError(f"{option}: {context['reason']}", context["remedy"]) from error


def _refuse_existing(folder: Path, files: dict[str, str]) -> None:
    """People write these files on; none is ever replaced."""
    for name in files:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise UsageError(
                f"{folder / name} is there already.",
                "Move it away, or name another --evals folder.",
            )
