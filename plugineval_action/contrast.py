"""What one assessed skill has more than another, with everything that both shared taken out."""

from __future__ import annotations

from plugineval_action.assess import Assessed, covers, side_of
from plugineval_action.layers.judge import pairing as judged
from plugineval_action.layers.judge.reading import Heard
from plugineval_action.layers.monte_carlo import pairing as simulated
from plugineval_action.layers.monte_carlo.measures import Ran
from plugineval_action.layers.outcome import Outcome
from plugineval_action.review_values import Difference
from plugineval_action.scoring import composite
from plugineval_action.scoring.composite import Deeper
from plugineval_action.stats.pairing import Pair, apart
from plugineval_action.stats.resampling import Sampled
from plugineval_action.stats.seeds import seeded


def differences(one: Assessed, other: Assessed) -> tuple[Difference, ...]:
    """What `other` has more than `one`, paired where both met the same prompts.

    () where they were not measured alike: scores of different layers are not compared.
    """
    results = one.result, other.result
    labels = {each.composite.confidence_label for each in results if each.composite}
    measured = all(each.read.result and each.result.composite for each in (one, other))
    if len(labels) != 1 or not measured or "reference" in {one.methodology for one in results}:
        return ()
    key = "\0".join(each.result.path for each in (one, other))
    read = _together(one.read, other.read, key)
    ran = _together(one.ran, other.ran, key)
    left, right = (
        side_of(
            each.result,
            Deeper(read[at], ran[at], covers=covers(each.read), level=each.ran.level),
        )
        for at, each in enumerate((one, other))
    )
    return composite.differences(left, right)


def _together(
    one: Outcome, other: Outcome, key: str
) -> tuple[dict[str, Sampled], dict[str, Sampled]]:
    """The dimensions of both sides, with draws that belong together."""
    pairs: dict[str, Pair] = {}
    if isinstance(one.raw, Heard) and isinstance(other.raw, Heard):
        pairs = judged.paired(one.raw, other.raw, key)
    elif isinstance(one.raw, Ran) and isinstance(other.raw, Ran):
        pairs = simulated.paired(one.raw, other.raw, key)
    left, right = dict(one.dimensions), dict(other.dimensions)
    for name in left.keys() & right.keys():
        rng = seeded("apart", name, key)
        pair = pairs.get(name) or apart(left[name].draws, right[name].draws, rng)
        left[name] = left[name]._replace(draws=pair.one)
        right[name] = right[name]._replace(draws=pair.other)
    return left, right
