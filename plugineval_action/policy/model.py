"""The policy file `.plugin-eval.yml`, and what it may say.

    profile: claude-code
    fail-on: warning
    levels:
      - {rule: UNKNOWN_FIELD, level: "off"}
      - {rule: SK041, path: "plugins/old/**", level: note}
    waivers:
      - rule: PIPE_TO_SHELL
        path: plugins/setup/**
        owner: platform-team
        reason: The maker offers no other way.
        expires: 2027-01-31
    baseline: .plugin-eval-baseline.json

A review reads it at the base, so that a change cannot excuse itself. The same file may hold inputs
of the action, if its input `config` names it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationError,
)

from plugineval_action.content.text import read_text
from plugineval_action.content.tree import Tree, normalise
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.findings.catalogue import RULES, rule_named
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.inputs.mistakes import (
    Located,
    Mistake,
    problem,
    quoted,
    refuse,
)
from plugineval_action.inputs.refused import model_mistakes
from plugineval_action.inputs.yaml_file import parse_yaml
from plugineval_action.results import FailOn
from plugineval_action.rules import is_imported

POLICY_FILE: Final = ".plugin-eval.yml"
BASELINE_FILE: Final = ".plugin-eval-baseline.json"
"""Where a baseline is written if the policy names none."""
MAX_CHARACTERS: Final = 50_000
_REMEDY: Final = "docs/policy.md shows what the file may say."
_A_LEVEL: Final = "{rule: BROKEN_LINK, level: note}"
_A_WAIVER: Final = (
    "{rule: BROKEN_LINK, path: plugins/old/**, owner: us, reason: Because., expires: 2027-01-31}"
)


def _rule(name: str) -> str:
    if is_imported(name):
        raise problem(
            f"{quoted(name)} is a scanner's rule, and a scanner has levels of its own.",
            "Decide about it in the scanner's settings; what those suppress is left out here.",
        )
    rule = rule_named(name)
    if rule is None:
        near = get_close_matches(name.upper(), RULES, n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise problem(f"there is no rule {quoted(name)}.", f"{hint}plugin-eval rules lists all.")
    if rule.family == "anti-pattern":
        raise problem(
            f"{rule.id} is an anti-pattern, which is part of the score.",
            "Leave the entry out; plugin-eval rules lists all that can be decided about.",
        )
    return rule.id


def _day(value: object) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise problem(f"{quoted(value)} is no day.", "Write one as in 2027-01-31.") from error


def _glob(glob: str) -> str:
    """A glob that can match: what none ever could would seem to hold."""
    if "\\" in glob or not {"", ".", ".."}.isdisjoint(glob.split("/")):
        raise problem(
            f"{quoted(glob)} can match no file.",
            "Write it from the root of the repository, with / between names, as in plugins/old/**.",
        )
    return glob


def _inside(path: str) -> str:
    """A path below the root of the repository, as its files are named."""
    if "\\" in path or normalise(path) != path:
        raise problem(
            f"{quoted(path)} lies outside the repository, or is not written as git writes it.",
            "Name a file inside, from the root, as in .plugin-eval-baseline.json.",
        )
    return path


def _level(value: object) -> object:
    """YAML reads off as false."""
    return "off" if value is False else value


def _fail_on(value: object) -> object:
    """YAML reads off and no as false."""
    if value is False:
        raise problem("off is no level to fail on.", "Write never, or leave the line out.")
    return value


def _entries(example: str) -> Callable[[object], object]:
    """A check for entries under each other, as whoever writes a mapping is shown how."""

    def check(value: object) -> object:
        if value is None or (
            isinstance(value, list) and all(isinstance(one, dict) for one in value)
        ):
            return value
        raise problem("this is no list of entries.", f"Write each as an entry: - {example}")

    return check


RuleName = Annotated[str, StringConstraints(min_length=1, max_length=80), AfterValidator(_rule)]
_Path = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Glob = Annotated[_Path, AfterValidator(_glob)]
Inside = Annotated[_Path, AfterValidator(_inside)]
Day = Annotated[date, BeforeValidator(_day)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class _Model(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=lambda name: name.replace("_", "-"),
        hide_input_in_errors=True,
    )


class LevelRule(_Model):
    """Another level for a rule, everywhere or below a path; the last one that fits counts."""

    rule: RuleName
    path: Glob = "**"
    level: Annotated[Literal["error", "warning", "note", "off"], BeforeValidator(_level)]


class Waiver(_Model):
    """Findings that somebody answers for, until a day. Owner, reason and day are all required."""

    rule: RuleName
    path: Glob
    owner: Text
    reason: Text
    expires: Day


_ForTheAction = Annotated[Any, Field(description="An input of the action, which checks it.")]


class Policy(_Model):
    """A repository's decisions about findings; an empty file changes nothing."""

    profile: ProfileName = DEFAULT_PROFILE
    fail_on: Annotated[FailOn, BeforeValidator(_fail_on)] = "never"
    levels: Annotated[
        tuple[LevelRule, ...], Field(max_length=500), BeforeValidator(_entries(_A_LEVEL))
    ] = ()
    waivers: Annotated[
        tuple[Waiver, ...], Field(max_length=500), BeforeValidator(_entries(_A_WAIVER))
    ] = ()
    baseline: Inside | None = None
    paths: _ForTheAction = None
    fail_under: _ForTheAction = None
    fail_on_evals: _ForTheAction = None
    max_regression: _ForTheAction = None
    comment: _ForTheAction = None
    annotations: _ForTheAction = None
    _waiver_lines: tuple[int, ...] = PrivateAttr(default=())

    def model_post_init(self, context: object) -> None:
        """Keep the lines of the file that is given as context."""
        if isinstance(context, Located):
            self._waiver_lines = tuple(
                context.line("waivers", at) for at in range(len(self.waivers))
            )

    def line_of(self, number: int) -> int:
        """The line of a waiver in the file, counted from 0; 1 if it was read from none."""
        return self._waiver_lines[number] if number < len(self._waiver_lines) else 1


