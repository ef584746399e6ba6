"""action.yml, Dockerfile, settings and docs/action.md say the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import yaml

from documents import read
from plugineval_action.action.gate import Gate
from plugineval_action.action.inputs import GateInputs, Inputs, input_name
from plugineval_action.action.outputs import outputs
from plugineval_action.gh.outcome import Skipped
from sample_reviews import empty_review

ENTRY_POINT = ["python", "-I", "-m", "plugineval_action", "action"]
INSTALLED = "/opt/plugineval"


def action() -> dict[str, Any]:
    read_action: dict[str, Any] = yaml.safe_load(read("action.yml"))
    return read_action


def table(part: str) -> str:
    """The table of inputs or outputs in docs/action.md, made of what action.yml says of them."""
    heading = part.removesuffix("s").capitalize()
    lines = [f"| {heading} | What it is |", "| --- | --- |"]
    lines += [f"| `{name}` | {told['description']} |" for name, told in action()[part].items()]
    return "\n".join(lines)


def choices(field: str) -> set[str]:
    """The words that an input may be; none if it is no choice."""
    annotation = Inputs.model_fields[field].annotation
    return set(get_args(annotation)) if get_origin(annotation) is Literal else set()


def default(description: str) -> str:
    """`… Default: `auto`.` as `auto`, in whatever words."""
    return description.rpartition("Default: ")[2].removesuffix(".").strip("`")


def instructions() -> list[list[str]]:
    """The instructions of the Dockerfile, each as its name and its text, lines joined."""
    text = re.sub(r"(?m)^#.*\n", "", read("Dockerfile")).replace("\\\n", " ")
    return [line.split(None, 1) for line in text.splitlines() if line]


def instruction(name: str) -> list[str]:
    return [text for found, text in instructions() if found == name]


def test_action_yml_has_the_inputs_that_are_read() -> None:
    assert set(map(input_name, Inputs.model_fields)) == action()["inputs"].keys()


def test_action_yml_has_the_outputs_that_are_set() -> None:
    nothing = Skipped("There is nothing to say.")

    assert [*outputs(empty_review(), Gate(passed=True), nothing, nothing, "")] == [
        *action()["outputs"]
    ]


@pytest.mark.parametrize("part", ["inputs", "outputs"])
def test_names_are_in_kebab_case_and_each_is_described_in_sentences(part: str) -> None:
    for name, told in action()[part].items():
        assert re.fullmatch("[a-z]+(-[a-z]+)*", name)
        assert re.fullmatch(r"[A-Z`][^|\n]+\.", told["description"])


def test_no_input_is_required_and_a_bare_uses_works() -> None:
    assert [] == [name for name, told in action()["inputs"].items() if "required" in told]
    assert "${{ github.token }}" == action()["inputs"]["github-token"]["default"]


def test_what_the_configuration_file_may_give_is_left_unset_by_the_runner() -> None:
    """Else every input would seem to be given, and would win over the file."""
    defaults = {name for name, told in action()["inputs"].items() if "default" in told}

    assert {"github-token"} == defaults
    assert set() == defaults & set(map(input_name, GateInputs.model_fields))


@pytest.mark.parametrize("field", [field for field in Inputs.model_fields if choices(field)])
def test_the_description_of_a_choice_names_each_word_and_the_default(field: str) -> None:
    description = action()["inputs"][input_name(field)]["description"]

    assert choices(field) <= set(re.findall("`([^`]+)`", description))
    assert Inputs.model_fields[field].default == default(description)


def test_the_configuration_file_may_give_what_its_description_lists() -> None:
    described = re.findall("`([^`]+)`", action()["inputs"]["config"]["description"])

    assert [*map(input_name, GateInputs.model_fields)] == described


@pytest.mark.parametrize("part", ["inputs", "outputs"])
def test_the_page_about_the_action_has_the_table_of_action_yml(part: str) -> None:
    marked = read("docs/action.md").split(f"<!-- {part} -->\n")[1].split(f"<!-- /{part} -->")[0]

    assert table(part) == marked.strip()


def test_the_image_is_built_from_the_dockerfile_on_main() -> None:
    assert {"using": "docker", "image": "Dockerfile"} == action()["runs"]


def test_the_container_starts_python_itself_isolated_and_without_a_shell() -> None:
    """A shell would drop inputs with a hyphen in their name."""
    assert [ENTRY_POINT] == [json.loads(text) for text in instruction("ENTRYPOINT")]
    assert [] == instruction("CMD") + instruction("SHELL")


def test_every_command_of_the_build_runs_without_a_shell() -> None:
    commands = [json.loads(text) for text in instruction("RUN")]

    assert ["python"] * 3 == [command[0] for command in commands]


def test_the_container_runs_as_root_where_github_puts_it() -> None:
    assert [] == instruction("USER") + instruction("WORKDIR")
    assert "No USER and no WORKDIR:" in read("Dockerfile")


def test_the_image_holds_locked_wheels_the_package_and_what_it_needs() -> None:
    wheel = tomllib.loads(read("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    copied = dict(text.split() for text in instruction("COPY"))
    included = {"plugineval_action": "plugineval_action"} | wheel["force-include"]

    assert {
        "LICENSE": f"{INSTALLED}/",
        "requirements.lock": f"{INSTALLED}/",
        **{source: f"{INSTALLED}/{target}" for source, target in included.items()},
    } == copied
    assert {"--require-hashes", "--only-binary=:all:"} <= set(json.loads(instruction("RUN")[0]))


def test_only_what_is_copied_takes_part_in_the_build() -> None:
    lines = [line for line in read(".dockerignore").splitlines() if not line.startswith("#")]
    copied = [text.split()[0] for text in instruction("COPY")]

    assert ["*", *sorted(f"!{source}" for source in copied), "**/__pycache__"] == lines


def test_a_release_may_name_the_base_image_by_its_digest() -> None:
    assert [["ARG", "BASE=python:3.13-slim"], ["FROM", "${BASE}"]] == instructions()[:2]


def test_the_labels_say_what_pyproject_says() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    labels = dict(
        re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', instruction("LABEL")[0])
    )

    assert project["license"] == labels["licenses"]
    assert project["urls"]["Homepage"] == labels["source"]
    assert {"title", "description"} <= labels.keys()


def test_modules_planted_in_the_checkout_are_not_imported(tmp_path: Path) -> None:
    """The working directory is the checkout, and `-m` without `-I` would look there first."""
    for name in ("yaml.py", "argparse.py", "plugineval_action/__init__.py", "json.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("raise SystemExit('planted')", encoding="utf-8")
    command = [sys.executable, *ENTRY_POINT[1:-1], "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("plugin-eval ")
