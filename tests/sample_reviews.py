"""Reviews and marketplaces built by hand, for the tests of whatever shows them."""

from __future__ import annotations

from plugineval_action.findings.catalogue import RULES
from plugineval_action.layers.static.antipatterns import penalty
from plugineval_action.report.scan import scored
from plugineval_action.report_values import Entry, Listing, MarketplaceReport
from plugineval_action.results import (
    AntiPattern,
    Failure,
    Finding,
    LayerResult,
    Part,
    Result,
    SubScore,
)
from plugineval_action.review_values import Change, Difference, Mechanical, Review
from plugineval_action.scoring.composite import plugin_composite, skill_composite

RULESET = "plugineval/1"
BASE = "1f0c2d3e4b5a69788796a5b4c3d2e1f001122334"
HEAD = "9a8b7c6d5e4f30211203f4e5d6c7b8a998877665"

ATTACKS = (
    "![pixel](https://evil.example/pixel.png)",
    '<img src="https://evil.example/x.png" onerror="alert(1)">',
    "<script>alert(1)</script></details></table><!--",
    "[click me](https://evil.example) https://evil.example www.evil.example",
    "@octocat @github/security #1 GH-2 octocat/repo#3 deadbeefdeadbeef",
    "a | b | c\n| - | - |\n| 1 | 2 |",
    "`code` ``more`` ```\n# heading\n\n- list",
    "\x1b[31mred\x07 \u202eevil\u202c \u2066x\u2069 zero\u200bwidth",
    "--> <!-- plugin-eval --> -->",
    ":tada: $x$ **bold** _em_ ~~gone~~ [^1] [x]: https://evil.example",
)
"""Names, descriptions and paths that want to be more than text."""

SAID = "Reviews the commits of a branch before they are merged and names what is missing."
"""A description that several skills share."""


def flag(name: str, path: str, line: int = 3, description: str = "") -> AntiPattern:
    """An anti-pattern with the remedy of its rule."""
    rule = RULES[name]
    return AntiPattern(name, description or f"{rule.title}.", 0.1, rule.remedy, path, line, line)


def skill(
    name: str,
    *flags: str,
    path: str = "",
    trigger: float = 0.15,
    length: float = 0.60,
    output: float = 0.10,
    examples: float = 0.15,
) -> Result:
    """A scored skill; the numbers are what single parts of its sub-scores add."""
    where = path or f"skills/{name}"
    file = f"{where}/SKILL.md"
    sub_scores = (
        _sub_score(
            "frontmatter_quality",
            Part("description length", 0.60, 0.60, "120 characters", (3,)),
            Part("trigger phrase", trigger, 0.15, "Use when" if trigger else "not found", (3,)),
        ),
        _sub_score(
            "orchestration_wiring",
            Part("base", 0.70, 0.70, "every skill"),
            Part("output format", output, 0.10, "Return JSON" if output else "not found", (12,)),
        ),
        _sub_score("progressive_disclosure", Part("length", length, 0.60, "240 lines")),
        _sub_score(
            "structural_completeness",
            Part("headings", 0.50, 0.50, "7", (5, 20)),
            Part("examples", examples, 0.15, "found" if examples else "not found"),
        ),
        _sub_score("token_efficiency", Part("base", 0.95, 1.0, "every skill")),
        _sub_score("ecosystem_coherence", Part("base", 0.66, 0.75, "every skill")),
        _sub_score("harness_portability", Part("base", 1.0, 1.0, "every skill")),
    )  # fmt: skip
    factor = penalty(len(flags))
    layer = LayerResult(
        "static",
        factor * sum(sub.score for sub in sub_scores) / len(sub_scores),
        sub_scores,
        tuple(flag(each, file, 3 + at) for at, each in enumerate(flags)),
        {"skill_name": name, "line_count": 240},
    )
    composite = skill_composite({sub.name: sub.score for sub in sub_scores}, factor, "plugineval")
    return Result("skill", name, where, RULESET, (layer,), composite)


