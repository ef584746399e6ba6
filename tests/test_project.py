"""The project's own files agree with each other: locks, documents, commands, packages, examples."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from plugineval_action import __version__

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(
    r"([a-z0-9-]+)==([0-9][0-9a-z.]*)(?: ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    settings: dict[str, Any] = tomllib.loads(text("pyproject.toml"))
    return settings


def pins(lock: str) -> dict[str, str]:
    return {name: version for name, version, _ in PIN.findall(text(lock))}


def names(requirements: list[str]) -> set[str]:
    """`["PyYAML>=6"]` as `{"pyyaml"}`."""
    return {re.split(r"[<>=!~ \[;]", item)[0].lower().replace("_", "-") for item in requirements}


def runtime() -> set[str]:
    return names(project()["project"]["dependencies"])


def development() -> set[str]:
    return names(project()["project"]["optional-dependencies"]["dev"])


def dependency_table() -> dict[str, list[str]]:
    """Rows of the table in CONTRIBUTING.md by package: used in, reason, licence."""
    section = text("CONTRIBUTING.md").split("\n## Dependencies\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
    return {name.lower(): [cell.strip() for cell in cells] for name, *cells in rows}


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):.*## ", text("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_is_a_pinned_version_with_its_hashes(lock: str) -> None:
    """So no host, no local path and no option can stand in it either."""
    left_over = PIN.sub("", text(lock))

    assert "" == left_over
    assert pins(lock)


def test_runtime_dependencies_are_locked() -> None:
    assert set() == runtime() - pins("requirements.lock").keys()


def test_development_dependencies_are_locked() -> None:
    assert set() == development() - pins("requirements-dev.lock").keys()


def test_the_development_lock_holds_the_runtime_lock_version_by_version() -> None:
    both = pins("requirements-dev.lock").items() & pins("requirements.lock").items()

    assert pins("requirements.lock") == dict(both)


def test_the_runtime_lock_holds_no_development_tool() -> None:
    assert set() == development() & pins("requirements.lock").keys()


def test_the_dependency_table_names_what_pyproject_names_and_no_more() -> None:
    assert runtime() | development() == set(dependency_table())


def test_the_dependency_table_says_where_each_is_used_why_and_under_which_licence() -> None:
    used = {name: cells[0] for name, cells in dependency_table().items()}
    expected = dict.fromkeys(development(), "development") | dict.fromkeys(runtime(), "runtime")

    assert expected == used
    assert all(all(cells) for cells in dependency_table().values())


def test_no_dependency_is_under_the_gpl() -> None:
    """The LGPL allows what we do: import a library as it is."""
    licences = {name: cells[2] for name, cells in dependency_table().items()}

    assert [] == [name for name, licence in licences.items() if re.search(r"\bA?GPL", licence)]


def test_the_newest_version_in_the_changelog_is_that_of_the_package() -> None:
    versions = re.findall(r"^## \[([0-9][^\]]*)\]", text("CHANGELOG.md"), re.MULTILINE)

    assert __version__ == versions[0]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "examples/README.md"])
def test_every_make_command_of_a_document_exists(document: str) -> None:
    commands = set(re.findall(r"(?:^|`)make ([a-z]+)\b", text(document), re.MULTILINE))

    assert commands
    assert set() == commands - make_targets()


def test_the_readme_shows_the_two_commands_to_start_with() -> None:
    blocks = "\n".join(
        re.findall(r"^```\w*\n(.*?)^```", text("README.md"), re.MULTILINE | re.DOTALL)
    )

    assert {"demo", "test"} <= set(re.findall(r"^make ([a-z]+)", blocks, re.MULTILINE))


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    assert "make test" == text(".ci/run").splitlines()[-1]


def test_every_exception_to_a_lint_rule_has_its_reason_beside_it() -> None:
    lint = text("pyproject.toml").split("[tool.ruff.lint]\n")[1]
    exceptions = re.findall(r'^.*"[A-Z]+[0-9]*"(?:\]|,).*$', lint, re.MULTILINE)

    assert exceptions
    assert ['select = ["ALL"]'] == [line for line in exceptions if " # " not in line]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return folder


def files_below(folder: str) -> set[str]:
    below = (ROOT / folder).rglob("*")
    found = {str(path.relative_to(ROOT / folder)) for path in below if path.is_file()}
    return {name for name in found if "__pycache__" not in name}


def test_the_wheel_holds_package_templates_and_rule_pages(built: Path) -> None:
    wheel = built / f"plugineval_action-{__version__}-py3-none-any.whl"
    held = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        "plugineval_action": "plugineval_action",
        "report_templates": "plugineval_action/report_templates",
        "docs/rules": "plugineval_action/rule_pages",
    }

    assert all(files_below(folder) for folder in sources)
    assert set() == {f"{to}/{f}" for at, to in sources.items() for f in files_below(at)} - held
    assert set() == {name for name in held if name.startswith("tests/")}


def test_the_source_archive_holds_what_the_tests_need(built: Path) -> None:
    stem = f"plugineval_action-{__version__}"
    with tarfile.open(built / f"{stem}.tar.gz") as archive:
        held = {name.removeprefix(f"{stem}/") for name in archive.getnames()}

    assert {".ci/run", "LICENSE", "Makefile", *LOCKS, "scripts/demo.py"} <= held
    assert set() == {f"{at}/{f}" for at in ("tests", "examples") for f in files_below(at)} - held


def test_the_example_marketplace_lists_exactly_its_plugins() -> None:
    manifest = json.loads(text("examples/marketplace/.claude-plugin/marketplace.json"))
    sources = [plugin["source"] for plugin in manifest["plugins"]]
    local = {source for source in sources if isinstance(source, str)}
    folders = (EXAMPLES / "marketplace/plugins").iterdir()

    assert {f"./plugins/{folder.name}" for folder in folders} == local


def test_the_example_change_deletes_moves_changes_and_adds() -> None:
    deleted = set(text("examples/change/DELETED").splitlines())
    before, laid_over = files_below("examples/marketplace"), files_below("examples/change/plugins")
    laid_over = {f"plugins/{name}" for name in laid_over}
    gone = {text(f"examples/marketplace/{path}") for path in deleted}
    added = laid_over - before
    moved = {path for path in added if text(f"examples/change/{path}") in gone}

    assert set() == deleted - before
    assert {"plugins/api-docs/skills/error-messages/SKILL.md"} == moved
    assert {"plugins/api-docs/skills/api-deprecation/SKILL.md"} == added - moved
    assert all(
        text(f"examples/change/{path}") != text(f"examples/marketplace/{path}")
        for path in laid_over - added
    )


def test_the_demo_runs_without_settings_and_leaves_files_and_twelve_weeks(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/demo.py"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    written = ("score.md", "score.html", "review.md", "report/README.md", "evals.md")

    assert (0, "") == (done.returncode, done.stderr)
    assert all((tmp_path / "demo-output" / name).stat().st_size for name in written)
    history = (tmp_path / "demo-output/report/history.jsonl").read_text(encoding="utf-8")
    days = {json.loads(line)["date"] for line in history.splitlines()}
    assert 12 == len(days)
    assert all(f"demo-output/{name}" in done.stdout for name in written)
