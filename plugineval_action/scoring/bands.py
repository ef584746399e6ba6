"""Badges and grades: where the lines are, and on which side a score falls.

The reference compares the raw double; the default ruleset first rounds to 9 decimals, so that
0.1 * 0.7 / 0.1 is 70 and not a hair below it.
"""

from __future__ import annotations

from typing import Final

from plugineval_action.results import Badge

BADGES: Final[tuple[tuple[Badge, float], ...]] = (
    ("platinum", 90.0),
    ("gold", 80.0),
    ("silver", 70.0),
    ("bronze", 60.0),
)
ORDER: Final[tuple[Badge, ...]] = (*(name for name, _ in BADGES), "no_badge", "withheld")
"""Every badge, the best first; `withheld` stands for one that the score alone would give."""

RATINGS: Final[tuple[tuple[Badge, float], ...]] = (
    ("platinum", 1600.0),
    ("gold", 1500.0),
    ("silver", 1400.0),
    ("bronze", 1300.0),
)
"""What a badge asks for besides, of skills that have played."""

GRADES: Final = (
    ("A+", 97.0),
    ("A", 93.0),
    ("A-", 90.0),
    ("B+", 87.0),
    ("B", 83.0),
    ("B-", 80.0),
    ("C+", 77.0),
    ("C", 73.0),
    ("C-", 70.0),
    ("D+", 67.0),
    ("D", 63.0),
    ("D-", 60.0),
)
UNMEASURED: Final = "—"


def badge(score: float) -> Badge:
    """The badge of a composite, 0 to 100."""
    return next((name for name, line in BADGES if score >= line), "no_badge")


def rating_badge(elo: float) -> Badge:
    """The badge that a rating allows."""
    return next((name for name, line in RATINGS if elo >= line), "no_badge")


def both(one: Badge, other: Badge) -> Badge:
    """The best badge that both allow; none that one of them withholds."""
    return max(one, other, key=ORDER.index)


def grade(score: float) -> str:
    """The letter of a score on 0 to 100."""
    return next((letter for letter, line in GRADES if score >= line), "F")


def badge_name(name: Badge) -> str:
    """The badge as people read it."""
    return "No badge" if name == "no_badge" else name.capitalize()


def next_badge(score: float) -> tuple[Badge, float] | None:
    """The next badge up and the points that are missing; None at the top."""
    above = [(name, line - score) for name, line in BADGES if round(score, 9) < line]
    return above[-1] if above else None


def shown(score: float) -> str:
    """The score with one decimal, which never shows a badge's number without the badge."""
    text = f"{score:.1f}"
    for _, line in BADGES:
        if float(text) >= line > round(score, 9):
            return f"{line - 0.1:.1f}"
    return text


def shown_beside(score: float, limit: float | None) -> str:
    """The score as `shown`, with as many decimals more as tell on which side of a limit it lies."""
    text = shown(score)
    if limit is None or (float(text) >= limit) is (round(score, 9) >= limit):
        return text
    lines = (limit, *(line for _, line in BADGES))
    longer = (f"{score:.{decimals}f}" for decimals in range(2, 9))
    exact = (
        one
        for one in longer
        if all((float(one) >= line) is (round(score, 9) >= line) for line in lines)
    )
    return next(exact, f"{score:.9f}")
