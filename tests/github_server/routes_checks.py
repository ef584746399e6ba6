"""Check runs and their annotations."""

from __future__ import annotations

from github_server import payloads
from github_server.description import Json
from github_server.exchange import Call, Problem, Reply, found, paged
from github_server.state import CheckRun

LONGEST_TEXT = 65_535
"""Bytes of a summary; the description counts characters, GitHub bytes."""


def _run(call: Call) -> CheckRun:
    number = call.number("check_run_id")
    return found(next((each for each in call.repository.check_runs if each.id == number), None))


def create(call: Call) -> Reply:
    head = call.body["head_sha"]
    if call.repository.store.kind(head) != "commit":
        raise Problem(422, f"No commit found for SHA: {head}", unexpected=True)
    _check(call.body)
    run = CheckRun(call.repository, call.world.next_id(), call.body["name"], head)
    run.started_at = call.world.now()
    run.update(call.body)
    call.repository.check_runs.append(run)
    payload = payloads.check_run(run)
    return Reply(201, payload, {"Location": payload["url"]})


def update(call: Call) -> Reply:
    run = _run(call)
    _check(call.body)
    run.update(call.body)
    return Reply(200, payloads.check_run(run))


def _check(body: Json) -> None:
    """The rules that the description does not hold."""
    if body.get("status") == "completed" and "conclusion" not in body:
        raise Problem(422, "Invalid request.\n\nconclusion is missing.", unexpected=True)
    output = body.get("output", {})
    for name in ("summary", "text"):
        size = len(output.get(name, "").encode())
        if size > LONGEST_TEXT:
            message = f"Only {LONGEST_TEXT} characters are allowed; {size} were supplied."
            raise Problem(422, f"Invalid request.\n\n{message}", unexpected=True)
    for each in output.get("annotations", []):
        _check_annotation(each)


def _check_annotation(each: Json) -> None:
    first, last = each["start_line"], each["end_line"]
    columns = {"start_column", "end_column"} & each.keys()
    problems = {
        "lines start at 1": first < 1,
        "end_line is before start_line": last < first,
        "columns need a single line": bool(columns) and first != last,
        "the path is absolute or empty": not each["path"] or each["path"].startswith("/"),
        "the message is empty": not each["message"],
    }
    for problem, is_so in problems.items():
        if is_so:
            raise Problem(422, f"Invalid request.\n\n{problem}: {each}", unexpected=True)


def get(call: Call) -> Reply:
    return Reply(200, payloads.check_run(_run(call)))


def list_annotations(call: Call) -> Reply:
    run = _run(call)
    return paged(call, run.annotations, lambda each: payloads.annotation(run, each))


def list_for_ref(call: Call) -> Reply:
    """The newest first, the latest of each name unless all are asked for."""
    sha = found(call.repository.resolve(call.path["ref"]))
    query = call.query
    runs = [
        run
        for run in reversed(call.repository.check_runs)
        if run.head_sha == sha
        and query.get("check_name", run.name) == run.name
        and query.get("status", run.status) == run.status
    ]
    if query.get("filter", "latest") == "latest":
        runs = list({run.name: run for run in reversed(runs)}.values())[::-1]
    return paged(
        call,
        runs,
        payloads.check_run,
        lambda page: {"total_count": len(runs), "check_runs": page},
    )
