"""Golden files: what a writer gave when somebody last looked at it and found it good.

Set PLUGINEVAL_REGENERATE=1 to write them anew, then look at the difference before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """The text is byte for byte the golden file of this name."""
    path = FOLDER / name
    if os.environ.get("PLUGINEVAL_REGENERATE") == "1":
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(text.encode())

    assert path.read_bytes().decode() == text
