"""What goes to the runner: commands and command files that foreign text cannot break out of."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.gh.client import Annotation
from plugineval_action.gh.commands import (
    SUMMARY_LIMIT,
    annotation_command,
    append_output,
    append_summary,
    clipped,
    mask,
    output_entry,
    verbatim,
)
from sample_results import HOSTILE
from sample_reviews import ATTACKS

COMMAND = re.compile(
    r"::(error|warning|notice) (file=[^:,]*),line=(\d+),endLine=(\d+),title=[^:,]*::.*"
)
ENTRY = re.compile(r"([a-z-]+)<<(end-[0-9a-f]{32})\n(.*?)\n\2\n", re.DOTALL)
foreign = st.one_of(st.text(max_size=60), st.sampled_from([*ATTACKS, HOSTILE]))
TOKEN = "sample-token-0123456789"  # noqa: S105 - made up


def test_annotation_is_written_as_the_runner_expects_it() -> None:
    found = Annotation("a/SKILL.md", 3, 5, "failure", "Title: x, y", "50% done\nSecond line")

    assert (
        "::error file=a/SKILL.md,line=3,endLine=5,title=Title%3A x%2C y::50%25 done%0ASecond line"
        == annotation_command(found)
    )


def test_annotation_without_a_path_has_no_lines() -> None:
    found = Annotation("", 1, 1, "notice", "PluginEval", "Text.")

    assert "::notice title=PluginEval::Text." == annotation_command(found)


@given(path=foreign, title=foreign, message=foreign)
def test_foreign_text_stays_inside_of_one_command(path: str, title: str, message: str) -> None:
    line = annotation_command(Annotation(f"x{path}", 3, 1, "warning", f"x{title}", message))
    found = COMMAND.fullmatch(line)

    assert found is not None
    assert ("3", "3") == found.groups()[2:]
    assert 1 == len(line.splitlines())


@given(foreign)
def test_output_is_read_back_as_it_was_given(value: str) -> None:
    delimiter = f"end-{'0' * 32}"
    text = output_entry("first", value, delimiter) + output_entry("second", "x", delimiter)

    assert "" == ENTRY.sub("", text)
    assert [("first", value), ("second", "x")] == [each[::2] for each in ENTRY.findall(text)]


def test_bytes_that_are_no_text_stay_legible(tmp_path: Path) -> None:
    append_output(tmp_path / "output", "first", "bad\udc80")

    assert "\nbad\\udc80\n" in (tmp_path / "output").read_text("utf-8")


def test_delimiter_differs_each_time(tmp_path: Path) -> None:
    path = tmp_path / "output"
    append_output(path, "first", "x")
    append_output(path, "second", "x")
    delimiters = re.findall("<<(.*)", path.read_text())

    assert 2 == len(set(delimiters))


@pytest.mark.parametrize(
    ("name", "value"), [("a\nb", "x"), ("A=b", "x"), ("", "x"), ("a", "the-end")]
)
def test_entry_that_could_be_read_otherwise_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match="cannot be written as an output"):
        output_entry(name, value, "end")


def test_summary_is_appended_up_to_its_limit_and_says_that_it_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    path.write_text("# Before\n")
    append_summary(path, "line é\n" * 200_000)
    text = path.read_bytes().decode()

    assert SUMMARY_LIMIT - 100 < len(text.encode()) <= SUMMARY_LIMIT
    assert text.startswith("# Before\nline é\n")
    assert text.endswith("line é\n\n\n*The rest is left out: a summary may not be longer.*\n")


def test_summary_that_fits_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    append_summary(path, "text")

    assert "text" == path.read_text()


@given(text=st.text(max_size=300), room=st.integers(-5, 400))
def test_clipped_text_never_takes_more_than_the_room(text: str, room: int) -> None:
    assert len(clipped(text, room).encode()) <= max(0, room)


def test_raw_text_stands_between_commands_that_nobody_can_guess() -> None:
    lines = verbatim("a\n::error::x").splitlines()
    stop, token = lines[0].rsplit("::", 1)

    assert ("::stop-commands", f"::{token}::") == (stop, lines[-1])
    assert ["a", "::error::x"] == lines[1:-1]
    assert verbatim("a") != verbatim("a")
    assert len(token) >= 32


def test_secret_is_masked_with_its_base64_forms() -> None:
    packed = b64encode(TOKEN.encode()).decode().rstrip("=")

    assert [f"::add-mask::{TOKEN}", f"::add-mask::{packed}"] == mask(f"{TOKEN}\n")


def test_each_line_of_a_secret_is_masked_and_short_ones_are_not() -> None:
    lines = mask("100% secret\nab\nsecond line")

    assert "::add-mask::100%25 secret%0Aab%0Asecond line" in lines
    assert {"::add-mask::100%25 secret", "::add-mask::second line"} <= set(lines)
    assert "::add-mask::ab" not in lines
    assert all(1 == len(line.splitlines()) for line in lines)


def test_nothing_is_masked_for_no_secret() -> None:
    assert [] == mask("")
