"""Finds report_templates/ and opens it for Jinja.

HTML and SVG templates (`*.html.j2`, `*.svg.j2`) escape whatever they print. Markdown templates
(`*.md.j2`) do not, since Jinja has no escaping for Markdown: there, foreign text goes through `md`,
`code` or `link`, in the template or in the view before it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plugineval_action.escape import code, link, markdown, printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.nodes import EvalContext

_PACKAGE: Final = Path(__file__).parent.parent
_NAME: Final = "report_templates"


@cache
def environment() -> Environment:
    """The templates of this project and nothing else; a name that a template misses is an error."""
    from jinja2 import (
        Environment,
        FileSystemLoader,
        StrictUndefined,
        pass_eval_context,
        select_autoescape,
    )

    loaded = Environment(
        loader=FileSystemLoader(folder()),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html.j2", "svg.j2"], default=False),
        finalize=pass_eval_context(_one_line),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    loaded.filters.update(md=markdown, code=code, link=link)
    return loaded


def folder() -> Path:
    """report_templates/: inside the package when installed, beside it in a checkout."""
    inside = _PACKAGE / _NAME
    return inside if inside.is_dir() else _PACKAGE.parent / _NAME


def _one_line(context: EvalContext, value: object) -> object:
    """In HTML, text loses what steers or hides and the space around it; then markup is escaped."""
    foreign = context.autoescape and isinstance(value, str) and not hasattr(value, "__html__")
    return printable(str(value)) if foreign else value
