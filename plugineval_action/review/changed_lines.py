"""Which lines of a file a change wrote, from the text on both sides; no diff is asked for.

Lines count as Markdown, Python and GitHub count them: from 1, ended by LF, CRLF or CR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from plugineval_action.content.text import read_text
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.results import Result
from plugineval_action.review_values import Change, Review

Ranges = tuple[range, ...]


def changed_lines(base: Tree, head: Tree, path: str, was: str | None = None) -> Ranges:
    """The lines of a head file that its base text, at `was` if it moved, does not hold.

    All of them for a new file, none for one that is gone or cannot be read. A line that only moved
    is not changed. Takes linear time: the shortest edit script takes minutes on hostile text.
    """
    before = was or path
    if not head.is_file(path) or _is_same(base, before, head, path):
        return ()
    old, new = _lines(base, before), _lines(head, path)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    known = Counter(old[start : len(old) - end])
    changed = []
    for number, line in enumerate(new[start : len(new) - end], start + 1):
        known[line] -= 1
        if known[line] < 0:
            changed.append(number)
    return tuple(_ranges(changed))


def lines_of(review: Review, base: Tree, head: Tree) -> Mapping[str, Ranges]:
    """The changed lines of every file at head that an anti-pattern or finding stands in."""
    return {
        path: changed_lines(base, head, path, was)
        for change in review.changes
        for path, was in _files(change)
    }


def _files(change: Change) -> Iterator[tuple[str, str]]:
    """The files to look at, and where each was before."""
    after, before = change.after, change.before or change.after
    if after is None or before is None:
        return
    for path in dict.fromkeys(_places(after)):
        if not after.path:
            yield path, join(before.path, path)
        elif path == after.path or path.startswith(f"{after.path}/"):
            yield path, join(before.path, path[len(after.path) + 1 :])
        else:
            yield path, path


def _places(result: Result) -> Iterator[str]:
    """A plugin repeats the anti-patterns of its members, which have changes of their own."""
    if result.kind != "plugin":
        yield from (flag.path for layer in result.layers for flag in layer.anti_patterns)
    yield from (finding.path for finding in result.findings)


def _is_same(base: Tree, before: str, head: Tree, path: str) -> bool:
    try:
        return base.is_file(before) and base.blob_id(before) == head.blob_id(path)
    except ContentError:
        return False


def _lines(tree: Tree, path: str) -> list[str]:
    try:
        text = read_text(tree, path).content
    except ContentError:
        return []
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many leading lines two texts share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _ranges(numbers: Sequence[int]) -> Iterator[range]:
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            yield range(numbers[start], numbers[at - 1] + 1)
            start = at
