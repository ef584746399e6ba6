"""The only reader of the environment: inputs, and what the runner tells about the run."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from plugineval_action.action.conflicts import REVIEW_INPUTS, conflicts
from plugineval_action.action.inputs import GateInputs, Inputs, input_name, missing, refused
from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten
from plugineval_action.policy.model import Policy

_PREFIX: Final = "INPUT_"
_OF_THE_RUNNER: Final = ("args", "entrypoint")
"""What `with` may hold for every container action."""

_EMPTY: Final = (
    "github-token is empty: leave it out to use the workflow's own token;"
    " a secret that does not exist arrives empty."
)
_REMEDY: Final = "Correct the step that uses the action; its README describes every input."

_NUMBER: Final = r"^[0-9]{1,20}$"
_REPOSITORY: Final = r"^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$"
_SHA: Final = r"^[0-9a-f]{40}([0-9a-f]{24})?$"
_URL: Final = r"^https?://[^/\s]+[^\s]*$"


class Settings(Inputs):
    """Everything the environment says. Secrets never show in its repr.

    `output` and `step_summary` are files to append to, None if the runner gives none. Files in
    `temp` outlive the step.
    """

    event_name: Annotated[str, Field(alias="GITHUB_EVENT_NAME")]
    event_path: Annotated[str, Field(alias="GITHUB_EVENT_PATH")]
    repository: Annotated[str, Field(alias="GITHUB_REPOSITORY", pattern=_REPOSITORY)]
    sha: Annotated[str, Field(alias="GITHUB_SHA", pattern=_SHA)]
    ref: Annotated[str, Field(alias="GITHUB_REF")] = ""
    api_url: Annotated[str, Field(alias="GITHUB_API_URL", pattern=_URL)]
    anthropic_base_url: Annotated[str | None, Field(alias="ANTHROPIC_BASE_URL", pattern=_URL)] = (
        None
    )
    graphql_url: Annotated[str, Field(alias="GITHUB_GRAPHQL_URL", pattern=_URL)]
    server_url: Annotated[str, Field(alias="GITHUB_SERVER_URL", pattern=_URL)]
    workspace: Annotated[str, Field(alias="GITHUB_WORKSPACE")]
    temp: Annotated[str, Field(alias="RUNNER_TEMP")]
    run_id: Annotated[str, Field(alias="GITHUB_RUN_ID", pattern=_NUMBER)]
    run_attempt: Annotated[str, Field(alias="GITHUB_RUN_ATTEMPT", pattern=_NUMBER)] = "1"
    output: Annotated[str | None, Field(alias="GITHUB_OUTPUT")] = None
    step_summary: Annotated[str | None, Field(alias="GITHUB_STEP_SUMMARY")] = None
    runner_workspace: Annotated[str, Field(alias="RUNNER_WORKSPACE")] = ""

    @property
    def run_url(self) -> str:
        """The page of this attempt of the run."""
        run = f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"
        return f"{run}/attempts/{self.run_attempt}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is to be masked before anything is printed."""
        held = (self.github_token, self.anthropic_api_key)
        return tuple(secret.get_secret_value() for secret in held if secret)

    @property
    def depth_asked(self) -> Literal["quick", "standard", "deep", "thorough"]:
        """The depth to run: without a key no model can be asked, with one `auto` is standard."""
        if self.anthropic_api_key is None:
            return "quick"
        return "standard" if self.depth == "auto" else self.depth

    @property
    def notices(self) -> tuple[str, ...]:
        """What to tell about the depth: a run that falls short of it says so."""
        if self.depth in ("auto", self.depth_asked):
            return ()
        missing = "but anthropic-api-key is not set, so depth quick was run."
        return (f"depth: {self.depth} was asked for, {missing}",)

    def seen_later(self, name: str) -> str:
        """The path by which later steps of the job find a file in `temp`.

        They run outside of the container, where its /github/runner_temp has another name.
        """
        if self.temp == "/github/runner_temp" and self.runner_workspace:
            return posixpath.join(posixpath.dirname(self.runner_workspace), "_temp", name)
        return posixpath.join(self.temp, name)

    @property
    def roots(self) -> tuple[str, ...]:
        """What the workspace is called in here and, in steps beside the container, out there."""
        outside = self.runner_workspace and posixpath.join(
            self.runner_workspace, self.repository.partition("/")[2]
        )
        return tuple(filter(None, (self.workspace, outside)))

    def with_config(self, config: GateInputs) -> Settings:
        """These settings, and the configuration file's where no input was given.

        Raises UsageError if the two do not go together.
        """
        added = config.model_fields_set - self.model_fields_set
        both = self.model_copy(update={name: getattr(config, name) for name in added})
        given = both.model_dump(by_alias=True)
        if self.mode == "report":
            # One file may serve reviews and reports: what it says to reviews is no mistake.
            for name in REVIEW_INPUTS:
                given.pop(name)
        _raise_for(conflicts(given))
        return both

    def with_policy(self, policy: Policy) -> Settings:
        """These settings, and the policy's fail-on where nothing else gives one."""
        if "fail_on" in self.model_fields_set or policy.fail_on == "never":
            return self
        return self.model_copy(update={"fail_on": policy.fail_on})


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read every INPUT_*, GITHUB_* and RUNNER_* variable that counts.

    An empty value is the same as none. Raises one UsageError with all problems; it names each input
    with its value, but no secret.
    """
    given = _inputs(environ) | _variables(environ)
    # What does not go together now may do so with what the configuration file says.
    found = [*_misspelt(environ), *(() if "config" in given else conflicts(given))]
    try:
        settings = Settings.model_validate(given)
    except ValidationError as error:
        _raise_for([*_problems(error, given), *found])
        raise
    _raise_for(found)
    return settings


def _inputs(environ: Mapping[str, str]) -> dict[str, str]:
    """Inputs by name. The runner keeps hyphens, and translates the path of the workspace."""
    names = map(input_name, Inputs.model_fields)
    given = {name: environ.get(f"{_PREFIX}{name.upper()}", "").strip() for name in names}
    workspace = environ.get("GITHUB_WORKSPACE", "").rstrip("/")
    for name in ("config", "sarif-file", "report-path", "shards"):
        given[name] = given[name].removeprefix(f"{workspace}/")
    lines = (line.strip().removeprefix(f"{workspace}/") for line in given["evals"].splitlines())
    given["evals"] = "\n".join(lines)
    return {name: text for name, text in given.items() if text}


def _variables(environ: Mapping[str, str]) -> dict[str, str]:
    own = Settings.model_fields.keys() - Inputs.model_fields.keys()
    names = [Settings.model_fields[field].alias or "" for field in own]
    return {name: environ[name] for name in names if environ.get(name)}


def _misspelt(environ: Mapping[str, str]) -> Iterator[str]:
    """The runner only warns of `fail-undr`, and a gate that is believed to be on stays off."""
    known = [*map(input_name, Inputs.model_fields)]
    for variable in sorted(environ):
        name = variable.removeprefix(_PREFIX).lower()
        if not variable.startswith(_PREFIX) or name in (*known, *_OF_THE_RUNNER):
            continue
        near = get_close_matches(name.replace("_", "-").replace(" ", "-"), known, 1)
        advice = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
        yield f"{shorten(name, 60)} is not an input; {advice}"


def _problems(error: ValidationError, given: Mapping[str, str]) -> Iterator[str]:
    yield from (told for _, told in refused(error, given))
    unset = missing(error)
    if "github-token" in unset:
        yield _EMPTY
    variables = [name for name in unset if name != "github-token"]
    if variables:
        yield f"Not set, though GitHub's runner sets it: {', '.join(variables)}."


def _raise_for(problems: Iterable[str]) -> None:
    """Raises UsageError with all of them, if there are any."""
    found = list(problems)
    if found:
        raise UsageError("\n".join(found), _REMEDY)
