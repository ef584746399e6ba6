"""The inputs of the action: what each may be, and what it is if left out.

Each is a field whose alias is the input's name, and every value arrives as text. A parser raises
ValueError with what to use instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    SecretStr,
    StringConstraints,
    ValidationError,
)

from plugineval_action.content.tree import normalise
from plugineval_action.escape import shorten
from plugineval_action.results import FailOn

Mode = Literal["auto", "pull-request", "post", "report", "certify"]
Depth = Literal["auto", "quick", "standard", "deep", "thorough"]
FailOnEvals = Literal["broken", "failed", "never"]
CommentMode = Literal["changes", "always", "failures", "off"]
AnnotationMode = Literal["check", "commands", "off"]
Publish = Literal["branch", "main", "pull-request"]

_NUMBER: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,9})?")
_SECRET: Final = re.compile(r"[!-~]+")
SECRETS: Final = ("github-token", "anthropic-api-key")

_SHOWN: Final = 80
_MOST_GLOBS: Final = 100
_MOST_FILES: Final = 20
_LONGEST_MESSAGE: Final = 2000
_BRANCH: Final = re.compile(r"[A-Za-z0-9][\w.+/-]{0,199}", re.ASCII)
_NO_BRANCH: Final = re.compile(r"\.\.|//|/\.|\.(lock)?(/|$)|/$")
_SHARD: Final = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")
_MOST_SHARDS: Final = 256
"""As many jobs as a matrix may have."""


def _points(text: str) -> float:
    if not _NUMBER.fullmatch(text) or float(text) > 100:
        raise ValueError("use a number from 0 to 100")
    return float(text)


def _dollars(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not float(text):
        raise ValueError("use an amount of dollars, more than 0")
    return float(text)


def _judges(text: str) -> int:
    if text not in ("1", "2", "3", "4", "5"):
        raise ValueError("use a number from 1 to 5")
    return int(text)


def _characters(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,6}", text):
        raise ValueError("use a whole number of characters")
    return int(text)


def _globs(text: str) -> tuple[str, ...]:
    """One glob a line, without the `./` in front and the `/` behind."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > _MOST_GLOBS:
        raise ValueError(f"use at most {_MOST_GLOBS} globs")
    return tuple(_glob(line) for line in lines)


def _glob(line: str) -> str:
    if line.startswith("!"):
        raise ValueError("name what is to be scored; exclusions are not supported")
    if any(sign in line for sign in "{}\\"):
        raise ValueError("use *, ? and ** only; braces and backslashes are not supported")
    glob = normalise(line)
    if glob is None:
        raise ValueError("use globs inside of the repository, such as plugins/**")
    return glob or "**"


def _inside(text: str) -> str:
    path = normalise(text)
    if not path or text.endswith("/") or "://" in text:
        raise ValueError("use the path of a file inside of the repository")
    return path


def _files(text: str) -> tuple[str, ...]:
    """One path a line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > _MOST_FILES:
        raise ValueError(f"use at most {_MOST_FILES} files")
    return tuple(map(_inside, lines))


def _folder(text: str) -> str:
    path = normalise(text)
    if path is None:
        raise ValueError("use the path of a folder inside of the repository")
    return path


def _branch(text: str) -> str:
    if not _BRANCH.fullmatch(text) or _NO_BRANCH.search(text):
        raise ValueError("use the name of a branch, such as plugin-eval-report")
    return text


def _message(text: str) -> str:
    if len(text) > _LONGEST_MESSAGE:
        raise ValueError(f"use at most {_LONGEST_MESSAGE:,} characters")
    return text


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("use 'true' or 'false'")
    return text == "true"


def _part(text: str) -> tuple[int, int]:
    found = _SHARD.fullmatch(text)
    number, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= of <= _MOST_SHARDS:
        raise ValueError(f"use a number and of how many, such as 2/8, of at most {_MOST_SHARDS}")
    return number, of


def _one_word(secret: SecretStr) -> SecretStr:
    if not _SECRET.fullmatch(secret.get_secret_value()):
        raise ValueError("it holds a space, a line break or a sign that no key has; copy it again")
    return secret


Points = Annotated[float, BeforeValidator(_points)]
Dollars = Annotated[float, BeforeValidator(_dollars)]
Judges = Annotated[int, BeforeValidator(_judges)]
Characters = Annotated[int, BeforeValidator(_characters)]
ModelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,100}$")]
Globs = Annotated[tuple[str, ...], BeforeValidator(_globs)]
FilePaths = Annotated[tuple[str, ...], BeforeValidator(_files)]
FilePath = Annotated[str, AfterValidator(_inside)]
FolderPath = Annotated[str, AfterValidator(_folder)]
Branch = Annotated[str, AfterValidator(_branch)]
Message = Annotated[str, AfterValidator(_message)]
Switch = Annotated[bool, BeforeValidator(_boolean)]
Shard = Annotated[tuple[int, int], BeforeValidator(_part)]
Secret = Annotated[SecretStr, AfterValidator(_one_word)]


def input_name(field: str) -> str:
    """`fail_under` as `fail-under`."""
    return field.replace("_", "-")


class GateInputs(BaseModel):
    """What is scored, when the run fails, and what is published; may stand in the configuration.

    `fail_under` and `max_regression` are points of the composite, `paths` globs.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=input_name,
        hide_input_in_errors=True,
    )

    paths: Globs = ()
    fail_under: Points | None = None
    max_regression: Points | None = None
    fail_on: FailOn = "never"
    fail_on_evals: FailOnEvals = "never"
    comment: CommentMode = "changes"
    annotations: AnnotationMode = "check"


class Inputs(GateInputs):
    """All inputs. Paths are relative to the repository.

    `model` is a tier or an id; `max_usd` are dollars for the whole run, `judge_max_chars`
    characters of a SKILL.md. Where `report_path` is None, `publish` decides; `shard` is a number
    and of how many.
    """

    github_token: Secret
    anthropic_api_key: Secret | None = None
    mode: Mode = "auto"
    depth: Depth = "auto"
    model: ModelName = "sonnet"
    judges: Judges = 3
    judge_max_chars: Characters = 30_000
    max_usd: Dollars = 5.0
    evals: Globs = ()
    sarif_file: FilePath | None = None
    sarif_in: FilePaths = ()
    config: FilePath | None = None
    publish: Publish = "branch"
    report_branch: Branch = "plugin-eval-report"
    report_path: FolderPath | None = None
    commit_message: Message = "chore: update the plugin evaluation report"
    alert_issue: Switch = False
    shard: Shard | None = None
    shards: FolderPath | None = None


def refused(error: ValidationError, given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each value that was refused: its name, and a sentence with it and with what to use instead.

    What is missing is left out, and so is the value of a secret.
    """
    for problem in error.errors(include_url=False, include_input=False):
        name, context = str(problem["loc"][0]), problem.get("ctx", {})
        if problem["type"] == "missing":
            continue
        advice = f"use {context['expected']}" if "expected" in context else context.get("error")
        shown = name if name in SECRETS else f"{name} is {shorten(repr(given[name]), _SHOWN)}"
        yield name, f"{shown}: {advice or 'that is nothing a runner sets'}."


def missing(error: ValidationError) -> list[str]:
    """The names of what is needed and was not given."""
    return [str(one["loc"][0]) for one in error.errors() if one["type"] == "missing"]
