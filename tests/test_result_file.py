"""result.json: what it holds, and that of an artifact nothing but the commit is taken."""

from __future__ import annotations

import json
import re
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.action.gate import Gate
from plugineval_action.action.result_file import NAME, render, write_result
from plugineval_action.action.result_reading import (
    MAX_BYTES,
    read_artifact,
    read_result,
)
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.findings.catalogue import RULES
from plugineval_action.results import Failure, Finding
from plugineval_action.review_values import Change, Review
from sample_reviews import (
    ATTACKS,
    BASE,
    HEAD,
    RULESET,
    empty_review,
    hostile_review,
    huge_review,
    many_review,
    one_review,
    plugin,
    review,
    skill,
)

SCHEMA = Path(__file__).parent.parent / "docs" / "schema" / "result.schema.json"
PASSED = Gate(passed=True)
FAILED = Gate(passed=False, reasons=("a scores 61.0.", *ATTACKS))

Json = dict[str, Any]


def document(shown: Review, gate: Gate = PASSED) -> Json:
    loaded: Json = json.loads(render(shown, gate))
    return loaded


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return held.getvalue()


def with_mode(mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(NAME)
    entry.external_attr = mode << 16
    return entry


def refusal(read: Callable[[bytes], object], data: bytes) -> ContentError:
    with pytest.raises(ContentError) as caught:
        read(data)

    assert caught.value.remedy
    assert caught.value.message.endswith("It is not used.")
    return caught.value


def hostile_commits() -> Review:
    """Every attack but for those in commits and ruleset, which the action itself fills in."""
    return hostile_review()._replace(base=BASE, head=HEAD, ruleset=RULESET)


def uncompared() -> Review:
    """Where everything was scored, as on a schedule."""
    return many_review()._replace(base="")


def hiding() -> Review:
    """Where something lies beside what is scored."""
    rule = RULES["SYMLINK_REFUSED"]
    note = Finding(rule.id, rule.level, "A link.", rule.remedy, "skills/a/SKILL.md")
    return many_review()._replace(findings=(note,))


def plugins_only() -> Review:
    """Where a plugin leads, a comment speaks of what is inside it."""
    before, after = plugin("p", skill("x")), plugin("p", skill("x", "MISSING_TRIGGER", trigger=0))
    return review(Change("affected", before, after))


GOOD = document(many_review())


def test_what_our_catalogue_says_is_never_taken_from_the_file() -> None:
    text = render(many_review(), PASSED)

    assert not [rule.remedy for rule in RULES.values() if rule.remedy in text]
    assert "weight" not in text
    assert "severity" not in text


def test_result_is_written_where_later_steps_find_it(tmp_path: Path) -> None:
    path = write_result(tmp_path, render(one_review(), PASSED))

    assert tmp_path / "plugin-eval" / "result.json" == path
    assert HEAD == read_result(path.read_bytes())


def test_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "plugin-eval").write_text("in the way")
    with pytest.raises(UsageError, match=r"result\.json cannot be written"):
        write_result(tmp_path, "{}")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"{",
        b"NaN",
        b"\xff\xfe",
        b"[" * 1_000_000,
        b'{"a":' * 400_000,
        b'{"format":"plugineval-result/1","unchanged":' + b"9" * 1_000_000 + b"}",
        b'{"format":"\\ud800"}',
        b'"' + b"x" * (MAX_BYTES - 10) + b'"',
        b" " * (MAX_BYTES + 1),
    ],
)
def test_what_is_no_result_is_refused(data: bytes) -> None:
    message = refusal(read_result, data).message

    assert len(message) < 400
    assert message.isprintable()


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from([*GOOD, "plugineval-result/1", HEAD]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=20,
)


