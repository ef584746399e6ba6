"""The data file of phrases: each does what its example says, and the notation what it promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.layers.static import phrases
from plugineval_action.layers.static.english import FORMS
from plugineval_action.layers.static.languages import languages
from plugineval_action.layers.static.phrase_notation import Phrase, fold
from plugineval_action.layers.static.phrases import find_trigger

LANGUAGES = {
    *("ar", "de", "es", "fr", "hi", "id", "it", "ja", "ko", "nl"),
    *("pl", "pt", "ru", "tr", "uk", "vi", "zh"),
}
LISTS = {
    "trigger",
    "no_trigger",
    "negation",
    "negation_after",
    "tail_of",
    "proactively",
    "strong",
    "use_case",
    "activity",
    "examples_heading",
    "troubleshooting_heading",
}
SPOKEN = {"…": "ok", "*": "ok", "。": ".", ",": ", "}

DATA = Path(phrases.__file__).with_name("phrases.json")
TABLES: dict[str, dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["languages"]
EXAMPLES = [
    pytest.param(code, phrase, example, id=f"{code}: {example}")
    for code, table in TABLES.items()
    for phrase, example in table["trigger"].items()
]
NO_TRIGGERS = [sentence for table in TABLES.values() for sentence in table["no_trigger"]]
PHRASES = [
    (code, kind, phrase)
    for code, table in TABLES.items()
    for kind in sorted(LISTS - {"no_trigger"})
    for phrase in table[kind]
]


def readings(phrase: str) -> list[str]:
    """Texts that hold a phrase: each form of each word once, the other words in their first."""
    words = [word.split("|") for word in phrase.split()]
    first = [forms[0] for forms in words]
    return [
        " ".join(spoken(each) for each in [*first[:place], form, *first[place + 1 :]])
        for place, forms in enumerate(words)
        for form in forms
    ]


def spoken(form: str) -> str:
    return SPOKEN.get(form) or form.replace("*", "")


def holds(text: str, phrase: str) -> bool:
    return any(Phrase(phrase).places(fold(text)))


def test_every_language_has_every_list() -> None:
    assert LANGUAGES == set(TABLES)
    assert {frozenset(LISTS)} == {frozenset(table.keys() - {"name"}) for table in TABLES.values()}


def test_phrases_are_written_in_lower_case_and_once() -> None:
    assert [] == [phrase for _, _, phrase in PHRASES if phrase != phrase.lower()]
    assert len(PHRASES) == len(set(PHRASES))


@pytest.mark.parametrize(("code", "phrase", "example"), EXAMPLES)
def test_an_example_is_a_trigger_through_its_phrase_alone(
    code: str, phrase: str, example: str
) -> None:
    language, text = languages()[code], fold(example)
    through = [
        each.text for each in language.phrases("trigger") if any(language.triggers(each, text))
    ]

    assert find_trigger(example)
    assert [fold(phrase)] == through
    assert [] == [form for form in FORMS if form.search(text)]


@pytest.mark.parametrize("sentence", NO_TRIGGERS)
def test_what_a_skill_does_and_what_it_is_not_for_is_no_trigger(sentence: str) -> None:
    assert find_trigger(sentence) is None


def test_every_form_of_every_word_of_every_phrase_is_found() -> None:
    missed = [
        (code, kind, reading)
        for code, kind, phrase in PHRASES
        for reading in readings(phrase)
        if not holds(reading, phrase)
    ]

    assert [] == missed


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("usar cuando", "usar\n  cuando"),
        ("usar cuando", "USAR, cuando"),
        ("उपयोग करें", "उपयोग करें।"),
        ("يستخدم عند", "يستخدم عند الطلب"),
        ("时 使用", "提交时使用它"),
        ("사용*", "사용하세요"),
        ("usar … cuando", "usar cuando"),
        ("usar … cuando", "usar SKILL.md solo cuando"),
        ("usa esta * para", "usa esta habilidad para"),
        ("gatilhos :", "gatilhos: mês"),
        ("トリガー :", "トリガー：月"),
        ("場合 。", "必要な場合"),
        ("場合 。", "必要な場合。次"),
        (", cuando", "mes, o cuando"),
        (", cuando", "mes、cuando"),
        ("n'", "n’utilise"),
        ("kullanılır", "KULLANILIR"),
    ],
)
def test_the_notation_matches(phrase: str, text: str) -> None:
    assert holds(text, phrase)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("usar cuando", "causar cuando"),
        ("usar cuando", "usar cuandoquiera"),
        ("usar cuando", "usarcuando"),
        ("उपयोग करे", "उपयोग करें।"),
        ("يستخدم عند", "يستخدم عندما"),
        ("사용*", "재사용하세요"),
        ("usar … cuando", "usar. solo cuando"),
        ("usar … cuando", "usar " + "x" * 41 + " cuando"),
        ("usa esta * para", "usa esta gran habilidad para"),
        ("gatilhos :", "gatilhos do mês"),
        ("場合 。", "必要な場合に"),
        (", cuando", "mes cuando"),
        (", cuando", "mes, quizás cuando"),
    ],
)
def test_the_notation_does_not_match(phrase: str, text: str) -> None:
    assert not holds(text, phrase)


@given(st.text())
def test_folding_keeps_every_character_in_its_place(text: str) -> None:
    assert len(text) == len(fold(text))


def test_spaces_inside_a_long_phrase_are_matched_in_one_way_only() -> None:
    """Two optional runs of spaces side by side took minutes on a text of 450 characters."""
    words = ["सक्रिय", "रूप", "से", "उपयोग", "करें"]
    gap = " " * 400
    text = gap.join(words[:-1]) + gap + "Q करें"

    assert phrases.pushiness(text) == phrases.pushiness(" ".join(text.split()))
