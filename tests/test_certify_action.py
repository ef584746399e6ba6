"""Mode certify as a whole: loopback GitHub, loopback model, and what is left on a branch."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from action_run import REPOSITORY, Done, act
from event_files import payload
from github_server import GitHubServer, Repository
from market import market_at
from model_server import ModelServer
from plugineval_action.cli.main import main
from report_run import report
from simulated_model import world_model
from test_certify import SHARP

BRANCH = "plugin-eval-report"


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as running:
        yield running


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with ModelServer(world_model(SHARP)) as running:
        yield running


def files_of(folder: Path) -> dict[str, str]:
    """A folder as a commit holds it."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


@pytest.fixture
def home(server: GitHubServer, tmp_path: Path) -> Repository:
    """A repository whose default branch has a plugin with four skills."""
    repository = server.repository(REPOSITORY)
    repository.commit(files_of(market_at(tmp_path / "market", 4, steps=5)), branch="main")
    return repository


def certify(
    server: GitHubServer,
    models: ModelServer | None,
    tmp_path: Path,
    *,
    ref: str = "refs/heads/main",
    token: str = "",
    **inputs: str,
) -> Done:
    """Run the action in mode certify at the tip of the default branch, at depth standard."""
    usual = {"mode": "certify", "depth": "standard", "judges": "5", "paths": "p/skills/s1"}
    given = usual | {name.replace("_", "-"): text for name, text in inputs.items()}
    variables = {}
    if models:
        given["anthropic-api-key"] = models.key
        variables["ANTHROPIC_BASE_URL"] = models.url
    return act(
        server,
        tmp_path,
        payload("workflow_dispatch"),
        name="workflow_dispatch",
        token=token,
        inputs=given,
        variables=variables,
        sha=server.repository(REPOSITORY).branches["main"],
        ref=ref,
    )


def page(home: Repository, name: str) -> str:
    data = home.files(BRANCH)[f"certificates/{name}"]
    assert isinstance(data, bytes)
    return data.decode()


