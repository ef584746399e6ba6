"""`plugin-eval rules`: every rule in one table."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from plugineval_action.cli.common import new_parser
from plugineval_action.findings.catalogue import RULES

_HEADER = ("Code", "Rule", "Family", "Level", "What it tells")


def parser() -> ArgumentParser:
    """The options of `rules`: none."""
    return new_parser(
        "rules",
        "List every rule: its code and name, its family, its level, and what it tells.\n"
        "plugin-eval explain RULE says more about one.",
        "  plugin-eval rules\n  plugin-eval rules | grep hygiene",
    )


def run(_args: Namespace) -> int:
    """Print the table: as a table in a terminal, else in Markdown."""
    rows = [(rule.code, rule.id, rule.family, rule.level, rule.title) for rule in RULES.values()]
    if not sys.stdout.isatty():
        lines = [_HEADER, ("---",) * len(_HEADER), *rows]
        sys.stdout.write("".join(f"| {' | '.join(line)} |\n" for line in lines))
        return 0
    from rich.console import Console
    from rich.table import Table

    table = Table(*_HEADER, box=None)
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    return 0
