"""The ten dimensions: what they weigh, and how much each layer says about them."""

from __future__ import annotations

from typing import Final, NamedTuple


class DimensionSpec(NamedTuple):
    """Weight in the composite, and the weights of the layers inside the dimension.

    `static_source` names the static sub-score that speaks for the dimension, None if none does.
    """

    name: str
    weight: float
    static: float
    judge: float
    monte_carlo: float
    static_source: str | None


DIMENSIONS: Final = (
    DimensionSpec("triggering_accuracy", 0.25, 0.15, 0.25, 0.60, "frontmatter_quality"),
    DimensionSpec("orchestration_fitness", 0.20, 0.10, 0.70, 0.20, "orchestration_wiring"),
    DimensionSpec("output_quality", 0.15, 0.0, 0.40, 0.60, None),
    DimensionSpec("scope_calibration", 0.12, 0.30, 0.55, 0.15, None),
    DimensionSpec("progressive_disclosure", 0.10, 0.80, 0.20, 0.0, "progressive_disclosure"),
    DimensionSpec("token_efficiency", 0.06, 0.40, 0.10, 0.50, "token_efficiency"),
    DimensionSpec("robustness", 0.05, 0.0, 0.20, 0.80, None),
    DimensionSpec("structural_completeness", 0.03, 0.90, 0.10, 0.0, "structural_completeness"),
    DimensionSpec("code_template_quality", 0.02, 0.30, 0.70, 0.0, None),
    DimensionSpec("ecosystem_coherence", 0.02, 0.85, 0.15, 0.0, "ecosystem_coherence"),
)
