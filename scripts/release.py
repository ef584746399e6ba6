"""Make sure that a tag is a release of what is here, and print `version=…` for the workflow.

Usage: python -I scripts/release.py v1.2.3
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Exit with 1 and every problem if there is one."""
    tag = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    version = stated_version((ROOT / "plugineval_action/__init__.py").read_text(encoding="utf-8"))
    found = problems(tag, version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if found:
        sys.exit("\n".join(found))
    sys.stdout.write(f"version={version}\n")


def stated_version(module: str) -> str:
    """What `__version__` is in a module's text: imported it would need the dependencies."""
    found = re.search(r'^__version__ = "([^"]+)"$', module, re.MULTILINE)
    return found[1] if found else ""


def problems(tag: str, version: str, changelog: str) -> list[str]:
    """Why a tag is no release of a version with this changelog, a sentence each."""
    found = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or tag != f"v{version}":
        found.append(f"The tag is {tag}, and plugineval_action.__version__ is {version!r}.")
    heading = re.search(rf"^## \[{re.escape(version)}\] - (.+)$", changelog, re.MULTILINE)
    if not heading or not _is_day(heading[1]):
        found.append(f"CHANGELOG.md has no heading '## [{version}] - ' with the day.")
    return found


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


if __name__ == "__main__":
    main()
