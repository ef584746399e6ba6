"""SK032: a version that YAML reads as a number."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each value that changes when it is written out again, as 1.10 becomes 1.1."""
    for name, field in subject.front.fields.items():
        value = field.value
        inner = value.items() if isinstance(value, dict) and name == "metadata" else ()
        for key, item in ((name, value), *inner):
            if key != name and isinstance(item, float) and str(item) not in subject.front.source:
                yield Hit(field.line, f"{key} is read as the number {item}; its zeros are lost.")
            elif key == name and isinstance(item, float) and str(item) != field.text:
                yield Hit(field.line, f"{key}: {field.text} is read as the number {item}.")


CHECK = Check(
    code="SK032",
    id="YAML_NUMBER_TRAP",
    family="front matter",
    level="warning",
    title="YAML reads a version as a number",
    why="YAML reads 1.10 as the number 1.1, so the tenth version becomes the first.",
    source="https://yaml.org/type/float.html",
    remedy="Quote the value.",
    bad=skill("metadata:\n  version: 1.10\n"),
    good=skill("metadata:\n  version: '1.10'\n"),
    find=find,
)
