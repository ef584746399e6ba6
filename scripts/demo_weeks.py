"""Twelve weeks in the life of the example marketplace, each with a change that somebody made.

Every week is committed to a scratch repository and scored; no number is made up. What a week needs
comes from `examples/`, or is a change of words in it.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import scratch_repository

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FIRST_DAY = date(2026, 1, 5)

Edit = Callable[[Path], None]


def weeks(repository: Path) -> Iterator[str]:
    """Commit one week after the other; gives each commit while it is checked out."""
    scratch_repository.make(repository)
    for number, (message, edit) in enumerate(WEEKS):
        edit(repository)
        day = (FIRST_DAY + timedelta(weeks=number)).isoformat()
        yield scratch_repository.commit(repository, message, day)


def _begin(market: Path) -> None:
    shutil.copytree(EXAMPLES / "marketplace", market, dirs_exist_ok=True)
    for plugin in ("accessible-web", "notas"):
        shutil.rmtree(market / "plugins" / plugin)
    _list_plugins(market)


def _better_status_updates(market: Path) -> None:
    _take("change", market, "plugins/incident-desk/skills/status-updates/SKILL.md")


def _add_notas(market: Path) -> None:
    _add_plugin(market, "notas")


def _quote_description(market: Path) -> None:
    file = market / "plugins/git-craft/skills/dependency-updates/SKILL.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub("^description: (.*)$", r'description: "\1"', text, flags=re.MULTILINE))


def _short_incident_report(market: Path) -> None:
    _take("change", market, "plugins/incident-desk/skills/incident-report/SKILL.md")


def _add_accessible_web(market: Path) -> None:
    _add_plugin(market, "accessible-web")


def _remove_query_tuning(market: Path) -> None:
    shutil.rmtree(market / "plugins/database-care/skills/query-tuning")


def _rename_notas(market: Path) -> None:
    plugins = market / "plugins"
    (plugins / "notas").rename(plugins / "notas-de-producto")
    manifest = plugins / "notas-de-producto/.claude-plugin/plugin.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('"notas"', '"notas-de-producto"'), encoding="utf-8")
    listed = market / ".claude-plugin/marketplace.json"
    text = listed.read_text(encoding="utf-8").replace('"notas"', '"notas-de-producto"')
    listed.write_text(
        text.replace("./plugins/notas", "./plugins/notas-de-producto"), encoding="utf-8"
    )


def _calm_accessibility_review(market: Path) -> None:
    file = market / "plugins/accessible-web/skills/accessibility-review/SKILL.md"
    text = file.read_text(encoding="utf-8")
    for shouted, said in (
        ("MUST NEVER", "may not"),
        ("MUST NOT", "should not"),
        ("MUST", "should"),
    ):
        text = text.replace(shouted, said)
    file.write_text(
        text.replace("ALWAYS ", "Always ").replace("NEVER ", "Never "), encoding="utf-8"
    )


def _write_missing_reference(market: Path) -> None:
    file = market / "plugins/api-docs/skills/api-changelog/references/versioning.md"
    file.write_text(
        "# Versions\n\nA breaking change needs a new major version.\n", encoding="utf-8"
    )


def _move_error_messages(market: Path) -> None:
    skill = "skills/error-messages"
    plugins = market / "plugins"
    (plugins / "incident-desk" / skill).rename(plugins / "api-docs" / skill)
    _take("change", market, "plugins/api-docs/skills/api-deprecation/SKILL.md")


def _last_week(market: Path) -> None:
    _take("marketplace", market, "plugins/incident-desk/skills/incident-report/SKILL.md")
    (market / "plugins/database-care/skills/sql-migration-review/references/locks.md").unlink()
    shutil.rmtree(market / "plugins/repo-guard")
    page = market / "plugins/status-page"
    (page / "skills").mkdir(parents=True)
    (market / "plugins/incident-desk/skills/status-updates").rename(page / "skills/status-updates")
    manifest = page / ".claude-plugin/plugin.json"
    manifest.parent.mkdir()
    manifest.write_text('{"name": "status-page", "version": "0.1.0"}\n', encoding="utf-8")
    _list_plugins(market, "status-page")


WEEKS: tuple[tuple[str, Edit], ...] = (
    ("Begin with four plugins and a command", _begin),
    ("Say when to write a status update", _better_status_updates),
    ("Add notas", _add_notas),
    ("Quote the description of dependency-updates", _quote_description),
    ("Shorten the description of incident-report", _short_incident_report),
    ("Add accessible-web", _add_accessible_web),
    ("Remove query-tuning", _remove_query_tuning),
    ("Call notas by what it is for", _rename_notas),
    ("Turn shouted rules into sentences", _calm_accessibility_review),
    ("Write the reference that api-changelog links to", _write_missing_reference),
    ("Move error-messages to api-docs, add api-deprecation", _move_error_messages),
    ("Bring back a description, split off status-page, drop repo-guard", _last_week),
)


def _take(source: str, market: Path, path: str) -> None:
    (market / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(EXAMPLES / source / path, market / path)


def _add_plugin(market: Path, name: str) -> None:
    shutil.copytree(EXAMPLES / "marketplace/plugins" / name, market / "plugins" / name)
    _list_plugins(market, name)


def _list_plugins(market: Path, *new: str) -> None:
    """Make marketplace.json list what is there, and what lies elsewhere."""
    file = market / ".claude-plugin/marketplace.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    added = [{"name": name, "source": f"./plugins/{name}"} for name in new]
    document["plugins"] = [
        plugin
        for plugin in (*document["plugins"], *added)
        if not isinstance(plugin["source"], str) or (market / plugin["source"]).is_dir()
    ]
    file.write_text(f"{json.dumps(document, ensure_ascii=False, indent=2)}\n", encoding="utf-8")
