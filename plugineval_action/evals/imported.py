"""Evals in the format of skill-creator and of agentskills.io, as cases, checks and a rubric.

{"skill_name": "csv-report", "evals": [
  {"id": 1, "prompt": "…", "expected_output": "…", "files": ["evals/files/sales.csv"],
   "expectations": ["The report has a total."]}]}

`assertions` is the newer name of `expectations`; a list of `{"query": …, "should_trigger": …}` is
the same tool's set of prompts for descriptions. What is not taken over is named.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import yaml
from pydantic import ValidationError

from plugineval_action.content.tree import normalise
from plugineval_action.evals.cases import MOST_CASES, Case
from plugineval_action.evals.checks import MOST_CHECKS
from plugineval_action.evals.rubric import MOST_CHARACTERS, MOST_CHECKED, MOST_QUESTIONS, PASS_SCORE
from plugineval_action.inputs.mistakes import Located, Mistake, Place, quoted, refuse
from plugineval_action.inputs.refused import model_mistakes

EXPECTED: Final = "Is the result what was expected: {}"
ASKED: Final = "Is this true of the work: {}"
_LISTS: Final = ("expectations", "assertions")
_PROMPTS: Final = ("prompt", "query")
_KNOWN: Final = frozenset({"id", "should_trigger", "expected_output", "files", *_LISTS, *_PROMPTS})
_COLUMNS: Final = ("id", "should_trigger", "prompt", "kind", "setup")
MOST_FILES: Final = 100
FILES: Final = "evals/files/"
"""Where input files lie in the skill, by convention."""

Json = dict[str, Any]


class Wanted(NamedTuple):
    """An input file of a case: its path from the skill's folder, and where it goes in `setup`."""

    source: str
    target: str
    place: Place


class Imported(NamedTuple):
    """What was taken over, and sentences with lines about what was not.

    `files` holds the input files by case.
    """

    cases: tuple[Case, ...]
    questions: tuple[Json, ...]
    checks: tuple[Json, ...]
    files: Mapping[str, tuple[Wanted, ...]]
    left: tuple[Mistake, ...]


def imported(file: Located, skill: str) -> Imported:
    """Read the values of a file. Raises UsageError that names every mistake with its line."""
    taking = _Taking(file)
    top: object = file.value
    place: Place = ()
    if isinstance(top, dict):
        taking.top(top, skill)
        top, place = top.get("evals"), ("evals",)
    if not isinstance(top, list) or not top:
        remedy = 'Write {"skill_name": "…", "evals": [{"id": 1, "prompt": "…"}]}.'
        refuse([file.mistake(place, "There is no list `evals` with entries.", remedy)])
    if len(top) > MOST_CASES:
        place = (*place, MOST_CASES)
        refuse([file.mistake(place, f"These are over {MOST_CASES:,} cases.", "Split them.")])
    for at, entry in enumerate(top):
        taking.entry(entry, (*place, at), at + 1)
    return taking.done()


