"""The documented fields of plugin.json and marketplace.json, and what kind of value each takes.

Source: Claude Code's pages on plugins and on marketplaces.
"""

from __future__ import annotations

import re
from typing import Final

_TEXT: Final = (str,)
_PATHS: Final = (str, list)
_SETTINGS: Final = (str, list, dict)

PLUGIN_FIELDS: Final[dict[str, tuple[type, ...]]] = {
    "$schema": _TEXT,
    "agents": _PATHS,
    "author": (dict, str),
    "channels": (list,),
    "commands": _SETTINGS,
    "defaultEnabled": (bool,),
    "dependencies": (list, dict),
    "description": _TEXT,
    "displayName": _TEXT,
    "experimental": (dict,),
    "homepage": _TEXT,
    "hooks": _SETTINGS,
    "keywords": (list,),
    "license": _TEXT,
    "lspServers": _SETTINGS,
    "mcpServers": _SETTINGS,
    "metadata": (dict,),
    "name": _TEXT,
    "outputStyles": _PATHS,
    "repository": (str, dict),
    "settings": (dict,),
    "skills": _PATHS,
    "userConfig": (dict,),
    "version": _TEXT,
    "workflows": _PATHS,
}

ENTRY_FIELDS: Final = PLUGIN_FIELDS.keys() | {"category", "relevance", "source", "strict", "tags"}

KEBAB: Final = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
SEMVER: Final = re.compile(r"v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")

PLUGIN_FILE: Final = "plugins/p/.claude-plugin/plugin.json"
MARKET_FILE: Final = ".claude-plugin/marketplace.json"


def plugin(fields: str) -> dict[str, str]:
    """An example: a plugin.json with a name and further fields."""
    return {
        PLUGIN_FILE: f'{{\n  "name": "p",\n  {fields}\n}}\n',
        "plugins/p/skills/s/SKILL.md": SKILL,
    }


def market(
    entry: str, top: str = '"name": "our-plugins",\n  "owner": {"name": "Us"}'
) -> dict[str, str]:
    """An example: a marketplace.json with one entry, and the plugin that it lists."""
    text = f'{{\n  {top},\n  "plugins": [\n    {entry}\n  ]\n}}\n'
    own = '{\n  "name": "p",\n  "version": "1.2.0"\n}\n'
    return {MARKET_FILE: text, PLUGIN_FILE: own, "plugins/p/skills/s/SKILL.md": SKILL}


SKILL: Final = (
    "---\nname: s\ndescription: Writes release notes. Use when a release is tagged.\n---\n"
)
