"""A skill scored at a depth that asks models: what is blended, labelled, noted and paid for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from math import fsum
from typing import Final

import pytest

from documents import read, rows
from memory_tree import MemoryTree
from plugineval_action.assess import LABELS, Around, Depth, Settings, assess_skill
from plugineval_action.evaluate import score_skill
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.llm.client import Reply, Request, Unmeasured, Usage
from plugineval_action.render.score.card import card
from plugineval_action.results import Composite, Label, Measure, Result
from plugineval_action.scoring.advice import improvements
from plugineval_action.scoring.dimensions import DIMENSIONS
from simulated_client import Levels, Rate, SimulatedClient, World

FRONT: Final = "---\nname: s\ndescription: Simulated. Reads bills. Use when a bill arrives.\n---\n"
TREE: Final = MemoryTree(
    {
        "p/skills/s/SKILL.md": f"{FRONT}# Bills\n\n```json\n{{\n```\n",
        "p/skills/t/SKILL.md": "---\nname: t\ndescription: Sibling of it.\n---\n",
        "q/skills/u/SKILL.md": "---\nname: u\ndescription: Somebody else's.\n---\n",
    }
)
PATH: Final = "p/skills/s"
THREE: Final = Panel(3, "haiku", "sonnet", "f00d")


def settings(depth: Depth, **changed: object) -> Settings:
    return Settings(depth, THREE, "sonnet")._replace(**changed)  # type: ignore[arg-type]


def scored(
    depth: Depth,
    changed: Callable[[Request], Reply | Unmeasured | None] | None = None,
    client: SimulatedClient | None = None,
    **options: object,
) -> Result:
    client = client or SimulatedClient(seed=1, changed=changed)
    around = Around(siblings=("p/skills/t",), others=("q/skills/u", "gone"))
    return asyncio.run(assess_skill(client, TREE, PATH, settings(depth, **options), around=around))


def composite(result: Result) -> Composite:
    assert result.composite
    return result.composite


def failing(purpose: str) -> Callable[[Request], Unmeasured | None]:
    def fail(request: Request) -> Unmeasured | None:
        if not request.purpose.startswith(purpose):
            return None
        return Unmeasured("overloaded", "The service has no capacity.", Usage(request.model))

    return fail


@pytest.mark.parametrize(
    ("depth", "label", "layers", "unmeasured"),
    [
        ("standard", "Assessed", ["static", "judge"], {"robustness", "code_template_quality"}),
        (
            "deep",
            "Certified",
            ["static", "judge", "monte_carlo"],
            {"code_template_quality"},
        ),
        (
            "thorough",
            "Certified+",
            ["static", "judge", "monte_carlo"],
            {"code_template_quality"},
        ),
    ],
)
def test_a_depth_runs_its_layers_and_earns_its_label(
    depth: Depth, label: Label, layers: list[str], unmeasured: set[str]
) -> None:
    result = scored(depth)
    one = composite(result)

    assert layers == [layer.layer for layer in result.layers]
    assert label == one.confidence_label
    assert unmeasured == {each.name for each in one.dimensions if each.score is None}
    assert "prompts and judges" == one.ci_covers
    assert one.ci_lower is not None
    assert one.ci_upper is not None
    assert one.ci_lower <= one.score <= one.ci_upper


def test_the_layers_are_blended_by_the_published_weights() -> None:
    result = scored("deep", adaptive=False)
    static, judge, monte_carlo = result.layers
    by_name = [{sub.name: sub.score for sub in layer.sub_scores} for layer in result.layers]
    fed = {
        "triggering_accuracy": ("frontmatter_quality", "triggering_accuracy", "activation"),
        "output_quality": (None, "output_quality", "quality"),
        "token_efficiency": ("token_efficiency", None, "efficiency"),
        "robustness": (None, None, "robustness"),
        "scope_calibration": (None, "scope_calibration", None),
    }
    for spec in DIMENSIONS:
        if spec.name in fed:
            weights = (spec.static, spec.judge, spec.monte_carlo)
            terms = [
                (weight, scores[source])
                for weight, scores, source in zip(weights, by_name, fed[spec.name], strict=True)
                if source is not None
            ]
            expected = fsum(w * s for w, s in terms) / fsum(w for w, _ in terms)
            found = next(one for one in composite(result).dimensions if one.name == spec.name)
            assert pytest.approx(expected) == found.score
    assert static == score_skill(TREE, PATH).layers[0]
    assert 1.0 >= judge.score >= 0.0
    assert 1.0 >= monte_carlo.score >= 0.0


def test_the_static_layer_is_no_sample_and_has_no_interval() -> None:
    dimensions = {one.name: one for one in composite(scored("deep")).dimensions}

    assert dimensions["progressive_disclosure"].ci_lower is None
    assert dimensions["triggering_accuracy"].ci_lower is not None


def test_one_judge_gives_no_interval_of_the_composite_and_says_why() -> None:
    result = scored("deep", panel=THREE._replace(judges=1))

    assert composite(result).ci_lower is None
    assert "" == composite(result).ci_covers
    assert any("one judge does not show" in note for note in result.notes)


@pytest.mark.parametrize(
    ("purpose", "label"),
    [
        ("judge.scope", "Estimated"),
        ("judge", "Estimated"),
        ("monte_carlo.activation", "Assessed"),
        ("prompts.write", "Estimated"),
        ("", "Estimated"),
    ],
)
def test_a_label_names_what_was_measured_in_full(purpose: str, label: Label) -> None:
    result = scored("deep", failing(purpose))

    assert label == composite(result).confidence_label
    assert any("The service has no capacity." in note for note in result.notes)


def test_without_any_answer_the_score_is_that_of_the_text() -> None:
    result = scored("deep", failing(""))

    assert score_skill(TREE, PATH).composite == composite(result)


def test_usage_is_added_up_by_model() -> None:
    client = SimulatedClient(seed=1)
    result = scored("deep", client=client)

    assert ["haiku", "sonnet"] == [one.model for one in result.model_usage]
    assert len(client.requests) == sum(one.calls for one in result.model_usage)
    assert all(one.usd is not None and one.usd > 0 for one in result.model_usage)


def test_runs_stop_early_where_the_result_is_clear() -> None:
    sure = Levels(4.0, noise=0.05, apart=0.05)
    client = SimulatedClient(
        World(Rate(0.9, 1e3), Rate(0.1, 1e3), orchestration=sure, scope=sure, output=sure), 1
    )
    result = scored("thorough", client=client, width=30.0)

    assert 33 == result.layers[2].metadata["runs"]
    assert "Certified+" == composite(result).confidence_label
    assert any(note.startswith("Stopped after 33 of 100 runs") for note in result.notes)


def test_skills_around_are_in_the_roster() -> None:
    client = SimulatedClient(seed=1)
    scored("deep", client=client)
    told = next(
        one.system[0].text for one in client.requests if one.purpose == "monte_carlo.activation"
    )

    assert "- t: Sibling of it." in told
    assert "- u: Somebody else's." in told


def test_code_that_does_not_parse_is_an_extra_without_weight() -> None:
    result = scored("standard")
    (extra,) = result.extras

    assert ("code_template_quality", 0.0, 1) == (extra.name, extra.value, extra.n)
    assert extra.evidence[0].startswith("Line 8: json does not parse")


def test_a_text_over_the_limit_is_told() -> None:
    assert scored("standard", max_chars=80).notes[0].startswith("Models saw SKILL.md up to line")


def test_published_measures_are_marked_and_have_no_interval() -> None:
    client = SimulatedClient(seed=1)
    result = scored("deep", client=client, methodology="reference")
    purposes = {request.purpose for request in client.requests}

    assert "reference" == result.methodology
    assert composite(result).ci_lower is None
    assert any(note.startswith("Published measures:") for note in result.notes)
    assert 50 == result.layers[2].metadata["runs"]
    assert "published.run" in purposes
    assert not any(purpose.startswith("monte_carlo") for purpose in purposes)


def test_the_published_judge_sees_3000_characters() -> None:
    text = FRONT + "x" * 5_000
    client = SimulatedClient(seed=1)
    asyncio.run(
        assess_skill(
            client,
            MemoryTree({"s/SKILL.md": text}),
            "s",
            settings("standard", methodology="reference"),
        )
    )
    shown = [
        block.text  # type: ignore[union-attr]
        for request in client.requests
        for block in request.messages[0].blocks
    ]

    assert any(text[:3_000] in one for one in shown)
    assert not any(text[:3_001] in one for one in shown)


def test_advice_is_worth_what_it_brings_to_the_blended_score() -> None:
    """Adding a file to assets/ changes nothing that a model sees."""
    files = {"s/SKILL.md": f"{FRONT}# Bills\n"}
    before, after = (
        asyncio.run(assess_skill(SimulatedClient(seed=1), MemoryTree(tree), "s", settings("deep")))
        for tree in (files, {**files, "s/assets/a.md": "x\n"})
    )
    gain = next(one for one in improvements(before) if one.title.startswith("Assets"))

    assert pytest.approx(composite(after).score - composite(before).score) == gain.points


@pytest.mark.parametrize("depth", ["standard", "deep", "thorough"])
def test_the_document_says_how_many_calls_a_depth_takes(depth: Depth) -> None:
    client = SimulatedClient(World(recall=Rate(0.999, 1e6), failing=0.0), 1)
    scored(depth, client=client, adaptive=False)
    optional = ("monte_carlo.reply", "monte_carlo.quality")
    more = sum(request.purpose in optional for request in client.requests)
    told = next(row for row in rows(read("docs/judge.md")) if row[0] == depth)
    sure, *most = map(int, re.findall(r"\d+", told[2]))

    assert sure == len(client.requests) - more
    assert [more] * bool(more) == most
    assert LABELS[depth] == told[3]


# What a person is told


def told(low: float, high: float, threshold: float | None = None) -> str:
    base = scored("standard")
    sampled = composite(base)._replace(score=(low + high) / 2, ci_lower=low, ci_upper=high)
    return " ".join(card(base._replace(composite=sampled), threshold).verdict)


def test_the_verdict_says_which_badges_an_interval_crosses() -> None:
    assert "95 % interval 66.0 to 82.0 over prompts and judges." in told(66, 82)
    assert "It crosses the line of Silver and Gold, so the badge is not certain." in told(66, 82)
    assert "crosses" not in told(71, 79)


def test_the_verdict_says_when_an_interval_crosses_the_threshold() -> None:
    assert "It crosses the threshold" in told(71, 79, 75)
    assert "It crosses the threshold" not in told(71, 79, 70)


def test_a_card_lists_what_was_measured_what_it_cost_and_what_is_missing() -> None:
    shown = card(scored("deep", failing("judge.scope")))
    titles = {row.title for row in shown.measured}

    assert {"Activation rate", "Self consistency", "Code template quality"} <= titles
    assert "haiku: " in shown.cost
    assert any("The service has no capacity." in note for note in shown.notes)
    missing = next(row for row in shown.measured if row.title == "Scope calibration")
    assert ("—", "") == (missing.value, missing.interval)
    assert "The service has no capacity." in missing.how


def test_every_measure_has_an_interval_or_says_why_not() -> None:
    for depth in ("standard", "deep"):
        measures = [one for layer in scored(depth).layers for one in layer.measures]
        assert [] == [one for one in measures if one.ci_lower is None and not one.reason]
        assert [] == [one for one in measures if one.value is None and not one.reason]
        assert all(_holds(one) for one in measures)


def _holds(one: Measure) -> bool:
    if one.value is None or one.ci_lower is None or one.ci_upper is None:
        return True
    return one.ci_lower <= one.value <= one.ci_upper
