"""report_templates/: found wherever the package lies, and nothing but it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import jinja2
import pytest

import plugineval_action
from plugineval_action.render.templates import environment, folder

PACKAGE = Path(plugineval_action.__file__).parent
TEMPLATES = sorted(path.name for path in folder().glob("*.j2"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles_and_escapes_by_its_name(name: str) -> None:
    template = environment().get_template(name)

    assert name.endswith((".md.j2", ".html.j2", ".svg.j2"))
    assert name == template.name


@pytest.mark.parametrize("name", ["../pyproject.toml", "/etc/hostname", "missing.md.j2"])
def test_nothing_outside_the_folder_is_a_template(name: str) -> None:
    with pytest.raises(jinja2.TemplateNotFound):
        environment().get_template(name)


def test_a_name_that_a_template_misses_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ missing }}").render()


def test_markdown_is_escaped_by_filters_and_left_alone_otherwise() -> None:
    template = environment().from_string("{{ x }} {{ x | md }} {{ x | code }} {{ x | link('a') }}")

    assert "*x* \\*x\\* `*x*` [\\*x\\*](a)" == template.render(x="*x*")


def test_both_layouts_are_found(tmp_path: Path) -> None:
    """Beside the package as in a checkout; inside it, and then preferred, as in a wheel."""
    shutil.copytree(PACKAGE, tmp_path / "site" / "plugineval_action")
    beside = tmp_path / "site" / "report_templates"
    inside = tmp_path / "site" / "plugineval_action" / "report_templates"
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r});"
        "from plugineval_action.render.templates import folder; print(folder())"
    )
    for place in (beside, inside):
        place.mkdir()
        done = subprocess.run(
            [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
        )

        assert f"{place}\n" == done.stdout
