"""Score one skill, agent or plugin of a tree: the way from content to a Result."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from plugineval_action.content.plugin import PluginSource
from plugineval_action.content.skill import finding, read_skill
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.layers.static import antipatterns, layer
from plugineval_action.layers.static.agent import measure_agent
from plugineval_action.results import AntiPattern, Finding, Kind, LayerResult, Result
from plugineval_action.rulesets import DEFAULT, Ruleset, versioned
from plugineval_action.scoring.composite import plugin_composite, skill_composite

EMPTY_PLUGIN_SCORE = 0.5
"""What the reference gives a plugin with nothing in it; the default ruleset does not score it."""


def score_skill(
    tree: Tree, path: str, *, plugin: str | None = None, ruleset: Ruleset = DEFAULT
) -> Result:
    """Score the skill in a directory. Raises ContentError if its SKILL.md cannot be read."""
    skill = read_skill(tree, path, plugin)
    static, findings = layer.measure(skill, ruleset)
    penalty = antipatterns.penalty(len(static.anti_patterns))
    scores = {sub.name: sub.score for sub in static.sub_scores}
    return Result(
        kind="skill",
        name=str(static.metadata["skill_name"]),
        path=path,
        ruleset=versioned(ruleset),
        layers=(static,),
        composite=skill_composite(scores, penalty, ruleset),
        findings=findings,
    )


def score_agent(tree: Tree, path: str, *, ruleset: Ruleset = DEFAULT) -> Result:
    """Score an agent file. Raises ContentError if it cannot be read. Agents have no composite."""
    agent = measure_agent(tree, path, ruleset)
    metadata: dict[str, str | int] = {"agent_name": agent.name}
    return Result(
        kind="agent",
        name=agent.name,
        path=path,
        ruleset=versioned(ruleset),
        layers=(LayerResult("static", agent.sub_score.score, (agent.sub_score,), (), metadata),),
        unscored="Agents have a score of their own and count in their plugin.",
        findings=agent.findings,
        agent_score=agent.sub_score.score,
    )


class MemberScores:
    """The scores of one plugin directory's members: many plugins may be made of the same ones."""

    def __init__(self) -> None:
        self._of: tuple[Tree, str, Ruleset] | None = None
        self._known: dict[tuple[Kind, str], Result] = {}

    def of(self, tree: Tree, plugin: PluginSource, ruleset: Ruleset) -> Iterator[Result]:
        """The members of a plugin, skills first, each scored once for its directory."""
        if self._of != (tree, plugin.path, ruleset):
            self._of, self._known = (tree, plugin.path, ruleset), {}
        members: list[tuple[Kind, str]] = [("skill", path) for path in plugin.skills]
        members += [("agent", path) for path in plugin.agents]
        for kind, path in members:
            if (kind, path) not in self._known:
                self._known[kind, path] = _member(tree, plugin, kind, path, ruleset)
            yield self._known[kind, path]


def score_plugin(
    tree: Tree,
    plugin: PluginSource,
    *,
    ruleset: Ruleset = DEFAULT,
    known: MemberScores | None = None,
) -> Result:
    """Score a plugin: the mean over its skills and agents, under the penalty of all their flags.

    A member that cannot be read stays in the result, unscored, and out of the mean. `known` is for
    plugins of one tree, one after the other.
    """
    members = tuple((known or MemberScores()).of(tree, plugin, ruleset))
    scores = [member.layers[0].score for member in members if member.layers]
    flags = tuple(
        flag for member in members for layer in member.layers for flag in layer.anti_patterns
    )
    result = Result(
        "plugin",
        plugin.name,
        plugin.path,
        versioned(ruleset),
        members=members,
        findings=(*plugin.findings, *_unread(members)),
    )
    if not scores and ruleset != "reference":
        return result._replace(unscored=_nothing_to_score(plugin, members))
    mean = fsum(scores) / len(scores) if scores else EMPTY_PLUGIN_SCORE
    return result._replace(
        layers=(_plugin_layer(plugin, mean, flags),),
        composite=plugin_composite(mean, antipatterns.penalty(len(flags)), ruleset),
    )


def _member(tree: Tree, plugin: PluginSource, kind: Kind, path: str, ruleset: Ruleset) -> Result:
    try:
        if kind == "agent":
            return score_agent(tree, path, ruleset=ruleset)
        return score_skill(tree, path, plugin=plugin.path, ruleset=ruleset)
    except ContentError as error:
        return _unreadable(kind, path, ruleset, error)


def _unread(members: tuple[Result, ...]) -> Iterator[Finding]:
    """A member without a score counts for nothing, so that has to be said."""
    for member in members:
        if not member.layers:
            yield finding("UNREADABLE_FILE", member.unscored or "", member.path)


def _unreadable(kind: Kind, path: str, ruleset: Ruleset, error: ContentError) -> Result:
    name = path.rpartition("/")[2]
    return Result(kind, name, path, versioned(ruleset), unscored=str(error))


def _plugin_layer(plugin: PluginSource, mean: float, flags: tuple[AntiPattern, ...]) -> LayerResult:
    return LayerResult("static", mean, (), flags, {"plugin_name": plugin.name})


def _nothing_to_score(plugin: PluginSource, members: tuple[Result, ...]) -> str:
    if members:
        return "None of its skills and agents can be read."
    if plugin.other:
        return f"It has no skills or agents, only {', '.join(plugin.other)}."
    return "It has no skills or agents."
