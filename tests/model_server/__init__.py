"""A Messages API on the loopback interface: real HTTP, strict, with a till, failing on demand.

It speaks messages, count_tokens, message batches and models as version 2026-10-21 of the API does.
Every request is checked against the documented shape and limits; one that breaks them is answered
with 400 as the service would, and kept in `server.violations`. Leaving the `with` block raises
AssertionError if there is any, unless the server was made with `check=False`.

    from model_server import Draft, ModelServer, Seen

    def echo(seen: Seen) -> Draft:
        return Draft(seen.prompt)

    with ModelServer(echo, seed=7) as server:
        ...  # the SDK, with base_url=server.url and api_key=server.key
        assert server.billed == pytest.approx(expected)

Who answers: functions from Seen to a Draft, or to None if it is somebody else's question; the first
Draft counts, and at the end stands `anything`, which fills any schema. `simulated.py` has models
whose true rates are known. Each answer draws from its own random generator, seeded by the server's
seed, the request (long hexadecimal numbers aside) and how often it was answered before: the same
questions get the same answers in whatever order they arrive; of questions that are alike to the
letter, the first to come gets the first answer.

Money: `server.billed` is what the service charges in dollars, from a price table of the server's
own; `server.calls` are the answers with their tokens. The prompt cache is kept: a prefix can be
read once the answer that wrote it is on its way.

Faults: `server.fault(kind, times=1, after=0, seconds=…)` spoils the next calls to /v1/messages:
    "429" (retry-after `seconds`)   "429-silent" (no such header)   "spend-limit"   "own-limit"
    "401"  "401-echo" (and repeats the key)  "403"  "400"  "500"  "529"  "502" (a proxy's page)
    "hang" (never answers, not billed)      "stall" (billed, and never answers)
    "cut" (billed, half of it arrives)      "garbage" (billed, and no JSON)
    "html" (200, and a page)
As a process: `python -m model_server --help`, from tests/.
"""

from __future__ import annotations

from model_server.drafts import Draft, Model, Seen, ToolCall, anything
from model_server.server import ModelServer

__all__ = ["Draft", "Model", "ModelServer", "Seen", "ToolCall", "anything"]
