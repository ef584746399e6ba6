"""result.json: it survives the round trip, and whatever else somebody puts there is refused."""

from __future__ import annotations

import json
import os
import stat
import struct
import time
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action import PROJECT_URL
from plugineval_action.action.gate import Gate
from plugineval_action.action.result_file import NAME, render, write_result
from plugineval_action.action.result_model import MOST_CHANGES, Document
from plugineval_action.action.result_reading import (
    MAX_BYTES,
    Stored,
    read_artifact,
    read_result,
)
from plugineval_action.action.sticky_comment import news
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.render.links import NO_LINKS, Links
from plugineval_action.render.review.annotations import choose
from plugineval_action.results import Change, Failure, Finding, Result, Review
from plugineval_action.rules import RULES
from sample_reviews import (
    ATTACKS,
    BASE,
    HEAD,
    RULESET,
    agent,
    empty_review,
    hostile_review,
    hostile_skill,
    huge_review,
    many_review,
    one_review,
    plugin,
    review,
    skill,
)

SCHEMA = Path(__file__).parent.parent / "docs" / "schema" / "result.schema.json"
LINKS = Links(f"https://github.example/sample-owner/sample-repo/blob/{HEAD}/")
PASSED = Gate(passed=True)
FAILED = Gate(passed=False, reasons=("a scores 61.0.", *ATTACKS))
SECONDS = 15
"""Far more than reading and showing the largest file takes."""

Json = dict[str, Any]


def document(shown: Review, gate: Gate = PASSED) -> Json:
    loaded: Json = json.loads(render(shown, gate))
    return loaded


def reread(shown: Review, gate: Gate = PASSED) -> Stored:
    return read_result(render(shown, gate).encode())


def body(shown: Review, gate: Gate = PASSED, links: Links = LINKS) -> str | None:
    return news(shown, gate, links).body


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


def plugins_only() -> Review:
    """Where a plugin leads, a comment speaks of what is inside it."""
    before, after = plugin("p", skill("x")), plugin("p", skill("x", "MISSING_TRIGGER", trigger=0))
    return review(Change("affected", before, after))


GOOD = document(many_review())


@pytest.mark.parametrize(
    "shown",
    [empty_review(), one_review(), many_review(), plugins_only(), huge_review(300)],
)
@pytest.mark.parametrize("gate", [PASSED, Gate(passed=False, reasons=("a scores 61.0.",))])
def test_round_trip_renders_the_same_comment(shown: Review, gate: Gate) -> None:
    stored = reread(shown, gate)

    assert gate == stored.gate
    assert body(shown, gate) == body(stored.review, stored.gate)
    assert choose(shown, None).remarks == choose(stored.review, None).remarks


def lines(shown: Review, gate: Gate = PASSED) -> list[str]:
    """What the comment shows, in any order."""
    return sorted((body(shown, gate, NO_LINKS) or "").splitlines())


@pytest.mark.parametrize("attack", ATTACKS)
def test_round_trip_of_hostile_text_shows_the_same_text_but_our_remedies(attack: str) -> None:
    after = hostile_skill(attack, 1, path=attack)
    shown = with_our_remedies(
        review(
            Change("changed", skill("calm"), after),
            Change("new", None, plugin(attack, path=attack)._replace(unscored=attack)),
            Change("removed", after, None),
            failures=(Failure(attack, attack, attack),),
        )
    )

    assert lines(shown) == lines(reread(shown).review)


def with_our_remedies(shown: Review) -> Review:
    return shown._replace(
        changes=tuple(
            Change(each.status, *(side and _with_our_remedies(side) for side in each[1:]))
            for each in shown.changes
        )
    )


def _with_our_remedies(result: Result) -> Result:
    layers = tuple(
        layer._replace(
            anti_patterns=tuple(
                flag._replace(remedy=RULES[flag.flag].remedy) for flag in layer.anti_patterns
            )
        )
        for layer in result.layers
    )
    return result._replace(layers=layers)


def test_path_with_characters_that_steer_keeps_its_text() -> None:
    shown = review(Change("new", None, skill("a", path="a\nb")))

    assert "a b" == reread(shown).review.changes[0].after.path  # type: ignore[union-attr]


@pytest.mark.parametrize("length", [499, 500, 501, 999, 1000, 1001, 5000])
def test_long_texts_are_cut_where_nobody_sees_it(length: int) -> None:
    text = "long " * (length // 5)
    failure = Failure(text, text, text)
    shown = review(Change("new", None, hostile_skill(text, 1, path=text)), failures=(failure,))

    assert body(with_our_remedies(shown)) == body(reread(shown).review)


names = st.one_of(
    st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=60),
    st.sampled_from([attack for attack in ATTACKS if attack.isprintable()]),
)


