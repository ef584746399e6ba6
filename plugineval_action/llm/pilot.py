"""The first few questions of each kind, asked before all others, to learn how long answers are.

Nobody can tell beforehand how much a model says and thinks; a few answers of the run itself can.
They are kept, so that the run does not pay for them again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Final

from plugineval_action.llm.cache import Store
from plugineval_action.llm.client import Client, Reply, Request, Unmeasured
from plugineval_action.llm.estimate import Planned, rests_on_stand_in, stand_in
from plugineval_action.llm.prefixes import prefix_of
from plugineval_action.llm.wire import body

FEWEST: Final = 2
"""Questions of a kind: purpose, model and form of the answer."""

SHARE: Final = 12
"""Of so many questions of a purpose one is asked first, if that is more."""


class Pilot:
    """A Client that asks another one a few questions of each kind, and has a stand-in for the rest.

    What rests on a stand-in is not asked: the run will not ask it either. What was answered before
    is read from `store` and tells nothing new. `warm` are the prefixes that are cached now.
    """

    def __init__(self, client: Client, store: Store, plan: Iterable[Planned]) -> None:
        self._client, self._store = client, store
        self._planned = {(row.purpose, row.model): row.calls for row in plan}
        self._asked: Counter[str] = Counter()
        self.warm: set[str] = set()

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client."""
        kept = self._store.read(request)
        if kept is not None:
            return kept
        kind = json.dumps([request.purpose, request.model, request.schema])
        planned = self._planned.get((request.purpose, request.model), 0)
        if self._asked[kind] >= max(FEWEST, planned // SHARE) or rests_on_stand_in(request):
            return stand_in(request)
        self._asked[kind] += 1
        answer = await self._client.ask(request)
        prefix = prefix_of(body(request), 0)
        if prefix is not None and isinstance(answer, Reply):
            self.warm.add(prefix)
        return answer
