"""PL014: a source that cannot be fetched, or could be another thing tomorrow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from plugineval_action.content.manifest import clean, shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.entries import entries
from plugineval_action.findings.manifest.fields import market
from plugineval_action.findings.subject import Market

_NEEDS = {
    "archive": ("url",),
    "command": ("command",),
    "git-subdir": ("url", "path"),
    "github": ("repo",),
    "local": ("path",),
    "npm": ("package",),
    "url": ("url",),
}
_SHA = re.compile(r"[0-9a-f]{40}")
_REPO = re.compile(r"[\w.-]+/[\w.-]+")


def find(subject: Market) -> Iterator[Hit]:
    """What is wrong with each source."""
    for at, entry in entries(subject):
        source = entry.get("source")
        reasons = _of_text(source) if isinstance(source, str) else ()
        if isinstance(source, dict):
            reasons = _of_object(source)
        for why in reasons:
            name = shown(clean(str(entry.get("name", ""))), 40)
            yield Hit(subject.manifest.line("plugins", at, "source"), f"Plugin {name}: {why}.")


def _of_text(source: str) -> Iterator[str]:
    if source.startswith("http://"):
        yield "the source is fetched over http, which anyone on the way can change"
    elif ".." in source.split("/"):
        yield "a path with .. is refused"


def _of_object(source: Mapping[str, object]) -> Iterator[str]:
    kind = source.get("source")
    if kind not in _NEEDS:
        yield f"there is no kind of source {shown(clean(str(kind)), 30)!r}"
        return
    for key in _NEEDS[str(kind)]:
        if not source.get(key):
            yield f"a source of kind {kind} needs {key}"
    sha, url, repo = source.get("sha"), source.get("url"), source.get("repo")
    if sha is not None and not (isinstance(sha, str) and _SHA.fullmatch(sha)):
        yield "its sha is not a whole commit, which has 40 hexadecimal digits"
    if isinstance(url, str) and url.startswith("http://"):
        yield "the source is fetched over http, which anyone on the way can change"
    if kind == "github" and isinstance(repo, str) and repo and not _REPO.fullmatch(repo):
        yield f"its repo {shown(clean(repo), 40)!r} is not of the form owner/name"


def _entry(source: str) -> str:
    return f'{{\n      "name": "p",\n      "source": {source}\n    }}'


CHECK = Check(
    code="PL014",
    id="ENTRY_SOURCE",
    family="manifests",
    level="error",
    title="Source of a plugin cannot be used",
    why="The plugin is listed, and nobody can install it, or not safely.",
    source="https://code.claude.com/docs/en/plugin-marketplaces",
    remedy="Give the kind of source all that it needs; sha is the whole commit.",
    bad=market(_entry('{"source": "github", "repo": "our/p", "sha": "1a2b3c"}')),
    good=market(_entry('{"source": "github", "repo": "our/p"}')),
    find=find,
    profiles=("claude-code",),
)
