"""Draw findings at random from real marketplaces, with the lines they are about, to be judged.

Usage: python scripts/draw_findings.py [CORPUS]. The seed is fixed, so that the sample is the one of
docs/validity.md. After it come findings of rules that tell of files which a copy may lack. Rules
that a score is made of are left out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import finding_validity  # noqa: E402

_CONTEXT: Final = 200


def main() -> None:
    """Print each finding of the sample: where it is, what it says, and the line."""
    default = os.environ.get("PLUGINEVAL_CORPUS", ROOT.parent / "shared" / "corpus")
    corpus = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    counted = finding_validity.count(corpus)
    apart = finding_validity.drawn_apart(counted)
    for place in (*finding_validity.sample(counted), *apart):
        file = corpus / "marketplaces" / place.collection / place.path
        line = _line(file, place.line)
        print(f"{place.rule} {place.collection}/{place.path}:{place.line}")
        print(f"    {counted.messages[place]}\n    {line[:_CONTEXT]}")


def _line(file: Path, line: int) -> str:
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    return lines[line - 1] if line <= len(lines) else ""


if __name__ == "__main__":
    main()
