"""The files of certificates, by name: JSON, page, badge, and the checksums that it covers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from math import fsum
from typing import Any, Final, NamedTuple

from plugineval_action.certify.certificate import statement
from plugineval_action.certify.checking import read_whole
from plugineval_action.certify.contents import checksums
from plugineval_action.certify.corpus import Entry
from plugineval_action.certify.ground import Subject
from plugineval_action.certify.predicate import Terms
from plugineval_action.certify.register import Row, State, displaces, row_of
from plugineval_action.certify.run import Measured, Run
from plugineval_action.escape import printable
from plugineval_action.render.certificate import to_markdown
from plugineval_action.render.report.badge import CERTIFICATE, certificate_badge
from plugineval_action.render.result_data import dump
from plugineval_action.results import Failure
from plugineval_action.scoring.bands import shown

_LONGEST: Final = 80
_MARK: Final = 12
_TAKEN: Final = frozenset({"readme", "certificates", "files", "games", "predicate", "usual"})
"""What other files of the folder are called."""

_SUMS: Final = re.compile("([0-9a-f]{64}  [^\n]+\n)*")


class Issued(NamedTuple):
    """Files by name, and a line for people a skill.

    `unsure` are the lines of those that were not certified, `failed` how many skills could not
    even be assessed; `paid` is in dollars, None if a price is unknown. `predicate` is what an
    attestation signs of the only certificate; "" if there are several.
    """

    files: Mapping[str, str]
    rows: tuple[Row, ...]
    summary: str
    unsure: tuple[str, ...]
    failed: int
    paid: float | None
    predicate: str

    @property
    def all_certified(self) -> bool:
        """Whether each skill was certified."""
        return not self.unsure


def stems(subjects: Sequence[Subject], others: Iterable[Entry]) -> list[str]:
    """What the files of each skill are called: category and name.

    A mark of the path follows where another skill, certified or not, would be called the same.
    """
    entries = {entry.path: entry for entry in (*others, *(one.entry for one in subjects))}
    met = Counter(_stem(entry).lower() for entry in entries.values())
    return [_distinct(one.entry, met) for one in subjects]


def _distinct(entry: Entry, met: Mapping[str, int]) -> str:
    stem = _stem(entry)
    if met[stem.lower()] == 1 and stem.lower() not in _TAKEN:
        return stem
    mark = sha256(entry.path.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{stem}-{mark[:_MARK]}"


def ours(subjects: Sequence[Subject], others: Iterable[Entry]) -> dict[str, Callable[[str], bool]]:
    """The files that will be written, and how to know one that was written before."""
    kinds: dict[str, Callable[[str], bool]] = {
        "md": lambda text: text.startswith(to_markdown.MARKER),
        "svg": lambda text: f"<title>{CERTIFICATE}" in text,
        "sums": lambda text: bool(_SUMS.fullmatch(text)),
    }
    names = stems(subjects, others)
    pages = {f"{stem}.{kind}": known for stem in names for kind, known in kinds.items()}
    entries = (subject.entry for subject in subjects)
    return pages | {
        f"{stem}.json": partial(_is_certificate_of, entry)
        for stem, entry in zip(names, entries, strict=True)
    }


def _is_certificate_of(entry: Entry, text: str) -> bool:
    """Whether a text is a certificate of the skill at the same path."""
    certificate = read_whole(text)
    return certificate is not None and certificate["predicate"]["skill"]["path"] == entry.path


def to_write(issued: Issued, known: Iterable[Row], now: datetime) -> Issued:
    """The part of what was issued that takes the place of what was known."""
    by_path = {row.path: row for row in known}
    rows = tuple(row for row in issued.rows if displaces(row, by_path.get(row.path), now))
    names = {row.stem for row in rows}
    files = {name: text for name, text in issued.files.items() if name.rpartition(".")[0] in names}
    return issued._replace(files=files, rows=rows)


def certificate_files(done: Run, subjects: Sequence[Subject], terms: Terms) -> Issued:
    """What to write for a run, and what to say of it."""
    files: dict[str, str] = {}
    rows, lines, unsure, certificates = [], [], [], []
    names = stems(subjects, done.corpus.skills)
    for stem, subject, one in zip(names, subjects, done.skills, strict=True):
        if isinstance(one, Failure):
            lines.append(f"{subject.entry.name}: not assessed. {one.message} {one.remedy}")
            unsure.append(lines[-1])
            continue
        certificate = statement(one, terms)
        files |= {f"{stem}.{kind}": text for kind, text in _texts(stem, certificate, one)}
        certificates.append(certificate)
        rows.append(row_of(stem, certificate))
        lines.append(_line(certificate["predicate"], f"{stem}.md"))
        if certificate["predicate"]["outcome"] != "certified":
            unsure.append(lines[-1])
    summary = "".join(f"{printable(line)}\n" for line in lines)
    failed = len(subjects) - len(certificates)
    only = dump(certificates[0]["predicate"]) if len(certificates) == 1 else ""
    return Issued(files, tuple(rows), summary, tuple(unsure), failed, _paid(certificates), only)


def _paid(certificates: Iterable[Mapping[str, Any]]) -> float | None:
    every = [one["predicate"]["cost"]["usd"] for one in certificates]
    return None if None in every else fsum(every)


def _texts(stem: str, certificate: dict[str, Any], one: Measured) -> Iterator[tuple[str, str]]:
    yield "json", dump(certificate)
    yield "md", to_markdown.render(certificate, stem)
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
    unsure = ", underpowered" if predicate["score"]["underpowered"] else ""
    return f"{name}: certified, {badge}, score {shown(score)}, Elo {elo:.0f}{unsure} ({page})"


def _stem(entry: Entry) -> str:
    words = f"{entry.category}--{entry.name}" if entry.category else entry.name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", words).strip(".-")[:_LONGEST] or "skill"
