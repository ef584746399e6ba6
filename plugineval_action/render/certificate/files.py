"""The files of certificates, by name: JSON, page, badge, and the checksums that it covers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from plugineval_action.certify.certificate import PREDICATE, Terms, statement
from plugineval_action.certify.contents import checksums
from plugineval_action.certify.ground import Subject
from plugineval_action.certify.register import Row, State, row_of
from plugineval_action.certify.run import Measured, Run
from plugineval_action.escape import printable
from plugineval_action.render.certificate import to_markdown
from plugineval_action.render.report.badge import CERTIFICATE, certificate_badge
from plugineval_action.render.result_data import dump
from plugineval_action.results import Failure

_LONGEST: Final = 80
_SUMS: Final = re.compile("([0-9a-f]{64}  [^\n]+\n)*")


class Issued(NamedTuple):
    """Files by name, a line for people a skill, and whether each skill was certified.

    `predicate` is what an attestation signs of the only certificate; "" if there are several.
    """

    files: Mapping[str, str]
    rows: tuple[Row, ...]
    summary: str
    all_certified: bool
    predicate: str


def stems(subjects: Sequence[Subject]) -> list[str]:
    """What the files of each skill are called: category and name, and a digest where those meet."""
    plain = [_stem(subject) for subject in subjects]
    met = Counter(stem.lower() for stem in plain)
    return [
        stem if met[stem.lower()] == 1 else f"{stem}-{subject.entry.digest[:12]}"
        for stem, subject in zip(plain, subjects, strict=True)
    ]


def ours(subjects: Sequence[Subject]) -> dict[str, Callable[[str], bool]]:
    """The files that will be written, and how to know one that was written before."""
    kinds: dict[str, Callable[[str], bool]] = {
        "json": lambda text: f'"predicateType": "{PREDICATE}"' in text,
        "md": lambda text: text.startswith(to_markdown.MARKER),
        "svg": lambda text: f"<title>{CERTIFICATE}" in text,
        "sums": lambda text: bool(_SUMS.fullmatch(text)),
    }
    return {f"{stem}.{kind}": known for stem in stems(subjects) for kind, known in kinds.items()}


def certificate_files(done: Run, subjects: Sequence[Subject], terms: Terms) -> Issued:
    """What to write for a run, and what to say of it."""
    files: dict[str, str] = {}
    rows, lines, outcomes = [], [], []
    certificates = []
    for stem, subject, one in zip(stems(subjects), subjects, done.skills, strict=True):
        if isinstance(one, Failure):
            lines.append(f"{subject.entry.name}: not assessed. {one.message} {one.remedy}")
            outcomes.append("incomplete")
            continue
        certificate = statement(one, terms)
        files |= {f"{stem}.{kind}": text for kind, text in _texts(certificate, one)}
        certificates.append(certificate)
        rows.append(row_of(stem, certificate))
        lines.append(_line(certificate["predicate"], f"{stem}.md"))
        outcomes.append(certificate["predicate"]["outcome"])
    summary = "".join(f"{printable(line)}\n" for line in lines)
    certified = all(one == "certified" for one in outcomes)
    only = dump(certificates[0]["predicate"]) if len(certificates) == 1 else ""
    return Issued(files, tuple(rows), summary, certified, only)


def _texts(certificate: dict[str, Any], one: Measured) -> Iterator[tuple[str, str]]:
    yield "json", dump(certificate)
    yield "md", to_markdown.render(certificate)
    predicate = certificate["predicate"]
    certified = predicate["outcome"] == "certified"
    state: State = "certified" if certified else "not certified"
    yield "svg", certificate_badge(predicate["badge"]["name"], state)
    sums = checksums(one.subject.tree, one.subject.unit)
    yield "sums", sums.decode("utf-8", "surrogateescape")


def _line(predicate: Mapping[str, Any], page: str) -> str:
    name, badge = predicate["skill"]["name"], predicate["badge"]["name"].replace("_", " ")
    if predicate["outcome"] != "certified":
        return f"{name}: not certified, {predicate['outcome']}. {' '.join(predicate['reasons'])}"
    score, elo = predicate["score"]["value"], predicate["elo"]["rating"]
    return f"{name}: certified, {badge}, score {score:.1f}, Elo {elo:.0f} ({page})"


def _stem(subject: Subject) -> str:
    entry = subject.entry
    words = f"{entry.category}--{entry.name}" if entry.category else entry.name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", words).strip(".-")[:_LONGEST] or "skill"
