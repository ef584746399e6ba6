"""The outputs of the step, as single lines of text.

`score` and `badge` are those of the skill that scores lowest at head, `delta` is the largest loss
(or, if nothing was lost, the smallest gain) of a skill that was scored on both sides; all three are
empty if there is no such skill.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from plugineval_action.action.gate import Gate
from plugineval_action.escape import shorten
from plugineval_action.evals.compared import Evals, SkillEvals
from plugineval_action.gh.commands import append_output
from plugineval_action.gh.outcome import Denied, Outcome, Published, Unchanged
from plugineval_action.review.urgency import side, urgent_first
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.bands import shown
from plugineval_action.scoring.points import points_of

MOST_BYTES: Final = 120_000
"""Of `changed-skills`, so that it fits in a variable of a later step, for which Linux has 131,072
bytes with its name; the file has all."""

NOTHING: Final[dict[str, str]] = {
    "score": "",
    "badge": "",
    "delta": "",
    "passed": "true",
    "changed-skills": "[]",
    "result-json": "",
    "comment-url": "",
    "check-url": "",
    "report-url": "",
    "certificates": "",
    "evals": "[]",
    "comment-pending": "false",
}
"""Every output of a run that had nothing to do."""

NAME_LIMIT: Final = 60
PATH_LIMIT: Final = 160
MOST_IDS: Final = 100


def outputs(
    review: Review, gate: Gate, comment: Outcome, check: Outcome, result_file: str
) -> dict[str, str]:
    """Every output by name."""
    skills = [change for change in urgent_first(review) if side(change).kind == "skill"]
    return {
        **NOTHING,
        **_lowest(skills),
        "delta": _worst_delta(skills),
        "passed": boolean(value=gate.passed),
        "changed-skills": _listed(map(_skill, skills)),
        "result-json": result_file,
        "comment-url": _url(comment),
        "check-url": _url(check),
        "comment-pending": boolean(value=isinstance(comment, Denied)),
    }


def eval_outputs(evals: Evals) -> dict[str, str]:
    """What the evals add to the outputs."""
    return {"evals": _listed(map(_evals, evals.skills))}


def write_outputs(path: Path, values: Mapping[str, str]) -> None:
    """Set them all. A line break in a value becomes a space."""
    for name, value in values.items():
        append_output(path, name, " ".join(value.splitlines()))


def _lowest(skills: list[Change]) -> Mapping[str, str]:
    scored = [each.after.composite for each in skills if each.after and each.after.composite]
    lowest = min(scored, key=lambda composite: composite.score, default=None)
    if lowest is None:
        return {"score": "", "badge": ""}
    return {"score": shown(lowest.score), "badge": lowest.badge}


def _worst_delta(skills: list[Change]) -> str:
    moves = [points for each in skills if (points := delta.points(each)) is not None]
    return signed(min(moves)) if moves else ""


def _listed(objects: Iterable[Mapping[str, Any]]) -> str:
    """As many as there is room for, as a JSON list in ASCII."""
    entries: list[str] = []
    room = MOST_BYTES - len("[]")
    for each in objects:
        entry = json.dumps(each)
        room -= len(entry) + len(", ")
        if room < 0:
            break
        entries.append(entry)
    return f"[{', '.join(entries)}]"


def _skill(change: Change) -> Mapping[str, Any]:
    named, after = side(change), change.after
    points, score = delta.points(change), points_of(after) if after else None
    return {
        "name": shorten(named.name, NAME_LIMIT),
        "path": shorten(named.path or ".", PATH_LIMIT),
        "score": None if score is None else float(shown(score)),
        "delta": None if points is None else float(signed(points)),
        "badge": after.composite.badge if after and after.composite else None,
        "status": change.status,
    }


def _evals(one: SkillEvals) -> Mapping[str, Any]:
    """A skill's evals in numbers; None without a baseline."""
    changed, cases = one.changes, one.summary.cases
    return {
        "skill": one.summary.skill,
        "harness": one.harness,
        "passed": sum(case.state == "passed" for case in cases),
        "graded": sum(case.state != "ungraded" for case in cases),
        "broken": list(changed.broken[:MOST_IDS]) if changed else None,
        "fixed": list(changed.fixed[:MOST_IDS]) if changed else None,
        "flaky": list(changed.flaky[:MOST_IDS]) if changed else None,
    }


def signed(points: float) -> str:
    """One decimal, as in the comment but with an ASCII minus."""
    text = f"{round(points, 9):+.1f}"
    return text if float(text) else "0.0"


def _url(outcome: Outcome) -> str:
    return outcome.url if isinstance(outcome, Published | Unchanged) else ""


def boolean(*, value: bool) -> str:
    """As a later step's `if` compares it."""
    return "true" if value else "false"
