"""Where a path of the command line lies, and what is there."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Literal, NamedTuple

from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.repository import repository_root
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import DirectoryTree, join
from plugineval_action.errors import UsageError


class Place(NamedTuple):
    """A path of the command line: the tree around it, its path in there, and what lies at it."""

    argument: str
    tree: DirectoryTree
    path: str
    kind: Literal["skill", "plugin", "folder"]


def locate(argument: str) -> Place:
    """Find out what a path of the command line is. Raises UsageError if nothing is there.

    The tree reaches up to the repository around the path, so that links out of a skill are looked
    up the same way whether the skill, its plugin or the whole marketplace was named.
    """
    given = Path(argument)
    if not given.exists():
        raise UsageError(
            f"There is no {argument!r}.", "Name a skill, a plugin, or a folder that holds some."
        )
    target = given.resolve()
    if target.name == SKILL_FILE and target.is_file():
        target = target.parent
    if not target.is_dir():
        raise _no_folder(argument, target)
    tree = DirectoryTree(_root_around(target))
    path = "" if target == tree.root else target.relative_to(tree.root).as_posix()
    return Place(argument, tree, path, _kind(tree, path))


def _root_around(target: Path) -> Path:
    """The repository, else the marketplace, else what holds the plugin or skill."""
    repository = repository_root(target)
    if repository is not None:
        return repository
    around = (target, *target.parents)
    marketplace = next(
        (at for at in around if (at / PLUGIN_FOLDER / "marketplace.json").is_file()), None
    )
    if marketplace is not None:
        return marketplace
    plugin = _plugin_around(target)
    if plugin is not None:
        return plugin.parent
    return target.parent if (target / SKILL_FILE).is_file() else target


def _kind(tree: DirectoryTree, path: str) -> Literal["skill", "plugin", "folder"]:
    if tree.is_file(join(path, SKILL_FILE)):
        return "skill"
    folder = join(path, PLUGIN_FOLDER)
    if tree.is_file(join(folder, "plugin.json")):
        return "plugin"
    if tree.is_dir(folder) and not tree.is_file(join(folder, "marketplace.json")):
        return "plugin"
    return "folder"


def enclosing_plugin(tree: DirectoryTree, path: str) -> str | None:
    """The innermost plugin around a skill's directory, itself included."""
    while True:
        if tree.is_dir(join(path, PLUGIN_FOLDER)):
            return path
        if not path:
            return None
        path = path.rpartition("/")[0]


def no_agents_alone(argument: str, target: Path) -> UsageError:
    """The error for an agent, or a folder of agents, that was named on its own."""
    plugin = _plugin_around(target)
    if plugin is None:
        remedy = "This one lies in no plugin; plugin-eval report scores it with what is around it."
    else:
        each = "" if (plugin / PLUGIN_FOLDER / "plugin.json").is_file() else " --each plugin"
        where = shlex.quote(min(os.path.relpath(plugin), str(plugin), key=len))
        remedy = f"Score the plugin: plugin-eval score {where}{each}"
    return UsageError(f"{argument!r} is no skill: agents are scored with their plugin.", remedy)


def _no_folder(argument: str, target: Path) -> UsageError:
    if target.suffix == ".md" and target.parent.name == "agents":
        return no_agents_alone(argument, target)
    return UsageError(f"{argument!r} is not a folder.", f"Name the folder that holds {SKILL_FILE}.")


def _plugin_around(target: Path) -> Path | None:
    around = (target, *target.parents)
    return next((at for at in around if (at / PLUGIN_FOLDER).is_dir()), None)
