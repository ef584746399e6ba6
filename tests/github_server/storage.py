"""The server that artifacts are downloaded from; it is no GitHub, and must not see a token."""

from __future__ import annotations

import re
from collections.abc import Mapping

from github_server.exchange import Reply, Request
from github_server.handler import Answer
from github_server.state import Artifact
from github_server.traffic import Traffic
from github_server.world import World


class Storage:
    """Serves `/<artifact id>.zip`; its requests are listed below `/storage`."""

    def __init__(self, world: World, traffic: Traffic) -> None:
        self.world = world
        self.traffic = traffic

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """See Application."""
        path = target.partition("?")[0]
        token = headers.get("authorization", "")
        request = Request(method, f"/storage{path}", {}, body or None, 0, token)
        return self.traffic.serve(request, lambda: self._answer(request))

    def _answer(self, request: Request) -> Reply:
        if request.token:
            self.traffic.violations.append(f"{request.path}: a token was sent to the storage")
            return _error(401, "InvalidAuthenticationInfo")
        artifact = self._find(request.path)
        if request.method != "GET" or artifact is None:
            return _error(404, "BlobNotFound")
        return Reply(200, artifact.data, {"Content-Type": "application/zip"})

    def _find(self, path: str) -> Artifact | None:
        named = re.fullmatch(r"/storage/([0-9]+)\.zip", path)
        number = int(named[1]) if named else None
        for repository in self.world.repositories.values():
            for run in repository.workflow_runs:
                for artifact in run.artifacts:
                    if artifact.id == number:
                        return artifact
        return None


def _error(status: int, code: str) -> Reply:
    text = f'<?xml version="1.0" encoding="utf-8"?><Error><Code>{code}</Code></Error>'
    return Reply(status, text.encode(), {"Content-Type": "application/xml"})
