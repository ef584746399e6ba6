"""A market, a corpus, a loopback model and the command line: where certificates are made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer
from plugineval_action.certify.certificate import checksum
from plugineval_action.cli.main import main
from simulated_client import Levels, Rate, World

SHARP = World(
    recall=Rate(0.998, 2000),
    false=Rate(0.002, 2000),
    predicted_recall=Rate(0.998, 2000),
    predicted_false=Rate(0.002, 2000),
    orchestration=Levels(4.0, 0.05, 0.0),
    scope=Levels(4.0, 0.05, 0.0),
    output=Levels(4.0, 0.05, 0.05),
    reply=Levels(4.0, 0.05, 0.05),
    failing=0.0,
    tokens=400,
    tokens_spread=0.1,
    strengths={"s1": 1.5},
)
"""Judges that agree, so that little is left to chance."""

WILD = World(
    predicted_recall=Rate(0.6, 3),
    predicted_false=Rate(0.4, 3),
    orchestration=Levels(3.0, 1.8, 0.0),
    scope=Levels(3.0, 1.8, 0.0),
    output=Levels(3.0, 1.8, 1.5),
)
"""Judges that agree on nothing."""

Certificate = dict[str, Any]


class Desk:
    """A market, a corpus, and the command line; `at` is the folder of it all."""

    def __init__(
        self, at: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.at, self._environment, self._capsys = at, monkeypatch, capsys
        self.out = self.err = ""
        monkeypatch.chdir(at)
        monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    def run(self, *words: str) -> int:
        self._capsys.readouterr()
        code = main(words)
        self.out, self.err = self._capsys.readouterr()
        return code

    def certify(self, server: ModelServer, *words: str, skill: str = "s1") -> int:
        """Certify one skill at depth standard, unless another depth is named."""
        self._environment.setenv("ANTHROPIC_API_KEY", server.key)
        self._environment.setenv("ANTHROPIC_BASE_URL", server.url)
        paths = f"market/p/skills/{skill}", "--corpus-dir", "corpus"
        code = self.run("certify", *paths, "--depth", "standard", "--judges", "5", *words)
        assert server.key not in self.out + self.err
        return code

    def certificate(self, skill: str = "s1") -> Certificate:
        path = self.at / f"certificates/p--{skill}.json"
        read: Certificate = json.loads(path.read_text(encoding="utf-8"))
        return read

    def verify(self, skill: str = "s1", at: str = "market/p/skills/s1") -> int:
        return self.run("verify", f"certificates/p--{skill}.json", at)

    def rewrite(self, change: Callable[[Certificate], object], *, seal: bool = False) -> None:
        """Change the certificate on the disk; `seal` computes its checksum anew, as a forger."""
        told = self.certificate()
        change(told)
        if seal:
            told["predicate"]["checksum"] = checksum(told)
        (self.at / "certificates/p--s1.json").write_text(json.dumps(told))
