"""Two skills that are compared: who meets which requests, and what their difference is."""

from __future__ import annotations

import asyncio
from collections import Counter

from memory_tree import MemoryTree
from plugineval_action.assess import Assessed, Depth, Settings, assess
from plugineval_action.content.skill import read_skill
from plugineval_action.contrast import differences
from plugineval_action.deepen import WrittenOnce
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.reading import Heard
from plugineval_action.layers.judge.shown import show
from plugineval_action.layers.monte_carlo.measures import Ran
from plugineval_action.llm.client import Request
from plugineval_action.scoring import delta
from simulated_client import Rate, SimulatedClient, World

BODY = "# Bills\n\nRead it.\n"


def tree(description: str = "Simulated. Reads bills.", body: str = BODY) -> MemoryTree:
    return MemoryTree({"s/SKILL.md": f"---\nname: s\ndescription: {description}\n---\n{body}"})


ONE, OTHER = tree(), tree(body=f"{BODY}\nRead it twice.\n")
ELSEWHERE = tree("Simulated. Reads letters.")


def assessed(
    one: MemoryTree,
    other: MemoryTree,
    client: SimulatedClient,
    depth: Depth = "deep",
    *,
    same: bool = True,
    judges: int = 3,
) -> tuple[Assessed, Assessed]:
    settings = Settings(depth, Panel(judges, "w", "j", "00"), "e")
    once = WrittenOnce(client)
    shown = [show(read_skill(each, "s"), "plugineval") for each in (one, other)]

    async def both() -> tuple[Assessed, Assessed]:
        return (
            await assess(once, one, "s", settings, beside=shown[1] if same else None),
            await assess(once, other, "s", settings, beside=shown[0] if same else None),
        )

    return asyncio.run(both())


def met(one: Assessed) -> tuple[object, ...]:
    """The prompts and tasks that a skill met."""
    assert isinstance(one.read.raw, Heard)
    assert isinstance(one.ran.raw, Ran)
    runs = [(run.case.number, run.case.prompt) for run in one.ran.raw.runs]
    predicted = {judge: each.prompts for judge, each in one.read.raw.predicted.items()}
    return predicted, one.read.raw.tasks, runs


def written(requests: list[Request]) -> int:
    return Counter(request.purpose for request in requests)["prompts.write"]


def test_two_texts_under_one_description_meet_the_same_prompts_which_are_written_once() -> None:
    client = SimulatedClient(seed=1)
    one, other = assessed(ONE, OTHER, client)

    assert met(one) == met(other)
    assert 4 == written(client.requests)


def test_of_two_descriptions_each_has_half_of_the_prompts_written() -> None:
    client = SimulatedClient(seed=1)
    one, other = assessed(ONE, ELSEWHERE, client)
    alone, _ = assessed(ONE, ELSEWHERE, client, same=False)

    assert met(one) == met(other)
    assert met(one) != met(alone)
    assert isinstance(one.read.raw, Heard)
    assert isinstance(alone.read.raw, Heard)
    shared = set(one.read.raw.predicted[1].prompts.should)
    assert len(shared & set(alone.read.raw.predicted[1].prompts.should)) in (2, 3)


def test_skills_that_are_not_compared_meet_prompts_of_their_own() -> None:
    one, other = assessed(ONE, ELSEWHERE, SimulatedClient(seed=1), same=False)

    assert met(one) != met(other)
    assert differences(one, other)


def test_what_is_compared_never_stops_early_as_only_all_runs_can_be_paired() -> None:
    poor = World(recall=Rate(0.4), predicted_recall=Rate(0.4))
    one, other = assessed(ONE, OTHER, SimulatedClient(poor, seed=1))
    alone, _ = assessed(ONE, OTHER, SimulatedClient(poor, seed=1), same=False)

    for each in (one, other):
        assert isinstance(each.ran.raw, Ran)
        assert 50 == len(each.ran.raw.runs)
    assert isinstance(alone.ran.raw, Ran)
    assert len(alone.ran.raw.runs) < 50


def test_the_difference_is_that_of_the_scores_and_of_each_dimension() -> None:
    one, other = assessed(ONE, OTHER, SimulatedClient(seed=1))
    found = differences(one, other)
    before, after = one.result.composite, other.result.composite

    assert before
    assert after
    assert delta.COMPOSITE == found[0].name
    assert after.score - before.score == found[0].value
    measured = [each.name for each in before.dimensions if each.score is not None]
    assert measured == [each.name for each in found[1:]]
    for each in found:
        assert each.ci_lower is not None
        assert each.ci_upper is not None
        assert each.ci_lower <= each.value <= each.ci_upper


def test_the_same_text_twice_is_within_noise_and_never_exact() -> None:
    """Answers are other ones, although draws for both come from one seed."""
    found = differences(*assessed(ONE, ONE, SimulatedClient(seed=1)))

    assert not found[0].exact
    assert "within noise" == delta.judged(found[0])


def test_where_requests_decide_pairs_are_narrower() -> None:
    client = SimulatedClient(World(recall=Rate(0.6, 0.3), false=Rate(0.2, 0.3)), seed=2)
    paired, apart = (
        next(
            each
            for each in differences(*assessed(ONE, ELSEWHERE, client, same=same))
            if each.name == "triggering_accuracy"
        )
        for same in (True, False)
    )
    widths = [(each.ci_upper or 0) - (each.ci_lower or 0) for each in (paired, apart)]

    assert widths[0] < 0.85 * widths[1]


def test_one_judge_does_not_show_the_noise_of_the_score() -> None:
    found = differences(*assessed(ONE, OTHER, SimulatedClient(seed=1), judges=1))

    assert "unknown" == delta.judged(found[0])


def test_scores_of_different_depths_have_no_difference() -> None:
    client = SimulatedClient(seed=1)
    one, _ = assessed(ONE, OTHER, client, "standard")
    _, other = assessed(ONE, OTHER, client, "deep")

    assert () == differences(one, other)
