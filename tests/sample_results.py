"""Scored skills, agents and plugins built by hand, for the tests of what shows a `score`."""

from __future__ import annotations

import asyncio

from memory_tree import MemoryTree
from plugineval_action.assess import Settings, assess_skill
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.static.antipatterns import penalty
from plugineval_action.llm.client import Request, Unmeasured, Usage
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import (
    AntiPattern,
    Evidence,
    Extra,
    Failure,
    Finding,
    LayerResult,
    Measure,
    ModelUsage,
    Part,
    Result,
    SubScore,
)
from plugineval_action.rules import RULES
from plugineval_action.scoring.composite import plugin_composite, skill_composite
from simulated_client import SimulatedClient

RULESET = "plugineval/1"

HOSTILE = (
    "a|b `c` ``` **d** _e_ <img src=https://evil.example/p.png> <!-- x --> [x](https://evil.example)"
    " @octocat #1 GH-2 o/r#3 deadbeefdeadbeef :tada: $x$ www.evil.example ![i](u)\n# heading\n"
    "::error::x\r##[error]y\x1b[31mred\x07 \u202eevil\u202c zero\u200bwidth \udcff --> </details>"
    "</script>%0A [bold red]z[/] {{ 7 * 7 }}"
)
"""Text that wants to be markup, a link, a mention, a command or a new line."""


def anti_pattern(flag: str, path: str, line: int, description: str = "") -> AntiPattern:
    rule = RULES[flag]
    text = description or f"{rule.title}."
    return AntiPattern(flag, text, 0.05, rule.remedy, path, line, line)


def finding(rule: str, path: str, line: int, message: str = "") -> Finding:
    known = RULES[rule]
    text = message or f"{known.title}."
    return Finding(rule, known.level, text, known.remedy, path, line, line)


def sub_scores(**scores: tuple[Part, ...] | float) -> tuple[SubScore, ...]:
    """The seven of a skill: a number is a score without parts; what is not named is perfect."""
    names = (
        *("frontmatter_quality", "orchestration_wiring", "progressive_disclosure"),
        *("structural_completeness", "token_efficiency", "ecosystem_coherence"),
        "harness_portability",
    )
    return tuple(_sub_score(name, scores.get(name, 1.0)) for name in names)


def _sub_score(name: str, given: tuple[Part, ...] | float) -> SubScore:
    if isinstance(given, float):
        return SubScore(name, given)
    return SubScore(name, sum(part.points for part in given), given)


def skill(
    name: str,
    path: str,
    subs: tuple[SubScore, ...],
    flags: tuple[AntiPattern, ...] = (),
    findings: tuple[Finding, ...] = (),
    ruleset: str = RULESET,
) -> Result:
    scores = {sub.name: sub.score for sub in subs}
    factor = penalty(len(flags))
    layer = LayerResult(
        "static", factor * 0.7, subs, flags, {"skill_name": name, "line_count": 240}
    )
    composite = skill_composite(scores, factor, "plugineval")
    return Result("skill", name, path, ruleset, (layer,), composite, findings=findings)


def agent(name: str, path: str) -> Result:
    parts = (Part("base", 0.5, 0.5, "every agent"), Part("tools", 0.1, 0.1, "found", (4,)))
    sub = _sub_score("agent", (*parts, Part("model", 0.0, 0.1, "not found")))
    layer = LayerResult("static", sub.score, (sub,), (), {"agent_name": name})
    why = "Agents have a score of their own and count in their plugin."
    return Result("agent", name, path, RULESET, (layer,), unscored=why, agent_score=sub.score)


def plugin(name: str, path: str, *members: Result, findings: tuple[Finding, ...] = ()) -> Result:
    layers = [layer for member in members for layer in member.layers]
    flags = tuple(flag for layer in layers for flag in layer.anti_patterns)
    mean = sum(layer.score for layer in layers) / len(layers)
    layer = LayerResult("static", mean, (), flags, {"plugin_name": name})
    composite = plugin_composite(mean, penalty(len(flags)), "plugineval")
    return Result(
        "plugin", name, path, RULESET, (layer,), composite, findings=findings, members=members
    )


def release_notes(ruleset: str = RULESET) -> Result:
    """A skill with something of everything: parts, flags that repeat, findings of each level."""
    file = "skills/release-notes/SKILL.md"
    subs = sub_scores(
        frontmatter_quality=(
            Part("name", 0.15, 0.15, "release-notes", (2,)),
            Part("description length", 0.20, 0.25, "74 characters", (3,)),
            Part("trigger phrase", 0.0, 0.15, "not found"),
            Part("use cases", 0.12, 0.12, "3 listed", (3,)),
        ),
        orchestration_wiring=(
            Part("base", 0.70, 0.70, "every skill"),
            Part("output format", 0.10, 0.10, "output format", (31,)),
            Part("orchestrator words", -0.15, 0.0, "dispatch", (40,)),
        ),
        progressive_disclosure=0.5,
        structural_completeness=(
            Part("headings", 0.20, 0.20, "8", (8, 20, 31, 40, 52)),
            Part("table", 0.0, 0.10, "not found"),
        ),
        token_efficiency=0.963,
        ecosystem_coherence=0.5,
        harness_portability=0.85,
    )
    flags = (
        anti_pattern("MISSING_TRIGGER", file, 3),
        anti_pattern("ORPHAN_REFERENCE", file, 12, "references/format.md is not there."),
        anti_pattern("ORPHAN_REFERENCE", file, 57, "references/format.md is not there."),
    )
    findings = (
        finding("CLAUDE_TOOL_PROSE", file, 22, "the Bash tool"),
        finding("DUPLICATE_KEY", file, 4, "description is given twice."),
        finding("INVALID_JSON", ".claude-plugin/plugin.json", 1),
    )
    return skill("release-notes", "skills/release-notes", subs, flags, findings, ruleset)