def agent(name: str, score: float = 0.9, path: str = "") -> Result:
    """A scored agent, which has no composite."""
    parts = Part("base", 0.5, 0.5, "every agent"), Part("tools", score - 0.5, 0.5, "found", (4,))
    return Result(
        "agent",
        name,
        path or f"agents/{name}.md",
        RULESET,
        (LayerResult("static", score, (_sub_score("agent", *parts),), (), {"agent_name": name}),),
        unscored="Agents have a score of their own and count in their plugin.",
        agent_score=score,
    )


def plugin(name: str, *members: Result, path: str = "") -> Result:
    """A plugin with the mean of its members; one without members is not scored."""
    where = path or f"plugins/{name}"
    layers = [layer for member in members for layer in member.layers]
    scores = [layer.score for layer in layers]
    flags = tuple(each for layer in layers for each in layer.anti_patterns)
    if not scores:
        reason = "It has no skills or agents, only commands."
        return Result("plugin", name, where, RULESET, unscored=reason, members=members)
    mean = sum(scores) / len(scores)
    return Result(
        "plugin",
        name,
        where,
        RULESET,
        (LayerResult("static", mean, (), flags, {"plugin_name": name}),),
        plugin_composite(mean, penalty(len(flags)), "plugineval"),
        members=members,
    )


def review(*changes: Change, failures: tuple[Failure, ...] = (), unchanged: int = 12) -> Review:
    return Review(BASE, HEAD, RULESET, changes, failures, unchanged)


def empty_review() -> Review:
    return review()


def one_review() -> Review:
    """One skill that lost its trigger phrase."""
    after = skill("code-review", "MISSING_TRIGGER", trigger=0.0)
    return review(Change("changed", skill("code-review"), after))


def judged(result: Result, **scores: float) -> Result:
    """The same once models were asked, with these scores of dimensions."""
    composite = result.composite
    assert composite is not None
    dimensions = tuple(
        one._replace(score=scores.get(one.name, one.score)) for one in composite.dimensions
    )
    judged = composite._replace(
        score=scores["composite"], dimensions=dimensions, confidence_label="Assessed"
    )
    return result._replace(composite=judged)


def judged_review() -> Review:
    """Two skills that models were asked about before and after: one got worse, of one nobody can
    say so although two of its dimensions moved."""
    worse = Change(
        "changed",
        judged(skill("code-review"), composite=71.2, triggering_accuracy=0.9, output_quality=0.7),
        judged(
            skill("code-review", "MISSING_TRIGGER", trigger=0.0),
            composite=62.0,
            triggering_accuracy=0.61,
            output_quality=0.72,
        ),
        (
            Difference("composite", -9.2, -14.1, -4.3),
            Difference("triggering_accuracy", -0.29, -0.41, -0.17),
            Difference("orchestration_fitness", 0.0, 0.0, 0.0),
            Difference("output_quality", 0.02, -0.11, 0.15),
        ),
    )
    noisy = Change(
        "changed",
        judged(skill("release-notes"), composite=70.1, triggering_accuracy=0.8, output_quality=0.5),
        judged(skill("release-notes"), composite=71.9, triggering_accuracy=0.7, output_quality=0.8),
        (
            Difference("composite", 1.8, -3.9, 7.5),
            Difference("triggering_accuracy", -0.1, -0.19, -0.01),
            Difference("output_quality", 0.3, 0.12, 0.48),
        ),
    )
    return review(worse, noisy)


def finding(name: str, path: str, line: int = 2, message: str = "") -> Finding:
    """A finding with the remedy of its rule."""
    rule = RULES[name]
    text = message or f"{rule.title}."
    return Finding(name, rule.level, text, rule.remedy, path, line, line)


