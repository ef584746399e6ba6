"""Mode certify as a whole: loopback GitHub, loopback model, and what is left on a branch."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from action_run import REPOSITORY, Done, act
from certify_desk import SHARP
from event_files import payload
from github_server import GitHubServer, Repository
from market import market_at
from model_server import Draft, ModelServer, Seen
from plugineval_action.cli.main import main
from report_run import report
from simulated_model import world_model

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
    assert "| [s1](p--s1.md) (`p/skills/s1`) | certified, underpowered |" in page(home, "README.md")
    assert "1 of 1 skill certified." in page(home, "README.md")
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
    assert "### PluginEval: 1 of 1 skill certified" in done.summary
    # A relative link would lead nowhere from the page of a run.
    assert f"[s1]({home.html_url}/blob/{BRANCH}/certificates/p--s1.md)" in done.summary
    assert "`plugin-eval verify p--s1.json p/skills/s1`" in done.summary
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
    assert "Every answer is kept already: nothing is sent, and nothing is paid." in done.log


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
    front = home.files(BRANCH)["README.md"]
    assert isinstance(front, bytes)
    rows = [line for line in about.decode().splitlines() if re.match(r"\| s\d \|", line)]

    assert 0 == done.code, done.log
    assert ["none", "certified", "stale", "none"] == [row.split(" | ")[1] for row in rows[-4:]]
    assert "[Certificate](../certificates/p--s1.md)" in rows[-3]
    assert "| Badge | Certified | Skills |" in front.decode()
    assert (
        "| 1\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}4,\N{NO-BREAK SPACE}1\N{NO-BREAK SPACE}stale |"
        in front.decode()
    )
    badge = home.files(BRANCH)["badges/certificates/p--s2.svg"]
    assert isinstance(badge, bytes)
    assert b"<title>plugin eval: stale</title>" in badge
    # The report keeps its hands off the certificates themselves.
    assert "certificates/p--s1.json" in home.files(BRANCH)


# What must not happen


def test_a_run_that_was_cut_off_goes_on_where_it_was(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    """At the limit of the account, in the middle; nothing is paid twice."""
    with ModelServer(world_model(SHARP)) as poor:
        poor.fault("spend-limit", times=-1, after=20)
        first = certify(server, poor, tmp_path)
        cut = len(poor.calls)
    halfway = json.loads(page(home, "p--s1.json"))["predicate"]["outcome"]
    done = certify(server, models, tmp_path)

    assert (1, 20, "incomplete") == (first.code, cut, halfway)
    assert "What was answered is kept" in first.summary
    assert "### PluginEval: 0 of 1 skill certified" in first.summary
    assert 0 == done.code, done.log
    # A run that is not cut off asks 40 questions.
    assert 20 == len(models.calls)
    assert "certified" == json.loads(page(home, "p--s1.json"))["predicate"]["outcome"]


def test_a_run_that_fails_takes_no_certificate_away_that_still_holds(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    certify(server, models, tmp_path)
    before = page(home, "p--s1.json")
    with ModelServer(world_model(SHARP)) as poor:
        poor.fault("spend-limit", times=-1)
        done = certify(server, poor, tmp_path / "elsewhere")

    assert 1 == done.code
    assert "the certificate that it has still holds, and stays" in done.summary
    assert before == page(home, "p--s1.json")
    assert "| certified, underpowered |" in page(home, "README.md")


def test_an_overloaded_service_is_asked_again(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    models.fault("529", times=2, after=10)

    assert home.branches
    assert 0 == certify(server, models, tmp_path).code


def test_a_model_that_refuses_certifies_nothing_and_the_run_says_why(
    server: GitHubServer, home: Repository, tmp_path: Path
) -> None:
    with ModelServer(lambda _: Draft(refusal=True)) as refusing:
        done = certify(server, refusing, tmp_path)

    assert 1 == done.code
    assert "incomplete" == json.loads(page(home, "p--s1.json"))["predicate"]["outcome"]
    assert "0 of 1 skill certified" in done.summary
    assert "The model declined to answer" in done.summary


def test_two_runs_at_once_lose_nothing(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    """Another run commits its certificate between our reading and our writing."""
    certify(server, models, tmp_path, paths="p/skills/s2")

    def others() -> None:
        files = home.files(BRANCH)
        told = json.loads(page(home, "certificates.json"))
        told["certificates"].append(told["certificates"][0] | {"path": "x/y", "stem": "x--y"})
        more = {
            "certificates/certificates.json": json.dumps(told),
            "certificates/x--y.json": "{}",
            "certificates/files.txt": page(home, "files.txt") + "x--y.json\n",
        }
        home.commit({**files, **more}, branch=BRANCH)

    server.when("POST", "/graphql/Commit", others)
    done = certify(server, models, tmp_path)
    told = json.loads(page(home, "certificates.json"))["certificates"]

    assert 0 == done.code, done.log
    assert ["p/skills/s1", "p/skills/s2", "x/y"] == [one["path"] for one in told]
    assert {"p--s1.json", "p--s2.json", "x--y.json"} <= set(page(home, "files.txt").split())
    assert "{}" == page(home, "x--y.json")
    assert {"p--s1", "p--s2"} <= {
        path.rpartition("/")[2].removesuffix(".svg") for path in home.files(BRANCH)
    }


def test_a_branch_that_moves_on_meanwhile_makes_its_certificate_stale(
    server: GitHubServer, home: Repository, tmp_path: Path
) -> None:
    model = world_model(SHARP)

    def answer(seen: Seen) -> Draft | None:
        if start == home.branches["main"]:
            files = home.files("main")
            text = files["p/skills/s1/SKILL.md"]
            assert isinstance(text, bytes)
            home.commit({**files, "p/skills/s1/SKILL.md": text + b"\nMore.\n"}, branch="main")
        return model(seen)

    start = home.branches["main"]
    with ModelServer(answer) as models:
        done = certify(server, models, tmp_path)

    assert "main has moved on meanwhile" in done.summary
    assert "(`p/skills/s1`) | stale |" in page(home, "README.md")
    assert start == json.loads(page(home, "p--s1.json"))["predicate"]["skill"]["revision"]


def test_what_an_earlier_step_has_certified_is_not_signed_again(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    """The attestation takes every list of checksums in the folder for the one predicate there."""
    certify(server, models, tmp_path)
    done = certify(server, models, tmp_path, paths="p/skills/s2")
    folder = Path(done.outputs["certificates"])
    predicate = json.loads((folder / "predicate.json").read_text())

    assert home.branches
    assert ["p--s2.sums"] == [path.name for path in folder.glob("*.sums")]
    assert "p/skills/s2" == predicate["skill"]["path"]


def test_what_the_attestation_signs_is_what_the_certificate_says(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    """Its subject is the list of checksums, by the digest that the certificate is about."""
    folder = Path(certify(server, models, tmp_path).outputs["certificates"])
    told = json.loads(page(home, "p--s1.json"))
    sums = (folder / "p--s1.sums").read_bytes()

    assert told["predicate"] == json.loads((folder / "predicate.json").read_text())
    assert told["subject"][0]["digest"]["sha256"] == sha256(sums).hexdigest()
    assert 16_000_000 > (folder / "predicate.json").stat().st_size


@pytest.mark.parametrize("ref", ["", "refs/tags/main", "refs/pull/1/merge", "refs/heads/main2"])
def test_no_other_ref_is_certified(
    ref: str, server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    done = certify(server, models, tmp_path, ref=ref)

    assert (2, []) == (done.code, models.calls)
    assert f"Only main is certified, and this run is for {ref or 'no branch'}." in done.log
    assert BRANCH not in home.branches


def test_a_path_that_names_nothing_is_refused_beside_one_that_does(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    done = certify(server, models, tmp_path, paths="p/skills/s1\np/skills/sl")

    assert home.branches
    assert (2, []) == (done.code, models.calls)
    assert "paths names no skill that can be certified: p/skills/sl." in done.log


def test_names_that_meet_overwrite_nothing(
    server: GitHubServer, models: ModelServer, home: Repository, tmp_path: Path
) -> None:
    """Neither a skill of the same plugin name, nor one that is called as the games are."""
    files = home.files("main")
    one = files["p/skills/s1/SKILL.md"]
    assert isinstance(one, bytes)
    games = one.replace(b"name: s1", b"name: games").replace(b"of kind 1", b"of kind 9")
    more = {
        "other/p/.claude-plugin/plugin.json": files["p/.claude-plugin/plugin.json"],
        "other/p/skills/s1/SKILL.md": one,
        "loose/games/SKILL.md": games,
    }
    home.commit({**files, **more}, branch="main")
    for path in ("p/skills/s1", "other/p/skills/s1", "loose/games"):
        done = certify(server, models, tmp_path, paths=path)
        assert 0 == done.code, done.log
    rows = json.loads(page(home, "certificates.json"))["certificates"]
    told = {
        row["path"]: json.loads(page(home, f"{row['stem']}.json"))["predicate"]["skill"]["path"]
        for row in rows
    }

    assert {path: path for path in ("p/skills/s1", "other/p/skills/s1", "loose/games")} == told
    assert "aspects" in json.loads(page(home, "games.json"))


def test_a_skill_with_a_large_file_is_certified_by_all_of_its_bytes(
    server: GitHubServer,
    models: ModelServer,
    home: Repository,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    large = bytes(range(256)) * 6_000
    home.commit({**home.files("main"), "p/skills/s1/assets/a.bin": large}, branch="main")
    done = certify(server, models, tmp_path)
    skill = tmp_path / "market/p/skills/s1"
    (skill / "assets").mkdir()
    (skill / "assets/a.bin").write_bytes(large)
    (tmp_path / "cert.json").write_text(page(home, "p--s1.json"))

    assert 0 == done.code, done.log
    assert 0 == main(["verify", str(tmp_path / "cert.json"), str(skill)]), capsys.readouterr().out
    (skill / "assets/a.bin").write_bytes(large[:-1] + b"!")
    assert 1 == main(["verify", str(tmp_path / "cert.json"), str(skill)])
