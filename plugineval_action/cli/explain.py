"""`plugin-eval explain`: the page of a rule."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from difflib import get_close_matches
from pathlib import Path

import plugineval_action
from plugineval_action.cli.common import new_parser
from plugineval_action.errors import UsageError
from plugineval_action.findings.catalogue import RULES, rule_named

_PACKAGE = Path(plugineval_action.__file__).parent
_PAGES = (_PACKAGE / "rule_pages", _PACKAGE.parent / "docs" / "rules")
"""Inside an installed package, and in a checkout."""


def parser() -> ArgumentParser:
    """The options of `explain`."""
    options = new_parser(
        "explain",
        "Explain a rule: why it is there, what it looks at, and how to fix it.",
        "  plugin-eval explain MISSING_TRIGGER\n  plugin-eval explain SK041",
    )
    options.add_argument("rule", help="the rule's name or code; plugin-eval rules lists them")
    return options


def run(args: Namespace) -> int:
    """Print the page of a rule."""
    text = rule_page(args.rule)
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return 0
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))
    return 0


def rule_page(name: str) -> str:
    """The page of a rule, in Markdown. Raises UsageError for a rule that does not exist."""
    rule = rule_named(name)
    if rule is None:
        close = get_close_matches(name.upper(), RULES, n=1)
        hint = f"Did you mean {close[0]}?" if close else "plugin-eval rules lists all rules."
        raise UsageError(f"There is no rule {name!r}.", hint)
    folder = next(folder for folder in _PAGES if folder.is_dir())
    return (folder / f"{rule.id}.md").read_text(encoding="utf-8")
