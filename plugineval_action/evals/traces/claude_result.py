"""The result line of Claude Code: how the run ended, and what it took."""

from __future__ import annotations

from typing import Final

from plugineval_action.evals.traces.events import End, Usage
from plugineval_action.evals.traces.lines import (
    count_of,
    dollars_of,
    list_of,
    object_of,
    text_of,
    whole_of,
)

_LIMITS: Final = {
    "error_max_turns": "It reached its limit of turns.",
    "error_max_budget_usd": "It reached its limit of dollars.",
}
_MODEL_INPUTS: Final = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
_INPUTS: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def end_of(line: int, result: dict[str, object]) -> End:
    """`subtype: success` is no success if `is_error` is true: so ends a run after an API error."""
    subtype = text_of(result, "subtype")
    if subtype in _LIMITS:
        return End(line, "stopped", _LIMITS[subtype])
    if result.get("is_error") is True or subtype != "success":
        status = whole_of(result, "api_error_status")
        errors = "; ".join(one for one in list_of(result, "errors") if isinstance(one, str))
        told = f"API error {status}" if status else errors or text_of(result, "result") or subtype
        return End(line, "error", told)
    return End(line, "completed")


def usage_of(line: int, result: dict[str, object]) -> Usage | None:
    """Of all models if they are told, which counts subagents, else of the main loop."""
    usd = dollars_of(result, "total_cost_usd")
    models = list(object_of(result, "modelUsage").values())
    if models:
        inputs = sum(count_of(one, key) for one in models for key in _MODEL_INPUTS)
        cached = sum(count_of(one, "cacheReadInputTokens") for one in models)
        outputs = sum(count_of(one, "outputTokens") for one in models)
        return Usage(line, inputs, cached, outputs, usd)
    usage = object_of(result, "usage")
    if not usage:
        return None
    inputs = sum(count_of(usage, key) for key in _INPUTS)
    cached = count_of(usage, "cache_read_input_tokens")
    return Usage(line, inputs, cached, count_of(usage, "output_tokens"), usd)