@given(json_values)
def test_any_json_is_read_or_refused(value: Any) -> None:  # noqa: ANN401 - any JSON
    refusal(read_result, json.dumps(value).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    refusal(read_result, data)
    refusal(read_artifact, data)


def test_artifact_with_the_result_alone_is_read() -> None:
    data = render(many_review(), FAILED).encode()

    assert read_result(data) == read_artifact(zipped((NAME, data)))


@pytest.mark.parametrize(
    "entry", [zipfile.ZipInfo(NAME), with_mode(stat.S_IFREG | 0o644), with_mode(0o644)]
)
def test_plain_file_is_read_whatever_packed_it(entry: zipfile.ZipInfo) -> None:
    data = render(one_review(), PASSED).encode()

    assert read_result(data) == read_artifact(zipped((entry, data)))


@pytest.mark.parametrize(
    "files",
    [
        (),
        (("other.json", b"{}"),),
        (("plugin-eval/result.json", b"{}"),),
        (("../result.json", b"{}"),),
        (("/result.json", b"{}"),),
        (("result.json/", b""),),
        (("Result.json", b"{}"),),
        (("result.json", b"{}"), ("more.txt", b"")),
        ((with_mode(stat.S_IFLNK | 0o777), b"/proc/self/environ"),),
        ((with_mode(stat.S_IFDIR | 0o755), b""),),
        ((with_mode(stat.S_IFIFO | 0o644), b""),),
        ((with_mode(stat.S_IFCHR | 0o644), b""),),
    ],
)
def test_artifact_with_anything_else_in_it_is_refused(
    files: tuple[tuple[str | zipfile.ZipInfo, bytes], ...],
) -> None:
    refusal(read_artifact, zipped(*files))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_same_name_twice_is_refused() -> None:
    refusal(read_artifact, zipped((NAME, b"{}"), (NAME, b"{}")))


def test_bomb_is_refused_without_being_unpacked() -> None:
    bomb = zipped((NAME, b"0" * 40_000_000))
    tracemalloc.start()
    message = refusal(read_artifact, bomb).message
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(bomb) < MAX_BYTES
    assert f"over {MAX_BYTES:,} bytes" in message
    assert most < MAX_BYTES


def test_bomb_that_lies_about_its_size_is_refused() -> None:
    data = b"0" * (MAX_BYTES + 10)
    honest = zipped((NAME, data))
    lying = honest.replace(struct.pack("<I", len(data)), struct.pack("<I", 10))

    assert honest != lying
    refusal(read_artifact, lying)


def test_artifact_over_the_cap_is_refused() -> None:
    refusal(read_artifact, zipped((NAME, b"{}")) + b"\0" * MAX_BYTES)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_refused(method: int) -> None:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        archive.writestr(NAME, render(one_review(), PASSED))
    refusal(read_artifact, held.getvalue())


def test_encrypted_file_is_refused() -> None:
    data = zipped((NAME, b"{}"))
    flagged = data.replace(b"PK\x03\x04\x14\0\0\0", b"PK\x03\x04\x14\0\1\0").replace(
        b"PK\x01\x02\x14\x03\x14\0\0\0", b"PK\x01\x02\x14\x03\x14\0\1\0"
    )

    assert data != flagged
    refusal(read_artifact, flagged)


@given(st.data())
def test_damaged_artifact_is_read_or_refused(data: st.DataObject) -> None:
    packed = bytearray(zipped((NAME, render(one_review(), PASSED).encode())))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(
            st.integers(0, len(packed) - 1) | st.integers(len(packed) - 120, len(packed) - 1)
        )
        packed[at] = data.draw(st.integers(0, 255))
    try:
        stored = read_artifact(bytes(packed))
    except ContentError:
        return

    assert stored == HEAD


def test_the_schema_knows_every_rule() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    assert sorted(RULES) == schema["$defs"]["FindingData"]["properties"]["rule"]["enum"]


@pytest.mark.parametrize(
    "shown",
    [empty_review(), many_review(), plugins_only(), hostile_commits(), uncompared(), hiding()],
)
@pytest.mark.parametrize("gate", [PASSED, FAILED])
def test_file_holds_to_its_schema(shown: Review, gate: Gate) -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    validator.validate(document(shown, gate))


def test_what_was_compared_with_nothing_has_no_base() -> None:
    assert document(uncompared())["base"] is None


@given(text=st.text(max_size=700))
def test_any_text_is_written_within_its_limit_and_steers_nothing(text: str) -> None:
    shown = review(failures=(Failure(text, text, text),))
    (told,) = document(shown)["failures"]

    assert len(told["message"]) <= 500
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", told["message"])


@pytest.mark.parametrize(
    "edit",
    [
        {"format": "plugineval-result/2"},
        {"head": HEAD[:10]},
        {"head": f"{HEAD}\n"},
        {"head": None},
        {"head": "main"},
    ],
)
def test_file_without_format_and_commit_is_refused(edit: Json) -> None:
    refusal(read_result, json.dumps(GOOD | edit).encode())


def test_of_a_forged_file_nothing_but_the_commit_is_taken() -> None:
    forged = GOOD | {"gate": {"passed": True, "reasons": ["x"]}, "changes": "none"}

    assert HEAD == read_result(json.dumps(forged).encode())


def test_two_thousand_changed_skills_are_not_too_many() -> None:
    assert HEAD == read_result(render(huge_review(2_000), PASSED).encode())
