"""What a repository holds beside the results of evals: where the cases lie, and the baseline.

Pure over trees, so that a baseline can be read from the side that a change cannot touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from plugineval_action.content.members import SKIPPED_FOLDERS
from plugineval_action.content.text import BOM, read_text
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import PluginEvalError
from plugineval_action.evals.baseline import FILE, Baseline, parse_baseline
from plugineval_action.evals.suite import CASE_FILES, FOLDER
from plugineval_action.inputs.csv_file import parse_csv
from plugineval_action.inputs.yaml_file import parse_yaml


class Place(NamedTuple):
    """The file of a skill's cases in a tree, and the folder that it lies in."""

    file: str
    folder: str


def places(tree: Tree) -> dict[str, list[Place]]:
    """Where the cases of each skill lie, by its name, as `eval` finds them: in folders `evals`."""
    found: dict[str, list[Place]] = {}
    for path in tree.files(skip=SKIPPED_FOLDERS):
        folder, _, name = path.rpartition("/")
        skill, _, kind = name.partition(".")
        if kind in CASE_FILES and folder.rpartition("/")[2] == FOLDER:
            found.setdefault(skill, []).append(Place(path, folder))
    return found


def only_place(found: Mapping[str, list[Place]], skill: str) -> Place | None:
    """Where a skill's cases lie; None if nowhere, or in several folders that nothing tells apart.

    In one folder the first of CASE_FILES counts, as it does for `eval`.
    """
    here = found.get(skill, [])
    if len({one.folder for one in here}) != 1:
        return None
    return min(here, key=lambda one: CASE_FILES.index(one.file.partition(f"{skill}.")[2]))


def folder_around(tree: Tree, path: str, skill: str) -> str | None:
    """The nearest folder of evals from a skill's folder upwards that has cases for it."""
    while True:
        folder = join(path, FOLDER)
        if tree.is_dir(folder) and any(
            tree.is_file(join(folder, f"{skill}.{kind}")) for kind in CASE_FILES
        ):
            return folder
        if not path:
            return None
        path = path.rpartition("/")[0]


def baseline_in(tree: Tree, folder: str) -> Baseline | None:
    """The baseline of a folder of evals, None without one. Raises PluginEvalError for a bad one."""
    path = join(folder, FILE)
    if tree.kind(path) is None:
        return None
    return parse_baseline(path, read_text(tree, path).content.removeprefix(BOM))


def case_lines(tree: Tree, file: str) -> Mapping[str, int]:
    """The line on which each case begins, by its id; none if the file cannot be read."""
    try:
        text = read_text(tree, file).content.removeprefix(BOM)
        read = parse_csv if file.endswith(".csv") else parse_yaml
        located = read(file, text)
    except PluginEvalError:
        # Whoever runs the cases is told what is wrong with them.
        return {}
    # As YAML the list may stand below `cases`.
    top = ("cases",) if isinstance(located.value, dict) else ()
    entries = located.value.get("cases") if top else located.value
    return {
        str(entry.get("id")): located.line(*top, at, "id")
        for at, entry in enumerate(entries if isinstance(entries, list) else ())
        if isinstance(entry, dict)
    }
