"""What all repositories of a server share: addresses, numbers, time, people."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Final

from github_server.description import Json, description

if TYPE_CHECKING:
    from github_server.repository import Repository

BOT: Final = "github-actions[bot]"
START: Final = int(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC).timestamp())


@dataclass
class World:
    """One GitHub; its time moves on by a second whenever somebody asks."""

    url: str
    html_url: str
    storage_url: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    _users: dict[str, Json] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=lambda: count(1001))
    _seconds: count[int] = field(default_factory=lambda: count(START))

    def next_id(self) -> int:
        return next(self._numbers)

    def seconds(self) -> int:
        return next(self._seconds)

    def skip(self, days: int) -> None:
        """Let some days go by."""
        self._seconds = count(self.seconds() + days * 86_400)

    def now(self) -> str:
        return timestamp(self.seconds())

    def find(self, name: str) -> Repository | None:
        """GitHub does not tell apart capital and small letters here."""
        return self.repositories.get(name.lower())

    def by_id(self, number: int) -> Repository | None:
        return next((each for each in self.repositories.values() if each.id == number), None)

    def user(self, login: str) -> Json:
        if login not in self._users:
            number = zlib.crc32(login.encode())
            known = {
                "login": login,
                "id": number,
                "node_id": f"U_{number}",
                "type": "Bot" if login.endswith("[bot]") else "User",
                "url": f"{self.url}/users/{login}",
                "html_url": f"{self.html_url}/{login}",
            }
            self._users[login] = description().fill("simple-user", known)
        return self._users[login]


def timestamp(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
