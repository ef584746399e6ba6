"""`plugin:skill` names in a text, and where what they name lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from plugineval_action.content.manifest import read_manifest
from plugineval_action.content.markdown import Outline
from plugineval_action.content.plugin import MANIFEST_FILE
from plugineval_action.content.skill import SKILL_FILE, SkillSource
from plugineval_action.content.text import Spot
from plugineval_action.content.tree import Tree, join
from plugineval_action.layers.static import words

_COLON = re.compile(r":(?=[a-z])")
_NAME_BEFORE = re.compile(r"(?<![\w:/.@-])[a-z0-9][a-z0-9-]*\Z")
_NAME_AFTER = re.compile(r"[a-z][a-z0-9-]*(?![\w:/-])")
_LONGEST_NAME = 64


def qualified_names(skill: SkillSource, outline: Outline) -> Iterator[tuple[str, Spot]]:
    """Names that resolve, in the skill's own plugin or in one beside it: tree path and place."""
    if skill.plugin is None:
        return
    beside = skill.plugin.rpartition("/")[0]
    for line, plugin, name in _names_with_colon(outline):
        if not skill.tree.is_dir(home := join(beside, plugin)):
            if plugin != _own_name(skill.tree, skill.plugin):
                continue
            home = skill.plugin
        if name == skill.directory_name and home == skill.plugin:
            continue
        folder, agent = join(home, "skills", name), join(home, "agents", f"{name}.md")
        if skill.tree.is_file(join(folder, SKILL_FILE)):
            yield folder, Spot(line, f"{plugin}:{name}")
        elif skill.tree.is_file(agent):
            yield agent, Spot(line, f"{plugin}:{name}")


@lru_cache(maxsize=1)
def _own_name(tree: Tree, plugin: str) -> object:
    """What a plugin calls itself; all its skills may ask, one after the other."""
    return read_manifest(tree, join(plugin, MANIFEST_FILE)).fields.get("name")


def _names_with_colon(outline: Outline) -> Iterator[tuple[int, str, str]]:
    text = outline.text
    for line, colon in words.every(_COLON, text, outline.first_line):
        at = colon.start()
        before = _NAME_BEFORE.search(text, max(0, at - _LONGEST_NAME), at)
        after = _NAME_AFTER.match(text, at + 1)
        if before and after:
            yield line, before.group(), after.group()
