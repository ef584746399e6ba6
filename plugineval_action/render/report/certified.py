"""Which skills of a report are certified: a row for each, and a few words for a plugin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plugineval_action.escape import link, shorten
from plugineval_action.render.links import NAME_LIMIT, Markdown
from plugineval_action.render.report.model import Model
from plugineval_action.render.words import NOTHING, UNBROKEN
from plugineval_action.results import Result


class CertificateRow(NamedTuple):
    """Whether a skill is certified: in a word, until when, and where its certificate is."""

    name: str
    state: str
    until: str
    page: Markdown


def certificate_rows(
    model: Model, skills: Iterable[Result], folder: str
) -> Iterator[CertificateRow]:
    """Every skill, certified or not, as soon as one of the repository has a certificate.

    `folder` is where certificates are, as seen from the page.
    """
    if not model.certificates:
        return
    by_path = {row.path: (row, state) for row, state in model.certificates}
    for skill in skills:
        name = shorten(skill.name, NAME_LIMIT)
        if skill.path not in by_path:
            yield CertificateRow(name, "none", NOTHING, Markdown(NOTHING))
            continue
        row, state = by_path[skill.path]
        page = Markdown(link("Certificate", f"{folder}/{row.stem}.md"))
        yield CertificateRow(name, state, row.expires[:10], page)


def certified_cell(model: Model, skills: Iterable[Result]) -> str:
    """`2 of 5, 1 stale` for the skills of a plugin; "" if nobody in the repository is certified."""
    if not model.certificates:
        return ""
    states = {row.path: state for row, state in model.certificates}
    found = [states.get(skill.path) for skill in skills]
    count = Counter(found)
    if count[None] == len(found):
        return NOTHING
    told = f"{count['certified']} of {len(found)}"
    stale = f", {count['stale']} stale" if count["stale"] else ""
    return f"{told}{stale}".replace(" ", UNBROKEN)
