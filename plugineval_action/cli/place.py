"""Where a path of the command line lies, and what is there."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import NamedTuple

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.repository import repository_root
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import join
from plugineval_action.errors import UsageError
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import Target


class Place(NamedTuple):
    """A path of the command line, the tree around it, and its path in there."""

    argument: str
    tree: DirectoryTree
    path: str


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
    return Place(argument, tree, path)


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


def own_target(place: Place, ruleset: Ruleset) -> Target | None:
    """The skill or plugin that lies at the path itself; None for a folder that holds some.

    Found as in the whole marketplace, so that its score is the one that it has there.
    """
    found = discover(place.tree, place.path, ruleset=ruleset)
    if place.tree.is_file(join(place.path, SKILL_FILE)):
        around = next((unit.plugin for unit in found.skills if unit.path == place.path), None)
        return Target(place.path, skill_of=around)
    here = [plugin for plugin in found.plugins if plugin.path == place.path]
    folder = join(place.path, PLUGIN_FOLDER)
    only_lists = place.tree.is_file(join(folder, "marketplace.json")) and not place.tree.is_file(
        join(folder, "plugin.json")
    )
    return Target(place.path, plugin=here[0]) if len(here) == 1 and not only_lists else None


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
