"""Asking a server on this machine once: no redirect is followed, no proxy used."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException
from typing import Final, NamedTuple
from urllib.parse import urlsplit

MAX_BYTES: Final = 1 << 20


class Answer(NamedTuple):
    """The status and the beginning of the text."""

    status: int
    text: str


def ask(url: str, seconds: float) -> Answer | None:
    """What answers at an http address with a port; None if nothing does in time."""
    parts = urlsplit(url)
    assert parts.hostname
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = HTTPConnection(parts.hostname, parts.port, timeout=seconds)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return Answer(response.status, response.read(MAX_BYTES).decode("utf-8", "replace"))
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
