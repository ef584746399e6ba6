"""What `fix` would put right on lines that a change wrote: what a reviewer need not say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.content.document import read_document
from plugineval_action.content.skill import read_skill
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.fixing.edits import edits
from plugineval_action.review.changed_lines import changed_lines
from plugineval_action.review_values import Change, Mechanical, Review

MOST: Final = 100
_LONGEST: Final = 1_000


def with_mechanical(review: Review, base: Tree, head: Tree) -> Review:
    """The review with such lines. What its policy does not tell is not offered to be fixed."""
    found = [fix for change in review.changes for fix in _fixes(change, base, head)]
    return review._replace(mechanical=tuple(found[:MOST]))


def _fixes(change: Change, base: Tree, head: Tree) -> Iterator[Mechanical]:
    after, before = change.after, change.before or change.after
    if after is None or before is None or after.kind != "skill":
        return
    told = {note.rule for note in after.findings}
    if not told:
        return
    try:
        source = read_skill(head, after.path)
        chosen = edits(read_document(source)) if source.text.decodable else ()
    except ContentError:
        return
    path = source.text.path
    was = join(before.path, path.removeprefix(after.path).lstrip("/"))
    written = changed_lines(base, head, path, was) if chosen else ()
    for edit in chosen:
        # Nothing is offered to be committed that a reader cannot see.
        shown = edit.new.isprintable() and len(edit.new) <= _LONGEST
        if shown and edit.rule in told and any(edit.line in lines for lines in written):
            yield Mechanical(edit.rule, path, edit.line, edit.old, edit.new)
