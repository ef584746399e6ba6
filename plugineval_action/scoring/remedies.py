"""What to do about each part of a sub-score that is not at its best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from plugineval_action.results import Part

REMEDIES: Final[Mapping[tuple[str, str], str]] = {
    ("frontmatter_quality", "name"): "Give the skill the name of its folder.",
    ("frontmatter_quality", "description length"): "Describe the skill in 100 characters or more: what it does and when to use it.",
    ("frontmatter_quality", "trigger phrase"): 'Say when to use it: "Use when …".',
    ("frontmatter_quality", "proactively"): 'If the skill should be used unasked, say "proactively"; else leave it.',
    ("frontmatter_quality", "strong word"): "Say what should trigger it.",
    ("frontmatter_quality", "use cases"): 'List three situations: "…, when …, for …, or during …".',
    ("frontmatter_quality", "activity"): 'Name the activity: "when reviewing …".',
    ("orchestration_wiring", "output format"): 'State the output format, such as "Output format: …".',
    ("orchestration_wiring", "output words"): "Say what the skill returns or produces.",
    ("orchestration_wiring", "input words"): "Say which input or parameters the skill needs.",
    ("orchestration_wiring", "two code blocks"): "Show two code blocks, such as a call and its result.",
    ("orchestration_wiring", "orchestrator words"): "Let the skill do its work; leave orchestrating and dispatching to an agent.",
    ("progressive_disclosure", "length"): "If detail is missing, add it; 200 to 600 lines score best.",
    ("progressive_disclosure", "references"): "Move detail into files under references/ and link to them.",
    ("progressive_disclosure", "assets"): "Put templates and samples under assets/.",
    ("structural_completeness", "headings"): "Divide the text by six or more headings of level 2 and 3.",
    ("structural_completeness", "code blocks"): "Show five code blocks.",
    ("structural_completeness", "languages"): "Label code blocks with their language; three different ones count most.",
    ("structural_completeness", "examples"): "Add a heading for examples.",
    ("structural_completeness", "troubleshooting"): "Add a heading for troubleshooting.",
    ("structural_completeness", "table"): "Put what can be compared into a table.",
    ("structural_completeness", "help to decide"): 'Help to decide, for example with a "When to use" section.',
    ("token_efficiency", "directives"): "Say rules in plain words; keep MUST, NEVER and ALWAYS for the few that matter.",
    ("token_efficiency", "repeated lines"): "Say each thing once.",
    ("ecosystem_coherence", "cross-references"): "Refer to related skills by their path.",
    ("ecosystem_coherence", "related words"): 'Name related skills: "See also …".',
    ("agent", "use proactively"): 'If the agent should be used unasked, write "Use proactively …" in its description.',
    ("agent", "tools"): "List the tools the agent needs.",
    ("agent", "description length"): "Describe the agent in 40 characters or more.",
    ("agent", "model"): "Name the model the agent should run on.",
}  # fmt: skip
"""Sentences by sub-score and part; parts without one cannot be raised."""

CONDITIONAL: Final = frozenset(
    REMEDIES[part]
    for part in (
        ("frontmatter_quality", "proactively"),
        ("progressive_disclosure", "length"),
        ("agent", "use proactively"),
    )
)
"""Advice that is right for some skills only, whatever it would bring: it comes after all other."""


def remedy(sub_score: str, part: Part) -> str:
    """What would raise a part of a sub-score; "" if it is at its best, or if nothing would."""
    return REMEDIES.get((sub_score, part.name), "") if part.points < part.best else ""