def read_policy(tree: Tree) -> Policy | None:
    """The policy at the root of a tree; None without one. Raises UsageError if it is wrong."""
    if tree.kind(POLICY_FILE) is None:
        return None
    try:
        return parse_policy(read_text(tree, POLICY_FILE).content)
    except ContentError as error:
        raise UsageError(error.message, error.remedy) from error


def parse_policy(text: str) -> Policy:
    """Parse a policy. Raises one UsageError with all that is wrong in it, each with its line."""
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{POLICY_FILE} has over {MAX_CHARACTERS:,} characters.", _REMEDY)
    _refuse_aliases(text)
    file = parse_yaml(POLICY_FILE, text)
    try:
        return Policy.model_validate({} if file.value is None else file.value, context=file)
    except ValidationError as error:
        refuse(model_mistakes(error, Policy, file))


def naming_baseline(text: str) -> str:
    """A policy's text that names BASELINE_FILE too. Raises UsageError if no line can add that."""
    line = f"baseline: {BASELINE_FILE}"
    new = f"{text.rstrip()}\n{line}\n".lstrip("\n")
    try:
        if parse_policy(new) == parse_policy(text).model_copy(update={"baseline": BASELINE_FILE}):
            return new
    except UsageError:
        pass
    raise UsageError(f"{POLICY_FILE} names no baseline.", f"Add to it: {line}")


def _refuse_aliases(text: str) -> None:
    """By aliases, a small file may stand for a huge one, and what counts is told with its line."""
    try:
        events = yaml.parse(text, yaml.CSafeLoader)
        aliases = [one for one in events if isinstance(one, yaml.AliasEvent)]
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    if aliases:
        mark, reason = aliases[0].start_mark, "Aliases (*name) may not be used."
        refuse([Mistake(POLICY_FILE, mark.line + 1 if mark else 1, reason, "Write it out.")])
