"""Message batches: taken at once, worked on when asked for, given back in any order."""

from __future__ import annotations

import json
import random
import re

from github_server.exchange import Reply
from model_server.answers import Answers
from model_server.drafts import Json, JsonValue
from model_server.faults import refused
from model_server.limits import problems

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MOST = 100_000


class Batches:
    """All batches of a server. Each is polled `polls` times before it has ended.

    `spoil` gives other results to requests, by the order in which they came: "errored" (the
    service failed), "invalid" (the request is wrong), "expired" or "canceled".
    """

    def __init__(self, answers: Answers, url: str, seed: int) -> None:
        self._answers, self._url, self._rng = answers, url, random.Random(seed)
        self.polls = 1
        self.spoil: dict[int, str] = {}
        self.created = 0
        self._batches: dict[str, Json] = {}
        self._lines: dict[str, list[Json]] = {}
        self._left: dict[str, int] = {}

    def create(self, body: JsonValue) -> tuple[Reply, list[str]]:
        """Take a batch; only ids and sizes are checked before it is worked on."""
        requests = body.get("requests", []) if isinstance(body, dict) else []
        ids = [str(request.get("custom_id", "")) for request in requests]
        wrong = []
        if not 1 <= len(requests) <= _MOST or set(body) != {"requests"}:
            wrong.append("requests: 1 to 100000 are required")
        if len(set(ids)) != len(ids) or not all(map(_ID.fullmatch, ids)):
            wrong.append("custom_id: unique, and of letters, digits, _ and -, at most 64")
        if wrong:
            return refused(400, "invalid_request_error", wrong[0]), wrong
        self.created += 1
        name = f"msgbatch_{self.created:04}"
        self._lines[name], violations = self._work(requests)
        self._left[name] = self.polls
        self._batches[name] = {"id": name, "type": "message_batch", "count": len(requests)}
        return Reply(200, self._payload(name)), violations

    def retrieve(self, name: str) -> Reply:
        """How far it is; each look brings it nearer to its end."""
        if name not in self._batches:
            return refused(404, "not_found_error", f"batch {name} not found")
        reply = Reply(200, self._payload(name))
        self._left[name] = max(0, self._left[name] - 1)
        return reply

    def results(self, name: str) -> Reply:
        """All results, shuffled, one JSON object a line."""
        lines = list(self._lines[name])
        self._rng.shuffle(lines)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        return Reply(200, text.encode(), {"Content-Type": "application/binary"})

    def _payload(self, name: str) -> Json:
        ended = not self._left[name]
        kinds = [line["result"]["type"] for line in self._lines[name]]
        counts = {
            kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")
        }
        waiting = {**dict.fromkeys(counts, 0), "processing": len(kinds)}
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**counts, "processing": 0} if ended else waiting,
            "created_at": "2026-01-31T12:00:00Z",
            "expires_at": "2026-02-01T12:00:00Z",
            "ended_at": "2026-01-31T12:30:00Z" if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self._url}/v1/messages/batches/{name}/results" if ended else None,
        }

    def _work(self, requests: list[Json]) -> tuple[list[Json], list[str]]:
        violations: list[str] = []
        lines = []
        for number, request in enumerate(requests):
            wrong = list(problems(request.get("params")))
            wrong += ["stream"] if request.get("params", {}).get("stream") else []
            violations += wrong
            kind = self.spoil.pop(number, "invalid" if wrong else "succeeded")
            result = self._result(kind, request["params"])
            lines.append({"custom_id": request["custom_id"], "result": result})
        return lines, violations

    def _result(self, kind: str, params: Json) -> Json:
        if kind == "succeeded":
            call, prefixes = self._answers.answer(params, batch=True)
            self._answers.cache.keep(prefixes)
            return {"type": "succeeded", "message": call.message}
        if kind in {"errored", "invalid"}:
            error = "api_error" if kind == "errored" else "invalid_request_error"
            inner = {"type": error, "message": "It failed"}
            whole = {"type": "error", "error": inner, "request_id": "req_in_batch"}
            return {"type": "errored", "error": whole}
        return {"type": kind}
