"""SK024: a field whose value is none that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from plugineval_action.content.frontmatter import Field
from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_TRUTH = {"true", "false", "yes", "no", "on", "off", "1", "0"}
_EFFORTS = {"low", "medium", "high", "xhigh", "max"}


def _truth(field: Field) -> bool:
    return isinstance(field.value, bool) or field.text.strip().lower() in _TRUTH


def _text_or_list(field: Field) -> bool:
    return field.value is None or isinstance(field.value, str | list)


_TAKES: Final[dict[str, tuple[Callable[[Field], bool], str]]] = {
    "allowed-tools": (_text_or_list, "text or a list"),
    "background": (_truth, "true or false"),
    "context": (lambda field: field.text == "fork", "fork"),
    "disable-model-invocation": (_truth, "true or false"),
    "disallowed-tools": (_text_or_list, "text or a list"),
    "effort": (
        lambda field: isinstance(field.value, int) or field.text.lower() in _EFFORTS,
        "low, medium, high, xhigh or max",
    ),
    "hooks": (lambda field: isinstance(field.value, dict), "a mapping of events"),
    "metadata": (lambda field: isinstance(field.value, dict), "a mapping"),
    "paths": (_text_or_list, "text or a list"),
    "shell": (lambda field: field.text in ("bash", "powershell"), "bash or powershell"),
    "user-invocable": (_truth, "true or false"),
}


def find(subject: Skill) -> Iterator[Hit]:
    """Each field with a value of another kind than it takes."""
    for name, field in subject.front.fields.items():
        fits, wanted = _TAKES.get(name, (None, ""))
        if fits is not None and field.value is not None and not fits(field):
            given = shown(field.text, 40) or "a mapping"
            yield Hit(field.line, f"{name} takes {wanted}, not {given!r}; it may be ignored.")


CHECK = Check(
    code="SK024",
    id="MISTYPED_FIELD",
    family="front matter",
    level="warning",
    title="Field has a value that it does not take",
    why="A value of another kind counts as none, so the skill runs without what it asked for.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Give it one of the values that the message names.",
    bad=skill("disable-model-invocation: sometimes\n"),
    good=skill("disable-model-invocation: true\n"),
    find=find,
)
