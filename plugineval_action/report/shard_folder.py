"""The shards in a folder, where jobs that ran side by side have put them."""

from __future__ import annotations

from pathlib import Path

from plugineval_action.errors import HistoryError, UsageError
from plugineval_action.report.gather import Shard
from plugineval_action.report.shard import MAX_BYTES, MOST_SHARDS, read_shard


def shards_in(directory: Path) -> list[Shard]:
    """Every shard at or below a directory. Raises HistoryError for one that cannot be read."""
    files = sorted(directory.rglob("shard-*-of-*.json"))
    if len(files) > MOST_SHARDS:
        raise UsageError(f"{directory} holds {len(files):,} shards.", f"Use at most {MOST_SHARDS}.")
    return [read_shard(str(file), _text(file)) for file in files]


def _text(file: Path) -> str:
    if file.is_symlink() or not file.is_file() or file.stat().st_size > MAX_BYTES:
        what = f"is no plain file of at most {MAX_BYTES >> 20} MiB"
        raise HistoryError(f"{file} {what}.", "Put the one that plugin-eval wrote in its place.")
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{file} cannot be read ({type(error).__name__})."
        raise HistoryError(message, "Score this share again.") from None