def broken_review() -> Review:
    """A skill whose front matter broke, with a weakness it had before, and its plugin."""
    before = skill("linter", output=0.0)
    after = skill("linter", "EMPTY_DESCRIPTION", output=0.0, trigger=0.0)
    file = "skills/linter/SKILL.md"
    known = finding("DUPLICATE_KEY", file, 9)
    news = (
        finding("CLAUDE_TOOL_PROSE", file, 8),
        finding("NON_STRING_FIELD", file, 4),
        finding("INVALID_YAML", file, 3, "Front matter is not valid YAML: a stray colon."),
    )
    plugins = plugin("tools", before, skill("x")), plugin("tools", after, agent("a", 0.5))
    return review(
        Change("affected", *plugins),
        Change(
            "changed",
            before._replace(findings=(known,)),
            after._replace(findings=(known, *news)),
        ),
    )


def many_review() -> Review:
    """At least one change of every kind, and more rows than stay open."""
    moved = skill("moved", path="plugins/b/skills/moved")
    better = [
        Change("changed", skill(f"better-{at}", output=0.0), skill(f"better-{at}"))
        for at in range(9)
    ]
    tagged = (
        skill("tagger", "ORPHAN_REFERENCE"),
        skill("tagger", "DEAD_CROSS_REF", "DEAD_CROSS_REF"),
    )
    return review(
        Change(
            "changed", skill("code-review"), skill("code-review", "MISSING_TRIGGER", trigger=0.0)
        ),
        Change("changed", *tagged),
        Change("renamed", skill("moved", path="plugins/a/skills/moved"), moved),
        Change(
            "affected", skill("linker", "DEAD_CROSS_REF", output=0.0), skill("linker", output=0.0)
        ),
        Change("new", None, skill("fresh", "EMPTY_DESCRIPTION", "BLOATED_SKILL", length=0.15)),
        Change("new", None, skill("twin", path="plugins/a/skills/twin")),
        Change("new", None, skill("twin", path="plugins/b/skills/twin")),
        Change("new", None, plugin("commands")),
        Change(
            "changed",
            plugin("tools", skill("x")),
            plugin("tools", skill("x"), skill("y", output=0)),
        ),
        Change("changed", agent("helper", 0.8), agent("helper", 0.9)),
        Change("removed", skill("gone", "MISSING_TRIGGER"), None),
        Change("removed", agent("old-helper"), None),
        *better,
        failures=(
            Failure("skills/binary/SKILL.md", "It is larger than 1024 KiB.", "Move detail out."),
        ),
        unchanged=1234,
    )


def huge_review(changes: int) -> Review:
    """So many changes that no comment holds them."""
    high = skill("s", "MISSING_TRIGGER", trigger=0.0)
    low = skill("s", "BLOATED_SKILL", length=0.15)

    def change(at: int) -> Change:
        name, path = (
            f"skill-number-{at:05}",
            f"plugins/plugin-{at // 9:03}/skills/skill-number-{at:05}",
        )
        sides = (low, high) if at % 3 else (high, low)
        before, after = (side._replace(name=name, path=path) for side in sides)
        return Change("changed", before, after)

    return review(*map(change, range(changes)))


def hostile_review() -> Review:
    """Every attack as a name, a path, a description, a reason and a revision."""
    changes = [
        Change("changed", skill("calm", path=f"skills/{at}"), hostile_skill(attack, at))
        for at, attack in enumerate(ATTACKS)
    ]
    changes += [
        Change("new", None, hostile_skill(attack, at, path=attack))
        for at, attack in enumerate(ATTACKS)
    ]
    changes += [
        Change("removed", hostile_skill(attack, at, path=attack), None)
        for at, attack in enumerate(ATTACKS)
    ]
    changes += [
        Change("new", None, plugin(attack, path=attack)._replace(unscored=attack))
        for attack in ATTACKS
    ]
    failures = tuple(Failure(attack, attack, attack) for attack in ATTACKS)
    mechanical = tuple(Mechanical(each, each, 2, each, each) for each in ATTACKS)
    hostile = Review(ATTACKS[0], ATTACKS[4], ATTACKS[5], tuple(changes), failures, 0)
    return hostile._replace(mechanical=mechanical)


