"""Front matter: where it ends, what its fields say, and that no text breaks the reader."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile_front_matters
from plugineval_action.content.frontmatter import (
    MAX_CHARACTERS,
    FrontMatter,
    is_false,
    read_fields,
    split_lines,
    split_reference,
)

YAML_SIGNS = st.text(st.sampled_from("ab:-?#&*!|>'\"%@`[]{},~=<0123.\t \n\x85\u2028é🦊"))


@pytest.mark.parametrize(
    ("text", "source", "body", "body_line"),
    [
        ("---\na: 1\n---\nbody\n", "a: 1\n", "body\n", 4),
        ("---\n---\nbody", "", "body", 3),
        ("---\na: 1\n---", "a: 1\n", "", 4),
        ("--- \t\na: 1\n---  \nbody", "a: 1\n", "body", 4),
        ("---\na: 1\n----\n---x\n ---\n---\nbody", "a: 1\n----\n---x\n ---\n", "body", 7),
        ("---\na: 1\n---\nb\n---\nc", "a: 1\n", "b\n---\nc", 4),
        ("---\na: 1", "", "---\na: 1", 1),
        ("---", "", "---", 1),
        ("", "", "", 1),
        (" ---\na: 1\n---\n", "", " ---\na: 1\n---\n", 1),
        ("----\na: 1\n----\n", "", "----\na: 1\n----\n", 1),
    ],
)
def test_lines_of_three_hyphens_enclose_front_matter(
    text: str, source: str, body: str, body_line: int
) -> None:
    front = split_lines(text)

    assert (source, body, body_line) == (front.source, front.body, front.body_line)


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("text", "FRONTMATTER_MISSING", 1),
        ("---\na: 1\n", "FRONTMATTER_UNCLOSED", 1),
        ("\n\n---\na: 1\n---\n", "FRONTMATTER_NOT_FIRST", 3),
        ("# Title\n\n---\nname: x\ndescription: >\n  y\n---\n", "FRONTMATTER_NOT_FIRST", 3),
        ("text\n\n---\n\ntext\n\n---\n", "FRONTMATTER_MISSING", 1),
    ],
)
def test_absent_front_matter_has_a_reason(text: str, rule: str, line: int) -> None:
    front = split_lines(text)

    assert [(rule, line)] == [(problem.rule, problem.line) for problem in front.problems]
    assert front.fields == {}
    assert front.body == text


@pytest.mark.parametrize(
    ("yaml_value", "value", "text"),
    [
        ("plain text", "plain text", "plain text"),
        ("'quoted: text'", "quoted: text", "quoted: text"),
        ('"a\\tb"', "a\tb", "a\tb"),
        (">\n  two\n  lines\n", "two lines\n", "two lines\n"),
        ("|\n  two\n  lines\n", "two\nlines\n", "two\nlines\n"),
        ("yes", True, "yes"),
        ("No", False, "No"),
        ("on", True, "on"),
        ("", None, ""),
        ("~", None, ""),
        ("null", None, ""),
        ("''", "", ""),
        ("1_000", 1000, "1_000"),
        ("0o17", "0o17", "0o17"),
        ("017", 15, "017"),
        ("1:30", 90, "1:30"),
        ("1.50", 1.5, "1.50"),
        ("2024-01-02", dt.date(2024, 1, 2), "2024-01-02"),
        ("2024-13-45", "2024-13-45", "2024-13-45"),
        ("[one, 2, yes, ~]", ["one", 2, True, None], "one, 2, yes, "),
        ("[]", [], ""),
        ("[a, [b], {c: d}]", ["a", ["b"], {"c": "d"}], "a"),
        ("{a: b}", {"a": "b"}, ""),
        ("9" * 5000, "9" * 5000, "9" * 5000),
        ("!!int x", "x", "x"),
        ("!!bool x", "x", "x"),
        ("!!timestamp x", "x", "x"),
        ("!!float ''", "", ""),
    ],
)
def test_a_value_is_kept_with_its_source_text(yaml_value: str, value: object, text: str) -> None:
    fields, problems = read_fields(f"x: 1\nname: {yaml_value}", first_line=2)

    assert (value, text, 3) == fields["name"]
    assert problems == ()


@pytest.mark.parametrize(
    ("source", "rule", "where"),
    [
        ("name: a: b", "INVALID_YAML", "line 2, column 8"),
        ("name: x\n\tdescription: y", "INVALID_YAML", "line 3, column 1"),
        ("name: x\ndescription: 'y", "INVALID_YAML", "line 3, column 16"),
        ("name: x\né: @y", "INVALID_YAML", "line 3, column 4"),
        ("name: x\n\nd: é\0", "INVALID_YAML", "line 4, column 5"),
        ("name: x\nd: a\x07b", "INVALID_YAML", "line 3, column 5"),
        ("name: *gone", "INVALID_YAML", "line 2, column 7"),
        ("name: !unknown x", "INVALID_YAML", "line 2, column 7"),
        ("name: !!python/object/apply:os.getcwd []", "INVALID_YAML", "line 2, column 7"),
        ("a: x\n--- \nb: y", "INVALID_YAML", "line 3, column 1"),
        ("? [a, b]\n: c", "INVALID_YAML", "line 2, column 3"),
        ("name: &a [*a]", "INVALID_YAML", "line 2, column 7"),
        ("<<: text", "INVALID_YAML", "line 2, column 5"),
        ("a: \x85\n\u2028\nname: a: b", "INVALID_YAML", "line 4, column 8"),
    ],
)
def test_yaml_that_does_not_parse_says_where(source: str, rule: str, where: str) -> None:
    fields, (problem,) = read_fields(source, first_line=2)

    assert fields == {}
    assert rule == problem.rule
    assert f"({where}): " in problem.message
    assert not problem.message.endswith(": .")
    assert where.startswith(f"line {problem.line},")


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (
            "name: a: b",
            "a value without quotes holds a colon and a blank, as if a field began there",
        ),
        ("name: @a", "without quotes, or a line, starts with a tab, @, % or a backtick"),
        ("name: *a", "a value that starts with * needs quotes"),
        ("name: !a b", "a value that starts with ! needs quotes"),
        (
            "name: 'a' b",
            "text follows a closed quote or bracket, or a line is indented unlike the others",
        ),
        ("name: a\nplain", "a line has no colon, so that it is no field"),
        ("name: [a, b", "a bracket is opened and never closed"),
        ("name: 'a", "a quote is opened and never closed"),
        ("name: a\n\tb: c", "a line is indented with a tab, where YAML wants blanks"),
        ('name: "C:\\Users"', "a backslash in double quotes has to be doubled"),
        ("name: > a", "text stands behind > or |, and belongs on the lines below"),
        ("metadata:\n\ta: b", "without quotes, or a line, starts with a tab, @, % or a backtick"),
        ("name: a\0", "control characters are not allowed"),
        ("".join(" " * depth + "a:\n" for depth in range(400)), "it is nested too deeply"),
    ],
)
def test_yaml_that_does_not_parse_says_what_is_wrong(source: str, what: str) -> None:
    _, (problem,) = read_fields(source, first_line=2)

    assert problem.message.endswith(f"{what}.")


@pytest.mark.parametrize("source", ["- a\n- b", "text", "7", "[a]", "null # no fields: at all"])
def test_what_is_no_mapping_has_no_fields(source: str) -> None:
    fields, problems = read_fields(source, first_line=2)

    assert fields == {}
    assert [problem.rule for problem in problems] == ["FRONTMATTER_NOT_MAPPING"]


@pytest.mark.parametrize("source", ["", "\n", "# only a comment\n", "{}"])
def test_no_fields_are_no_problem(source: str) -> None:
    assert read_fields(source, first_line=2) == ({}, ())


def test_of_a_field_given_twice_the_last_one_counts_and_the_second_is_told() -> None:
    fields, problems = read_fields("name: a\nx: 1\nname: b\nname: c\n", first_line=2)

    assert fields["name"] == ("c", "c", 5)
    assert [(problem.rule, problem.line) for problem in problems] == [("DUPLICATE_KEY", 4)]
    assert "'name'" in problems[0].message


def test_merged_fields_count_and_give_way_without_being_duplicates() -> None:
    source = "base: &base {name: a, license: MIT}\n<<: *base\nname: b\n"
    fields, problems = read_fields(source, first_line=2)

    assert {name: field.text for name, field in fields.items()} == {
        "base": "",
        "license": "MIT",
        "name": "b",
    }
    assert fields["name"].line == 4
    assert problems == ()


def test_keys_that_are_no_text_are_left_out() -> None:
    fields, problems = read_fields("1: a\nyes: b\n2024-01-02: c\n~: d\nname: e\n=: f\n", 2)

    assert list(fields) == ["name", "="]
    assert problems == ()


def test_only_line_feeds_count_as_lines() -> None:
    fields, _ = read_fields('a: "x\x85\u2028\u2029y"\nname: b\n', first_line=2)

    assert fields["name"].line == 3


def test_front_matter_of_a_hundred_thousand_characters_is_not_read() -> None:
    start = "name: s\nother: "
    fits = start + "x" * (MAX_CHARACTERS - len(start))

    assert read_fields(fits, 2)[0]["name"].text == "s"
    fields, (problem,) = read_fields(fits + "x", 2)
    assert (fields, problem.rule) == ({}, "INVALID_YAML")
    assert "100,000" in problem.message


def _anchored_mappings() -> str:
    keys = ", ".join(f"{number:x}: 1" for number in range(5000))
    return f"a: &a {{{keys}}}\n" + "".join(f"b{n}: {{<<: *a}}\n" for n in range(3000))


def _chain_of_merges() -> str:
    links = "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 40))
    return f"a0: &a0 {{x: 1}}\n{links}<<: *a39\n"


@pytest.mark.parametrize(
    "source",
    [
        *hostile_front_matters(90_000).values(),
        _anchored_mappings(),
        _chain_of_merges(),
        "a: " + "[" * 90_000,
        "- " * 45_000,
        "? " * 45_000,
        "a: " + "{a: " * 20_000,
        "name: 1" + ":1" * 45_000,
        "name: 1" + ":1" * 45_000 + ".5",
        "name: 0x" + "f" * 90_000,
        "name: &a [" + "[*a], " * 10_000 + "]",
        "a: &a [x, x]\nb: [" + "*a, " * 20_000 + "]\ndescription: *a",
    ],
    ids=lambda source: source[:30],
)
@pytest.mark.parametrize("split", [split_lines, split_reference])
@pytest.mark.parametrize("size", [5_000, 90_000])
def test_hostile_front_matter_is_read_or_refused_quickly(
    source: str, size: int, split: Callable[[str], FrontMatter]
) -> None:
    begun = time.process_time()
    front = split(f"---\n{source[:size]}\n#\t\n---\n")

    assert time.process_time() - begun < 2
    assert front.fields or front.problems
    assert all(len(field.text) <= 2 * MAX_CHARACTERS for field in front.fields.values())


@given(st.one_of(st.text(), YAML_SIGNS), st.booleans())
def test_no_text_breaks_the_reader_and_lines_stay_inside(text: str, pure: bool) -> None:
    fields, problems = read_fields(text, first_line=2, pure=pure)
    last = 2 + text.count("\n")

    assert all(2 <= field.line <= last for field in fields.values())
    assert all(2 <= problem.line <= last for problem in problems)


@given(YAML_SIGNS)
def test_values_are_those_of_the_safe_loader(text: str) -> None:
    """The reference reads with PyYAML's own parser."""
    fields, _ = read_fields(text, first_line=2, pure=True)
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError:
        loaded = {}
    except (ValueError, TypeError, KeyError, AttributeError, LookupError):
        return
    expected = loaded if isinstance(loaded, dict) else {}

    assert {key: value for key, value in expected.items() if isinstance(key, str)} == {
        name: field.value for name, field in fields.items()
    }


