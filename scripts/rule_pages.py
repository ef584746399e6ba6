"""Write the pages of the rules in plugineval_action/findings/, and their rows in the list of rules.

Usage: python scripts/rule_pages.py. A test keeps the pages equal to the rules.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plugineval_action.findings.catalogue import CHECKS, RULES  # noqa: E402
from plugineval_action.findings.page import page  # noqa: E402

PAGES = ROOT / "docs/rules"
_TABLE = re.compile(r"(?<=\| --- \| --- \| --- \| --- \|\n)(?:\|.*\n)*")


def main() -> None:
    """Write all of them."""
    for check in CHECKS:
        (PAGES / f"{check.id}.md").write_text(page(check), encoding="utf-8")
    index = PAGES / "README.md"
    index.write_text(with_rows(index.read_text(encoding="utf-8")), encoding="utf-8")


def with_rows(text: str) -> str:
    """The list of rules with the rows of every table renewed, by the heading above it."""
    sections = re.split(r"(?=^## )", text, flags=re.MULTILINE)
    return "".join(_TABLE.sub(_rows(section), section) for section in sections)


def _rows(section: str) -> str:
    """The rows of the family that a section is about."""
    family = HEADINGS.get(section.partition("\n")[0].removeprefix("## "))
    return "".join(
        f"| {rule.code} | [{rule.id}]({rule.id}.md) | {rule.level} | {rule.title} |\n"
        for rule in RULES.values()
        if rule.family == family
    )


HEADINGS = {
    "Anti-patterns": "anti-pattern",
    "Portability": "portability",
    "Content": "content",
    "Front matter": "front matter",
    "Links": "links",
    "Scripts and code": "scripts",
    "Hygiene": "hygiene",
    "Integrity": "integrity",
    "Agents": "agents",
    "Manifests": "manifests",
    "Marketplace": "marketplace",
}


if __name__ == "__main__":
    main()
