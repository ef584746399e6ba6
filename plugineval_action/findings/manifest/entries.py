"""The entries of a marketplace, as the rules about them want them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from plugineval_action.findings.subject import Market

MOST_ENTRIES = 2_000


def entries(subject: Market) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Each entry that is an object, with its position."""
    value = subject.manifest.fields.get("plugins")
    if isinstance(value, list):
        for position, item in enumerate(value[:MOST_ENTRIES]):
            if isinstance(item, dict):
                yield position, item
