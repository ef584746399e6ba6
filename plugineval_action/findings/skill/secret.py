"""SK071: a secret in the open."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.scripts import DATA, SCRIPTS, scripts
from plugineval_action.findings.secrets import check_digits, secrets_in
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each secret in SKILL.md, in scripts and in data files; it is never shown."""
    yield from _in_text(subject.content, "")
    for script in scripts(subject, SCRIPTS | DATA):
        yield from _in_text(script.text, script.path)


def _in_text(text: str, path: str) -> Iterator[Hit]:
    for offset, issuer in secrets_in(text):
        what = "a private key" if issuer == "private key" else f"a secret of {issuer}"
        yield Hit(line_at(text, offset), f"This looks like {what}.", path)


def _token() -> str:
    # Made here, so that no scanner takes our own example for a leak.
    body = "".join("kqW7zR2mXv9TbL4p"[(7 * at) % 16] for at in range(24)) + "Hs3Ny8"
    return f"ghp_{body}{check_digits(body)}"


CHECK = Check(
    code="SK071",
    id="SECRET",
    family="hygiene",
    level="error",
    title="Secret in the open",
    why="Whoever installs the skill, and every model that loads it, gets the secret.",
    source="https://docs.github.com/en/code-security/secret-scanning",
    remedy="Revoke it now, since git keeps it; then read it from the environment.",
    bad=skill(body=f"Run `GH_TOKEN={_token()} gh release list`.\n"),
    good=skill(body="Run `gh release list`; it reads `GH_TOKEN`.\n"),
    find=find,
)
