"""Asking a server on this machine once: no redirect is followed, no proxy used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from typing import Final, NamedTuple
from urllib.parse import urlsplit

MAX_BYTES: Final = 1 << 20


class Answer(NamedTuple):
    """The status and the beginning of the text."""

    status: int
    text: str


def ask(url: str, seconds: float) -> Answer | None:
    """What answers at an http address with a port; None if nothing does in time.

    The time is for all of it: a server that sends a byte now and then does not prolong it.
    """
    parts = urlsplit(url)
    assert parts.hostname
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = HTTPConnection(parts.hostname, parts.port, timeout=seconds)
    try:
        connection.connect()
        over = Event()
        with _limited(connection.sock, seconds, over):
            connection.request("GET", path)
            response = connection.getresponse()
            text = response.read(MAX_BYTES).decode("utf-8", "replace")
        # An answer that was cut off looks like one that ends.
        return None if over.is_set() else Answer(response.status, text)
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


@contextmanager
def _limited(open_socket: socket, seconds: float, over: Event) -> Iterator[None]:
    """Shut a connection down when the time is over, and say so."""
    timer = Timer(seconds, _shut, [open_socket, over])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _shut(open_socket: socket, over: Event) -> None:
    over.set()
    # It may be closed already.
    with suppress(OSError):
        open_socket.shutdown(SHUT_RDWR)