def test_a_certificate_reaches_the_branch_of_the_report_and_verifies(
    server: GitHubServer,
    models: ModelServer,
    home: Repository,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = certify(server, models, tmp_path)
    (tmp_path / "cert.json").write_text(page(home, "p--s1.json"))
    code = main(["verify", str(tmp_path / "cert.json"), str(tmp_path / "market/p/skills/s1")])

    assert 0 == done.code, done.log
    assert 0 == code, capsys.readouterr().out
    names = {path for path in home.files(BRANCH) if path.startswith("certificates/")}
    assert {f"certificates/p--s1.{kind}" for kind in ("json", "md", "svg", "sums")} <= names
    assert "| [s1](p--s1.md) (`p/skills/s1`) | certified |" in page(home, "README.md")
    assert "1 skill of 1 with a certificate that holds." in page(home, "README.md")
    revision = json.loads(page(home, "p--s1.json"))["predicate"]["skill"]["revision"]
    assert revision == home.branches["main"]


def test_the_cost_is_told_first_and_progress_after_it(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    lines = certify(server, models, tmp_path).log.splitlines()
    cost = next(
        at for at, line in enumerate(lines) if "41 calls, 6 games among them: expected $0." in line
    )
    progress = [at for at, line in enumerate(lines) if line.startswith("p/skills/s1: Comparing")]

    assert home.branches
    assert progress
    assert cost < min(progress)


def test_outputs_and_summary_say_what_came_of_it(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    done = certify(server, models, tmp_path)
    folder = Path(done.outputs["certificates"])

    assert ("true", f"{home.html_url}/blob/{BRANCH}/certificates/README.md") == (
        done.outputs["passed"],
        done.outputs["report-url"],
    )
    assert {"p--s1.json", "p--s1.md", "p--s1.sums", "p--s1.svg", "predicate.json"} == {
        path.name for path in folder.iterdir()
    }
    assert "PluginEval: certificates" in done.summary
    assert "41 calls, 6 games among them: expected \\$0." in done.summary
    log = "".join(line for line in done.log.splitlines() if not line.startswith("::add-mask::"))
    assert models.key not in log + done.summary


def test_a_plugin_is_named_by_its_name(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    done = certify(server, models, tmp_path, paths="p", max_usd="20")

    assert home.branches
    assert "4 skills to certify." in done.log


def test_a_second_run_keeps_the_first_certificate_and_meets_rated_opponents(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    certify(server, models, tmp_path)
    before = page(home, "p--s1.json")
    certify(server, models, tmp_path, paths="p/skills/s2")
    games = json.loads(page(home, "p--s2.json"))["predicate"]["games"]

    assert before == page(home, "p--s1.json")
    assert None not in [one["rating"] for one in games["references"]]
    assert ["p/skills/s1", "p/skills/s2"] == [
        one["path"] for one in json.loads(page(home, "certificates.json"))["certificates"]
    ]


def test_a_skill_that_has_changed_since_is_listed_as_stale(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    certify(server, models, tmp_path)
    files = home.files("main")
    more = {"p/skills/s1/SKILL.md": files["p/skills/s1/SKILL.md"] + b"\nMore.\n"}  # type: ignore[operator]
    home.commit({**files, **more}, branch="main")
    certify(server, models, tmp_path, paths="p/skills/s2")

    assert "(`p/skills/s1`) | stale |" in page(home, "README.md")


def test_an_interrupted_run_resumes_from_what_was_kept(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    certify(server, models, tmp_path, max_usd="20")
    sent = len(models.calls)
    done = certify(server, models, tmp_path)

    assert home.branches
    assert sent == len(models.calls)
    assert "0 calls, 0 games among them: expected $0.00, at most $0.00" in done.log


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ({"max_usd": "0.01"}, "half a certificate is none"),
        ({"paths": "elsewhere/**"}, "paths names no skill that can be certified"),
        ({"ref": "refs/heads/topic"}, "Only main is certified"),
        ({"paths": ""}, "mode: certify needs paths"),
        ({"publish": "pull-request"}, "use branch or main"),
        ({"sarif_file": "a.sarif"}, "sarif-file does nothing with mode: certify"),
    ],
)
def test_what_cannot_end_in_a_certificate_is_refused_before_anything_is_paid(
    inputs: dict[str, str],
    why: str,
    server: GitHubServer,
    models: ModelServer,
    home: Repository,
    tmp_path: Path,
) -> None:
    ref = inputs.pop("ref", "refs/heads/main")
    done = certify(server, models, tmp_path, ref=ref, **inputs)

    assert 2 == done.code
    assert why in done.log + done.summary
    assert [] == models.calls
    assert BRANCH not in home.branches


def test_without_a_key_there_is_no_certificate(
    server: GitHubServer, home: Repository, tmp_path: Path
) -> None:
    done = certify(server, None, tmp_path)

    assert home.branches
    assert 2 == done.code
    assert "Set anthropic-api-key" in done.log


def test_what_was_paid_is_kept_for_later_steps_if_the_token_may_not_write(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    done = certify(server, models, tmp_path, token=server.read_token)

    assert home.branches
    assert 2 == done.code
    assert (Path(done.outputs["certificates"]) / "p--s1.json").is_file()


def test_only_a_dispatch_by_hand_certifies(server: GitHubServer, tmp_path: Path) -> None:
    done = act(
        server,
        tmp_path,
        payload("schedule"),
        name="schedule",
        inputs={"mode": "certify", "paths": "p"},
    )

    assert 2 == done.code
    assert "mode: certify does not go with the event schedule" in done.log


def test_the_weekly_report_shows_who_is_certified_stale_or_neither(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    certify(server, models, tmp_path)
    certify(server, models, tmp_path, paths="p/skills/s2")
    files = home.files("main")
    more = {"p/skills/s2/SKILL.md": files["p/skills/s2/SKILL.md"] + b"\nMore.\n"}  # type: ignore[operator]
    home.commit({**files, **more}, branch="main")
    done = report(server, tmp_path)
    about = home.files(BRANCH)["plugins/p.md"]
    assert isinstance(about, bytes)
    rows = [line for line in about.decode().splitlines() if re.match(r"\| s\d \|", line)]

    assert 0 == done.code, done.log
    assert ["none", "certified", "stale", "none"] == [row.split(" | ")[1] for row in rows[-4:]]
    assert "[Certificate](../certificates/p--s1.md)" in rows[-3]
    badge = home.files(BRANCH)["badges/certificates/p--s2.svg"]
    assert isinstance(badge, bytes)
    assert b"<title>plugin eval: stale</title>" in badge
    # The report keeps its hands off the certificates themselves.
    assert "certificates/p--s1.json" in home.files(BRANCH)
