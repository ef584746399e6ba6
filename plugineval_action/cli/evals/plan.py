"""`plugin-eval eval plan`: a first set of cases, checks and a rubric, from the skill's own text."""

from __future__ import annotations

import asyncio
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plugineval_action.cli.common import tell
from plugineval_action.cli.deep import API_KEY
from plugineval_action.cli.evals.asking import add_model, connection_of
from plugineval_action.cli.evals.common import (
    ELSEWHERE,
    Skill,
    find_skill,
    new_step,
    refuse_existing,
)
from plugineval_action.cli.output import write_files
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.errors import UsageError

if TYPE_CHECKING:
    from plugineval_action.layers.judge.prompts import Prompts


def add_parser(steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """The options of `eval plan`."""
    options = new_step(
        steps,
        "plan",
        "Write a first set of prompts, checks and a rubric for a skill.",
        "  plugin-eval eval plan skills/csv-report\n"
        "  plugin-eval eval plan skills/demo-app --task 'set up a demo app' "
        "--commands 'npm install' 'npm run build' --files package.json src/App.tsx",
    )
    options.add_argument("--task", metavar="TEXT", help="what the skill is asked to do, in words")
    options.add_argument(
        "--commands", nargs="+", metavar="COMMAND", help="commands that must run (after SKILL)"
    )
    options.add_argument(
        "--ask-model", action="store_true", help=f"have a model write prompts ({API_KEY})"
    )
    add_model(options)
    options.add_argument(
        "--files", nargs="+", metavar="PATH", help="files that must exist then (after SKILL)"
    )


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
    made = {
        "prompts.csv": lambda: draft.case_file(what, _written(args, skill)),
        "checks.yaml": lambda: draft.check_file(what),
        "rubric.yaml": lambda: draft.rubric_file(what),
        "rubric.schema.json": draft.schema_file,
    }
    names = {f"{skill.name}.{ending}": make for ending, make in made.items()}
    refuse_existing(skill.evals, names)
    files = {name: make() for name, make in names.items()}
    write_files(skill.evals, files, ELSEWHERE)
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


def _written(args: Namespace, skill: Skill) -> Prompts | None:
    """Prompts by a model, if one was asked for and answers."""
    if not args.ask_model:
        return None
    found = asyncio.run(_ask(args, skill))
    if isinstance(found, str):
        tell([f"No model wrote prompts, these are made up: {found}"])
        return None
    return found


async def _ask(args: Namespace, skill: Skill) -> Prompts | str:
    from plugineval_action.evals.asked_prompts import asked_prompts
    from plugineval_action.llm.connect import connected
    from plugineval_action.llm.models import model_id

    async with connected(connection_of(args), lambda line: tell([line])) as client:
        return await asked_prompts(skill.source, model_id(args.model), client)


def _check(option: str, checked: Callable[[str], str], values: list[str] | None) -> None:
    """What would be a mistake in the checks file is one here already."""
    from pydantic_core import PydanticCustomError

    for value in values or ():
        try:
            checked(value)
        except PydanticCustomError as error:
            context = error.context or {}
            raise UsageError(f"{option}: {context['reason']}", context["remedy"]) from error
