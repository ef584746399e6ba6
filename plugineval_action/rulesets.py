"""The two ways of measuring, and the name under which their scores may be compared."""

from __future__ import annotations

from typing import Literal

Ruleset = Literal["plugineval", "reference"]

DEFAULT: Ruleset = "plugineval"
VERSIONS: dict[Ruleset, str] = {"plugineval": "1", "reference": "0.1.0"}


def versioned(ruleset: Ruleset) -> str:
    """`plugineval/1`: scores of different rulesets or versions are never compared."""
    return f"{ruleset}/{VERSIONS[ruleset]}"