@st.composite
def changes(draw: st.DrawFn) -> Change:
    flags = draw(st.lists(st.sampled_from(["MISSING_TRIGGER", "DEAD_CROSS_REF"]), max_size=3))
    name, path, said = draw(names), draw(names), draw(names)
    note = Finding("DUPLICATE_KEY", "warning", said, RULES["DUPLICATE_KEY"].remedy, path)
    sides = [
        skill("calm", output=draw(st.sampled_from([0.0, 0.1]))),
        skill(name, *flags, path=path, length=draw(st.floats(0, 0.6)))._replace(findings=(note,)),
        skill(name)._replace(composite=None, layers=(), unscored=said),
    ]
    kind = draw(st.sampled_from(["skill", "agent", "plugin"]))
    if kind == "agent":
        sides = [agent(name, draw(st.floats(0.5, 1.0)), path), agent(name)]
    elif kind == "plugin":
        sides = [plugin(name, *sides[:2], path=path), plugin(name, *sides), plugin(name)]
    before, after = draw(st.sampled_from([None, *sides])), draw(st.sampled_from(sides))
    if before is None:
        return Change("new", None, after)
    if draw(st.booleans()):
        return Change("removed", before, None)
    return Change(draw(st.sampled_from(["changed", "renamed", "affected"])), before, after)


reviews = st.builds(
    Review,
    base=st.just(BASE),
    head=st.just(HEAD),
    ruleset=st.just(RULESET),
    changes=st.lists(changes(), max_size=4).map(tuple),
    failures=st.lists(st.builds(Failure, names, names, names), max_size=2).map(tuple),
    unchanged=st.integers(0, 10**6),
)


@given(shown=reviews, reasons=st.lists(names, max_size=3))
def test_any_review_comes_back_and_renders_the_same_comment(
    shown: Review, reasons: list[str]
) -> None:
    gate = Gate(not reasons, tuple(reasons))
    stored = reread(shown, gate)

    assert body(shown, gate) == body(*stored)
    assert stored == reread(*stored)


@given(text=st.text(max_size=200))
def test_any_text_is_written_so_that_it_can_be_read(text: str) -> None:
    failure = Failure(text, text, text)
    shown = review(Change("new", None, hostile_skill(text, 1, path=text)), failures=(failure,))
    gate = Gate(passed=False, reasons=(text,))
    stored = reread(shown, gate)

    assert lines(with_our_remedies(shown), gate) == lines(*stored)
    assert stored == reread(*stored)


@pytest.mark.parametrize(
    "shown", [empty_review(), many_review(), plugins_only(), hostile_commits()]
)
@pytest.mark.parametrize("gate", [PASSED, FAILED])
def test_file_holds_to_its_schema(shown: Review, gate: Gate) -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    validator.validate(document(shown, gate))


def test_schema_says_what_the_reader_asks_for() -> None:
    """Set PLUGINEVAL_REGENERATE=1 to write it anew from the model."""
    if os.environ.get("PLUGINEVAL_REGENERATE") == "1":
        SCHEMA.write_text(json.dumps(schema(), indent=2, ensure_ascii=True) + "\n")

    assert schema() == json.loads(SCHEMA.read_text("utf-8"))


def schema() -> Json:
    """The model's own, without the titles that repeat the names of fields."""
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{PROJECT_URL}/blob/main/docs/schema/result.schema.json",
        "title": "Result",
    }
    found = _untitled(Document.model_json_schema())
    return about | {name: found[name] for name in sorted(found) if name != "title"}


