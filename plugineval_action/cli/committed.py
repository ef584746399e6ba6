"""Which commit holds the very bytes of a skill on the disk."""

from __future__ import annotations

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import Unit
from plugineval_action.content.git import head_commit
from plugineval_action.content.git_tree import GitTree
from plugineval_action.errors import ContentError, GitError


class Committed:
    """The commit that is checked out in a tree, read once something is asked about it."""

    def __init__(self, tree: DirectoryTree) -> None:
        self._tree = tree
        self._head: GitTree | None = None
        self._asked = False

    def revision(self, unit: Unit) -> str | None:
        """The commit, if all files of a skill are in it as they are on the disk; else None."""
        head = self._checked_out()
        if head is None or not all(self._same(head, path) for path in unit.files):
            return None
        # Of a skill at the root the tree knows more than is the skill's own.
        gone = set(head.files(unit.path)) - set(unit.files) if unit.path else set[str]()
        return None if any(not self._tree.is_file(path) for path in gone) else head.identity

    def _checked_out(self) -> GitTree | None:
        if not self._asked:
            self._asked = True
            commit = head_commit(self._tree.root)
            try:
                self._head = GitTree(self._tree.root, commit[0]) if commit else None
            except GitError:
                self._head = None
        return self._head

    def _same(self, head: GitTree, path: str) -> bool:
        try:
            return head.blob_id(path) == self._tree.blob_id(path)
        except ContentError:
            return False
