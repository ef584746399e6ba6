"""The picture in docs/architecture.md is the code's: what imports what, and every folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from documents import ROOT, read

PACKAGE = ROOT / "plugineval_action"
PICTURE = read("docs/architecture.md").split("```mermaid\n")[1].split("```")[0]

ARROWS = re.findall(r"^    (\w+) --> (\w+)$", PICTURE, re.MULTILINE)


def boxes() -> dict[str, str]:
    """The box of each module or folder that the picture names in the first line of a label."""
    labels = re.findall(r'^    (\w+)\["(.*?)(?:<br/>|"])', PICTURE, re.MULTILINE)
    return {name: box for box, label in labels for name in re.findall(r"\w+", label)}


@cache
def below(box: str) -> frozenset[str]:
    """Everything that the arrows of a box lead to, and the box itself."""
    return frozenset({box}).union(*(below(to) for start, to in ARROWS if start == box))


def imports(path: Path) -> Iterator[str]:
    """The modules and folders of the package that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            package, _, inside = node.module.partition(".")
            if package == PACKAGE.name and inside:
                yield inside.partition(".")[0]


def test_every_folder_and_module_of_the_package_is_in_the_picture() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    entries = folders | {path.stem for path in PACKAGE.glob("[!_]*.py")}

    assert set() == entries - boxes().keys()


def test_every_import_follows_an_arrow() -> None:
    found = boxes()
    against = {
        (str(path.relative_to(PACKAGE)), name)
        for path in PACKAGE.rglob("*.py")
        if (own := path.relative_to(PACKAGE).parts[0].removesuffix(".py")) in found
        for name in imports(path)
        if found[name] not in below(found[own])
    }

    assert set() == against
