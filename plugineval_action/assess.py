"""Score one skill deeper: models read it and use it, and what they say is blended in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from plugineval_action.content.skill import SkillSource, read_skill
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_skill
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.findings.withheld import withhold
from plugineval_action.layers import published
from plugineval_action.layers.code_templates import code_templates
from plugineval_action.layers.judge.asking import judge, refused
from plugineval_action.layers.judge.prescreen import aimed_at_judge, findings
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.shown import MAX_CHARACTERS, Listing, Shown, listing, show
from plugineval_action.layers.monte_carlo.roster import roster
from plugineval_action.layers.monte_carlo.simulating import Plan, simulate
from plugineval_action.layers.outcome import Outcome, Progress, quiet
from plugineval_action.layers.static import antipatterns
from plugineval_action.llm.client import Client
from plugineval_action.llm.usage import by_model
from plugineval_action.results import Composite, Label, Methodology, ModelUsage, Result
from plugineval_action.rulesets import DEFAULT, Ruleset
from plugineval_action.scoring.composite import Deeper, Side, skill_composite
from plugineval_action.scoring.stopping import WIDTH, enough
from plugineval_action.stats.proportions import LEVEL
from plugineval_action.stats.resampling import Sampled

Depth = Literal["standard", "deep", "thorough"]

RUNS: Final[dict[Depth, int]] = {"standard": 0, "deep": 50, "thorough": 100}
LABELS: Final[dict[Depth, Label]] = {
    "standard": "Assessed",
    "deep": "Certified",
    "thorough": "Certified+",
}
_NOT_RUN: Final = Outcome(None, {}, (), (), complete=False)


class Settings(NamedTuple):
    """How deep, by whom, and how far a text is trusted.

    `executor` is the model that uses the skill. `adaptive` lets runs end early, at intervals of
    `width` points; `judge_anyway` asks even if the text speaks to its judge. `methodology`
    `reference` takes the published measures, which are the model's own.
    """

    depth: Depth
    panel: Panel
    executor: str
    ruleset: Ruleset = DEFAULT
    max_chars: int = MAX_CHARACTERS
    judge_anyway: bool = False
    adaptive: bool = True
    width: float = WIDTH
    methodology: Methodology = "measured"


class Around(NamedTuple):
    """The skills around one: paths of its plugin's, and of all others that are known."""

    siblings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


ALONE: Final = Around()


class _Material(NamedTuple):
    """What is known of a skill before a model is asked."""

    static: Result
    skill: SkillSource
    shown: Shown
    beside: Shown | None


class Assessed(NamedTuple):
    """A result, and what the layers that ask models hand on: what differences are made from."""

    result: Result
    read: Outcome = _NOT_RUN
    ran: Outcome = _NOT_RUN


async def assess_skill(
    client: Client, tree: Tree, path: str, settings: Settings, *, around: Around = ALONE
) -> Result:
    """The result alone, of a skill outside of plugins; see `assess`."""
    return (await assess(client, tree, path, settings, around=around)).result


async def assess(  # noqa: PLR0913 - the skill, its place, who answers and who watches
    client: Client,
    tree: Tree,
    path: str,
    settings: Settings,
    *,
    plugin: str | None = None,
    around: Around = ALONE,
    profile: ProfileName = DEFAULT_PROFILE,
    progress: Progress = quiet,
    beside: Shown | None = None,
) -> Assessed:
    """Score the skill in a directory at a depth that asks models.

    `beside` is another skill for the same job: both are asked for the same requests, and no run
    ends early, as only all of them can be paired. Raises ContentError if its SKILL.md cannot be
    read. Whatever goes wrong with the models ends in a result that says what could not be measured.
    """
    skill = read_skill(tree, path, plugin)
    static = score_skill(tree, path, plugin=plugin, ruleset=settings.ruleset, profile=profile)
    static = static._replace(extras=(code_templates(skill.text.content),))
    shown = show(skill, settings.ruleset, settings.max_chars)
    material = _Material(static, skill, shown, beside)
    aimed = aimed_at_judge(skill.text.content)
    told = static._replace(findings=(*static.findings, *findings(aimed, skill.text.path)))
    if aimed and not settings.judge_anyway:
        read, ran = refused(aimed), _NOT_RUN
    elif settings.methodology == "reference":
        read, ran = await _published(client, material, settings, progress)
    else:
        read = await judge(client, shown, settings.panel, progress, beside=beside)
        ran = _NOT_RUN
        if RUNS[settings.depth]:
            ran = await _simulated(client, material, settings, read, around, progress)
    return Assessed(_blended(material._replace(static=told), settings, read, ran), read, ran)


