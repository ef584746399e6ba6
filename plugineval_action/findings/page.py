"""The page of a rule, made from the rule itself."""

from __future__ import annotations

import re

from plugineval_action.findings.check import Check, Files
from plugineval_action.findings.profiles import EVERY_PROFILE

_LANGUAGES = {
    "js": "javascript", "json": "json", "md": "markdown", "py": "python", "sh": "bash",
    "svg": "xml", "yaml": "yaml",
}  # fmt: skip
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")


def page(check: Check) -> str:
    """The page in Markdown."""
    parts = [
        f"# {check.id}",
        f"{check.title}.",
        f"*{check.family.capitalize()}, {check.level}.* Code {check.code}. {_cost(check)}",
        f"## Why\n\n{check.why}\n\nSource: <{check.source}>",
        f"## How to fix it\n\n{check.remedy}",
        f"## Where it is raised\n\n{_profiles(check)}",
        f"## Example\n\n{_example('Bad', check.bad)}\n\n{_example('Good', check.good)}",
        f"## When it is fine to ignore\n\n{check.ignore or 'Never, if it is right.'}",
    ]
    return "\n\n".join(parts) + "\n"


def _cost(check: Check) -> str:
    if check.withholds:
        return "It costs no points, but the badge is withheld."
    return "It costs nothing; it only tells."


def _profiles(check: Check) -> str:
    names = ", ".join(f"`{name}`" for name in check.profiles)
    where = "every profile" if check.profiles == EVERY_PROFILE else f"the profiles {names}"
    if len(check.profiles) == 1:
        where = f"the profile {names}"
    return f"In {where}, whichever ruleset is used."


def _example(kind: str, files: Files) -> str:
    return "\n\n".join(_file(kind, path, text) for path, text in files.items())


def _file(kind: str, path: str, text: str) -> str:
    """One file of an example; characters that nobody sees are spelled out."""
    language = _LANGUAGES.get(path.rpartition(".")[2], "text")
    spelled = _HIDDEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`{3,}", text)), default=2))
    return f"{kind}, in `{path}`:\n\n{fence}{language} {kind.lower()}\n{_shortened(spelled)}{fence}"


def _shortened(text: str) -> str:
    """The text, without what only makes it long."""
    lines = [
        line if len(line) <= 300 else f"{line[:200]} […] {line[-40:]}" for line in text.split("\n")
    ]
    if len(lines) > 24:
        lines = [*lines[:18], f"[{len(lines) - 21} more lines]", *lines[-3:]]
    return "\n".join(lines)
