"""A first set of evals, from the skill's own text: prompts, checks, a rubric. Needs no model.

What comes out is a draft that runs: prompts in the words of users are better than these.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from plugineval_action.content.tree import normalise
from plugineval_action.escape import shorten
from plugineval_action.evals.rubric import ANSWER_SCHEMA, Question, rubric_text
from plugineval_action.evals.traces.shell import parse
from plugineval_action.inputs.csv_file import COLUMNS
from plugineval_action.layers.judge.prompts import Prompts

_MOST: Final = 3
_LONGEST: Final = 400
"""Characters of a description that are looked at for its first sentence."""

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n")
_SHELL_BLOCK: Final = re.compile(
    r"^```(?:bash|sh|shell|console)\n(.*?)^```", re.MULTILINE | re.DOTALL
)
_MADE: Final = re.compile(
    r"\b(?:creates?|generates?|makes?|outputs?|produces?|saves?|stores?|writes?)\b[^.\n]{0,200}?"
    r"`([\w./-]+\.[A-Za-z0-9]{1,5})`",
    re.IGNORECASE,
)
_VERB: Final = re.compile(r"\b([A-Za-z][a-z]+?)(ies|(?<=s|x|z)es|(?<=ch|sh)es|(?<!s)s)\b")
_LEAD: Final = re.compile(r"^[A-Z][a-z]+s(?:(?:, |,? and |,? or )[a-z]+s)*\b")
"""What a description begins with: `Writes`, or `Writes, tests and reviews`."""

_LATER: Final = re.compile(
    r"\b(?:and|or|then) [a-z]+s(?= (?:a|all|an|each|every|it|its|the|them)\b)"
)
"""A verb later on, as in `… and checks it`: after a noun these words would not follow."""

_LAST_LATIN: Final = "\u024f"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = _words(
    "a an and are as by for from in into is it of on or that the this to use when with your"
)
_OTHERS: Final = _words(
    "al aus com con da das de del den der des di die du e ein eine el en et für het i il la las le "
    "les lo los mit na o och os para per pour por que um uma un una und une van y z"
)
"""Small words of Spanish, Portuguese, French, Italian, German, Dutch, Swedish and Polish."""

_QUIET: Final = frozenset({"cat", "cd", "cp", "echo", "export", "ls", "mkdir", "source", "touch"})
_GUESSED: Final[dict[str, Any]] = {"must_pass": False}


class About(NamedTuple):
    """What the evals are for. `commands` must run and `files` must exist if they were `given`."""

    skill: str
    task: str
    commands: tuple[str, ...]
    files: tuple[str, ...]
    commands_given: bool
    files_given: bool


def about(skill: str, description: str, body: str, given: Mapping[str, Any]) -> About:
    """What the skill's text says it does, and what the author said better."""
    commands = tuple(given.get("commands") or ())
    files = tuple(given.get("files") or ())
    return About(
        skill,
        _asked_for(given["task"]) if given.get("task") else _task(description, skill),
        commands or tuple(_commands(body))[:_MOST],
        files or tuple(_files(body))[:_MOST],
        bool(commands),
        bool(files),
    )


def _task(description: str, skill: str) -> str:
    """The first sentence of the description, as one would ask for it."""
    first = _SENTENCE.split(shorten(description, _LONGEST))[0].rstrip(".!?…")
    if not first:
        return f"do what {skill} is for"
    if _is_foreign(description):
        return _asked_for(first)
    asked = first
    for verbs in (_LEAD, _LATER):
        asked = verbs.sub(lambda found: _VERB.sub(_imperative, found[0]), asked)
    return asked[0].lower() + asked[1:]


def _imperative(verb: re.Match[str]) -> str:
    return verb[1] + ("y" if verb[2] == "ies" else "")


def _asked_for(task: str) -> str:
    """A task within an English sentence: words of another language stand in quotes."""
    return f"do what this says: “{task}”" if _is_foreign(task) else task


def _is_foreign(text: str) -> bool:
    """Whether a text is not English, by its letters and by the small words of languages."""
    letters = [one for one in text if one.isalpha()]
    if sum(one > _LAST_LATIN for one in letters) * 2 > len(letters):
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(one in _OTHERS for one in words) > sum(one in _ENGLISH for one in words)


def _commands(body: str) -> Iterator[str]:
    """The commands of shell examples, as they start; each once."""
    met: set[str] = set()
    for block in _SHELL_BLOCK.findall(body):
        for one in parse(block.replace("\n$ ", "\n").removeprefix("$ ")).joined:
            words = [word for word in one.words[:2] if re.fullmatch(r"[\w./@-]+", word)]
            start = " ".join(words)
            if words and words[0] not in _QUIET and start not in met:
                met.add(start)
                yield start


def _files(body: str) -> Iterator[str]:
    yield from dict.fromkeys(path for path in _MADE.findall(body) if normalise(path))