def changelog() -> Result:
    """A skill without a fault."""
    return skill("changelog", "skills/changelog", sub_scores())


def writing_tools() -> Result:
    """A plugin with two skills and an agent."""
    return plugin(
        "writing-tools", "", changelog(), release_notes(), agent("editor", "agents/editor.md")
    )


def commands_only() -> Result:
    """A plugin with nothing to score."""
    why = "It has no skills or agents, only commands."
    return Result("plugin", "commands-only", "plugins/commands-only", RULESET, unscored=why)


def hostile(text: str = HOSTILE) -> Result:
    """A plugin in which every text that could come from outside is this one."""
    parts = (Part("name", 0.05, 0.15, text, (2,)), Part(text, 0.05, 0.15, text, (2,)))
    subs = sub_scores(frontmatter_quality=parts)
    flag = anti_pattern("DEAD_CROSS_REF", text, 3, text)._replace(remedy=text)
    told = finding("NON_STRING_FIELD", text, 2, text)._replace(rule=text, remedy=text)
    inside = _asked(skill(text, text, subs, (flag,), (told,)), text)
    return plugin(text, text, inside, agent(text, text), findings=(told,))


def _asked(result: Result, text: str) -> Result:
    """A skill about which models were asked, and everything that they said is this text."""
    judge = LayerResult(
        layer="judge",
        score=0.5,
        sub_scores=(SubScore("scope_calibration", 0.5),),
        anti_patterns=(),
        metadata={"judges": 1},
        measures=(Measure(text, 0.5, 0.25, 0.75, 3, text), Measure(text, None, reason=text)),
        evidence=(Evidence("scope_calibration", text, text, 1, 3, text, (text,)),),
        notes=(text,),
    )
    return result._replace(
        layers=(*result.layers, judge),
        extras=(Extra(text, None, 0, text, (text,)), Extra(text, 0.5, 2, "", (text,))),
        model_usage=(ModelUsage(text, 1, 2, 3, 4, 5, None, 0.5),),
        notes=(text,),
    )


def deep() -> Result:
    """A skill read by three simulated judges and used 50 times; one assessment is missing."""

    def full(request: Request) -> Unmeasured | None:
        if request.purpose != "judge.scope_calibration":
            return None
        return Unmeasured("overloaded", "The service has no capacity.", Usage(request.model))

    front = "---\nname: notes\ndescription: Simulated. Writes notes. Use when a tag is set.\n---\n"
    tree = MemoryTree({"skills/notes/SKILL.md": f"{front}# Notes\n\n```json\n{{\n```\n"})
    settings = Settings("deep", Panel(3, "haiku", "sonnet", "f00d"), "sonnet")
    client = SimulatedClient(seed=3, changed=full)
    return asyncio.run(assess_skill(client, tree, "skills/notes", settings))


def hostile_run(text: str = HOSTILE) -> ScoreRun:
    """Everything that a run can show, all of it this text."""
    unscored = Result("plugin", text, text, RULESET, unscored=text)
    failure = Failure(text, text, text)
    return scored(
        hostile(text), unscored, failures=(failure,), threshold=90, verbose=True, notes=(text,)
    )


def scored(
    *results: Result,
    failures: tuple[Failure, ...] = (),
    threshold: float | None = None,
    verbose: bool = False,
    output_format: str = "json",
    notes: tuple[str, ...] = (),
) -> ScoreRun:
    """A run over these results on a fixed day."""
    return ScoreRun(
        results=results,
        failures=failures,
        depth_asked="quick",
        depth_run="quick",
        ruleset=results[0].ruleset if results else RULESET,
        threshold=threshold,
        timestamp="2026-01-02T03:04:05+00:00",
        concurrency=4,
        verbose=verbose,
        output_format=output_format,
        duration_ms=12.5,
        notes=notes,
    )


FAILURE = Failure("skills/broken", "SKILL.md is a directory.", "Put a plain file there.")

RUNS = {
    "one": scored(release_notes(), threshold=80),
    "plugin": scored(writing_tools(), threshold=60),
    "many": scored(
        release_notes(),
        changelog(),
        commands_only(),
        agent("editor", "agents/editor.md"),
        failures=(FAILURE,),
        threshold=80,
        notes=("Depth deep was asked for; only the static layer was run.",),
    ),
    "verbose": scored(writing_tools(), commands_only(), verbose=True),
    "agent": scored(agent("editor", "agents/editor.md")),
    "unscored": scored(commands_only()),
    "failed": scored(failures=(FAILURE,)),
    "reference": scored(release_notes("reference/0.1.0")),
    "hostile": hostile_run(),
    "deep": scored(deep(), threshold=60)._replace(depth_asked="deep", depth_run="deep"),
}
"""One run of each kind, by name."""
