"""Fixtures of certification: a desk with a corpus, and one with a certificate."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from certify_desk import SHARP, Desk
from market import market_at
from model_server import ModelServer
from plugineval_action.cli.main import main
from simulated_model import world_model


@pytest.fixture
def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Desk:
    desk = Desk(tmp_path, monkeypatch, capsys)
    market_at(tmp_path / "market", 5)
    assert 0 == desk.run("init", "market", "--corpus-dir", "corpus")
    return desk


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate of `s1` that holds, made once for all tests."""
    at = tmp_path_factory.mktemp("made")
    market_at(at / "market", 5)
    words = ["--corpus-dir", "corpus", "--depth", "standard", "--judges", "5"]
    with pytest.MonkeyPatch.context() as patch, ModelServer(world_model(SHARP)) as server:
        patch.chdir(at)
        patch.setenv("ANTHROPIC_API_KEY", server.key)
        patch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert 0 == main(["init", "market", "--corpus-dir", "corpus"])
        assert 0 == main(["certify", "market/p/skills/s1", *words])
    return at


@pytest.fixture
def certified(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Desk:
    """A desk with a copy of it."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path, monkeypatch, capsys)
