"""When to use a skill, in the words of many languages; how urgently; and what headings announce."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import CORPUS, needs_corpus
from plugineval_action.layers.static.phrases import (
    MAX_CHARACTERS,
    Pushiness,
    find_trigger,
    is_example_heading,
    is_troubleshooting_heading,
    pushiness,
)


def found(description: str) -> str | None:
    match = find_trigger(description)
    return match.group() if match else None


def measures(description: str) -> list[str | int]:
    """The measures that are true, by name, then the number of use cases."""
    told = pushiness(description)
    names = ("proactively", "strong", "activity")
    return [*(name for name in names if getattr(told, name)), told.use_cases]


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Draws charts. Use when sales are compared.", "Use when"),
        (
            "Draws charts. use  this\nskill immediately after it",
            "use  this\nskill immediately after",
        ),
        ("Helpers used before a release.", "used before"),
        ("This skill should be used whenever charts are drawn.", "should be used whenever"),
        ("Use proactively.", "Use proactively"),
        ("Triggers on charts.", "Triggers on"),
        ("Auto-loads when a chart opens.", "Auto-loads when"),
    ],
)
def test_a_published_form_is_a_trigger_wherever_it_stands(description: str, expected: str) -> None:
    assert expected == found(description)


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Draws charts. Use for sales reports.", "Use for"),
        ("Use to draw charts.", "Use to"),
        ("Draws charts; use if numbers are compared.", "use if"),
        ("Use it when numbers are compared.", "Use it when"),
        ("Use this when numbers are compared.", "Use this when"),
        ("Use this any time numbers are compared.", "Use this any time"),
        ("Use anytime.", "Use anytime"),
        ("Use this skill to draw charts.", "Use this skill to"),
        ("Use ONLY for sales charts.", "Use ONLY for"),
        ("You MUST use this before any release.", "use this before"),
        ("Draws charts — use for ANY comparison.", "use for"),
        ("**Use at the end** of a session.", "Use at the end"),
        ("Must be used for charts.", "used for"),
        ("MUST BE USED PROACTIVELY.", "USED PROACTIVELY"),
        ("Should be used to draw charts.", "used to"),
        ("Invoke when numbers are compared.", "Invoke when"),
        ("Activate this skill whenever needed.", "Activate this skill whenever"),
        ("Run after every import.", "Run after"),
        ("Run on every commit.", "Run on every commit"),
        ("Apply the house style before drawing.", "Apply the house style before"),
        ("Call before each release.", "Call before"),
        ("Load this skill and follow it when drawing.", "Load this skill and follow it when"),
        ("Always invoke for `.chart` files.", "invoke for"),
        ("TRIGGER for chart files.", "TRIGGER for"),
        ("Draws charts. Activates when numbers are compared.", "Activates when"),
        ("Automatically loaded when charts are drawn.", "loaded when"),
        ("Draws charts. Triggers: pie, bar, line.", "Triggers:"),
        ("Draws charts.\nTrigger phrases - pie, bar", "Trigger phrases - "),
        ("Draws charts. Keywords and triggers: pie, bar", "Keywords and triggers:"),
        ("Draws charts. **When:** numbers are compared.", "When:"),
        ("Draws charts when the user asks for a comparison.", "when the user asks"),
        ("Charts. User wants a comparison of numbers.", "User wants"),
        ("Useful when numbers are compared.", "Useful when"),
        ("Guide for clear charts when comparing.", "Guide for clear charts when comparing"),
        ("When numbers are compared, draws a chart.", "When "),
        ("Charts. If asked to compare, use this skill.", "If asked to compare, use this"),
        (
            "Charts. Owns pies; use it not. Serves for any pie or bar request.",
            "for any pie or bar request",
        ),
        ("Draws charts. For yearly reports only.", "For yearly reports only"),
    ],
)
def test_other_english_that_says_when_is_a_trigger(description: str, expected: str) -> None:
    assert expected == found(description)


@pytest.mark.parametrize(
    "description",
    [
        "Draws charts and writes them to a file.",
        "Tools used to build charts.",
        "Commands that teams use to build charts.",
        "Explains the use for each kind of chart.",
        "Helps decide which chart to use for a report.",
        "Shows how to use it when charts overlap.",
        "Rewrites code to use for loops.",
        "Use for loops instead of recursion.",
        "A library that can be used to build charts.",
        "Creates triggers for databases.",
        "Covers queues, webhooks, triggers: create, list, delete.",
        "Explains when: dates and times.",
        "Runs linters before committing.",
        "Runs on any platform. Check if packages are old.",
        "User reports and dashboards.",
        "Use while loops. Use if-else chains.",
        "Database triggers: how to write them.",
        "Sets up hooks that run before each commit.",
        "Manages workflows triggered by webhooks.",
        "Auto-loads project notes on start.",
        "Reuse when possible, misused before.",
        "Not for any request about pies.",
        "Draws charts for screens only.",
    ],
)
def test_english_that_only_says_what_is_no_trigger(description: str) -> None:
    assert found(description) is None


@pytest.mark.parametrize(
    "description",
    [
        "Draws charts. Do not use when numbers are few.",
        "Draws charts. DO NOT use this skill for tables.",
        "Draws charts. Don't trigger on tables.",
        "Draws charts. Don’t use before a release.",
        "Draws charts. Never use for tables.",
        "Draws charts. Never used after a release.",
        "Draws charts. Not for use when numbers are few.",
        "Draws charts. Should not be used when numbers are few.",
        "Draws charts. Do not load or invoke when numbers are few.",
        "Draws charts. Skip it when the user asks for tables.",
        "If numbers are few, do not use this skill.",
        "Não use para tabelas.",
        "No use para tablas.",
        "No usar para tablas.",
    ],
)
def test_a_negated_phrase_is_no_trigger(description: str) -> None:
    assert found(description) is None


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Do not use for tables. Use for charts.", "Use for"),
        ("Needs no key. Use when numbers are compared.", "Use when"),
        ("Works without a key, use for charts.", "use for"),
        ("Not only used when charts are drawn.", "used when"),
        ("No usar para tablas. Usar para gráficos.", "Usar para"),
        ("表には使用しません。グラフを作る場合に使用します。", "場合に使用"),
    ],
)
def test_a_negation_reaches_only_its_own_phrase(description: str, expected: str) -> None:
    assert expected == found(description)


def test_english_comes_first_and_then_the_first_phrase_of_the_text() -> None:
    assert found("Usar cuando haya ventas. Use when sales come.") == "Use when"
    assert found("Nur verwenden, wenn nötig. Usar cuando haya ventas.") == "verwenden, wenn"


def test_nothing_past_the_longest_description_is_searched() -> None:
    far = "a " * (MAX_CHARACTERS // 2)

    assert found(far + ". Use when late.") is None
    assert found(far[20:] + ". Use when late.") == "Use when"


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("", [0]),
        ("Draws charts.", [0]),
        ("Use this Proactively", ["proactively", 0]),
        ("automatically", ["strong", 0]),
        ("Always\tuse it", ["strong", 0]),
        ("Trigger: x", ["strong", 0]),
        ("invoke it", ["strong", 0]),
        ("triggers, invoked, automatic", [0]),
        ("a, when x, for y, or during z", [3]),
        ("a, buildings, setting up, setting  up", [2]),
        ("when building", ["activity", 0]),
        ("for string", ["activity", 0]),
        ("when the building", [0]),
    ],
)
def test_pushiness_in_english_is_the_published_one(
    description: str, expected: list[str | int]
) -> None:
    assert expected == measures(description)


@pytest.mark.parametrize(
    "description",
    [
        "主动使用，自动运行，当用户提问，或在构建项目时",
        "主動使用，自動觸發，當使用者提問，在建立報表時",
        "積極的に、自動的に。作成する場合、修正する時、",
        "적극적으로 자동으로. 보고서를 작성할 때, 수정할 때, 쓰는 동안",
        "Проактивно и автоматически, когда нужно, при создании",
        "Проактивно, автоматично, коли треба, під час створення",
        "استباقي وتلقائي، عند الطلب، أو عند إنشاء تقرير",
        "सक्रिय रूप से, स्वचालित, जब रिपोर्ट आए, या जब बनाते समय",
        "Proactivamente, automáticamente, cuando llegue, o para crear informes",
        "Proativamente, automaticamente, quando chegar, ou para criar",
        "Proactivement, automatiquement, quand il arrive, ou pour créer",
        "Proaktiv, automatisch, wenn er kommt, oder beim Erstellen",
        "Proattivamente, automaticamente, quando arriva, o durante la chiusura",
        "Proactief, automatisch, wanneer het komt, of tijdens het maken",
        "Proaktywnie, automatycznie, gdy przyjdzie, lub podczas tworzenia",
        "Proaktif, otomatik; rapor geldiğinde, yazarken, her ay",
        "Chủ động, tự động, khi tạo báo cáo, hoặc khi sửa",
        "Proaktif, otomatis, saat membuat laporan, atau untuk menutup buku",
    ],
)
def test_pushiness_speaks_the_same_languages(description: str) -> None:
    assert ["proactively", "strong", "activity", 2] == measures(description)


def test_use_cases_of_two_languages_are_not_added_up() -> None:
    """The word after the commas is Spanish and Portuguese: three places, not six."""
    assert measures("Resume, para meses, para trimestres, para anos") == [3]


@pytest.mark.parametrize(
    "heading",
    [
        *("Example", "Examples of use", "USAGE", "Sample output", "Worked example: charts"),
        *("示例", "範例", "使用例", "例", "예시", "Примеры", "Приклади", "أمثلة", "उदाहरण"),
        *("Ejemplos", "Exemplos", "Exemples", "Beispiele", "Esempi", "Voorbeelden"),
        *("Przykłady", "Örnekler", "Ví dụ", "Contoh"),
    ],
)
def test_headings_of_examples_are_known(heading: str) -> None:
    assert is_example_heading(heading)
    assert not is_troubleshooting_heading(heading)


@pytest.mark.parametrize(
    "heading",
    [
        *("Troubleshooting", "Troubleshoot a chart", "Common issues", "Common mistake"),
        *("Common errors", "FAQ", "FAQs", "Pitfalls", "Gotcha", "Error handling", "Edge cases"),
        *(
            "Known issue",
            "Limitations",
            "故障排除",
            "常見問題",
            "トラブルシューティング",
            "문제 해결",
        ),
        *("Устранение неполадок", "Усунення несправностей", "استكشاف الأخطاء", "समस्या निवारण"),
        *("Solución de problemas", "Solução de problemas", "Dépannage", "Fehlerbehebung"),
        *("Risoluzione dei problemi", "Probleemoplossing", "Rozwiązywanie problemów"),
        *("Sorun giderme", "Xử lý sự cố", "Pemecahan masalah"),
    ],
)
def test_headings_of_what_can_go_wrong_are_known(heading: str) -> None:
    assert is_troubleshooting_heading(heading)
    assert not is_example_heading(heading)


@pytest.mark.parametrize(
    "heading",
    [
        *("", "Workflow", "Counterexamples", "Sampling", "When to use", "Unlimited", "Notes"),
        *("例外", "何时使用", "Cuándo usar", "कब उपयोग करें", "限制"),
    ],
)
def test_other_headings_are_neither(heading: str) -> None:
    assert not is_example_heading(heading)
    assert not is_troubleshooting_heading(heading)


PIECES = (
    *("use", "used", "this skill", "when", "for", "not", "triggers:", "usar", "cuando", "に使用"),
    *("時", "当用户", "जब", "عند", ",", ".", "\n", "…", "İ", "ı", "ß", "\u0301"),
)
TEXTS = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map(" ".join)


@given(TEXTS)
def test_any_text_can_be_searched_and_a_trigger_lies_inside_it(text: str) -> None:
    match = find_trigger(text)

    assert match is None or text[match.start() : match.end()] == match.group() != ""
    assert pushiness(text).use_cases >= 0
    assert is_example_heading(text) in {True, False}
    assert is_troubleshooting_heading(text) in {True, False}


@given(
    TEXTS, st.sampled_from(["Use when", "used  whenever", "Triggers on", "İ use\nbefore"]), TEXTS
)
def test_a_sentence_with_a_published_form_is_a_trigger(before: str, form: str, after: str) -> None:
    assert find_trigger(f"{before}. {form} {after}")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "use use use ",
            "do not use when ",
            "invoke invoke ",
            "invoke a b c d ",
            ", , , , ",
            "a-",
        ),
        *(
            "for x use ",
            "no usar cuando ",
            "适用于",
            "不要在当用户",
            "usa esta ",
            "dùng ",
            "triggers ",
        ),
    ],
)
def test_a_megabyte_of_near_matches_is_answered(piece: str) -> None:
    hostile = piece * ((1 << 20) // len(piece))

    assert find_trigger(hostile) is None
    assert isinstance(pushiness(hostile), Pushiness)
    assert not is_example_heading(hostile)
    assert not is_troubleshooting_heading(hostile)


@needs_corpus
def test_every_published_trigger_is_one_here_unless_it_is_negated() -> None:
    vectors = json.loads((CORPUS / "goldens" / "vectors.json").read_text(encoding="utf-8"))
    negated = re.compile(r"do not|don't|never", re.IGNORECASE)
    texts = [row["in"] for row in vectors["description"] if row["trigger"]]
    expected = [text for text in texts if not negated.match(text)]

    assert expected
    assert expected == [text for text in texts if find_trigger(text)]