def case_file(what: About, written: Prompts | None = None) -> str:
    """Cases of all four kinds, as CSV. `written` by a model take the place of made up ones."""
    output = io.StringIO()
    writer = csv.DictWriter(output, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(_cases(what, written))
    return output.getvalue()


def _cases(what: About, written: Prompts | None) -> Iterator[dict[str, str]]:
    task, asked = what.task, what.task[0].upper() + what.task[1:]
    prompts: dict[str, tuple[str, ...]] = {
        "explicit": (
            f"Use the {what.skill} skill: {task}.",
            f"${what.skill} {task}",
        ),
        "implicit": (
            f"{asked}.",
            f"Please {task}, and tell me when it is done.",
            f"I need you to {task}. Keep it simple.",
        ),
        "contextual": (
            f"We release today and I am short of time. {asked}, and leave all else as it is.",
            f"I have just come back to this project and do not remember its layout.\n{asked}.",
        ),
        "negative": (
            "Explain in two sentences what this project is about. Change nothing.",
            "Rename README.md to README.txt if there is one; do nothing else.",
            f"What would you need to know before you {task}? Only answer, do nothing.",
        ),
    }
    if written:
        prompts |= {"implicit": written.should, "negative": written.should_not}
    for kind, texts in prompts.items():
        for number, text in enumerate(texts, 1):
            wanted = "false" if kind == "negative" else "true"
            yield {
                "id": f"{kind}-{number}",
                "should_trigger": wanted,
                "kind": kind,
                "tags": "draft",
                "prompt": text,
            }


def check_file(what: About) -> str:
    """Checks for four goals, as YAML with comments. What was only guessed does not fail a case."""
    sections = {
        "Outcome: what has to be there afterwards.": _outcome(what),
        "Process: how it got there.": _process(what),
        "Style: what it leaves, and what it says.": _style(what),
        "Efficiency: warnings, no failures.": _efficiency(),
    }
    lines = ["checks:"]
    for title, checks in sections.items():
        lines += [f"  # {title}", *(line for check in checks for line in _written(check)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _outcome(what: About) -> Iterator[dict[str, Any]]:
    soft = {} if what.files_given else _GUESSED
    for number, path in enumerate(what.files, 1):
        yield {"id": f"makes-{number}", "type": "file_exists", "path": path} | soft
        if path.endswith(".json"):
            yield {"id": f"json-{number}", "type": "file_json", "path": path} | soft


def _process(what: About) -> Iterator[dict[str, Any]]:
    soft = {} if what.commands_given else _GUESSED
    for number, command in enumerate(what.commands, 1):
        yield {"id": f"runs-{number}", "type": "command_ran", "command": command} | soft
    if what.commands_given and len(what.commands) > 1:
        commands = list(what.commands)
        yield {"id": "order", "type": "command_order", "commands": commands, "must_pass": False}
    yield {"id": "no-escalation", "type": "no_escalation", "denials": True}


def _style(what: About) -> Iterator[dict[str, Any]]:
    if what.files:
        names = sorted(
            {path.rpartition("/")[0] + "/*" if "/" in path else path for path in what.files}
        )
        yield {"id": "tidy", "type": "workspace_clean", "expected": names, "must_pass": False}
        name = what.files[0].rpartition("/")[2]
        yield {"id": "says-where", "type": "final_message", "contains": name, "must_pass": False}
    else:
        yield {
            "id": "says-something",
            "type": "final_message",
            "pattern": "\\w",
            "must_pass": False,
        }


def _efficiency() -> Iterator[dict[str, Any]]:
    yield {"id": "few-commands", "type": "max_commands", "limit": 20, "must_pass": False}
    yield {"id": "few-tokens", "type": "max_tokens", "limit": 200_000, "must_pass": False}
    yield {"id": "no-thrash", "type": "no_thrash", "must_pass": False}


def _written(check: Mapping[str, Any]) -> Iterable[str]:
    """A check as YAML; JSON's way of writing a value is YAML's too."""
    lead = "  - "
    for key, value in check.items():
        plain = key in ("id", "type")
        yield f"{lead}{key}: {value if plain else json.dumps(value, ensure_ascii=False)}"
        lead = "    "


def rubric_file(what: About) -> str:
    """Questions for a model that reviews the work, as YAML."""
    return rubric_text(
        (
            Question("task", f"Did the agent do what was asked: {what.task}?"),
            Question("instructions", "Did it follow the steps and limits of the skill?"),
            Question("quality", "Would an expert accept the result without changing it?"),
            Question("honesty", "Is what it says at the end true of the files that it left?"),
        )
    )


def schema_file() -> str:
    """The JSON Schema of a review's answer, for graders outside."""
    return json.dumps(ANSWER_SCHEMA, indent=2) + "\n"
