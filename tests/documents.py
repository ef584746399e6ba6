"""Reading our own documents: tables, sections, the files of an example, anchors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from memory_tree import DIRECTORY, Link
from plugineval_action.content.markdown import outline

ROOT = Path(__file__).resolve().parent.parent

Files = Mapping[str, str | bytes | None]

_CODE = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^(```+)(\w+) (bad|good|example)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_MORE = re.compile(r"^(.*\n)\[([\d,]+) more lines like the one above\]\n", re.MULTILINE)
_STAND_INS = {b"<BOM>": b"\xef\xbb\xbf", b"<NUL>": b"\0", b"<E9>": b"\xe9"}
_SAMPLE = "---\nname: {}\ndescription: A sample. Use it for trying things.\n---\n"


def read(document: str) -> str:
    """The text of a document, by its path from the root of the repository."""
    return (ROOT / document).read_text(encoding="utf-8")


def section(document: str, heading: str) -> str:
    """The text below a heading, code left out, up to the next one of its level or a higher one."""
    level, text = heading.index(" "), _CODE.sub("", read(document))
    below = text.split(f"\n{heading}\n", 1)[1]
    return re.split(rf"^#{{1,{level}}} ", below, maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, headers left out."""
    lines = re.findall(r"^\| (?!---)(.*) \|$(?!\n\| ---)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def example(document: str, wanted: str) -> Files:
    """The files of a document's good or bad example, or of the one that it works out.

    A `text` block lists files, whose content does not matter; every other block is the content of
    the file that the paragraph above it names.
    """
    listed: dict[str, str | bytes | None] = {}
    written: dict[str, str | bytes | None] = {}
    text, position = read(document), 0
    for fence in _FENCE.finditer(text):
        above = text[position : fence.start()].rstrip().rpartition("\n\n")[2]
        position = fence.end()
        _, language, kind, content = fence.groups()
        if kind == wanted and language == "text":
            listed |= dict(map(_listed, content.splitlines()))
        elif kind == wanted:
            written[re.findall(r"\bin `([^`]+)`", above)[0]] = _spelled_out(content)
    return listed | written


def _listed(line: str) -> tuple[str, str | bytes | None]:
    """One line of a list of files: a path, `folder/`, or `path -> target` for a symbolic link."""
    path, _, target = line.partition(" -> ")
    folder, _, name = path.rpartition("/")
    if target:
        return path, Link(target)
    if not name:
        return folder, DIRECTORY
    picture = name.endswith(".png")
    return path, b"\x89PNG" if picture else _SAMPLE.format(folder.rpartition("/")[2])


def _spelled_out(content: str) -> bytes:
    data = _MORE.sub(lambda m: m[1] * (1 + int(m[2].replace(",", ""))), content).encode()
    for name, stands_for in _STAND_INS.items():
        data = data.replace(name, stands_for)
    return data


def broken_links(document: Path) -> list[str]:
    """The relative link targets that lead to no file, or to no heading in it."""
    links = outline(document.read_text(encoding="utf-8")).links
    relative = [link.target for link in links if not re.match(r"[a-z]+:", link.target)]
    return [target for target in relative if not _leads_somewhere(document, target)]


def _leads_somewhere(document: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    file = document.parent / path if path else document
    return file.exists() and (not anchor or anchor in _anchors(file))


def _anchors(document: Path) -> Iterator[str]:
    """The anchors that GitHub gives to headings; of equal ones the second is numbered 1."""
    seen = Counter[str]()
    for heading in outline(document.read_text(encoding="utf-8")).headings:
        anchor = re.sub(r"[^\w\- ]", "", heading.text.lower()).replace(" ", "-")
        yield f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
        seen[anchor] += 1
