"""The score of an agent: 0.5 and up to 0.5 more for what its front matter says."""

from __future__ import annotations

import pytest

from memory_tree import MemoryTree
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_agent
from plugineval_action.rulesets import Ruleset
from skills import part, points, rules, score_agent_text, sub_score

both = pytest.mark.parametrize("ruleset", ["plugineval", "reference"])


def _agent(fields: str) -> str:
    return f"---\n{fields}\n---\n\nBody.\n"


@both
@pytest.mark.parametrize(
    ("fields", "name", "wanted"),
    [
        ("description: Use proactively.", "use proactively", 0.2),
        ("description: USE PROACTIVELY", "use proactively", 0.2),
        ("description: Misuse proactively", "use proactively", 0.2),
        ("description: Use  proactively", "use proactively", 0.0),
        ("description: Used proactively", "use proactively", 0.0),
        ("description: proactively", "use proactively", 0.0),
        ("tools: Read, Bash", "tools", 0.1),
        ("tools: ','", "tools", 0.1),
        ("tools: ' '", "tools", 0.1),
        ("tools: [Read]", "tools", 0.1),
        ("tools: ['']", "tools", 0.1),
        ("tools: ''", "tools", 0.0),
        ("tools: []", "tools", 0.0),
        ("tools:", "tools", 0.0),
        ("tools: {Read: true}", "tools", 0.0),
        ("tools: true", "tools", 0.0),
        ("tools: 7", "tools", 0.0),
        ("model: large", "model", 0.1),
        ("model: 7", "model", 0.1),
        ("model: ''", "model", 0.0),
        ("model:", "model", 0.0),
        ("name: a", "model", 0.0),
    ],
)
def test_fields_of_an_agent_earn_points(
    fields: str, name: str, wanted: float, ruleset: Ruleset
) -> None:
    assert wanted == points(score_agent_text(_agent(fields), ruleset=ruleset), "agent", name)


@both
@pytest.mark.parametrize(
    ("length", "wanted"), [(0, 0.0), (19, 0.0), (20, 0.05), (39, 0.05), (40, 0.1), (41, 0.1)]
)
def test_an_agent_earns_by_the_length_of_its_description(
    length: int, wanted: float, ruleset: Ruleset
) -> None:
    result = score_agent_text(_agent(f"description: '  {'é' * length} '"), ruleset=ruleset)

    assert wanted == points(result, "agent", "description length")


@both
def test_an_agent_adds_in_the_order_of_the_page(ruleset: Ruleset) -> None:
    fields = f"description: Use proactively. {'x' * 40}\ntools: Read\nmodel: large"
    result = score_agent_text(_agent(fields), ruleset=ruleset)

    assert 0.5 + 0.2 + 0.1 + 0.1 + 0.1 == result.agent_score
    assert result.agent_score == sub_score(result, "agent") == result.layers[0].score
    assert [one.best for one in result.layers[0].sub_scores[0].parts] == [0.5, 0.2, 0.1, 0.1, 0.1]
    assert result.composite is None
    assert result.unscored is not None


@both
@pytest.mark.parametrize(
    "text", ["", "Body only.\n", "---\ndescription: x: y\n---\n", "---\n- a\n---\n"]
)
def test_an_agent_without_fields_has_half(text: str, ruleset: Ruleset) -> None:
    assert score_agent_text(text, ruleset=ruleset).agent_score == 0.5


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Body.\n", "FRONTMATTER_MISSING"),
        ("\n---\nname: a\n---\n", "FRONTMATTER_NOT_FIRST"),
        ("---\nname: a\n", "FRONTMATTER_UNCLOSED"),
        ("---\nname: a: b\n---\n", "INVALID_YAML"),
        ("---\n- a\n---\n", "FRONTMATTER_NOT_MAPPING"),
        ("---\nname: 7\ndescription: b\n---\n", "NON_STRING_FIELD"),
        ("---\nname: a\nname: b\ndescription: b\n---\n", "DUPLICATE_KEY"),
        ("\ufeff---\nname: a\ndescription: b\n---\n", "BYTE_ORDER_MARK"),
        ("---\nname: a\ndescription: b\n---\na\0b\n", "NUL_BYTES"),
    ],
)
def test_what_is_wrong_with_an_agents_file_is_a_finding(text: str, rule: str) -> None:
    result = score_agent_text(text)

    assert rules(result) == [rule]
    assert result.findings[0].path == "agents/a.md"


def test_what_does_not_decode_is_a_finding() -> None:
    result = score_agent_text(b"---\nname: caf\xe9\ndescription: b\n---\n")

    assert result.name == "caf\ufffd"
    assert rules(result) == ["UNDECODABLE_BYTES"]


@pytest.mark.parametrize(
    ("fields", "name"), [("name: helper", "helper"), ("name: ''", "a"), ("model: x", "a")]
)
def test_an_agent_goes_by_its_name_or_that_of_its_file(fields: str, name: str) -> None:
    assert name == score_agent_text(_agent(fields)).name


def test_a_byte_order_mark_hides_the_fields_in_the_reference_only() -> None:
    text = "\ufeff" + _agent("model: large")

    assert score_agent_text(text).agent_score == 0.6
    assert score_agent_text(text, ruleset="reference").agent_score == 0.5


def test_what_an_agent_lacks_is_shown_on_the_lines_of_its_fields() -> None:
    result = score_agent_text(_agent("name: a\ntools: Read\ndescription: Reads."))

    assert part(result, "agent", "tools").lines == (3,)
    assert part(result, "agent", "description length").lines == (4,)


def test_an_agent_that_is_a_folder_is_refused_by_name() -> None:
    tree = MemoryTree({"agents/a.md/b": "Text."})

    with pytest.raises(ContentError, match=r"agents/a\.md is a directory") as caught:
        score_agent(tree, "agents/a.md")
    assert caught.value.path == "agents/a.md"
    assert caught.value.remedy
