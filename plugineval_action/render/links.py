"""Where a place in a file leads: an address, or plain text for a reader without a web view."""

from __future__ import annotations

import html
from typing import Final, NamedTuple, NewType

from plugineval_action import PROJECT_URL
from plugineval_action.escape import code, link, path_url, shorten
from plugineval_action.findings.catalogue import RULES
from plugineval_action.results import Result

Markdown = NewType("Markdown", str)
"""Text that is escaped already and safe to print as it stands."""

METHODOLOGY: Final = f"{PROJECT_URL}/blob/main/docs/methodology.md"
URL_LIMIT: Final = 600
NAME_LIMIT: Final = 60


class Links(NamedTuple):
    """What comes before a path: a blob address at a commit, "../" for a report, or None.

    With None, places are shown as `path:line`, which terminals and editors can follow, and rules by
    their id, which `plugin-eval explain` knows.
    """

    prefix: str | None = None

    def place(self, path: str, line: int, root: str = "") -> Markdown:
        """A line of a file as Markdown: `SKILL.md:3` as a link, else the whole path as code.

        With a root, the link shows the path below that folder.
        """
        name = path.removeprefix(f"{root}/") if root else path.rpartition("/")[2]
        # GitHub shows Markdown rendered, without lines, unless it is asked for the plain text.
        url = self._url(path, f"?plain=1#L{line}")
        if url is None:
            return Markdown(code(f"{path}:{line}"))
        return Markdown(link(f"{shorten(name, NAME_LIMIT)}:{line}", url))

    def name(self, result: Result) -> Markdown:
        """The name of a skill, agent or plugin as Markdown, linked to its file or folder."""
        return self.file(result.name, file_of(result))

    def file(self, name: str, path: str) -> Markdown:
        """A name as Markdown, linked to a file or folder; as code where it cannot be linked."""
        url = self._url(path)
        if url is None:
            return Markdown(code(name, NAME_LIMIT))
        return Markdown(link(shorten(name, NAME_LIMIT), url))

    def line(self, name: str, path: str, line: int) -> Markdown:
        """A name as Markdown, linked to a line of a file; as code where it cannot be linked."""
        url = self._url(path, f"?plain=1#L{line}")
        if url is None:
            return Markdown(code(name, NAME_LIMIT))
        return Markdown(link(shorten(name, NAME_LIMIT), url))

    def rule(self, rule: str) -> Markdown:
        """A rule's id, linked to the page that explains it."""
        known = RULES.get(rule)
        if self.prefix is None or known is None:
            return Markdown(code(rule, NAME_LIMIT))
        return Markdown(link(known.id, known.url))

    def _url(self, path: str, lines: str = "") -> str | None:
        """The address; None without a prefix, for the root, and for one too long for a table."""
        if self.prefix is None or not path:
            return None
        url = f"{self.prefix}{path_url(path)}{lines}"
        return url if len(url) <= URL_LIMIT else None


NO_LINKS: Final = Links()


def plain_name(result: Result) -> Markdown:
    """The name as code, for what cannot be linked."""
    return Markdown(code(result.name, NAME_LIMIT))


def html_name(name: str) -> Markdown:
    """A name for an HTML element, where no Markdown is read and GitHub links nothing."""
    return Markdown(f"<code>{html.escape(shorten(name, NAME_LIMIT))}</code>")


def file_of(result: Result) -> str:
    """The file that a skill or agent is; a plugin's folder."""
    return f"{result.path}/SKILL.md".lstrip("/") if result.kind == "skill" else result.path
