"""A release: only of what is here, under a name that is new, on a base that cannot change."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from typing import Any

import pytest
import yaml

from documents import ROOT, read
from plugineval_action import PROJECT_URL, __version__

SCRIPT = runpy.run_path(str(ROOT / "scripts/release.py"))
DATED = "# Changelog\n\n## [1.2.3] - 2026-11-30\n\n- New.\n"
FILE = ".github/workflows/release.yml"


def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read(FILE))["jobs"]
    return found


def commands(job: str) -> str:
    return "\n".join(step.get("run", "") for step in jobs()[job]["steps"])


def test_a_tag_that_is_the_version_with_a_dated_changelog_is_a_release() -> None:
    assert [] == SCRIPT["problems"]("v1.2.3", "1.2.3", DATED)


@pytest.mark.parametrize("tag", ["v1.2.4", "1.2.3", "v1.2.3-rc1", "v1.2.3\n", "v1x2.3"])
def test_any_other_tag_is_none(tag: str) -> None:
    (problem,) = SCRIPT["problems"](tag, "1.2.3", DATED)

    assert problem.startswith(f"The tag is {tag}")


@pytest.mark.parametrize("day", ["unreleased", "2026-13-01", "20261130", "", "2026-11-30 or so"])
def test_a_version_without_a_day_in_the_changelog_is_not_released(day: str) -> None:
    changelog = DATED.replace("2026-11-30", day)

    assert ["CHANGELOG.md has no heading '## [1.2.3] - ' with the day."] == SCRIPT["problems"](
        "v1.2.3", "1.2.3", changelog
    )


def test_a_day_of_another_version_does_not_count() -> None:
    (problem,) = SCRIPT["problems"]("v1.2.30", "1.2.30", DATED)

    assert "1.2.30" in problem


def test_the_version_is_read_where_the_package_states_it() -> None:
    assert __version__ == SCRIPT["stated_version"](read("plugineval_action/__init__.py"))
    assert "" == SCRIPT["stated_version"]("__version__ = version()\n")


def test_the_script_refuses_a_wrong_tag_and_prints_nothing_for_the_workflow() -> None:
    command = [sys.executable, "-I", str(ROOT / "scripts/release.py"), "v99.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (1, "") == (done.returncode, done.stdout)
    assert "The tag is v99.0.0" in done.stderr


def test_only_a_version_tag_of_this_repository_starts_a_release() -> None:
    triggers = yaml.safe_load(read(FILE))[True]

    assert {"push": {"tags": ["v*"]}} == triggers
    assert (
        f"github.repository == '{PROJECT_URL.removeprefix('https://github.com/')}'"
        == (jobs()["check"]["if"])
    )
    assert ["check", ["check", "build"]] == [jobs()[name]["needs"] for name in ("build", "publish")]


def test_a_release_is_never_cut_off() -> None:
    assert yaml.safe_load(read(FILE))["concurrency"]["cancel-in-progress"] is False


def test_nothing_is_written_before_the_tag_is_checked_nor_without_consent() -> None:
    """The environment is where maintainers ask for their approval."""
    writing = {
        name: "write" in job["permissions"].values() or "environment" in job
        for name, job in jobs().items()
    }

    assert {"check": False, "build": True, "publish": True} == writing
    assert {"release"} == {jobs()[name]["environment"] for name in ("build", "publish")}


def test_a_version_that_is_there_is_not_pushed_again() -> None:
    assert 'inspect "$IMAGE:$VERSION"' in commands("check")
    assert "is there already" in commands("check")


def test_the_base_image_is_named_by_its_digest() -> None:
    assert 'echo "base=$base@$digest" >> "$GITHUB_OUTPUT"' in commands("check")
    assert '--build-arg "BASE=$BASE"' in commands("build")
    assert re.findall(r"^ARG BASE=", read("Dockerfile"), re.MULTILINE) == ["ARG BASE="]


def test_the_image_has_an_sbom_and_is_attested_by_its_digest() -> None:
    attest = jobs()["publish"]["steps"][-1]

    assert {"--sbom=true", "--provenance=mode=max"} <= set(commands("build").split())
    assert attest["uses"].startswith("actions/attest@")
    assert "${{ steps.image.outputs.digest }}" == attest["with"]["subject-digest"]
    assert attest["with"]["push-to-registry"] is True