class _Taking:
    """One pass over the entries of a file."""

    def __init__(self, file: Located) -> None:
        self._file = file
        self._cases: dict[str, Case] = {}
        self._questions: list[Json] = []
        self._checks: list[Json] = []
        self._files: dict[str, tuple[Wanted, ...]] = {}
        self._left: list[Mistake] = []
        self._mistakes: list[Mistake] = []

    def done(self) -> Imported:
        if self._mistakes:
            refuse(self._mistakes)
        return Imported(
            tuple(self._cases.values()),
            tuple(self._questions),
            tuple(self._checks),
            self._files,
            tuple(self._left),
        )

    def top(self, value: Json, skill: str) -> None:
        """What stands beside the entries."""
        for key in sorted(value.keys() - {"skill_name", "evals"}):
            self._leave((key,), f"{quoted(key)} has no place here.")
        named = value.get("skill_name", skill)
        if named != skill:
            self._leave(("skill_name",), f"The skill is called {skill} here, not {quoted(named)}.")

    def entry(self, entry: object, place: Place, number: int) -> None:
        """One case with all that is said of it."""
        if not isinstance(entry, dict):
            self._wrong(place, "This is no eval.", 'Write {"id": 1, "prompt": "…"}.')
            return
        case = self._case(entry, place, number)
        if case is None:
            return
        for key in sorted(entry.keys() - _KNOWN):
            self._leave((*place, key), f"{quoted(key)} has no place here.")
        self._inputs(case, entry.get("files"), (*place, "files"))
        self._statements(case, entry, place)

    def _case(self, entry: Json, place: Place, number: int) -> Case | None:
        given = entry.get("id", number)
        plain = isinstance(given, int) and not isinstance(given, bool)
        name = f"eval-{given}" if plain else given
        prompts = [entry[key] for key in _PROMPTS if key in entry]
        if len(prompts) > 1:
            self._wrong(place, "There are `prompt` and `query`.", "Keep one of them.")
            return None
        values = {"id": name, "should_trigger": entry.get("should_trigger", True)}
        if prompts:
            values["prompt"] = prompts[0]
        if entry.get("files"):
            values["setup"] = f"files/{name}"
        try:
            case = Case.model_validate(values)
        except ValidationError as error:
            self._mistakes += model_mistakes(error, Case, self._file, place)
            return None
        if case.id.lower() in self._cases:
            where = (*place, "id")
            self._wrong(where, f"The id {quoted(given)} is there already.", "Give each its own.")
            return None
        self._cases[case.id.lower()] = case
        return case

    def _inputs(self, case: Case, files: object, place: Place) -> None:
        if files is None:
            return
        if not isinstance(files, list):
            self._wrong(place, "`files` is no list.", 'Write ["evals/files/sales.csv"].')
            return
        found: dict[str, Wanted] = {}
        for at, path in enumerate(files):
            inner, where = normalise(path) if isinstance(path, str) else None, (*place, at)
            if not inner:
                self._wrong(where, f"{quoted(path)} is no file of the skill.", "Name one in it.")
                continue
            target = inner.removeprefix("evals/").removeprefix("files/")
            if target in found or len(found) == MOST_FILES:
                why = "is there already" if target in found else f"is over {MOST_FILES} files"
                self._leave(where, f"{quoted(path)} {why}.")
                continue
            found[target] = Wanted(inner, target, where)
        self._files[case.id] = tuple(found.values())

    def _statements(self, case: Case, entry: Json, place: Place) -> None:
        asked = 0
        for where, statement in self._all_statements(entry, place):
            if isinstance(statement, dict):
                self._assertion(case, statement, where)
                continue
            if not isinstance(statement, str) or not statement.strip():
                self._leave(where, "It is no text.")
            elif asked == MOST_QUESTIONS or len(self._questions) == MOST_CHECKED:
                most = f"A case takes {MOST_QUESTIONS} questions, a file {MOST_CHECKED:,}."
                self._leave(where, most)
            else:
                form = EXPECTED if where[-1] == "expected_output" else ASKED
                question = form.format(statement.strip())
                if len(question) > MOST_CHARACTERS:
                    self._leave(where, f"It is longer than {MOST_CHARACTERS:,} characters.")
                    continue
                asked += 1
                self._add(self._questions, case, {"ask": question})

    def _all_statements(self, entry: Json, place: Place) -> Iterator[tuple[Place, object]]:
        if entry.get("expected_output") not in (None, ""):
            yield (*place, "expected_output"), entry["expected_output"]
        for key in _LISTS:
            given = entry.get(key)
            if given is not None and not isinstance(given, list):
                self._wrong((*place, key), f"`{key}` is no list.", "Write a list of sentences.")
                continue
            for at, one in enumerate(given or ()):
                yield (*place, key, at), one

    def _assertion(self, case: Case, given: Json, place: Place) -> None:
        """`{"name": …, "type": "contains", "value": …}` is a check of the last message."""
        value = given.get("value")
        known = given.keys() <= {"name", "type", "value"} and given.get("type") == "contains"
        if not (known and isinstance(value, str) and value.strip()):
            self._leave(place, "Only sentences and type `contains` with a `value` are known.")
        elif len(self._checks) == MOST_CHECKS:
            self._leave(place, f"A file takes {MOST_CHECKS} checks.")
        else:
            self._add(self._checks, case, {"type": "final_message", "contains": value})

    def _add(self, to: list[Json], case: Case, what: Json) -> None:
        name = f"{case.id[:50]}-{len(to) + 1}"
        to.append({"id": name} | what | {"only": {"cases": [case.id]}})

    def _leave(self, place: Place, reason: str) -> None:
        self._left.append(self._file.mistake(place, reason, "It was not taken over."))

    def _wrong(self, place: Place, reason: str, remedy: str) -> None:
        self._mistakes.append(self._file.mistake(place, reason, remedy))


def case_file(cases: tuple[Case, ...]) -> str:
    """The cases as CSV; text is in quotes, so that every blank and line break stays."""
    output = io.StringIO()
    output.write(",".join(_COLUMNS) + "\n")
    writer = csv.writer(output, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for one in cases:
        writer.writerow([getattr(one, name) for name in _COLUMNS])
    return output.getvalue()


def check_file(checks: tuple[Json, ...]) -> str:
    """Checks of the last message, as YAML."""
    return _yaml({"checks": list(checks)})


def rubric_file(questions: tuple[Json, ...]) -> str:
    """Questions for a model that reviews the work, as YAML; the case fails if they do."""
    return _yaml({"pass_score": PASS_SCORE, "must_pass": True, "checks": list(questions)})


def _yaml(value: Json) -> str:
    text: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100)
    return text
