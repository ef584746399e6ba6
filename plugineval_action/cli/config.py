"""`plugin-eval config`: write and check evaluator.toml and judgment.toml."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval_action.cli.common import folder, new_parser, path
from plugineval_action.cli.output import write_files
from plugineval_action.errors import UsageError

if TYPE_CHECKING:
    from plugineval_action.evals.evaluator.config import Evaluator
    from plugineval_action.evals.evaluator.judgment_config import Judgment

_FILES = ("evaluator.toml", "judgment.toml")


def parser() -> ArgumentParser:
    """The options of `config`."""
    options = new_parser(
        "config",
        "Write and check the files that say which metrics judge an answer, and who has the last "
        "word.",
        "  plugin-eval config init --metric Coverage=0.6 --criterion 'tone=0.4:Is it polite?'\n"
        "  plugin-eval config validate evaluator.toml",
    )
    steps = options.add_subparsers(dest="step", required=True, metavar="STEP")
    init = steps.add_parser("init", help="write both files; asks for what no option says")
    init.add_argument("--dir", type=folder, default=Path(), metavar="DIR", help="where to (here)")
    init.add_argument("--model", metavar="PROVIDER:NAME", help="the model that is asked")
    init.add_argument(
        "--metric", action="append", metavar="NAME=WEIGHT", help="a built-in metric and its weight"
    )
    init.add_argument(
        "--criterion", action="append", metavar="ID=WEIGHT:TEXT", help="a criterion of your own"
    )
    validate = steps.add_parser("validate", help="check files, and say how they are applied")
    validate.add_argument(
        "files", nargs="*", type=path, metavar="FILE", help="(default: both, in this folder)"
    )
    return options


def run(args: Namespace) -> int:
    """Write or check."""
    return _init(args) if args.step == "init" else _validate(args.files)


def _init(args: Namespace) -> int:
    from tempfile import TemporaryDirectory

    from plugineval_action.evals.evaluator.config import read_evaluator
    from plugineval_action.evals.evaluator.parameters import DEFAULT_MODEL

    for name in _FILES:
        if (args.dir / name).exists() or (args.dir / name).is_symlink():
            raise UsageError(f"{args.dir / name} is there already.", "Move it away, or edit it.")
    model = args.model or _asked("Which model?", DEFAULT_MODEL)
    metrics = [*map(_metric, args.metric or ()), *map(_criterion, args.criterion or ())]
    files = {
        "evaluator.toml": _evaluator_text(model, metrics or _asked_metrics()),
        "judgment.toml": f"model = {json.dumps(model)}\njudge_on_final_round = true\n",
    }
    with TemporaryDirectory() as scratch:
        # Nothing is left behind that `config validate` would refuse.
        write_files(Path(scratch), files)
        try:
            read_evaluator(Path(scratch, _FILES[0]))
        except UsageError as error:
            told = error.message.replace(f"{scratch}/", "")
            raise UsageError(f"That would be no valid file. {told}", error.remedy) from error
    write_files(args.dir, files)
    return _validate([str(args.dir / name) for name in _FILES])


def _asked(question: str, default: str) -> str:
    """The answer of a person at a terminal; the default for a script."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return default
    sys.stderr.write(f"{question} [{default}] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() or default


def _asked_metrics() -> list[dict[str, object]]:
    from plugineval_action.evals.evaluator.config import DEFAULT_METRICS

    found: list[dict[str, object]] = []
    for name, weight in DEFAULT_METRICS.items():
        answer = _asked(f"Weight of {name}, 0 for none?", f"{weight:g}")
        if number := _weight(answer, name):
            found.append({"name": name, "weight": number})
    if not found:
        # A file without metrics has the three of them.
        remedy = "Give one of them a weight, or a criterion of your own with --criterion."
        raise UsageError("There would be no metric.", remedy)
    return found


def _metric(text: str) -> dict[str, object]:
    name, _, weight = text.partition("=")
    return {"name": name, "weight": _weight(weight, text)}


def _criterion(text: str) -> dict[str, object]:
    head, colon, instruction = text.partition(":")
    name, _, weight = head.partition("=")
    if not (colon and instruction.strip()):
        raise UsageError(f"--criterion {text!r} has no text.", "Write ID=WEIGHT:TEXT.")
    number = _weight(weight, text)
    return {
        "id": name,
        "name": "LLMPlain",
        "weight": number,
        "system_instruction": instruction.strip(),
    }


def _weight(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(f"{where!r} has no weight.", "Write one from 0 to 1, as 0.5.") from error


def _evaluator_text(model: str, metrics: list[dict[str, object]]) -> str:
    lines = [f"default_model = {json.dumps(model)}"]
    for one in metrics:
        lines += ["", "[[metrics]]"]
        # A JSON string is a TOML string, but for DEL, which TOML wants escaped.
        lines += [
            f"{key} = {json.dumps(value)}".replace("\x7f", "\\u007f") for key, value in one.items()
        ]
    return "\n".join(lines) + "\n"


def _validate(files: list[str]) -> int:
    from plugineval_action.evals.evaluator.config import read_evaluator
    from plugineval_action.evals.evaluator.judgment_config import read_judgment

    found = [Path(name) for name in files] or [Path(name) for name in _FILES if Path(name).exists()]
    if not found:
        raise UsageError("There is no evaluator.toml and no judgment.toml here.", "Name a file.")
    for file in found:
        if file.name.startswith("judgment"):
            lines = _judgment_lines(read_judgment(file))
        else:
            lines = _evaluator_lines(read_evaluator(file))
        sys.stdout.write(f"{file} is valid.\n" + "".join(f"  {line}\n" for line in lines))
    return 0


def _evaluator_lines(evaluator: Evaluator) -> Iterator[str]:
    for one in evaluator.metrics:
        kind = "" if one.kind == one.id else f" ({one.kind})"
        yield f"{one.id}{kind}: weight {one.weight:g}, {one.asking.model}"
    yield from evaluator.notes


def _judgment_lines(judgment: Judgment) -> Iterator[str]:
    yield f"judgment: {judgment.asking.model}"
    yield from judgment.notes
