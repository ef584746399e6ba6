"""Counting tokens, and the prompt cache."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, Final

from model_server.limits import blocks_of, breakpoints
from model_server.prices import PRICES, Counted

Json = dict[str, Any]

_BYTES: Final = 3.3
"""Bytes of English text per token, about."""

_MESSAGE, _TOOLS, _SCHEMA = 4, 350, 250
"""What the service adds for each block, for tools and for a schema."""

_LOOK_BACK: Final = 20


def tokens_of(text: str) -> int:
    """How many tokens a text is."""
    return math.ceil(len(text.encode()) / _BYTES)


def _block_tokens(block: Json) -> int:
    plain = {key: value for key, value in block.items() if key not in {"cache_control", "type"}}
    text = block["text"] if block.get("type") == "text" else json.dumps(plain, ensure_ascii=False)
    return tokens_of(text) + _MESSAGE


def added(body: Json) -> int:
    """Tokens of what the service adds: they come before everything else."""
    form = body.get("output_config", {}).get("format")
    schema = _SCHEMA + tokens_of(json.dumps(form)) if form else 0
    return schema + (_TOOLS if body.get("tools") else 0)


def prompt_tokens(body: Json) -> int:
    """All tokens that go in."""
    return added(body) + sum(map(_block_tokens, blocks_of(body)))


class PromptCache:
    """Prefixes of prompts that were seen, by a digest of model, format and blocks."""

    def __init__(self) -> None:
        self._kept: set[str] = set()

    def count(self, body: Json) -> tuple[Counted, list[str]]:
        """Count a prompt, and name the prefixes that its answer will leave in the cache."""
        blocks = list(blocks_of(body))
        points = breakpoints(body)
        ends, digests = self._prefixes(body, blocks)
        total = prompt_tokens(body)
        wanted = [at for at in points if ends[at] >= PRICES[body["model"]].cached_from]
        if not wanted:
            return Counted(total, 0, 0, 0, 0), []
        read = max((ends[at] for at in self._found(wanted, digests)), default=0)
        written = max(0, ends[wanted[-1]] - read)
        hour = blocks[wanted[-1]]["cache_control"].get("ttl") == "1h"
        counted = Counted(
            input=total - read - written,
            output=0,
            read=read,
            write_5m=0 if hour else written,
            write_1h=written if hour else 0,
        )
        return counted, [digests[at] for at in wanted]

    def keep(self, prefixes: list[str]) -> None:
        """Let later prompts read these prefixes."""
        self._kept.update(prefixes)

    def _found(self, wanted: list[int], digests: list[str]) -> list[int]:
        near = {at for point in wanted for at in range(max(0, point - _LOOK_BACK), point + 1)}
        return [at for at in near if digests[at] in self._kept]

    @staticmethod
    def _prefixes(body: Json, blocks: list[Json]) -> tuple[list[int], list[str]]:
        """For each block, the tokens and the digest of the prompt up to its end."""
        form = json.dumps(body.get("output_config", {}), sort_keys=True)
        digest = hashlib.sha256(f"{body['model']}{form}".encode())
        count, ends, digests = added(body), [], []
        for block in blocks:
            plain = {key: value for key, value in block.items() if key != "cache_control"}
            digest.update(json.dumps(plain, sort_keys=True).encode())
            count += _block_tokens(block)
            ends.append(count)
            digests.append(digest.hexdigest())
        return ends, digests