@given(st.lists(st.sampled_from(["---", "---\n", "a: b\n", "\n", "text", " ", "----\n"])))
@pytest.mark.parametrize("split", [split_lines, split_reference])
def test_the_parts_put_together_are_the_text(
    split: Callable[[str], FrontMatter], pieces: list[str]
) -> None:
    text = "".join(pieces)
    front = split(text)
    head = text[: len(text) - len(front.body)]

    assert text.endswith(front.body)
    assert front.source in head
    assert set(head.replace(front.source, "", 1)) <= set("- \t\n")
    assert front.body_line == 1 + head.count("\n") + (bool(head) and not head.endswith(("\n", "-")))


@pytest.mark.parametrize(
    ("source", "false"),
    [
        ("name: x", False),
        ("other: x", False),
        ("name: 1", False),
        ("name: 'no'", False),
        ("name:", True),
        ("name: ''", True),
        ("name: no", True),
        ("name: 0", True),
        ("name: 0.0", True),
        ("name: []", True),
        ("name: {}", True),
    ],
)
def test_empty_and_false_values_are_told_from_absent_ones(source: str, false: bool) -> None:
    fields, _ = read_fields(source, first_line=2)

    assert false == is_false(fields.get("name"))


@pytest.mark.parametrize("tag", ["bool", "int", "float", "timestamp"])
@pytest.mark.parametrize("value", ["x", "''", "'1:1:1'"])
def test_a_mapping_that_claims_to_be_a_scalar_is_invalid_and_nothing_more(
    tag: str, value: str
) -> None:
    fields, problems = read_fields(f"name: a\nd: !!{tag} {{=: {value}}}\n", first_line=2)

    assert {} == fields
    assert ["INVALID_YAML"] == [problem.rule for problem in problems]


@pytest.mark.parametrize(
    "mark",
    ["<!-- usage:start -->", "\n<!-- docs.usage begin -->", "<!-- usage-start -->"],
)
def test_a_passage_that_a_generator_puts_elsewhere_needs_no_front_matter(mark: str) -> None:
    assert () == split_lines(f"{mark}\nText.\n").problems


@pytest.mark.parametrize("mark", ["<!-- usage -->", "<!-- start here, please -->", "Start:"])
def test_another_comment_at_the_top_marks_no_passage(mark: str) -> None:
    (problem,) = split_lines(f"{mark}\nText.\n").problems

    assert "FRONTMATTER_MISSING" == problem.rule


def test_front_matter_in_a_code_block_is_an_example_and_not_the_skills_own() -> None:
    (problem,) = split_lines("# Title\n\n```yaml\n---\nname: x\n---\n```\n").problems

    assert "FRONTMATTER_MISSING" == problem.rule
