"""SK043: a link to a heading that is not there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from urllib.parse import unquote

from plugineval_action.content.manifest import shown
from plugineval_action.content.markdown import Outline, outline
from plugineval_action.content.tree import Tree
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.documents import (
    anchors,
    linked_documents,
    markdown,
    target_of,
)
from plugineval_action.findings.links import is_path
from plugineval_action.findings.subject import Skill
from plugineval_action.layers.static.links import local_target

Anchors = Callable[[str | None], set[str]]
"""The anchors of a Markdown file by its path."""

_ANY = re.compile(r"\]\([^()\s]{0,300}#")
_NUMBERED = re.compile(r"l\d+(?:-l?\d+)?")
"""Lines of a file, as GitHub links to them."""


def find(subject: Skill) -> Iterator[Hit]:
    """Each link of SKILL.md, and of the files it leads to, whose anchor nothing gives."""
    parse = cache(outline)  # a file may both be linked to and hold links
    in_file = cache(partial(_anchors_at, subject.tree, parse))
    if any("#" in link.target for link in subject.body.links):
        yield from _dead(subject, subject.source.text.path, subject.body, in_file)
    for path, text in linked_documents(subject):
        if _ANY.search(text):
            yield from _dead(subject, path, parse(text), in_file)


def _dead(subject: Skill, path: str, parsed: Outline, in_file: Anchors) -> Iterator[Hit]:
    own = None
    for link in parsed.links:
        written, _, fragment = link.target.partition("#")
        if not fragment:
            continue
        if not written:
            own = own if own is not None else anchors(parsed)
            if not _is_given(fragment, own):
                message = (
                    f"The link leads to {shown(link.target)}, and this file has no such heading."
                )
                yield Hit(link.line, message, path)
        elif (known := in_file(_target(subject, path, written))) and not _is_given(fragment, known):
            anchor, file = shown(f"#{fragment}"), shown(written)
            message = f"The link leads to {anchor} of {file}, which has no such heading."
            yield Hit(link.line, message, path)


def _target(subject: Skill, path: str, written: str) -> str | None:
    """The Markdown file that a link with an anchor means, if it is there."""
    target = local_target(written)
    if not target or not target.endswith(".md") or not is_path(target):
        return None
    return target_of(subject.tree, target, path.rpartition("/")[0], subject.path)


def _anchors_at(tree: Tree, parse: Callable[[str], Outline], path: str | None) -> set[str]:
    """The anchors of a file; none if there is no such file, or if nothing stands in it."""
    text = markdown(tree, path) if path else None
    return anchors(parse(text)) if text else set()


def _is_given(fragment: str, known: set[str]) -> bool:
    """Some renderers keep what GitHub drops, so that signs do not count."""
    anchor = unquote(fragment).lower()
    if anchor in known or anchor == "top" or _NUMBERED.fullmatch(anchor):
        return True
    return _plain(anchor) in set(map(_plain, known))


def _plain(anchor: str) -> str:
    return re.sub(r"[^\w]+", "", anchor)


CHECK = Check(
    code="SK043",
    id="BROKEN_ANCHOR",
    family="links",
    level="warning",
    title="Link to a heading that is not there",
    why="The link jumps nowhere; mostly the heading was renamed and the link was not.",
    source="https://docs.github.com/en/get-started/writing-on-github/"
    "getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax",
    remedy="Write the heading in small letters, without signs, with hyphens for blanks: "
    "## Tag a release is #tag-a-release.",
    bad=skill(body="See [how to tag](#tag-a-release) and [words](references/rules.md#words).\n\n"
                   "## Tagging\n\nTag it.\n",
              **{"references/rules.md": "# Rules\n\n## Wording\n\nBe short.\n"}),
    good=skill(body="See [how to tag](#tagging) and [words](references/rules.md#wording).\n\n"
                    "## Tagging\n\nTag it.\n",
               **{"references/rules.md": "# Rules\n\n## Wording\n\nBe short.\n"}),
    find=find,
)  # fmt: skip
