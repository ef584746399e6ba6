"""Records of runs built by hand, and strategies for any of them."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from plugineval_action.report.history import Record
from plugineval_action.results import Badge

RULESET = "plugineval/1"
MEANS = (0.5, 0.9, 0.75, 0.6, 1.0, 0.5, 1.0)


def record(
    day: str = "2026-01-05",
    commit: str = "c1",
    plugin: str = "p",
    score: float | None = 80.0,
    **more: object,
) -> Record:
    """What a run found of a plugin."""
    badge: Badge | None = None if score is None else "gold" if score >= 80 else "no_badge"
    found = Record(
        date=day,
        commit=commit,
        ruleset=RULESET,
        plugin=plugin,
        path=f"plugins/{plugin}",
        slug=plugin,
        score=score,
        badge=badge,
        flags={},
        skills=1,
        agents=0,
        sub_scores=MEANS,
        digest="",
    )
    return found._replace(**more)  # type: ignore[arg-type] # fields by their names


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNT = st.integers(0, 1000)
SHARE = st.floats(0, 1)

records = st.builds(
    Record,
    date=st.dates(date(2024, 1, 1), date(2026, 12, 31)).map(date.isoformat),
    commit=st.sampled_from(["c1", "c2", "c3"]),
    ruleset=st.sampled_from([RULESET, "plugineval/2"]),
    plugin=st.sampled_from(["a", "b"]) | TEXT,
    path=st.sampled_from(["plugins/a", "plugins/b"]) | TEXT,
    slug=st.just("s"),
    score=st.none() | st.floats(0, 100),
    badge=st.none() | st.sampled_from(["gold", "no_badge"]),
    flags=st.dictionaries(TEXT, COUNT, max_size=1),
    skills=COUNT,
    agents=COUNT,
    evals=st.none() | st.dictionaries(TEXT, st.tuples(COUNT, COUNT), max_size=2),
    sub_scores=st.sampled_from([None, MEANS]) | SHARE.map(lambda share: (share,) * 7),
    digest=st.sampled_from(["", "d1", "d2"]),
)
