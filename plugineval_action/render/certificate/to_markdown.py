"""A certificate as a page, from its JSON: what it says, how sure that is, what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any, Final

from plugineval_action import PROJECT_URL
from plugineval_action.certify.outcome import HALF_BAND
from plugineval_action.escape import code, markdown
from plugineval_action.render.links import NAME_LIMIT
from plugineval_action.render.words import NOTHING, counted, spaced
from plugineval_action.scoring.bands import badge_name, shown

Data = Mapping[str, Any]

MARKER: Final = "<!-- plugineval-certificate -->"
MEANING: Final = f"{PROJECT_URL}/blob/main/docs/certificates.md"


def render(certificate: Data, stem: str) -> str:
    """The page of a certificate that fits its schema; `stem` is what its files are called."""
    predicate = certificate["predicate"]
    parts = (
        _head(certificate, stem),
        _verdict(predicate),
        _dimensions(predicate),
        _games(predicate),
        _evals(predicate["evals"]),
        _made(predicate),
        _left_out(predicate),
    )
    blocks = ["\n".join(lines) for part in parts if (lines := list(part))]
    return "\n\n".join(blocks) + "\n"


def _head(certificate: Data, stem: str) -> Iterator[str]:
    """What was certified, how good it is, how sure that is, until when, and how to check it."""
    predicate, subject = certificate["predicate"], certificate["subject"][0]
    skill = predicate["skill"]
    yield MARKER
    yield f"# Certificate: {markdown(skill['name'], NAME_LIMIT)}"
    yield ""
    yield f"![{_in_words(predicate)}]({stem}.svg)"
    yield ""
    yield _title(predicate)
    yield ""
    yield from _underpowered(predicate["score"])
    files = counted(skill["files"], "file")
    about = "holds for" if predicate["outcome"] == "certified" else "is about"
    yield f"It {about} {code(skill['path'])}, {files}, with the digest"
    digest = code(f"sha256:{subject['digest']['sha256']}")
    yield f"{digest}, and for no other bytes. To check that, offline:"
    yield ""
    yield code(check_command(stem, skill["path"]))


def _in_words(predicate: Data) -> str:
    """What the badge says."""
    if predicate["outcome"] != "certified":
        return "not certified"
    return f"certified {spaced(predicate['badge']['name'])}"


def check_command(stem: str, path: str) -> str:
    """What to run to check a certificate, beside its JSON and at the root of its skills."""
    return f"plugin-eval verify {stem}.json {quote(path or '.')}"


def _underpowered(score: Data | None) -> Iterator[str]:
    if score and score["underpowered"] and score["reach"] is not None:
        yield (
            f"**Underpowered:** the score's interval is {2 * score['reach']:.1f} points wide, more "
            f"than half of a badge's band ({HALF_BAND:g})."
        )
        yield ""


def _title(predicate: Data) -> str:
    issued, until = predicate["issued"][:10], predicate["expires"][:10]
    if predicate["outcome"] != "certified":
        reasons = " ".join(markdown(reason) for reason in predicate["reasons"])
        return f"**Not certified: {predicate['outcome']}.** {reasons} Issued on {issued}."
    name, score = badge_name(predicate["badge"]["name"]), predicate["score"]
    return (
        f"**{name}**: score {shown(score['value'])} of 100, 95 % interval {_interval(score, 1)}. "
        f"Certified on {issued}, valid until **{until}**."
    )


def _verdict(predicate: Data) -> Iterator[str]:
    yield "| What | Value | 95 % interval | Allows |"
    yield "| :-- | --: | --: | :-- |"
    badge, score, elo, strength = (predicate[key] for key in ("badge", "score", "elo", "strength"))
    if score:
        yield (
            f"| Score | {shown(score['value'])} | {_interval(score, 1)} "
            f"| {badge_name(badge['by_score'])} |"
        )
    if elo:
        allows = badge_name(badge["by_rating"])
        yield f"| Elo | {elo['rating']:.0f} | {_interval(elo, 0)} | {allows} |"
    if strength:
        yield f"| Rating among all games | {strength['rating']:.0f} | {_interval(strength, 0)} | |"
    if score:
        yield ""
        yield from _near(score)


def _near(score: Data) -> Iterator[str]:
    words = []
    if score["above_line"] is not None:
        words.append(f"{score['above_line']:.1f} points above its badge's line")
    if score["to_next_line"] is not None:
        words.append(f"{score['to_next_line']:.1f} below the next")
    yield f"The score is {', '.join(words)}." if words else "The score is at the top."
    if score["crosses"]:
        lines = " and ".join(map(badge_name, score["crosses"]))
        yield f"Its interval crosses the line of {lines}: chance may have decided."


def _dimensions(predicate: Data) -> Iterator[str]:
    if not predicate["dimensions"]:
        return
    yield "| Dimension | Weight | Score | 95 % interval | Won | Lost |"
    yield "| :-- | --: | --: | --: | --: | --: |"
    elo = predicate["elo"] or {"dimensional_wins": {}, "dimensional_losses": {}}
    for one in predicate["dimensions"]:
        name = one["name"]
        score = NOTHING if one["score"] is None else f"{100 * one['score']:.1f}"
        interval = NOTHING
        if one["ci_lower"] is not None:
            interval = f"{100 * one['ci_lower']:.1f} to {100 * one['ci_upper']:.1f}"
        won = elo["dimensional_wins"].get(name, NOTHING)
        lost = elo["dimensional_losses"].get(name, NOTHING)
        title = spaced(name).capitalize()
        yield f"| {title} | {one['weight']:.2f} | {score} | {interval} | {won} | {lost} |"


def _games(predicate: Data) -> Iterator[str]:
    games, elo = predicate["games"], predicate["elo"]
    if not games["played"]:
        yield "No game was played."
        return
    met = len(games["references"])
    yield (
        f"{counted(games['played'], 'game')} against {counted(met, 'skill')} "
        f"({games['same_category']} of the same category, {games['same_size']} of about the same "
        f"length); {games['flips']} of them were ties because the two orders disagreed "
        f"({100 * games['flip_rate']:.0f} %)."
    )
    if games["first_preferred"] is not None:
        low, high = games["first_preferred_ci"]
        yield (
            f"Whoever was shown first was preferred in {100 * games['first_preferred']:.0f} % of "
            f"verdicts (95 % interval {100 * low:.0f} to {100 * high:.0f})."
        )
    if elo and elo["corpus_percentile"] is not None:
        closest = markdown(elo["closest_comparable"], NAME_LIMIT)
        others = counted(predicate["strength"]["comparable"], "skill")
        yield (
            f"Rated above {elo['corpus_percentile']:.0f} % of the {others} that games connect it "
            f"with; nearest is {closest}."
        )


def _evals(evals: Data | None) -> Iterator[str]:
    """What the repository keeps: others ran it, and at another time."""
    if not evals:
        return
    yield f"Evals, as {code(evals['file'])} keeps them (not run for this certificate):"
    yield ""
    yield "| Harness | Cases | Runs passed | Share (95 % interval) |"
    yield "| :-- | --: | --: | --: |"
    for one in evals["results"]:
        low, high = 100 * one["ci_lower"], 100 * one["ci_upper"]
        harness = NOTHING if one["harness"] is None else markdown(one["harness"], NAME_LIMIT)
        share = f"{100 * one['share']:.0f} % ({low:.0f} to {high:.0f})"
        yield f"| {harness} | {one['cases']} | {one['passed']} of {one['runs']} | {share} |"


def _made(predicate: Data) -> Iterator[str]:
    terms, models, cost = predicate["terms"], predicate["models"], predicate["cost"]
    agreement = predicate["agreement"]
    yield "| How it was made | |"
    yield "| :-- | :-- |"
    yield f"| Issued, valid until | {predicate['issued'][:10]}, {predicate['expires'][:10]} |"
    yield f"| Depth | {predicate['depth']} |"
    yield f"| Ruleset, prompts | {code(predicate['ruleset'])}, version {predicate['prompts']} |"
    for role, model in models.items():
        yield f"| {role.capitalize()} | {code(model)} |"
    yield f"| Judges a question | {terms['judges']} |"
    yield f"| Runs with the skill | {terms['runs'] or 'none at this depth'} |"
    if agreement:
        value = NOTHING if agreement["value"] is None else f"{agreement['value']:.2f}"
        yield f"| Judge's agreement with itself | {value} ({markdown(agreement['method'])}) |"
    yield f"| Cost | {_dollars(cost['usd'])}, announced {_dollars(cost['announced_usd'])} |"
    if predicate["skill"]["revision"]:
        yield f"| Commit | {code(predicate['skill']['revision'])} |"


def _left_out(predicate: Data) -> Iterator[str]:
    if predicate["not_measured"]:
        yield "Not measured:"
        yield ""
        for one in predicate["not_measured"]:
            yield f"- {markdown(spaced(one['what']))}: {markdown(one['reason'])}"
        yield ""
    for note in predicate["notes"]:
        yield f"- {markdown(note)}"
    if predicate["notes"]:
        yield ""
    yield f"[What a certificate says, and what it does not]({MEANING})"


def _interval(one: Data, digits: int) -> str:
    if one["ci_lower"] is None or one["ci_upper"] is None:
        return NOTHING
    return f"{one['ci_lower']:.{digits}f} to {one['ci_upper']:.{digits}f}"


def _dollars(amount: float | None) -> str:
    return "unknown" if amount is None else f"${amount:.2f}"
