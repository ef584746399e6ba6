"""A long JSON document bit by bit: spelled out whole, it takes far more room than its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def filled(document: str, name: str, items: Iterable[str]) -> Iterator[str]:
    """An indented document whose first empty array called `name` holds items, indented alike."""
    before, empty, after = document.partition(f'"{name}": []')
    line = before[before.rindex("\n") :]
    yield before + empty.removesuffix("]")
    end = ""
    for item in items:
        yield f"{',' if end else ''}{line}  " + item.replace("\n", f"{line}  ")
        end = line
    yield f"{end}]{after}"
