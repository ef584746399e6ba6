"""File names for plugins: stable from run to run, no two alike, fit for every file system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final

Plugin = tuple[str, str]
"""Name and path."""

LONGEST: Final = 60

_RESERVED: Final = {
    *("con", "prn", "aux", "nul", "marketplace"),
    *(f"{device}{number}" for device in ("com", "lpt") for number in range(10)),
}
"""Names that Windows keeps for devices, and the one that the whole marketplace goes by."""


def slugs(plugins: Sequence[Plugin], known: Mapping[Plugin, str]) -> dict[Plugin, str]:
    """A file name without suffix for each plugin: lower case, [a-z0-9-], none twice.

    Who had one keeps it, so that addresses stay good; then the first of a name gets the plain one,
    and others a few digits that stand for their name and path.
    """
    given = dict[Plugin, str]()
    taken = set[str]()
    for plugin in plugins:
        slug = known.get(plugin, "")
        if _is_safe(slug) and slug not in taken:  # anybody can write a history by hand
            given[plugin] = slug
            taken.add(slug)
    for plugin in plugins:
        if plugin not in given:
            given[plugin] = _free(plugin, taken)
            taken.add(given[plugin])
    return given


def _is_safe(slug: str) -> bool:
    return bool(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)) and slug not in _RESERVED


def _free(plugin: Plugin, taken: Iterable[str]) -> str:
    plain = _plain(plugin[0])
    if plain and plain not in taken and plain not in _RESERVED:
        return plain
    text = "\0".join(plugin).encode("utf-8", "surrogateescape")
    digits = sha256(text).hexdigest()
    names = (f"{plain or 'plugin'}-{digits[:length]}" for length in range(6, 65))
    return next(name for name in names if name not in taken)


def _plain(name: str) -> str:
    """A name in ASCII, without accents, cut to a length that every file system takes."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", letters).strip("-")[:LONGEST].strip("-")
