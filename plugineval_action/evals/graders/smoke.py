"""`smoke`: a server of the checks file starts in the workspace and answers on this machine."""

from __future__ import annotations

import shlex
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from plugineval_action.evals.graders.base import Check, Grader, Scene, Seconds, Verdict
from plugineval_action.evals.graders.build import NOT_RUN, OwnCommand
from plugineval_action.evals.graders.searching import Words
from plugineval_action.evals.processes import Task
from plugineval_action.inputs.mistakes import problem, quoted

_HERE: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def _loopback(url: str) -> str:
    try:
        parts = urlsplit(url)
        fits = parts.scheme == "http" and parts.hostname in _HERE and parts.port is not None
    except ValueError:
        fits = False
    if not url.isascii() or " " in url:
        raise problem(
            f"{quoted(url)} holds what no address does.", "Write other characters as %20, %C3%A9."
        )
    if not fits or parts.username is not None:
        raise problem(
            f"{quoted(url)} is no address of this machine.",
            "Write http://127.0.0.1:PORT/path, with the port.",
        )
    return url


class Smoke(Check):
    """`url` answers with `status`, and with `contains` in its text, within `seconds`."""

    type: Literal["smoke"]
    command: OwnCommand
    url: Annotated[str, Field(max_length=2_000), AfterValidator(_loopback)]
    status: Annotated[int, Field(ge=100, le=599, strict=True)] = 200
    contains: Words = None
    seconds: Seconds = 60.0

    def grader(self) -> Grader:
        return _Smoke(self)


class _Smoke(Grader):
    def __init__(self, check: Smoke) -> None:
        self._check = check
        self._task = Task(tuple(shlex.split(check.command)), check.seconds, check.url)

    def verdict(self, scene: Scene) -> Verdict:
        if scene.execute is None:
            return NOT_RUN
        ended, check = scene.execute(self._task), self._check
        if ended.problem:
            return Verdict("unknown", ended.problem)
        if ended.answer is None:
            last = ended.output.strip().rpartition("\n")[2]
            return Verdict("failed", f"{check.url} did not answer: {quoted(last)}.")
        if ended.answer.status != check.status:
            why = f"{check.url} answered {ended.answer.status}, expected {check.status}."
            return Verdict("failed", why)
        if check.contains and check.contains.casefold() not in ended.answer.text.casefold():
            return Verdict("failed", f"{check.url} does not say {quoted(check.contains)}.")
        return Verdict("passed", f"{check.url} answered {check.status}.")
