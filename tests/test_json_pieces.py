"""A long JSON document written bit by bit is the document that json.dumps writes at once."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.render.json_pieces import filled

_values = st.recursive(
    st.none() | st.integers() | st.text() | st.just('"results": []'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(before=st.text() | st.just('"results": []'), items=st.lists(_values))
def test_the_pieces_are_the_document_as_it_is_dumped_whole(
    before: str, items: list[object]
) -> None:
    whole = {"before": before, "run": [{"results": items, "after": []}]}
    empty = {"before": before, "run": [{"results": [], "after": []}]}

    expected = json.dumps(whole, indent=2)
    pieces = filled(_dumped(empty), "results", map(_dumped, items))
    assert expected == "".join(pieces)


def test_no_item_is_spelled_out_before_the_one_in_front_is_written() -> None:
    taken: list[int] = []

    def items() -> Iterator[str]:
        for number in range(3):
            taken.append(number)
            yield str(number)

    pieces = filled(_dumped({"results": []}), "results", items())
    seen = [len(taken) for _ in pieces]

    assert [0, 1, 2, 3, 3] == seen


def _dumped(value: object) -> str:
    return json.dumps(value, indent=2)