async def _published(
    client: Client, material: _Material, settings: Settings, progress: Progress
) -> tuple[Outcome, Outcome]:
    """Both layers by the published measures."""
    shown, panel = material.shown, settings.panel
    read = await published.judge(client, shown, panel, progress)
    runs = RUNS[settings.depth]
    if not runs:
        return read, _NOT_RUN
    return read, await published.simulate(client, shown, panel, settings.executor, runs)


async def _simulated(  # noqa: PLR0913, PLR0917 - what `assess_skill` was given, and the judges
    client: Client,
    material: _Material,
    settings: Settings,
    read: Outcome,
    around: Around,
    progress: Progress,
) -> Outcome:
    skill, shown = material.skill, material.shown
    listed = roster(
        shown.listing,
        _listings(skill.tree, around.siblings, skill.path, settings.ruleset),
        _listings(skill.tree, around.others, skill.path, settings.ruleset),
    )

    def stop(dimensions: dict[str, Sampled], level: float) -> str | None:
        so_far = Deeper(read.dimensions, dimensions, covers=covers(read), level=level)
        return enough(_composite(material.static, settings, so_far), settings.width)

    adaptive = settings.adaptive and covers(read) and material.beside is None
    runs, model = RUNS[settings.depth], settings.executor
    plan = Plan(runs, model, stop if adaptive else None, material.beside)
    return await simulate(client, shown, listed, settings.panel, plan, progress=progress)


def _listings(tree: Tree, paths: Iterable[str], own: str, ruleset: Ruleset) -> Iterator[Listing]:
    for path in paths:
        if path != own:
            try:
                yield listing(read_skill(tree, path), ruleset)
            except ContentError:
                continue  # it has a result of its own that says so


def _blended(material: _Material, settings: Settings, read: Outcome, ran: Outcome) -> Result:
    static, shown = material.static, material.shown
    label = _label(settings.depth, read, ran)
    level = ran.level if ran.result else LEVEL
    deeper = Deeper(read.dimensions, ran.dimensions, label, covers(read), level)
    layers = tuple(layer for layer in (read.result, ran.result) if layer is not None)
    blended = static._replace(
        layers=(*static.layers, *layers),
        composite=_composite(static, settings, deeper),
        model_usage=tuple(ModelUsage(*usage) for usage in by_model((*read.usage, *ran.usage))),
        notes=(*_cut(shown), *read.notes, *ran.notes, *_caveat(settings, read)),
        methodology=settings.methodology,
    )
    return withhold(blended, settings.ruleset)


def _composite(static: Result, settings: Settings, deeper: Deeper) -> Composite:
    side = side_of(static, deeper)
    return skill_composite(side.sub_scores, side.penalty, settings.ruleset, deeper)


def _side(static: Result, deeper: Deeper) -> Side:
    layer = static.layers[0]
    scores = {sub.name: sub.score for sub in layer.sub_scores}
    return Side(scores, antipatterns.penalty(len(layer.anti_patterns)), deeper)


def side_of(static: Result, deeper: Deeper) -> Side:
    """What the composite is made from: the static layer of a result, and what models said."""
    layer = static.layers[0]
    scores = {sub.name: sub.score for sub in layer.sub_scores}
    return Side(scores, antipatterns.penalty(len(layer.anti_patterns)), deeper)


def _label(depth: Depth, read: Outcome, ran: Outcome) -> Label:
    """The label of what was measured in full, never of what was asked for."""
    if not read.complete:
        return "Estimated"
    return LABELS[depth] if depth == "standard" or ran.complete else LABELS["standard"]


def _cut(shown: Shown) -> Iterator[str]:
    if shown.cut_at is not None:
        yield (
            f"Models saw SKILL.md up to line {shown.cut_at - 1}: {shown.unseen} characters after "
            "that were over the limit."
        )


def covers(read: Outcome) -> str:
    """What the interval of the composite covers; "" where it would promise too much."""
    if not read.dimensions:
        return "prompts"
    return "prompts and judges" if read.judges > 1 else ""


def _caveat(settings: Settings, read: Outcome) -> Iterator[str]:
    """What to know before the number is believed."""
    if settings.methodology == "reference":
        yield (
            "Published measures: the model scores itself, any reply counts as an activation and "
            "its length as quality. Not comparable with measured scores."
        )
    elif read.result is not None and read.judges < 2:
        yield (
            "The composite has no interval: one judge does not show how far a second would be "
            "from it. Ask for three."
        )
