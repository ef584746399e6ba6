"""Manifests are files by strangers: nothing in them raises, and each defect has its line."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_tree import DIRECTORY, SYMLINK, MemoryTree
from plugineval_action.content.manifest import Fields, Manifest, read_manifest, shown
from plugineval_action.content.tree import MAX_BYTES

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def read(content: str | bytes | None) -> Manifest:
    return read_manifest(MemoryTree({"plugin.json": content}), "plugin.json")


def rules(manifest: Manifest) -> list[tuple[str, int]]:
    return [(note.rule, note.line) for note in manifest.findings]


@given(st.binary())
def test_arbitrary_bytes_never_raise(content: bytes) -> None:
    manifest = read(content)

    assert manifest.fields == {} or isinstance(manifest.fields, dict)
    assert manifest.fields or manifest.findings or json.loads(content) == {}


@given(anything)
def test_arbitrary_json_never_raises(value: object) -> None:
    fields = Fields(manifest := read(json.dumps(value, indent=1)), manifest.fields)
    for key in list(manifest.fields):
        fields.text(key)
        fields.flag(key, default=True)
        fields.paths(key)
        fields.objects(key, 2)

    lines = 1 + json.dumps(value, indent=1).count("\n")
    assert all(1 <= note.line <= lines for note in fields.findings)


@given(st.dictionaries(st.text(), st.none() | st.text() | st.lists(st.text()), min_size=1))
def test_each_key_and_item_has_the_line_it_stands_on(value: dict[str, object]) -> None:
    text = json.dumps(value, indent=0)
    manifest = read(text)

    for key, content in value.items():
        line = manifest.line(key)
        assert text.splitlines()[line - 1].startswith(json.dumps(key) + ":")
        for position, item in enumerate(content if isinstance(content, list) else []):
            place = manifest.line(key, position)
            assert text.splitlines()[place - 1].rstrip(",") == json.dumps(item)


def test_an_absent_manifest_is_empty_and_no_defect() -> None:
    manifest = read_manifest(MemoryTree({}), "plugin.json")

    assert {} == manifest.fields
    assert () == manifest.findings


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", [("INVALID_JSON", 1)]),
        ('{\n"name": \n}', [("INVALID_JSON", 3)]),
        ('{"a": "NaN",\n"b": NaN}', [("INVALID_JSON", 2)]),
        ('{"a": -Infinity}', [("INVALID_JSON", 1)]),
        ("[" * 100_000, [("INVALID_JSON", 1)]),
        ('{"a":' * 100_000, [("INVALID_JSON", 1)]),
        ("x" * (MAX_BYTES + 1), [("INVALID_JSON", 1)]),
        ("[]", [("WRONG_TYPE", 1)]),
        ("null", [("WRONG_TYPE", 1)]),
        (SYMLINK, [("SYMLINK_REFUSED", 1)]),
        (DIRECTORY, [("EXPECTED_FILE", 1)]),
    ],
)
def test_what_is_no_json_object_has_no_fields(
    content: str | None, expected: list[tuple[str, int]]
) -> None:
    manifest = read(content)

    assert expected == rules(manifest)
    assert {} == manifest.fields


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('\ufeff{"name": "x"}', [("BYTE_ORDER_MARK", 1)]),
        (b'{"name": "x", "author": "\xe9"}', [("UNDECODABLE_BYTES", 1)]),
        ('{"name": "y",\n "name": "x"}', [("DUPLICATE_KEY", 2)]),
        (f'{{"name": "x", "version": {"9" * 5000}}}', []),
        ('{"name": "x", "version": 1e999}', []),
        ('{"name": "x", "deep": ' + "[" * 200 + "]" * 200 + "}", []),
    ],
)
def test_a_readable_manifest_keeps_its_fields(
    content: str | bytes, expected: list[tuple[str, int]]
) -> None:
    manifest = read(content)

    assert expected == rules(manifest)
    assert "x" == manifest.fields["name"]


def test_fields_of_the_wrong_type_are_ignored_and_told_with_their_line() -> None:
    manifest = read('{"name": 5,\n"strict": "no",\n"skills": {},\n"agents": ["a",\n null]}')
    fields = Fields(manifest, manifest.fields)

    assert "" == fields.text("name")
    assert fields.flag("strict", default=True)
    assert fields.paths("skills") is None
    assert (("a", 4),) == fields.paths("agents")
    assert [
        (1, "name is a number, not text."),
        (2, "strict is text, not true or false."),
        (3, "skills is an object, not a path or a list of paths."),
        (5, "agents[1] is missing or null, not a path."),
    ] == [(note.line, note.message) for note in fields.findings]


def test_a_field_lists_a_thousand_paths_at_most() -> None:
    manifest = read(json.dumps({"skills": ["./a"] * 1001}))
    fields = Fields(manifest, manifest.fields)

    assert 1000 == len(fields.paths("skills") or ())
    assert ["Only the first 1,000 paths of skills are read."] == [
        note.message for note in fields.findings
    ]


def test_lone_surrogates_never_leave_a_manifest() -> None:
    manifest = read(r'{"name": "a\ud800b"}')

    assert "a?b" == Fields(manifest, manifest.fields).text("name")


def test_shown_text_is_printable_and_short() -> None:
    assert "a�b�" == shown("a\x1bb\u202e")
    assert "x" * 79 + "…" == shown("x" * 100_000)


@pytest.mark.parametrize("piece", ['"a":1,', '"a":{"b":[1]},', '"a\\"":[],', '\n"":"",'])
def test_a_large_hostile_manifest_is_read_in_a_few_seconds(piece: str) -> None:
    content = "{" + piece * (1_000_000 // len(piece)) + '"z":1}'
    start = time.process_time()
    manifest = read(content)

    assert manifest.fields["z"] == 1
    assert time.process_time() - start < 5
