"""The part of a SARIF 2.1.0 log that is imported, checked as it is read.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0; the numbers in brackets are its
sections. What is not named here is not looked at: snippets least of all, as they hold what a
scanner for secrets has found.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten

MAX_BYTES: Final = 20_000_000
MAX_RUNS: Final = 20
MAX_RESULTS: Final = 25_000
"""Of one run. Both are what code scanning takes as well."""

_BOM: Final = b"\xef\xbb\xbf"
_SHOWN: Final = 120
_REMEDY: Final = (
    "Name a file that the scanner wrote as SARIF 2.1.0, such as by semgrep scan --sarif,"
    " gitleaks --report-format sarif or trivy --format sarif."
)

SarifLevel = Literal["none", "note", "warning", "error"]
Line = Annotated[int, Field(ge=1, lt=2**31)]
Index = Annotated[int, Field(ge=-1, lt=2**31)]


def _list(value: object) -> object:
    """Tools that are written in Go have null where nothing is in a list."""
    return [] if value is None else value


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Message(_Part):
    """Plain text, or the id of one that the rule has (3.11)."""

    text: str = ""
    id: str = ""
    arguments: tuple[str, ...] = ()


class Defaults(_Part):
    """The level of results that give none (3.50)."""

    level: SarifLevel = "warning"


class Rule(_Part):
    """A rule as the tool describes it (3.49)."""

    id: str = ""
    help_uri: Annotated[str, Field(alias="helpUri")] = ""
    defaults: Annotated[Defaults, Field(alias="defaultConfiguration")] = Defaults()
    messages: Annotated[dict[str, Message], Field(alias="messageStrings")] = {}


class Component(_Part):
    """The tool, or an extension of it, with its rules (3.19)."""

    name: Annotated[str, Field(min_length=1)]
    rules: Annotated[tuple[Rule, ...], BeforeValidator(_list)] = ()


class Tool(_Part):
    """The tool that ran (3.18)."""

    driver: Component
    extensions: Annotated[tuple[Component, ...], BeforeValidator(_list)] = ()


class Artifact(_Part):
    """Where a file is: a URI, what it is relative to, or a place in the list of files (3.4)."""

    uri: str = ""
    base: Annotated[str, Field(alias="uriBaseId")] = ""
    index: Index = -1


class Listed(_Part):
    """A file in the list of files (3.24)."""

    location: Artifact = Artifact()


class Region(_Part):
    """Lines of a file (3.30); a region by offsets has none."""

    first: Annotated[Line, Field(alias="startLine")] = 1
    last: Annotated[Line | None, Field(alias="endLine")] = None


class Physical(_Part):
    """A region of a file (3.29)."""

    artifact: Annotated[Artifact, Field(alias="artifactLocation")] = Artifact()
    region: Region = Region()


class Location(_Part):
    """Where a result was found (3.28)."""

    physical: Annotated[Physical | None, Field(alias="physicalLocation")] = None


class ComponentReference(_Part):
    """Which component of the tool has a rule: -1 is the driver (3.54)."""

    index: Index = -1


class RuleReference(_Part):
    """Which rule was broken (3.52)."""

    id: str = ""
    index: Index = -1
    component: Annotated[ComponentReference, Field(alias="toolComponent")] = ComponentReference()


class Suppression(_Part):
    """Why a result is not to be told (3.35)."""

    kind: str = ""
    status: str = "accepted"


class SarifResult(_Part):
    """One thing that was found (3.27)."""

    rule_id: Annotated[str, Field(alias="ruleId")] = ""
    rule_index: Annotated[Index, Field(alias="ruleIndex")] = -1
    rule: RuleReference = RuleReference()
    kind: str = "fail"
    level: SarifLevel | None = None
    message: Message
    locations: Annotated[tuple[Location, ...], BeforeValidator(_list)] = ()
    suppressions: Annotated[tuple[Suppression, ...], BeforeValidator(_list)] = ()
    baseline: Annotated[str, Field(alias="baselineState")] = ""


class Notification(_Part):
    """What the tool says of its own run (3.58)."""

    level: str = "warning"
    message: Message = Message()


class Invocation(_Part):
    """How the tool was started, and whether it came through (3.20)."""

    successful: Annotated[bool, Field(alias="executionSuccessful")] = True
    notifications: Annotated[
        tuple[Notification, ...],
        BeforeValidator(_list),
        Field(alias="toolExecutionNotifications"),
    ] = ()


class Run(_Part):
    """One run of one tool (3.14)."""

    tool: Tool
    invocations: Annotated[tuple[Invocation, ...], BeforeValidator(_list)] = ()
    bases: Annotated[dict[str, Artifact], Field(alias="originalUriBaseIds")] = {}
    artifacts: Annotated[tuple[Listed, ...], BeforeValidator(_list)] = ()
    results: Annotated[
        tuple[SarifResult, ...], BeforeValidator(_list), Field(max_length=MAX_RESULTS)
    ] = ()


class Log(_Part):
    """The whole file (3.13). Runs that are null say that whoever wrote it has failed (3.13.4)."""

    version: Literal["2.1.0"]
    runs: Annotated[tuple[Run, ...], Field(max_length=MAX_RUNS)]


def parse(data: bytes, name: str) -> tuple[Run, ...]:
    """The runs of a log. Raises UsageError, with `name` and the place, if it is none.

    Neither is a log whose tool says that it has failed: it found less than there is.
    """
    if len(data) > MAX_BYTES:
        raise UsageError(
            f"{shorten(name, _SHOWN)} has over {MAX_BYTES:,} bytes.",
            "Have the scanner look only at the folders that hold skills.",
        )
    try:
        runs = Log.model_validate_json(data.removeprefix(_BOM)).runs
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        at = shorten(".".join(map(str, first["loc"])), _SHOWN)
        why = f"{at}: {first['msg']}" if at else first["msg"]
        message = f"{shorten(name, _SHOWN)} is no SARIF 2.1.0 ({shorten(why, 2 * _SHOWN)})."
        raise UsageError(message, _REMEDY) from error
    for run in runs:
        _refuse_failed(run, name)
    return runs


def _refuse_failed(run: Run, name: str) -> None:
    failed = [one for one in run.invocations if not one.successful]
    if not failed:
        return
    said = [note for one in failed for note in one.notifications if note.message.text]
    worst = sorted(said, key=lambda note: note.level != "error")
    why = f": {shorten(worst[0].message.text, 2 * _SHOWN)}" if worst else ""
    tool = shorten(run.tool.driver.name, _SHOWN)
    raise UsageError(
        f"{shorten(name, _SHOWN)}: {tool} says that its run has failed (executionSuccessful is"
        f" false){why}.",
        f"What {tool} did not look at would seem to be clean: see its log, and run it again.",
    )
