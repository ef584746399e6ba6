"""Cases in CSV and YAML: what is read, and how every mistake is answered."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.errors import UsageError
from plugineval_action.evals.cases import Case, read_cases

HEADER = "id,should_trigger,prompt\n"


def read(tmp_path: Path, text: str | bytes, name: str = "s.prompts.csv") -> tuple[Case, ...]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_cases(path).cases


def refusal(tmp_path: Path, text: str | bytes, name: str = "s.prompts.csv") -> str:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text, name)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def test_three_columns_are_enough(tmp_path: Path) -> None:
    cases = read(tmp_path, HEADER + "a,true,Make a report\nb,no,Sort it\nc,yes,/report x\n")

    assert [
        ("a", True, "Make a report", "implicit"),
        ("b", False, "Sort it", "negative"),
        ("c", True, "/report x", "explicit"),
    ] == [(one.id, one.should_trigger, one.prompt, one.kind) for one in cases]


@pytest.mark.parametrize(
    ("words", "expected"),
    [("TRUE 1 yes Y on t", [True] * 6), ("False 0 no N off f", [False] * 6)],
)
def test_a_spreadsheet_may_say_true_in_its_own_way(
    words: str, expected: list[bool], tmp_path: Path
) -> None:
    rows = "".join(f"{word},{word},x\n" for word in words.split())

    assert expected == [one.should_trigger for one in read(tmp_path, HEADER + rows)]


def test_all_columns_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "files/app").mkdir(parents=True)
    text = "tags,prompt,kind,setup,should_trigger,id\nsmoke;slow,Do it,Contextual,files/app/,1,a\n"

    assert (
        Case(
            id="a", should_trigger=True, prompt="Do it", kind="contextual", setup="files/app",
            tags=("smoke", "slow"),
        ),
    ) == read(tmp_path, text)  # fmt: skip


def test_quotes_commas_newlines_and_a_byte_order_mark(tmp_path: Path) -> None:
    text = '\ufeffid,should_trigger,prompt\r\na,true,"One, ""two""\r\nthree"\r\n\r\nb,true,x\r\n'

    assert ['One, "two"\r\nthree', "x"] == [one.prompt for one in read(tmp_path, text)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "s.prompts.csv:1: The file is empty. Start it with the line id,should_trigger,prompt"),
        (HEADER, "s.prompts.csv:1: There is no case in it. Add one: id, should_trigger, prompt."),
        ("id;should_trigger;prompt\n", "separated by semicolons. Save it as CSV with commas."),
        ("a\tb\n", "separated by tabs."),
        ("a,true,x\n", "The first line names no column. Start with id,should_trigger,prompt"),
        ("id,prompt\na,b\n", "s.prompts.csv:1: The column should_trigger is missing. Add it."),
        ("id,promt,should_trigger\n", "There is no column 'promt'. Did you mean prompt?"),
        ("id,id,should_trigger,prompt\n", "The column id is there twice. Keep one."),
        (
            HEADER + "a,true,one, two\n",
            "This row has 4 cells, the header 3. Put a prompt that holds commas in quotes.",
        ),
        (HEADER + "a,true\n", "This row has 2 cells, the header 3. Add the missing commas"),
        (
            HEADER + 'a,true,"x\ny"\nb,true,"open\n',
            "s.prompts.csv:4: From here on this is not valid CSV",
        ),
        (HEADER + 'a,true,"x"y\n', "Put the whole cell in quotes"),
        (
            HEADER + "a,maybe,x\n",
            "s.prompts.csv:2: should_trigger is 'maybe', which is neither true nor false.",
        ),
        (HEADER + "a,maybe,x\n", "Write true or false."),
        (HEADER + "a,true,\n", "s.prompts.csv:2: prompt is missing. Add it."),
        (
            HEADER + "../a,true,x\n",
            "s.prompts.csv:2: id is '../a', which is no id. Use letters, digits, - and _, 64",
        ),
        (HEADER + "a,true,'one, two'\n", "header 3. Put the prompt in straight double quotes"),
        (HEADER + "a,true,“one, two”\n", "header 3. Put the prompt in straight double quotes"),
        (HEADER + "# off\n", ":2: This row has 1 cell, the header 3. CSV has no comments"),
        (HEADER + 'a,true,"x\n', ":2: From here on this is not valid CSV: a quote is opened and"),
        (HEADER + "a,true," + "x" * 131_073 + "\n", "a cell is longer than 131,072 characters"),
        (HEADER + "a,true,x\nb,true,\0\n", ":3: There is a zero byte here. Save the file as UTF-8"),
        ("id,should_trigger\n".encode("utf-16-le"), ":1: There is a zero byte here."),
        (
            HEADER + 'a,true,"x\n\ny"\nA,true,x\n',
            "s.prompts.csv:5: The id 'A' stands on line 2 already. Give every case its own id.",
        ),
        (
            "id,should_trigger,prompt,kind\na,true,x,negative\n",
            ":2: Kind negative and should_trigger true contradict each other.",
        ),
        ("id,should_trigger,prompt,kind\na,true,x,wild\n", "kind is 'wild', which is not known."),
        ("id,should_trigger,prompt,kind\na,true,x,implict\n", "Did you mean implicit? Known are"),
        (
            "id,should_trigger,prompt,setup\na,true,x,../../etc\n",
            "setup: '../../etc' leads out of the folder of the cases. Name a folder beside",
        ),
        (
            "id,should_trigger,prompt,setup\na,true,x,\nb,true,x,gone\n",
            "s.prompts.csv:3: There is no folder 'gone' beside this file. Make it, or correct",
        ),
        (
            f"id,should_trigger,prompt,setup\na,true,x,{'d' * 300}\n",
            "s.prompts.csv:2: There is no folder 'ddd",
        ),
        (b"\xff\xfei\0d\0", "s.prompts.csv:1: The file is UTF-16. Save it as UTF-8."),
        (HEADER.encode() + b"a,true,caf\xe9\n", "s.prompts.csv:2: This line is not UTF-8."),
        (HEADER + "a,true," + "x" * 20_001 + "\n", "which should have at most 20000 characters"),
    ],
)
def test_every_mistake_is_answered_with_line_reason_and_remedy(
    text: str | bytes, told: str, tmp_path: Path
) -> None:
    assert told in refusal(tmp_path, text)


def test_all_mistakes_are_told_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    told = refusal(tmp_path, HEADER + "a,x,b\n-,true,c\na,true,d\n").splitlines()

    assert [2, 3, 4] == [int(line.split(":")[1]) for line in told]


def test_yaml_holds_a_list_of_the_same(tmp_path: Path) -> None:
    text = "- id: a\n  should_trigger: true\n  prompt: |\n    One\n    two\n  tags: [x]\n"
    under = "cases:\n" + text

    expected = (
        Case(id="a", should_trigger=True, prompt="One\ntwo\n", kind="implicit", tags=("x",)),
    )
    assert expected == read(tmp_path, text, "s.prompts.yaml")
    assert expected == read(tmp_path, under, "s.prompts.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- id: a\n  prompt: x: y\n", "s.yaml:2: This is not valid YAML"),
        ("x: 1\n", "s.yaml:1: This is no list of cases."),
        ("- a\n", "s.yaml:1: This is 'a', which has no keys of its own."),
        ("- id: 12\n  should_trigger: true\n  prompt: x\n", "s.yaml:1: id is 12"),
        ("- id: 12\n  should_trigger: true\n  prompt: x\n", "Put it in quotes if it is meant as"),
        ("- id: a\n  id: b\n", "s.yaml:2: 'id' is given twice. Keep one."),
        ("- id: a\n  should_triger: true\n  prompt: x\n", "s.yaml:2: There is no key"),
        ("- id: a\n  should_triger: true\n  prompt: x\n", "Did you mean should_trigger?"),
        ("- id: a\n  should_trigger: true\n  prompt: x\n  tags: x\n", "s.yaml:4: tags is 'x'"),
        ("- ? [a]\n  : b\n", "A key has to be a word."),
        ("- &a [x]\n- *a\n" + "- *a\n" * 30_000, "The file says too much."),
        ("[" * 500_000, "This is not valid YAML"),
        ("[" * 900 + "]" * 900, "The file says too much."),
        ("", "There is no case in it."),
        ("- id: a\n\tx: b\n", ":2: This is not valid YAML: found a tab character that violates"),
        ("- id: a\n  b: c: d\n", ":2: This is not valid YAML: mapping values are not allowed"),
        ("- id: a\n  b: c: d\n", "in this context. Put text that holds a colon in quotes."),
        ("- id: a\n x: b\n", ":2: This is not valid YAML"),
        ("- id: a\n x: b\n", "Indent all keys of an entry alike, under the first one."),
        ('- id: "a\n- id: b\n', ":1: This is not valid YAML: found unexpected end of stream."),
        ('- id: "a\\d"\n', "Write it in single quotes, in which a backslash is a backslash."),
        ("- a\n---\n- b\n", ":2: This is not valid YAML: but found another document."),
        ('- id: a\n  prompt: "\\0"\n', ":2: There is a zero byte here. Remove it."),
        ("- id: a\n  should_trigger: 'true'\n", ":2: should_trigger is 'true', which is neither"),
        ("- id: a\n  should_trigger: 'true'\n", "Write it without quotes."),
        ("- id: a\n  should_trigger: 1\n", ":2: should_trigger is 1, which is neither true nor"),
        ("- {id: [a], should_trigger: true, prompt: x}\n", ":1: id is ['a'], which is no text."),
        ('- id: !!int ""\n', ":1: id is '', which is no id."),
        ("- id:\n  should_trigger: no\n", ":1: id is empty. Write a value behind the colon"),
    ],
)
def test_every_mistake_in_yaml_has_its_line(text: str, told: str, tmp_path: Path) -> None:
    assert told in refusal(tmp_path, text, "s.yaml")


def test_other_files_links_folders_and_large_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to("/etc/passwd")
    (tmp_path / "folder.csv").mkdir()

    assert "is neither CSV nor YAML" in refusal(tmp_path, "x", "s.txt")
    assert "is larger than 1 MiB. Split it." in refusal(tmp_path, "x" * (1 << 20) + "y")
    for name in ("link.csv", "folder.csv"):
        with pytest.raises(UsageError, match="plain file"):
            read_cases(tmp_path / name)


@given(st.text(max_size=200), st.sampled_from(["s.csv", "s.yaml"]))
def test_any_text_is_read_or_refused(text: str, name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(HEADER + text, encoding="utf-8", errors="replace", newline="")
        with suppress(UsageError):
            assert read_cases(path).cases
