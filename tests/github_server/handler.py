"""HTTP: reads requests, sends replies, and spoils those that a fault asks for."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Final, NamedTuple, Protocol

from github_server.exchange import Reply

_GITHUB: Final = {
    "Server": "github.com",
    "Content-Type": "application/json; charset=utf-8",
    "X-GitHub-Request-Id": "0000:000000:000000:000000:00000000",
}


class Answer(NamedTuple):
    """A reply, and what shall happen to it on its way."""

    reply: Reply
    spoil: str | None = None
    seconds: float = 0


class Application(Protocol):
    """What stands behind the HTTP server."""

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Answer a request; the names of headers are in small letters."""


class Listener(ThreadingHTTPServer):
    """An HTTP server on a free port of the loopback interface, in threads of its own."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, application: Application, usual: Mapping[str, str] | None = None) -> None:
        self.application = application
        self.usual = _GITHUB if usual is None else usual
        self.closing = Event()
        self.connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def close(self) -> None:
        """Stop, and close what clients have left open."""
        self.closing.set()
        self.shutdown()
        for connection in list(self.connections):
            hang_up(connection)
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """One connection, which is kept alive."""

    protocol_version = "HTTP/1.1"
    server: Listener
    disable_nagle_algorithm = True
    wbufsize = -1
    """Headers and body leave together, in one packet if they are small."""

    def setup(self) -> None:
        super().setup()
        self.server.connections.add(self.connection)

    def finish(self) -> None:
        self.server.connections.discard(self.connection)
        try:
            super().finish()
        except OSError:
            self.close_connection = True

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Every method of HTTP is handled alike: `do_GET` and its like are found here."""
        if name.startswith("do_"):
            return self._handle
        raise AttributeError(name)

    def _handle(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        length = int(headers.get("content-length", "0"))
        body = self.rfile.read(length)
        if len(body) < length:
            # Whoever asked went away in the middle: nothing was asked.
            self._hang_up()
            return
        answer = self.server.application.handle(self.command, self.path, headers, body)
        if answer.spoil == "hang":
            self._hang()
            return
        if answer.spoil == "slow":
            self.server.closing.wait(answer.seconds)
        self._send(answer.reply, answer.spoil)

    def _hang(self) -> None:
        """Wait until one side goes away."""
        while not self.server.closing.is_set():
            if select.select([self.connection], [], [], 0.05)[0]:
                break
        self._hang_up()

    def _send(self, reply: Reply, spoil: str | None) -> None:
        data = reply.body if isinstance(reply.body, bytes) else b""
        if not isinstance(reply.body, bytes) and reply.body is not None:
            data = json.dumps(reply.body, separators=(",", ":")).encode()
        sent = data[: len(data) // 2] if spoil in {"cut", "invalid-json"} else data
        self.send_response_only(reply.status)
        length = len(data) if spoil == "cut" else len(sent)
        for name, value in {
            **self.server.usual,
            **reply.headers,
            "Content-Length": str(length),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)
        self.wfile.flush()
        if spoil == "cut":
            self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True
        hang_up(self.connection)


def hang_up(connection: socket.socket) -> None:
    """Close both directions, as far as they are still open."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
