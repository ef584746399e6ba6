"""A share of a report as a file, so that machines side by side can score one marketplace.

Whoever can write such a file can say anything of a score, so joining takes nothing else on trust:
types and sizes are checked, and all shards have to be of one run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Final

from pydantic import TypeAdapter, ValidationError

from plugineval_action.errors import HistoryError
from plugineval_action.report.gather import Shard, joined
from plugineval_action.report_values import MarketplaceReport

FORMAT: Final = "plugineval-shard/1"
MAX_BYTES: Final = 256 << 20
MOST_SHARDS: Final = 256
"""As many jobs as a matrix of GitHub Actions may have."""


def shard_file(shard: Shard) -> str:
    """The name of a shard's file."""
    return f"shard-{shard.part.number}-of-{shard.part.of}.json"


def write_shard(shard: Shard) -> str:
    """A shard as text."""
    return json.dumps({"format": FORMAT, "shard": shard}, separators=(",", ":")) + "\n"


def read_shard(name: str, text: str) -> Shard:
    """The shard in a file's text. Raises HistoryError for anything else."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise HistoryError(
                f"{name} is no shard of this version of plugin-eval ({FORMAT}).",
                "Write and merge shards with the same version.",
            )
        return _adapter().validate_python(document.get("shard"))
    except (ValueError, RecursionError, ValidationError) as error:
        raise HistoryError(
            f"{name} cannot be read as a shard ({type(error).__name__}).",
            "Run report --shard again; it may have been cut off.",
        ) from None


def merged(shards: Sequence[Shard]) -> MarketplaceReport:
    """The report that shards make. Raises HistoryError if they are not all parts of one run."""
    if not shards:
        raise HistoryError("There is no shard.", "Name the folder that report --shard has written.")
    first = shards[0]
    for shard in shards:
        if shard._replace(part=first.part, scored=()) != first._replace(scored=()):
            raise HistoryError(
                "The shards are of different runs: of another commit, ruleset or marketplace.",
                "Score all shards at one commit, with the same options.",
            )
    _check_complete(first.part.of, shards)
    return joined(shards)


def _check_complete(of: int, shards: Sequence[Shard]) -> None:
    if not 1 <= of <= MOST_SHARDS:
        raise HistoryError(f"There cannot be {of} shards.", f"Use at most {MOST_SHARDS}.")
    found = sorted(shard.part.number for shard in shards)
    missing = sorted(set(range(1, of + 1)) - set(found))
    if missing:
        named = ", ".join(f"{number}/{of}" for number in missing[:20])
        raise HistoryError(f"Shards are missing: {named}.", "Run report --shard for each of them.")
    if len(found) > of or any(shard.part.of != of for shard in shards):
        raise HistoryError("A shard is there twice.", "Keep one file of each number.")
    for shard in shards:
        if len(shard.scored) != (shard.targets - shard.part.number) // of + 1:
            raise HistoryError(
                f"Shard {shard.part.number}/{of} is not whole.", "Run report --shard again."
            )


@cache
def _adapter() -> TypeAdapter[Shard]:
    return TypeAdapter(Shard)