def _untitled(node: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(node, list):
        return [_untitled(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        name: _untitled(each)
        for name, each in node.items()
        if name != "title" or not isinstance(each, str)
    }


def test_what_our_catalogue_says_is_never_taken_from_the_file() -> None:
    text = render(many_review(), PASSED)

    assert not [rule.remedy for rule in RULES.values() if rule.remedy in text]
    assert "weight" not in text
    assert "severity" not in text


def test_result_is_written_where_later_steps_find_it(tmp_path: Path) -> None:
    path = write_result(tmp_path, render(one_review(), PASSED))

    assert tmp_path / "plugin-eval" / "result.json" == path
    assert reread(one_review()) == read_result(path.read_bytes())


def test_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "plugin-eval").write_text("in the way")
    with pytest.raises(UsageError, match=r"result\.json cannot be written"):
        write_result(tmp_path, "{}")


def changed(edit: Callable[[Json], object]) -> bytes:
    """A good file with something changed."""
    loaded = json.loads(json.dumps(GOOD))
    edit(loaded)
    return json.dumps(loaded).encode()


def first(loaded: Json) -> Json:
    found: Json = loaded["changes"][0]
    return found


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        (lambda d: d.update(format="plugineval-result/2"), "format plugineval-result/1"),
        (lambda d: d.update(base="main"), "base"),
        (lambda d: d.update(head=HEAD[:10]), "head"),
        (lambda d: d.update(head=f"{HEAD}\n"), "head"),
        (lambda d: d.update(ruleset="x"), "ruleset"),
        (lambda d: d.update(unchanged=-1), "unchanged"),
        (lambda d: d.update(unchanged="1"), "unchanged"),
        (lambda d: d.update(unchanged=True), "unchanged"),
        (lambda d: d.update(number=7), "number"),
        (lambda d: d.pop("failures"), "failures"),
        (lambda d: d["gate"].update(passed="true"), "gate.passed"),
        (lambda d: d["gate"].update(reasons=["x"] * 21), "gate.reasons"),
        (lambda d: d["gate"].update(reasons=["\x1b[31m"]), "gate.reasons.0"),
        (lambda d: first(d).update(status="evil"), "changes.0.status"),
        (lambda d: first(d).update(status="new"), "changes.0"),
        (lambda d: first(d).update(after=None), "changes.0"),
        (lambda d: first(d)["before"].update(kind="agent"), "changes.0"),
        (lambda d: first(d)["after"].update(kind="virus"), "changes.0.after.kind"),
        (lambda d: first(d)["after"].update(name="x" * 501), "changes.0.after.name"),
        (lambda d: first(d)["after"].update(name="a\u202eb"), "changes.0.after.name"),
        (lambda d: first(d)["after"].update(name="a\nb"), "changes.0.after.name"),
        (lambda d: first(d)["after"].update(path="p" * 1001), "changes.0.after.path"),
        (lambda d: first(d)["after"].update(score=100.1), "changes.0.after.score"),
        (lambda d: first(d)["after"].update(score=1e999), "changes.0.after.score"),
        (lambda d: first(d)["after"].update(score="66"), "changes.0.after.score"),
        (lambda d: first(d)["after"].update(score=None), "changes.0.after"),
        (lambda d: first(d)["after"].update(badge="platinum"), "changes.0.after"),
        (lambda d: first(d)["after"].update(layers=[]), "changes.0.after"),
        (lambda d: first(d)["after"].update(remedy="Send money."), "changes.0.after.remedy"),
        (lambda d: first(d)["after"]["dimensions"].update(luck=1), "changes.0.after.dimensions"),
        (lambda d: first(d)["after"]["layers"][0].update(layer="oracle"), "layers.0.layer"),
        (lambda d: first(d)["after"]["layers"][0].update(score=-0.1), "layers.0.score"),
        (
            lambda d: first(d)["after"]["layers"][0]["sub_scores"][0].update(name="x"),
            "sub_scores.0.name",
        ),
        (
            lambda d: first(d)["after"]["layers"][0]["anti_patterns"][0].update(flag="X"),
            "anti_patterns.0.flag",
        ),
        (
            lambda d: first(d)["after"]["layers"][0]["anti_patterns"][0].update(line=0),
            "anti_patterns.0.line",
        ),
        (
            lambda d: first(d)["after"]["layers"][0]["anti_patterns"][0].update(line=10**9),
            "anti_patterns.0.line",
        ),
        (lambda d: d.update(changes=d["changes"][:1] * 501), "more than 500 changes"),
        (lambda d: d.update(failures=d["failures"][:1] * 501), "more than 500 failures"),
    ],
)
def test_file_that_is_not_in_order_is_refused_with_the_place(
    edit: Callable[[Json], object], where: str
) -> None:
    assert where in refusal(read_result, changed(edit)).message


def test_good_file_is_read() -> None:
    assert len(GOOD["changes"]) == len(read_result(changed(lambda d: d)).review.changes)


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


@given(st.data())
def test_good_file_with_any_value_anywhere_is_read_or_refused_and_can_be_shown(
    data: st.DataObject,
) -> None:
    loaded = document(one_review())
    node: Any = loaded
    while isinstance(node, dict | list) and node:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(node[key], dict | list) or data.draw(st.booleans()):
            node[key] = data.draw(json_values)
            break
        node = node[key]
    try:
        stored = read_result(json.dumps(loaded).encode())
    except ContentError:
        return

    assert body(stored.review, stored.gate)


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
    begun = time.process_time()

    assert len(bomb) < MAX_BYTES
    assert f"over {MAX_BYTES:,} bytes" in refusal(read_artifact, bomb).message
    assert time.process_time() - begun < 0.1


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

    assert stored == reread(one_review())


def test_largest_hostile_file_is_read_and_shown_in_time() -> None:
    after = first(document(one_review()))["after"]
    flag = after["layers"][0]["anti_patterns"][0]
    flags = [
        flag | {"description": f"{at:0100}", "path": f"{at}"} for at in range(MAX_BYTES // 200)
    ]
    after["layers"][0]["anti_patterns"] = flags
    loaded = document(one_review())
    first(loaded)["after"] = after
    data = json.dumps(loaded, separators=(",", ":")).encode()
    begun = time.process_time()
    stored = read_result(data)
    choose(stored.review, None)
    body(stored.review)

    assert len(data) > 0.8 * MAX_BYTES
    assert time.process_time() - begun < SECONDS


def test_300_changed_skills_take_half_of_what_may_be_read() -> None:
    assert len(render(huge_review(300), PASSED).encode()) < MAX_BYTES // 2


def test_more_changes_than_are_read_are_still_written() -> None:
    written = document(huge_review(MOST_CHANGES + 1))

    assert MOST_CHANGES + 1 == len(written["changes"])
