"""Fixes are safe: shown first, judged again, never at the cost of a point or of another finding."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import CORPUS, marketplaces, needs_corpus
from memory_tree import MemoryTree
from plugineval_action.cli.fix import write_all
from plugineval_action.cli.main import main
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.document import read_document
from plugineval_action.content.skill import read_skill
from plugineval_action.content.tree import join
from plugineval_action.evaluate import score_skill
from plugineval_action.fixing.edits import apply, edits
from plugineval_action.fixing.plan import Rewrite, diff, rewrites
from plugineval_action.fixing.review import with_mechanical
from plugineval_action.results import Finding, Result
from plugineval_action.review_values import Change, Review

PATH = "skills/release-notes/SKILL.md"
GOOD = "---\nname: release-notes\ndescription: Writes notes. Use when a release is tagged.\n---\n"
CASES = {
    "a colon": (
        GOOD.replace("Writes notes.", "Release notes: it's all here."),
        "description: 'Release notes: it''s all here. Use when a release is tagged.'",
    ),
    "a number sign": (
        GOOD.replace("Writes notes.", "Writes notes for #12."),
        "description: 'Writes notes for #12. Use when a release is tagged.'",
    ),
    "capitals in the name": (
        GOOD.replace("name: release-notes", "name: Release Notes"),
        "name: release-notes",
    ),
    "a misspelt field": (
        GOOD.replace("---\nname", "---\nuser_invocable: false\nname"),
        "user-invocable: false",
    ),
    "a link in capitals": (
        f"{GOOD}\nRead [the rules](Docs/Rules.md).\n",
        "Read [the rules](docs/rules.md).",
    ),
    "no line break": (f"{GOOD}\nWrite.", "Write."),
}
FILES = {"skills/release-notes/docs/rules.md": "Text.\n"}
EACH = pytest.mark.parametrize(("text", "line"), CASES.values(), ids=CASES)


def fixes(text: str | bytes) -> list[Rewrite]:
    tree = MemoryTree({PATH: text, **FILES})
    return list(rewrites(tree, discover(tree)))


def scored(text: str | bytes) -> Result:
    return score_skill(MemoryTree({PATH: text, **FILES}), "skills/release-notes")


@EACH
def test_what_is_mechanical_is_fixed_and_nothing_else_changes(text: str, line: str) -> None:
    (change,) = fixes(text)
    before, after = text.splitlines(), change.new.decode().splitlines()

    assert len(before) == len(after)
    assert line in after
    assert sum(one != other for one, other in zip(before, after, strict=True)) <= 1
    assert change.new.endswith(b"\n")


@EACH
def test_a_fix_raises_no_other_finding_and_lowers_no_score(text: str, line: str) -> None:
    (change,) = fixes(text)
    before, after = scored(text), scored(change.new)
    assert before.composite is not None
    assert after.composite is not None

    assert line
    assert {note.rule for note in after.findings} <= {note.rule for note in before.findings}
    assert after.composite.score >= before.composite.score


@EACH
def test_what_was_fixed_needs_no_fix(text: str, line: str) -> None:
    (change,) = fixes(text)

    assert line
    assert [] == fixes(change.new)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace("release-notes\n", "notes-for-releases\n"),
        GOOD.replace("Writes notes.", '"Quoted: yes."'),
        "---\nname: release-notes\ndescription: |\n  Notes: all.\n---\n",
        "---\nname: release-notes\ndescription: Notes: all\n  and more: here.\n---\n",
        f"{GOOD}[a](Docs/Rules.md) and [b](Docs/Rules.md)\n",
        GOOD.replace("name: r", "name: R").replace("---\nn", "---\nx: [\nn"),
        GOOD.replace("Writes notes.", "Notes: all.").replace("---\nn", "---\nx: [\nn"),
        GOOD.replace("---\nname", "---\nlicense: MIT # see LICENSE\nname"),
        GOOD.replace("---\nname", "---\nuser_invocable: no\nuser-invocable: false\nname"),
        GOOD.replace("Writes notes.", f"Notes: {'x' * 4_000}."),
        GOOD.replace("tagged.", "tagged. # keep it short"),
        GOOD.replace("Writes notes.", "Notes: all.").replace("tagged.", "tagged. # short"),
        GOOD.replace("---\nname", "---\nallowed_tools: Bash(*)\nname"),
        GOOD.replace("---\nname", "---\nhook: {}\nname"),
        "# No front matter: none\n",
        "",
    ],
)
def test_what_needs_judgement_is_left_alone(text: str) -> None:
    assert [] == fixes(text)


def test_line_ends_and_byte_order_mark_stay() -> None:
    text = CASES["a colon"][0].replace("\n", "\r\n")
    (change,) = fixes(f"\ufeff{text}".encode())

    assert change.new.startswith(b"\xef\xbb\xbf---\r\n")
    assert change.new.count(b"\n") == change.new.count(b"\r\n") == text.count("\n")


def test_several_fixes_on_one_line_are_made_at_once() -> None:
    wrong = f"{GOOD}\n[a](Docs/Rules.md) [b](Docs/More.md)\n".replace(
        "description: Writes", "Description_: Release: writes"
    )
    tree = MemoryTree({PATH: wrong, **FILES, "skills/release-notes/docs/more.md": "Text.\n"})
    (change,) = rewrites(tree, discover(tree))
    text = change.new.decode()
    after = MemoryTree({**{path: tree.read(path) for path in tree.files()}, PATH: text})

    assert "[a](docs/rules.md) [b](docs/more.md)" in text
    assert [] == list(rewrites(after, discover(after)))


def test_a_fix_does_not_take_a_file_over_a_limit_that_it_keeps() -> None:
    full = f"{GOOD}\n".ljust(8_192, "x")

    assert [] == fixes(full)
    assert 1 == len(fixes(full[:-1]))


def test_a_file_under_two_names_and_its_rights_are_let_alone(tmp_path: Path) -> None:
    path = write(tmp_path) / "SKILL.md"
    other = tmp_path / "other.md"
    other.hardlink_to(path)
    path.chmod(0o640)
    before = other.read_bytes()

    assert 0 == main(["fix", str(tmp_path), "--write"])
    assert before == other.read_bytes() != path.read_bytes()
    assert 0o640 == path.stat().st_mode & 0o777


def test_mixed_line_ends_are_left_alone() -> None:
    assert [] == fixes(CASES["a colon"][0].encode() + b"One.\r\n")


# What is offered in a review


def offered(before: str, after: str, *, was: str = PATH, told: str = "LINK_CASE") -> list[str]:
    """The new lines that are offered for a change from one text to another."""
    base = MemoryTree({was: before, **FILES})
    head = MemoryTree({PATH: after, **FILES})
    note = Finding(told, "warning", "Said.", "Mend it.", PATH)
    sides = [Result("skill", "s", path.rpartition("/")[0], "r") for path in (was, PATH)]
    change = Change("changed", sides[0], sides[1]._replace(findings=(note,)))
    review = with_mechanical(Review("a", "b", "r", (change,)), base, head)
    return [one.new for one in review.mechanical]


LINK = f"{GOOD}\nRead [the rules](Docs/Rules.md).\n"


def test_offered_is_what_a_change_wrote_and_a_reader_is_told_of_and_sees() -> None:
    long = LINK.replace("Read", f"Read{' on' * 400}")

    assert ["Read [the rules](docs/rules.md)."] == offered(GOOD, LINK)
    assert [] == offered(LINK, LINK)
    assert [] == offered(GOOD, LINK, told="UNKNOWN_FIELD")
    assert [] == offered(GOOD, LINK.replace("Read", "Re\u200bad"))
    assert [] == offered(GOOD, long)


def test_of_a_skill_that_was_moved_only_lines_that_changed_are_offered() -> None:
    assert [] == offered(LINK, LINK, was="skills/notes/SKILL.md")


@pytest.mark.parametrize("odd", [b"caf\xe9", b"a\0b", b"a\rb"])
def test_files_that_are_no_plain_text_are_left_alone(odd: bytes) -> None:
    assert [] == fixes(CASES["a colon"][0].encode() + odd + b"\n")


@given(st.text(max_size=200), st.text(max_size=100))
def test_on_arbitrary_text_fixing_is_safe_and_ends(front: str, body: str) -> None:
    tree = MemoryTree({PATH: f"---\n{front}\n---\n{body}", **FILES})
    document = read_document(read_skill(tree, "skills/release-notes"))
    chosen = edits(document)
    fixed = apply(document.content, chosen)

    assert all(edit.old != edit.new and "\n" not in edit.new for edit in chosen)
    assert fixed.count("\n") == document.content.count("\n")


# The corpus


class Rewritten(DirectoryTree):
    """A directory as it is after a change to one of its files."""

    def __init__(self, tree: DirectoryTree, change: Rewrite) -> None:
        super().__init__(tree.root)
        self.change = change

    def read(self, path: str) -> bytes:
        return self.change.new if path == self.change.path else super().read(path)


class Fixed(NamedTuple):
    """A skill of the corpus before and after its fix."""

    path: str
    before: Result
    after: Result

    def raised(self) -> set[str]:
        """Rules of which more is told than before, anti-patterns too."""
        before, after = (Counter(_rules(result)) for result in (self.before, self.after))
        return set(after - before)


def _rules(result: Result) -> Iterator[str]:
    yield from (note.rule for note in result.findings)
    yield from (flag.flag for layer in result.layers for flag in layer.anti_patterns)


@cache
def corpus_fixes() -> tuple[Fixed, ...]:
    roots = (*marketplaces(), CORPUS / "crafted")
    return tuple(fixed for root in roots for fixed in _fixed(DirectoryTree(root)))


def _fixed(tree: DirectoryTree) -> Iterator[Fixed]:
    found = discover(tree)
    units = {join(unit.path, "SKILL.md"): unit for unit in found.skills}
    for change in rewrites(tree, found):
        unit = units[change.path]
        after = Rewritten(tree, change)
        yield Fixed(
            change.path,
            score_skill(tree, unit.path, plugin=unit.plugin),
            score_skill(after, unit.path, plugin=unit.plugin),
        )


@needs_corpus
def test_on_the_corpus_no_fix_lowers_a_score() -> None:
    lowered = [
        one.path
        for one in corpus_fixes()
        if not one.before.composite
        or not one.after.composite
        or one.after.composite.score < one.before.composite.score
    ]

    assert corpus_fixes()
    assert [] == lowered


@needs_corpus
def test_on_the_corpus_a_fix_raises_only_what_unreadable_front_matter_had_hidden() -> None:
    raised = {
        one.path: one.raised()
        for one in corpus_fixes()
        if one.raised() and "INVALID_YAML" not in {note.rule for note in one.before.findings}
    }

    assert {} == raised


# The command line


def write(root: Path) -> Path:
    skill = root / "skills/release-notes"
    (skill / "scripts").mkdir(parents=True)
    (root / ".git").mkdir()
    text = f"{CASES['a colon'][0]}\n:: two  blanks\n"
    (skill / "SKILL.md").write_text(text, encoding="utf-8")
    (skill / "scripts/run.sh").write_text("#!/bin/sh\ntrue\n", encoding="utf-8")
    (skill / "scripts/data.txt").write_text("text\n", encoding="utf-8")
    return skill


def test_a_diff_is_shown_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = write(tmp_path)

    assert 0 == main(["fix", str(tmp_path)])
    shown = capsys.readouterr().out
    assert CASES["a colon"][1] not in (skill / "SKILL.md").read_text(encoding="utf-8")
    assert f"--- a/{PATH}\n+++ b/{PATH}\n" in shown
    assert "# chmod +x skills/release-notes/scripts/run.sh\n" in shown


def test_the_diff_is_one_that_git_applies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = write(tmp_path)
    main(["fix", str(tmp_path), "--diff"])
    patch = capsys.readouterr().out
    (tmp_path / ".git").rmdir()
    for command in (["init", "--quiet"], ["apply", "-"]):
        subprocess.run(["git", *command], input=patch, text=True, check=True, cwd=tmp_path)

    assert [] == fixes((skill / "SKILL.md").read_bytes())


@pytest.mark.parametrize(
    "name", ["a b", "é", 'a"b', "a\\b", "a\tb", "x\n--- a\n+++ b", "a\x1b[31m", "a\udcffb"]
)
def test_the_diff_of_a_file_in_an_oddly_named_folder_changes_that_file_only(
    name: str, tmp_path: Path
) -> None:
    skill = tmp_path / "skills" / name
    skill.mkdir(parents=True)
    text = CASES["a colon"][0].replace("name: release-notes\n", "")
    (skill / "SKILL.md").write_text(text, encoding="utf-8")
    tree = DirectoryTree(tmp_path)
    (change,) = rewrites(tree, discover(tree))
    for command in (["init", "--quiet"], ["apply", "-"]):
        patch = diff(change).encode()
        subprocess.run(["git", *command], input=patch, check=True, cwd=tmp_path)

    assert change.new == (skill / "SKILL.md").read_bytes()
    assert [skill / "SKILL.md"] == list(tmp_path.rglob("*.md"))


def test_write_writes_and_a_second_run_finds_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = write(tmp_path)

    assert 0 == main(["fix", str(tmp_path), "--write"])
    assert CASES["a colon"][1] in (skill / "SKILL.md").read_text(encoding="utf-8")
    assert (skill / "scripts/run.sh").stat().st_mode & 0o111
    assert not (skill / "scripts/data.txt").stat().st_mode & 0o111
    capsys.readouterr()
    assert 0 == main(["fix", str(tmp_path)])
    assert ("", "plugin-eval: There is nothing to fix.\n") == tuple(capsys.readouterr())


def test_one_file_that_cannot_be_written_costs_no_other_its_fix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text("---\ndescription: A: b\n---\n", "utf-8")
    changes = [*rewrites(DirectoryTree(tmp_path), discover(DirectoryTree(tmp_path)))]
    (tmp_path / "b/SKILL.md").write_text("Another.\n", "utf-8")
    (tmp_path / "c/SKILL.md").unlink()

    assert 2 == write_all(tmp_path, changes)
    out, err = capsys.readouterr()
    assert "fixed a/SKILL.md\n" == out
    assert ["b/SKILL.md has changed meanwhile.", "c/SKILL.md cannot be written (No such file"] == [
        line.removeprefix("plugin-eval: not fixed: ")[:length]
        for line, length in zip(err.splitlines(), (33, 42), strict=True)
    ]
