"""The command line at the depths that ask a model, against the loopback Messages API."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from git_repository import Repository
from model_server import Draft, ModelServer
from model_server.faults import KINDS, Kind
from plugineval_action.cli.main import main
from simulated_model import sometimes, world_model
from skills import skill_text


class Deep:
    """The command line with a key and an address; `skill` is a folder that holds one."""

    def __init__(
        self, skill: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.skill, self._environment, self._capsys = skill, monkeypatch, capsys
        self.code, self.out, self.err = 0, "", ""

    def run(self, server: ModelServer, command: str, *words: str) -> str:
        """Run a command on the skill; its output."""
        self._environment.setenv("ANTHROPIC_API_KEY", server.key)
        self._environment.setenv("ANTHROPIC_BASE_URL", server.url)
        self._capsys.readouterr()
        self.code = main([command, str(self.skill), *words])
        self.out, self.err = self._capsys.readouterr()
        assert server.key not in self.out + self.err
        return self.out

    def score(self, server: ModelServer, *words: str) -> dict[str, Any]:
        """The result of `score` as JSON."""
        result: dict[str, Any] = json.loads(
            self.run(server, "score", "--output", "jsonl", *words).splitlines()[0]
        )
        return result


@pytest.fixture
def deep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Deep:
    folder = tmp_path / "one"
    folder.mkdir()
    body = "".join(f"## Step {number}\n\nDo this, then that.\n\n" for number in range(60))
    (folder / "SKILL.md").write_text(skill_text(body))
    return Deep(folder, monkeypatch, capsys)


def label(result: dict[str, Any]) -> str:
    return str(result["composite"]["confidence_label"])


@pytest.mark.parametrize(
    ("depth", "expected", "calls"),
    [("standard", "Assessed", (15, 15)), ("deep", "Certified", (50, 106))],
)
def test_a_depth_that_ran_in_full_gives_its_label_and_tells_the_bill(
    depth: str, expected: str, calls: tuple[int, int], deep: Deep
) -> None:
    with ModelServer(world_model()) as server:
        result = deep.score(server, "--depth", depth)

        assert calls[0] <= len(server.calls) <= calls[1]
        told = f"{len(server.calls)} calls cost ${server.billed:.4f} under a cap of $5.\n"
    assert (0, expected) == (deep.code, label(result))
    assert f"plugin-eval: {told}" == deep.err


def test_the_same_seeds_give_the_same_score(deep: Deep) -> None:
    scores = []
    for _ in range(2):
        with ModelServer(world_model(), seed=5) as server:
            # Several judges ask alike, and would get their answers in the order they arrive.
            result = deep.score(server, "--depth", "standard", "--judges", "1")
            scores.append(result["composite"]["score"])

    assert scores[0] == scores[1]


@pytest.mark.parametrize("cap", ["0.0001", "0.06", "0.25"])
def test_the_cap_holds_and_what_was_measured_is_kept_under_the_label_it_earned(
    cap: str, deep: Deep
) -> None:
    with ModelServer(world_model()) as server:
        result = deep.score(server, "--depth", "deep", "--max-usd", cap)

        assert server.billed <= float(cap)
    assert (0, "Estimated" if float(cap) < 0.2 else "Assessed") == (deep.code, label(result))
    assert result["composite"]["score"] > 0


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"hang", "stall"}])
def test_a_service_that_never_answers_well_leaves_the_static_score(kind: Kind, deep: Deep) -> None:
    with ModelServer(world_model()) as server:
        if kind in {"400", "401", "401-echo", "403", "spend-limit", "own-limit"}:
            server.fault(kind, times=-1)
        else:
            # What passes is waited out: one of each, so that the test does not wait long.
            server.fault(kind, times=1)
        result = deep.score(server, "--depth", "standard")

        expected = "Estimated" if not server.calls else "Assessed"
    assert (0, expected) == (deep.code, label(result))


@pytest.mark.parametrize(
    ("share", "draft"),
    [
        (1.0, Draft(refusal=True)),
        (1.0, Draft("no JSON")),
        (1.0, Draft('{"ratings": [], "control": 0}')),
        (1.0, Draft("x" * 90_000)),
        (0.2, Draft(refusal=True)),
        (0.2, Draft("no JSON")),
    ],
)
def test_whatever_the_model_says_there_is_a_result_with_a_label(
    share: float, draft: Draft, deep: Deep
) -> None:
    with ModelServer(sometimes(share, draft)(world_model()), seed=2) as server:
        result = deep.score(server, "--depth", "deep")

    labels = {"Estimated"} if share == 1 else {"Estimated", "Assessed", "Certified"}
    assert 0 == deep.code
    assert label(result) in labels


def test_a_verdict_is_paid_once_with_a_cache(deep: Deep, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    with ModelServer(world_model()) as server:
        first = deep.score(server, "--depth", "deep", "--cache", cache)
        billed = server.billed
        second = deep.score(server, "--depth", "deep", "--cache", cache)

        assert billed == server.billed
    dimensions = {"triggering_accuracy", "output_quality", "orchestration_fitness"}
    same = [
        {one["name"]: one["score"] for one in result["composite"]["dimensions"]}
        for result in (first, second)
    ]
    assert [same[0][name] for name in dimensions] == [same[1][name] for name in dimensions]


def test_a_batch_costs_half_and_can_be_taken_up_again(deep: Deep) -> None:
    with ModelServer(world_model()) as server:
        deep.score(server, "--depth", "standard")
        plain = server.billed
    with ModelServer(world_model()) as server:
        batched = deep.score(server, "--depth", "standard", "--batch")
        billed = server.billed
        assert "Batch msgbatch_0001 was sent: 9 questions." in deep.err
        resumed = [f"--resume-batch=msgbatch_{number:04}" for number in (1, 2)]
        again = deep.score(server, "--depth", "standard", *resumed)

        assert billed == server.billed
    assert label(batched) == label(again) == "Assessed"
    assert batched["composite"]["score"] == again["composite"]["score"]
    assert 0.4 < billed / plain < 0.7


def test_estimate_sends_nothing_and_counts_what_is_sent_then(deep: Deep) -> None:
    with ModelServer(world_model()) as server:
        told = deep.run(server, "estimate", "--depth", "standard", "--judges", "3")
        assert ([], []) == (server.calls, server.refusals)
        deep.score(server, "--depth", "standard", "--judges", "3")

        calls, *_, most = told.splitlines()[8].split()[1:]
        assert "1 skill at depth standard" == told.splitlines()[0]
        assert len(server.calls) == int(calls)
        assert server.billed < float(most)


def test_estimate_at_deep_is_the_most_that_is_sent(deep: Deep) -> None:
    with ModelServer(world_model()) as server:
        told = deep.run(server, "estimate", "--depth", "deep")
        deep.score(server, "--depth", "deep", "--all-runs")

        row = next(line for line in told.splitlines() if line.startswith("All "))
        assert 60 <= len(server.calls) <= int(row.split()[1])
        # An estimate is of use if it is of the right size.
        assert 0.4 < server.billed / float(row.split()[4]) < 1.5


def test_a_model_without_a_price_is_used_only_without_a_cap(deep: Deep) -> None:
    unlisted = ("--depth", "standard", "--model", "claude-unlisted-9")
    with ModelServer(world_model()) as server:
        capped = deep.score(server, *unlisted)
        assert "claude-unlisted-9" not in {call.body["model"] for call in server.calls}
        free = deep.score(server, *unlisted, "--max-usd", "none")

    assert ["Estimated", "Assessed"] == [label(capped), label(free)]
    assert "calls cost an unknown sum." in deep.err


def test_compare_asks_about_both(deep: Deep) -> None:
    """Of one name on both sides, so requests are written once; three sets, for three judges."""
    with ModelServer(world_model()) as server:
        deep.run(server, "compare", str(deep.skill), "--depth", "standard")

        assert (0, 27) == (deep.code, len(server.calls))
        assert f"plugin-eval: 27 calls cost ${server.billed:.4f} under a cap of $5.\n" == deep.err
    assert "no model was asked" not in deep.out
    # The same text on both sides, and judges that differ: no winner.
    assert deep.out.splitlines()[2].startswith("**Within noise: they are ")
    assert "Both were asked for the same requests" in deep.out


@pytest.mark.parametrize("options", [(), ("--same-job",)])
def test_two_skills_of_other_names_get_the_same_requests_if_told_so(
    options: tuple[str, ...], deep: Deep
) -> None:
    """Each set is written for each, so they cost no more: both get a half of either."""
    other = deep.skill.parent / "another"
    other.mkdir()
    text = (deep.skill / "SKILL.md").read_text()
    (other / "SKILL.md").write_text(re.sub("name: .*", "name: another", text))
    with ModelServer(world_model()) as server:
        deep.run(server, "compare", str(other), "--depth", "standard", *options)

        assert 30 == len(server.calls)
    assert ("Both were asked for the same requests" in deep.out) is bool(options)


def test_review_asks_about_both_sides_of_what_changed(
    deep: Deep, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(deep.skill.parent)
    repository.commit("before")
    (deep.skill / "SKILL.md").write_text(skill_text("## Usage\n\nDo it.\n"))
    monkeypatch.chdir(deep.skill)
    with ModelServer(world_model()) as server:
        options = ("--base", "HEAD", "--worktree", "--depth", "standard", "--output", "json")
        (change,) = json.loads(deep.run(server, "review", *options))["changes"]

        assert 27 == len(server.calls)
        assert f"plugin-eval: 27 calls cost ${server.billed:.4f} under a cap of $5.\n" == deep.err
    assert ["Assessed"] * 2 == [change[side]["confidence_label"] for side in ("before", "after")]


def test_a_stop_from_the_keyboard_keeps_what_was_measured(deep: Deep) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with ModelServer(world_model(), latency=0.3) as server:
        environment |= {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url}
        with subprocess.Popen(
            [sys.executable, "-m", "plugineval_action", "score", deep.skill, "--depth", "deep"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            while len(server.calls) < 18:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()
        calls, billed = len(server.calls), server.billed

    assert 130 == process.returncode
    assert "Assessed at depth deep" in output
    assert "The run was stopped." in output
    assert f"{calls} calls cost ${billed:.4f} under a cap of $5." in errors
    assert errors.endswith("plugin-eval: stopped.\n")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_key_alone_spends_nothing(command: str, deep: Deep) -> None:
    """It may be there for other tools: who wants a model asked names a depth."""
    with ModelServer(world_model()) as server:
        deep.run(server, command, *([str(deep.skill)] if command == "compare" else []))

        assert [] == server.calls
    assert (0, "") == (deep.code, deep.err)


@pytest.mark.parametrize("key", ["sk one two", "sk-line\nbreak"])
def test_a_key_that_is_none_is_refused_and_not_shown(
    key: str, deep: Deep, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    code = main(["score", str(deep.skill), "--depth", "standard"])
    said = capsys.readouterr()

    assert 2 == code
    assert "ANTHROPIC_API_KEY holds a sign that no key has." in said.err
    assert key not in said.err + said.out


@pytest.mark.parametrize(
    "address", ["no address", "file:///etc/passwd", "http://[::1", "http://x:99999", "https://@"]
)
def test_an_address_that_is_none_is_refused_and_not_shown(
    address: str, deep: Deep, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-some")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    code = main(["score", str(deep.skill), "--depth", "standard"])
    said = capsys.readouterr()

    assert 2 == code
    assert "ANTHROPIC_BASE_URL is no web address." in said.err
    assert address not in said.err + said.out


ROOT = Path(__file__).parents[1]
TABLED = "examples/marketplace/plugins/git-craft/skills/commit-messages"


@pytest.mark.parametrize("depth", ["standard", "deep", "thorough"])
@pytest.mark.parametrize("model", ["haiku", "sonnet", "opus"])
def test_the_table_of_costs_in_the_documentation_is_what_estimate_says(
    depth: str, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def estimated(*words: str) -> list[str]:
        options = ("--depth", depth, "--model", model, *words)
        assert 0 == main(["estimate", str(ROOT / TABLED), *options])
        lines = capsys.readouterr().out.splitlines()
        return next(line.split() for line in lines if line.startswith("All "))

    plain, batch = estimated(), estimated("--batch")
    dollars = [f"{float(text):.2f}" for text in (plain[4], batch[4], plain[5])]
    row = f"| {' | '.join([depth, model, plain[1], *dollars])} |"

    assert row in (ROOT / "docs/costs.md").read_text(encoding="utf-8").splitlines()
