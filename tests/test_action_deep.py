"""The action with a key: models judge what may be sent to them, on both sides, under a cap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from action_run import POOR, Change, Done, act, propose, review_of, skill
from event_files import HEAD, payload
from github_server import GitHubServer
from model_server import ModelServer
from model_server.faults import Kind
from plugineval_action.action.models import VERDICTS
from plugineval_action.action.result_file import FOLDER
from simulated_model import world_model

WORSE = (skill("a"), skill("a", POOR))


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer() as running:
        yield running


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with ModelServer(world_model()) as running:
        yield running


def judged(
    github: GitHubServer,
    models: ModelServer,
    place: Path,
    event: object,
    name: str = "pull_request",
    inputs: Mapping[str, str] | None = None,
    sha: str = "",
) -> Done:
    """A run of the action with a key."""
    given = {"anthropic-api-key": models.key, "judges": "1", **(inputs or {})}
    variables = {"ANTHROPIC_BASE_URL": models.url}
    done = act(github, place, event, name=name, inputs=given, variables=variables, sha=sha or HEAD)
    assert models.key not in done.log.replace(f"::add-mask::{models.key}", "") + done.summary
    return done


def labels(done: Done) -> list[list[str | None]]:
    """The confidence labels before and after, for each change."""
    return [
        [side["confidence_label"] if side else None for side in (one["before"], one["after"])]
        for one in done.result["changes"]
    ]


def test_a_change_is_judged_before_and_after(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    change = propose(github, *WORSE)
    done = judged(github, models, tmp_path, review_of(change))

    assert (0, [["Assessed", "Assessed"]], 10) == (done.code, labels(done), len(models.calls))
    usage = [one["usd"] for side in ("before", "after") for one in _side(done, side)["model_usage"]]
    assert models.billed == pytest.approx(sum(usage))
    assert f"10 calls cost ${models.billed:.4f} under a cap of $5." in done.log
    assert 1 == len(change.pull.comments)


def _side(done: Done, name: str) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = done.result["changes"][0][name]
    return found


def test_a_verdict_is_kept_for_the_next_run(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    change = propose(github, *WORSE)
    judged(github, models, tmp_path, review_of(change))
    billed = models.billed
    again = judged(github, models, tmp_path, review_of(change))

    assert billed == models.billed
    assert [["Assessed", "Assessed"]] == labels(again)
    assert 10 == len(list((again.files / FOLDER / VERDICTS).rglob("*.json")))


def test_a_strangers_pull_request_is_sent_to_no_model(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    change = propose(github, *WORSE, fork=True)
    done = judged(
        github, models, tmp_path, review_of(change, "pull_request_target"), "pull_request_target"
    )

    assert ([], [["Estimated", "Estimated"]]) == (models.calls, labels(done))
    assert "Models judge no pull request of strangers" in done.summary


def _trusted(change: Change) -> dict[str, object]:
    event = review_of(change, "pull_request_target")
    pull = event["pull_request"] | {"author_association": "MEMBER"}
    return event | {"pull_request": pull}


def test_where_a_base_branch_reads_nothing_is_kept_of_a_fork(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    change = propose(github, *WORSE, fork=True)
    event = _trusted(change)
    done = judged(github, models, tmp_path, event, "pull_request_target")

    assert [["Assessed", "Assessed"]] == labels(done)
    assert not (done.files / FOLDER / VERDICTS).exists()


def test_everything_is_judged_on_a_schedule(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    repository = github.repository("octo-org/skills")
    sha = repository.commit({**skill("a"), **skill("b")}, branch="main")
    done = judged(github, models, tmp_path, payload("schedule"), "schedule", sha=sha)

    assert [[None, "Assessed"]] * 2 == labels(done)


def test_sides_that_did_not_get_equally_far_are_compared_as_they_were_before(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    change = propose(github, *WORSE)
    models.fault("spend-limit", times=-1, after=8)
    done = judged(github, models, tmp_path, review_of(change))

    assert [["Estimated", "Estimated"]] == labels(done)
    notes = done.result["changes"][0]["after"]["notes"]
    assert any("Models did not get equally far" in note for note in notes)
    assert models.billed == pytest.approx(
        sum(one["usd"] for side in ("before", "after") for one in _side(done, side)["model_usage"])
    )


@pytest.mark.parametrize("kind", ["401", "spend-limit", "400"])
def test_a_service_that_refuses_leaves_the_review_as_it_was(
    kind: Kind, github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    models.fault(kind, times=-1)
    done = judged(github, models, tmp_path, review_of(propose(github, *WORSE)))

    assert (0, [["Estimated", "Estimated"]]) == (done.code, labels(done))
    assert "1 worse" in done.summary


def test_the_cap_holds_over_both_sides(
    github: GitHubServer, models: ModelServer, tmp_path: Path
) -> None:
    done = judged(
        github, models, tmp_path, review_of(propose(github, *WORSE)), inputs={"max-usd": "0.05"}
    )

    assert 0 == done.code
    assert models.billed <= 0.05