def hostile_skill(attack: str, at: int, path: str = "") -> Result:
    """A skill whose every text is an attack."""
    calm = skill(
        "calm", "MISSING_TRIGGER", "DEAD_CROSS_REF", path=path or f"skills/{at}", trigger=0.0
    )
    layer = calm.layers[0]
    flags = tuple(
        found._replace(description=attack, path=attack, remedy=attack)
        for found in layer.anti_patterns
    )
    sub_scores = tuple(
        sub._replace(parts=tuple(part._replace(found=attack) for part in sub.parts))
        for sub in layer.sub_scores
    )
    hostile = layer._replace(anti_patterns=flags, sub_scores=sub_scores)
    return calm._replace(name=attack, layers=(hostile,))


def marketplace(*plugins: Result, **more: object) -> MarketplaceReport:
    found = tuple(map(scored, plugins))
    return MarketplaceReport("sample-tools", HEAD, RULESET, "2026-01-31", found, **more)  # type: ignore[arg-type]


def many_marketplace() -> MarketplaceReport:
    """Something of everything, and more plugins than stay open."""
    plugins = [
        plugin(
            f"plugin-{at:02}",
            skill(
                f"first-{at}",
                *(("MISSING_TRIGGER",) if at % 3 else ()),
                output=0.1 if at % 2 else 0.0,
            ),
            skill(f"second-{at}", *(("DEAD_CROSS_REF",) * (at % 4)), length=0.6 if at % 5 else 0.2),
            *(agent(f"agent-{at}-{each}", 0.7 + each / 10) for each in range(at % 3)),
        )
        for at in range(30)
    ]
    unreadable = agent("broken")._replace(layers=(), agent_score=None, unscored="It is a folder.")
    return marketplace(
        *plugins,
        plugin("mixed", skill("whole"), unreadable),
        plugin("commands"),
        loose=(scored(skill("stray")), scored(agent("stray-agent"))),
        failures=(
            Failure("skills/binary/SKILL.md", "It is larger than 1024 KiB.", "Move detail out."),
        ),
        external=tuple(
            Entry(f"elsewhere-{at}", f"github sample-owner/repo-{at}") for at in range(9)
        ),
        missing=(Entry("lost", "./plugins/lost"),),
        unlisted=("plugins/secret",),
    )


def huge_marketplace(plugins: int) -> MarketplaceReport:
    """So many plugins that no README shows them."""
    members = [skill("s", "MISSING_TRIGGER", "DEAD_CROSS_REF", trigger=0.0), skill("t"), agent("u")]

    def one(at: int) -> Result:
        inside = [
            each._replace(
                name=f"member-{at}-{number}", path=f"plugins/p{at}/skills/member-{number}"
            )
            for number, each in enumerate(members * 4)
        ]
        return plugin(f"plugin-{at:04}", *inside)

    return marketplace(*map(one, range(plugins)))


def hostile_marketplace() -> MarketplaceReport:
    """Every attack as a name, a path, a reason, and a line of marketplace.json."""
    pairs = list(enumerate(ATTACKS))
    plugins = [plugin(attack, hostile_skill(attack, at), path=attack) for at, attack in pairs]
    plugins += [plugin(attack)._replace(unscored=attack) for attack in ATTACKS]
    loose = [hostile_skill(attack, at, path=f"loose/{attack}") for at, attack in pairs]
    listings = tuple(Listing(each, each, each, f"{each} {SAID}", hidden=False) for each in ATTACKS)
    entries = tuple(Entry(attack, attack) for attack in ATTACKS)
    failures = tuple(Failure(attack, attack, attack) for attack in ATTACKS)
    return MarketplaceReport(
        ATTACKS[1],
        ATTACKS[3],
        ATTACKS[5],
        "2026-01-31",
        tuple(
            scored(each, attack, listings)
            for each, attack in zip(plugins, ATTACKS * 2, strict=True)
        ),
        tuple(map(scored, loose)),
        failures,
        entries,
        entries,
        ATTACKS,
    )


def _sub_score(name: str, *parts: Part) -> SubScore:
    return SubScore(name, sum(part.points for part in parts), parts)
