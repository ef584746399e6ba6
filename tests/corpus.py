"""Where the corpus of real marketplaces with golden scores lies, if it is on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

_DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "corpus"
CORPUS = Path(os.environ.get("PLUGINEVAL_CORPUS", _DEFAULT))

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="PLUGINEVAL_CORPUS names no corpus")


class GoldenRow(NamedTuple):
    """A golden score: the collection it belongs to, the path inside, and the row itself."""

    root: Path
    path: str
    row: dict[str, Any]


def golden_rows(kind: str) -> Iterator[GoldenRow]:
    """The golden rows of skills or plugins, collection by collection."""
    for file in sorted((CORPUS / "goldens").glob("*.jsonl")):
        if file.stem == "cli":
            continue
        root = CORPUS / ("crafted" if file.stem == "crafted" else f"marketplaces/{file.stem}")
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["kind"] == kind:
                yield GoldenRow(root, "" if row["path"] == "." else row["path"], row)


def marketplaces() -> list[Path]:
    """The directories of the real marketplaces."""
    return sorted(path for path in (CORPUS / "marketplaces").iterdir() if path.is_dir())
