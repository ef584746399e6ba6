"""Cases: prompts for an agent, and whether the skill should come into play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
    field_validator,
    model_validator,
)

from plugineval_action.content.tree import normalise
from plugineval_action.errors import UsageError
from plugineval_action.inputs.mistakes import (
    Located,
    Mistake,
    problem,
    quoted,
    refuse,
)
from plugineval_action.inputs.refused import model_mistakes

Kind = Literal["explicit", "implicit", "contextual", "negative"]
KINDS: Final[tuple[Kind, ...]] = ("explicit", "implicit", "contextual", "negative")
MOST_CASES: Final = 1_000
MOST_CHARACTERS: Final = 20_000
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
"""A name that is safe as that of a file."""


class Case(BaseModel):
    """One prompt.

    `kind` says how it calls for the skill: by name (explicit), by what it asks for (implicit), with
    the surroundings of real work (contextual), or not at all (negative). `setup` is a folder beside
    the cases that is laid into the workspace.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    should_trigger: StrictBool
    prompt: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    kind: Kind
    setup: str = ""
    tags: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _with_kind(cls, data: object) -> object:
        """Without a kind: negative if it should not trigger, explicit if it calls the skill."""
        if not isinstance(data, dict) or data.get("kind"):
            return data
        start = str(data.get("prompt", "")).lstrip()[:1]
        return (
            data
            | {"kind": "explicit" if start in ("/", "$") else "implicit"}
            | ({"kind": "negative"} if data.get("should_trigger") is False else {})
        )

    @field_validator("prompt")
    @classmethod
    def _said(cls, prompt: str) -> str:
        if not prompt.strip():
            raise problem("it is empty.", "Write what a user would type.")
        return prompt

    @field_validator("setup")
    @classmethod
    def _inside(cls, setup: str) -> str:
        inner = normalise(setup)
        if setup and not inner:
            raise problem(
                f"{quoted(setup)} leads out of the folder of the cases.",
                "Name a folder beside this file, such as files/app.",
            )
        return inner or ""

    @model_validator(mode="after")
    def _agrees(self) -> Case:
        if (self.kind == "negative") == self.should_trigger:
            wanted = "true" if self.should_trigger else "false"
            raise problem(
                f"kind {self.kind} and should_trigger {wanted} contradict each other.",
                "A negative case is one that should not trigger, and the other way round.",
            )
        return self


class Cases(NamedTuple):
    """The cases of a skill and the file they come from."""

    path: Path
    cases: tuple[Case, ...]


def read_cases(path: Path) -> Cases:
    """Read `*.csv` or `*.yaml`. Raises UsageError that names every mistake with its line."""
    if path.suffix.lower() == ".csv":
        from plugineval_action.inputs.csv_file import read_csv

        file = read_csv(path)
    elif path.suffix.lower() in (".yaml", ".yml"):
        from plugineval_action.inputs.yaml_file import read_yaml

        file = _listed(read_yaml(path))
    else:
        raise UsageError(f"{path} is neither CSV nor YAML.", "Name a .csv or .yaml file.")
    if not file.value:
        refuse(
            [file.mistake((), "There is no case in it.", "Add one: id, should_trigger, prompt.")]
        )
    return Cases(path, tuple(_cases(file)))


def _listed(file: Located) -> Located:
    """A YAML file is a list of cases, or has one under `cases`."""
    value, lines = file.value, file.lines
    if isinstance(value, dict) and set(value) == {"cases"}:
        value = value["cases"]
        lines = {place[1:]: line for place, line in lines.items() if place[:1] == ("cases",)}
    if value is not None and not isinstance(value, list):
        remedy = "Start each case with `- id: …`, on top or below `cases:`."
        refuse([file.mistake((), "This is no list of cases.", remedy)])
    return Located(file.path, value, lines)


def _cases(file: Located) -> Iterator[Case]:
    if len(file.value) > MOST_CASES:
        refuse(
            [file.mistake((MOST_CASES,), f"These are over {MOST_CASES:,} cases.", "Split them.")]
        )
    found: list[Case] = []
    mistakes: list[Mistake] = []
    for at, entry in enumerate(file.value):
        try:
            found.append(Case.model_validate(entry))
        except ValidationError as error:
            mistakes += model_mistakes(error, Case, file, (at,))
    mistakes += [*_repeated(file), *_missing_setups(file, found)]
    if mistakes:
        refuse(mistakes)
    yield from found


def _missing_setups(file: Located, cases: Iterable[Case]) -> Iterable[Mistake]:
    lines = {
        entry["id"]: at
        for at, entry in enumerate(file.value)
        if isinstance(entry, dict) and isinstance(entry.get("id"), str)
    }
    for case in cases:
        folder = Path(file.path).parent / case.setup
        if case.setup and not _is_folder(folder):
            reason = f"There is no folder {quoted(case.setup)} beside this file."
            place = (lines.get(case.id, 0), "setup")
            yield file.mistake(place, reason, "Make it, or correct `setup`.")


def _is_folder(path: Path) -> bool:
    """Whether a folder, and no link to one, lies at a path; not at one that no system takes."""
    try:
        return path.is_dir() and not path.is_symlink()
    except OSError:
        return False


def _repeated(file: Located) -> Iterable[Mistake]:
    """Ids that stand twice; letter case does not tell files apart on every system."""
    met: dict[str, int] = {}
    for at, entry in enumerate(file.value):
        name = entry.get("id") if isinstance(entry, Mapping) else None
        if not isinstance(name, str):
            continue
        line = file.line(at, "id")
        if name.lower() in met:
            reason = f"The id {quoted(name)} stands on line {met[name.lower()]} already."
            yield Mistake(file.path, line, reason, "Give every case its own id.")
        met.setdefault(name.lower(), line)
