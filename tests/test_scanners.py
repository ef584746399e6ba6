"""What scanners found, as SARIF, is told with our own findings: placed, bounded and named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_tree import SYMLINK, MemoryTree
from plugineval_action.cli.main import main
from plugineval_action.errors import UsageError
from plugineval_action.evaluate import score_skill
from plugineval_action.results import Finding, Result
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review.trees import Side, review_trees
from plugineval_action.rulesets import DEFAULT
from plugineval_action.scanners.attach import MOST, attach, attach_to_review, sorted_reports
from plugineval_action.scanners.findings import Reports, reports
from plugineval_action.scanners.log import MAX_BYTES, parse
from sarif_samples import FOUND, codeql, gitleaks, log, semgrep, trivy
from skills import skill_text

CODE = "import os\n\nos.system(text)\n"
RUN = "skills/s/run.py"
ROOT = "/srv/repository"


def tree(**more: str | bytes | None) -> MemoryTree:
    files = {"skills/s/SKILL.md": skill_text(), RUN: CODE, "other/run.py": CODE}
    return MemoryTree({**files, **more})


def read(sarif: Any, roots: tuple[str, ...] = (ROOT,)) -> Reports:  # noqa: ANN401 - any JSON
    return reports(parse(json.dumps(sarif).encode(), "x.sarif"), tree(), roots)


def finding(sarif: Any) -> Finding:  # noqa: ANN401 - any JSON
    (report,) = read(sarif).found
    return report.finding


def moved(sarif: dict[str, Any], uri: str, **location: Any) -> dict[str, Any]:  # noqa: ANN401
    """The same log with its result in another place."""
    physical = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    physical["artifactLocation"] = {"uri": uri, **location}
    return sarif


def test_semgrep_is_read_with_the_level_and_page_of_its_rule() -> None:
    rule = "python.lang.security.audit.subprocess-shell-true"

    assert Finding(
        rule=f"Semgrep OSS/{rule}",
        level="error",
        message="Found 'subprocess' function 'run' with 'shell=True'.",
        remedy=f"Semgrep OSS says more at https://semgrep.dev/r/{rule}",
        path=RUN,
        line=3,
        end_line=3,
    ) == finding(semgrep(RUN))


def test_codeql_is_read_with_rules_of_extensions_listed_files_and_links_as_text() -> None:
    found = finding(codeql(RUN))

    assert ("CodeQL/py/command-line-injection", "warning") == (found.rule, found.level)
    assert "This command depends on a user-provided value." == found.message
    assert (RUN, 2, 2) == (found.path, found.line, found.end_line)


def test_gitleaks_is_read_without_the_secret_that_it_shows() -> None:
    found = finding(gitleaks(RUN))

    assert ("gitleaks/aws-access-token", "warning") == (found.rule, found.level)
    assert "See what gitleaks says about aws-access-token." == found.remedy
    assert FOUND not in str(found)


@pytest.mark.parametrize(
    ("path", "root"),
    [(RUN, ROOT), (RUN, "/src"), ("run.py", f"{ROOT}/skills/s"), ("s/run.py", f"{ROOT}/skills")],
)
def test_trivy_is_read_below_the_folder_that_it_was_run_in(path: str, root: str) -> None:
    found = finding(trivy(path, root))

    assert (RUN, "Trivy/CVE-2024-3651") == (found.path, found.rule)
    assert "Package: idna Installed Version: 3.6 Severity: HIGH" == found.message


@pytest.mark.parametrize(
    "uri",
    [
        RUN,
        f"./{RUN}",
        "skills/s/%72un.py",
        f"{ROOT}/{RUN}",
        f"file://{ROOT}/{RUN}",
        f"file://localhost{ROOT}/skills/s/../s/run.py",
        f"FILE:{ROOT}/{RUN}",
    ],
)
def test_a_file_of_the_tree_is_found_however_it_is_written(uri: str) -> None:
    assert RUN == finding(moved(semgrep(RUN), uri)).path


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "../repository/skills/s/run.py",
        "skills/../../etc/passwd",
        "skills/s/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        f"file://{ROOT}/../../etc/passwd",
        f"file://evil.example{ROOT}/{RUN}",
        f"https://evil.example/{RUN}",
        "file://[bad/x",
        f"{ROOT}-other/{RUN}",
        "skills/s",
        "skills/s/RUN.PY",
        "skills/s/link.py",
        "skills/s/run.py%00",
        "C:/skills/s/run.py",
        "skills\\s\\run.py",
    ],
)
def test_what_is_no_plain_file_of_the_tree_is_left_out_and_counted(uri: str) -> None:
    runs = parse(json.dumps(moved(semgrep(RUN), uri)).encode(), "x.sarif")

    assert Reports((), 1) == reports(runs, tree(**{"skills/s/link.py": SYMLINK}), [ROOT])


def test_a_base_that_is_relative_to_itself_ends() -> None:
    sarif = moved(semgrep(RUN), RUN, uriBaseId="A")
    sarif["runs"][0]["originalUriBaseIds"] = {"A": {"uri": "a/", "uriBaseId": "A"}}

    assert Reports((), 1) == read(sarif)


@pytest.mark.parametrize(
    ("more", "level"),
    [
        ({}, "error"),
        ({"level": "warning"}, "warning"),
        ({"level": "note"}, "note"),
        ({"level": "none"}, "note"),
        ({"kind": "review"}, "note"),
        ({"kind": "informational", "level": "none"}, "note"),
    ],
)
def test_levels_are_the_results_own_else_its_rules(more: dict[str, Any], level: str) -> None:
    assert level == finding(semgrep(RUN, **more)).level


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "pass"},
        {"kind": "notApplicable"},
        {"baselineState": "absent"},
        {"suppressions": [{"kind": "external"}]},
    ],
)
def test_what_is_no_problem_is_not_told(more: dict[str, Any]) -> None:
    assert Reports() == read(semgrep(RUN, **more))


@pytest.mark.parametrize(
    "kept", [{"kind": "inSource"}, {"kind": "external", "status": "underReview"}]
)
def test_a_file_cannot_suppress_what_is_found_in_it(kept: dict[str, str]) -> None:
    found = finding(semgrep(RUN, suppressions=[kept]))

    assert ("(The file itself suppresses it.)" in found.message) == (kept["kind"] == "inSource")


def test_a_tool_may_be_called_anything_and_is_told_as_one_name() -> None:
    sarif = semgrep(RUN)
    sarif["runs"][0]["tool"]["driver"]["name"] = "a/b](x)\n`"

    assert finding(sarif).rule.startswith("a-b--x- -/python.")


def test_messages_of_the_rule_are_filled_in() -> None:
    sarif = semgrep(RUN, message={"id": "default", "arguments": ["run", "x"]})
    rule = sarif["runs"][0]["tool"]["driver"]["rules"][0]
    rule["messageStrings"] = {"default": {"text": "{0} gets {1}, not {2}."}}

    assert "run gets x, not {2}." == finding(sarif).message


def test_text_is_one_line_of_bounded_length_without_what_steers_a_terminal() -> None:
    found = finding(semgrep(RUN, message={"text": "a\x1b[31m\n\n" + "b" * 100_000}))

    assert found.message.startswith("a\\x1b[31m bbb")
    assert 400 >= len(found.message)


@pytest.mark.parametrize(("first", "last"), [(3, 3), (3, 1), (4, 9), (2**31 - 1, 2**31 - 1)])
def test_lines_end_where_the_file_does(first: int, last: int) -> None:
    sarif = semgrep(RUN, first)
    region = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    region["endLine"] = last
    found = finding(sarif)

    assert (3, 3) == (found.line, found.end_line)


def test_one_thing_that_is_reported_twice_is_told_once() -> None:
    sarif = semgrep(RUN)
    sarif["runs"] *= 2

    assert 1 == len(read(sarif).found)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Invalid JSON"),
        (b"PK\x03\x04", "Invalid JSON"),
        (b"[]", "should be an object"),
        (b"{}", "version: Field required"),
        (b'{"version": "2.0.0", "runs": []}', "version: Input should be '2.1.0'"),
        (b'{"version": "2.1.0"}', "runs: Field required"),
        (json.dumps(log({"results": []})).encode(), "runs.0.tool: Field required"),
        (json.dumps(log({"tool": {"driver": {}}})).encode(), "runs.0.tool.driver.name"),
        (json.dumps(semgrep(RUN, 0)).encode(), "region.startLine"),
        (json.dumps(semgrep(RUN, level="fatal")).encode(), "runs.0.results.0.level"),
        (b"[" * 100_000, "Invalid JSON"),
        (json.dumps(log(*[semgrep(RUN)["runs"][0]] * 21)).encode(), "at most 20"),
    ],
)
def test_a_file_of_another_shape_is_refused_with_the_place_and_a_remedy(
    data: bytes, why: str
) -> None:
    with pytest.raises(UsageError) as raised:
        parse(data, "x.sarif")

    assert raised.value.message.startswith("x.sarif is no SARIF 2.1.0 (")
    assert why in raised.value.message
    assert "semgrep scan --sarif" in raised.value.remedy


def test_a_huge_file_is_refused_unread() -> None:
    with pytest.raises(UsageError, match=r"x\.sarif has over 20,000,000 bytes"):
        parse(b" " * (MAX_BYTES + 1), "x.sarif")


def test_a_file_whose_writer_has_failed_is_not_taken_for_one_without_results() -> None:
    with pytest.raises(UsageError, match=r"x\.sarif is no SARIF 2\.1\.0 \(runs: "):
        parse(b'{"version": "2.1.0", "runs": null}', "x.sarif")
    assert () == parse(b'{"version": "2.1.0", "runs": []}', "x.sarif")


@pytest.mark.parametrize("notes", [None, [], [{"message": {"text": "Cannot parse a.py."}}]])
def test_a_run_that_has_failed_counts_as_none_and_its_scanner_is_named(notes: Any) -> None:  # noqa: ANN401
    log = semgrep(RUN)
    failed = {"executionSuccessful": False, "toolExecutionNotifications": notes}
    log["runs"][0]["invocations"] = [{"executionSuccessful": True}, failed]
    with pytest.raises(UsageError) as raised:
        parse(json.dumps(log).encode(), "scan.sarif")
    said = str(raised.value)

    name = log["runs"][0]["tool"]["driver"]["name"]
    assert said.startswith(f"scan.sarif: {name} says that its run has failed")
    assert bool(notes) == ("Cannot parse a.py." in said)
    assert said.endswith("see its log, and run it again.")


@pytest.mark.parametrize("invocations", [None, [], [{}], [{"executionSuccessful": True}]])
def test_a_run_that_came_through_or_does_not_say_is_read(invocations: Any) -> None:  # noqa: ANN401
    log = semgrep(RUN)
    log["runs"][0]["invocations"] = invocations

    assert log["runs"][0]["results"]
    assert 1 == len(parse(json.dumps(log).encode(), "scan.sarif"))


def test_null_lists_and_a_byte_order_mark_are_as_good_as_none() -> None:
    sarif = semgrep(RUN)
    sarif["runs"][0]["results"] = None

    assert 1 == len(parse(b"\xef\xbb\xbf" + json.dumps(sarif).encode(), "x.sarif"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["ruleId", "message", "locations", "suppressions", "rule", "kind"]))
def test_any_value_anywhere_is_read_or_refused(value: Any, key: str) -> None:  # noqa: ANN401
    try:
        found = read(semgrep(RUN, **{key: value}))
    except UsageError:
        return
    assert all(one.finding.path == RUN for one in found.found)


def scored(where: MemoryTree) -> Result:
    return score_skill(where, "skills/s")


def test_a_skill_is_given_what_lies_in_its_files_and_keeps_its_score() -> None:
    before = scored(tree())
    found = sorted_reports((*read(semgrep(RUN)).found, *read(semgrep("other/run.py")).found))
    after = attach(before, found)

    assert [RUN] == [note.path for note in after.findings if "/" in note.rule]
    assert before.composite == after.composite


def test_a_folder_beside_a_skill_whose_name_goes_on_is_not_the_skills() -> None:
    where = tree(**{"skills/s-more/run.py": CODE})
    sarif = parse(json.dumps(semgrep("skills/s-more/run.py")).encode(), "x.sarif")
    found = sorted_reports(reports(sarif, where, ()).found)

    assert 1 == len(found)
    assert scored(where) == attach(scored(where), found)


def test_a_base_may_be_relative_to_another_and_a_path_goes_before_a_place_in_a_list() -> None:
    sarif = moved(semgrep(RUN), "run.py", uriBaseId="SKILL", index=0)
    sarif["runs"][0]["originalUriBaseIds"] = {
        "SKILL": {"uri": "s/", "uriBaseId": "ALL"},
        "ALL": {"uri": "skills/"},
    }
    sarif["runs"][0]["artifacts"] = [{"location": {"uri": "other/run.py"}}]

    assert RUN == finding(sarif).path


def test_of_too_many_the_worst_are_told_and_the_others_counted() -> None:
    results = [semgrep(RUN, 1 + at % 3, level="note")["runs"][0]["results"][0] for at in range(70)]
    for at, result in enumerate(results):
        result["message"] = {"text": f"Number {at}"}
    results[-1]["level"] = "error"
    sarif = semgrep(RUN)
    sarif["runs"][0]["results"] = results
    told = attach(scored(tree()), sorted_reports(read(sarif).found)).findings
    told = tuple(note for note in told if "/" in note.rule)

    assert MOST + 1 == len(told)
    assert "error" == told[0].level
    assert "20 more of Semgrep OSS in these files are not listed." == told[-1].message


def test_a_members_findings_are_not_the_plugins_own_again() -> None:
    member = Result("skill", "s", "p/skills/s", "r")
    plugin = Result("plugin", "p", "p", "r", members=(member,))
    where = MemoryTree({"p/skills/s/run.py": CODE, "p/hooks/run.py": CODE})
    found = [
        report
        for path in ("p/skills/s/run.py", "p/hooks/run.py")
        for report in reports(parse(json.dumps(semgrep(path)).encode(), "x"), where, ()).found
    ]
    after = attach(plugin, sorted_reports(found))

    assert ["p/hooks/run.py"] == [note.path for note in after.findings]
    assert ["p/skills/s/run.py"] == [note.path for note in after.members[0].findings]


@pytest.mark.parametrize(
    ("line", "more", "new"),
    [
        (3, {}, True),
        (1, {}, False),
        (2, {}, False),
        (3, {"baselineState": "unchanged"}, False),
        (3, {"baselineState": "new"}, True),
    ],
)
def test_new_in_a_review_is_what_stands_on_lines_that_the_change_wrote(
    line: int, more: dict[str, Any], new: bool
) -> None:
    base, head = tree(**{RUN: "import os\n\n"}), tree()
    review = review_trees(Side(base, "base"), Side(head, "head"), DEFAULT)
    found = read(semgrep(RUN, line, **more)).found
    (change,) = attach_to_review(review, found, base, head).changes

    assert change.after
    assert 1 == sum("/" in note.rule for note in change.after.findings)
    assert new == any("/" in each.rule for each in new_problems(change))


def test_the_line_after_one_that_a_change_wrote_is_not_new() -> None:
    base, head = tree(**{RUN: "import os\nos.system(text)\n"}), tree()
    review = review_trees(Side(base, "base"), Side(head, "head"), DEFAULT)
    told = []
    for line in (1, 2, 3):
        (change,) = attach_to_review(review, read(semgrep(RUN, line)).found, base, head).changes
        told.append(any("/" in each.rule for each in new_problems(change)))

    assert [False, True, False] == told


def test_all_in_a_skill_that_was_moved_is_as_new_as_its_lines() -> None:
    base = tree()
    head = MemoryTree({"skills/t/SKILL.md": skill_text(), "skills/t/run.py": CODE})
    review = review_trees(Side(base, "base"), Side(head, "head"), DEFAULT)
    runs = parse(json.dumps(semgrep("skills/t/run.py")).encode(), "x.sarif")
    changes = attach_to_review(review, reports(runs, head, ()).found, base, head).changes
    (change,) = [change for change in changes if change.after]

    assert "renamed" == change.status
    assert [] == [each for each in new_problems(change) if "/" in each.rule]


@pytest.fixture
def skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "skills" / "s"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill_text(), encoding="utf-8")
    (folder / "run.py").write_text(CODE, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_score_tells_it_gates_it_and_leaves_it_out_of_its_own_sarif(
    skill: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (skill / "a.sarif").write_text(json.dumps(semgrep(RUN)), encoding="utf-8")
    (skill / "b.sarif").write_text(json.dumps(gitleaks("README.md")), encoding="utf-8")
    given = ["score", "skills", "--sarif-in", "a.sarif", "--sarif-in", "b.sarif"]
    (skill / ".plugin-eval.yml").write_text("fail-on: error\n", encoding="utf-8")

    assert 1 == main([*given, "--output", "json"])
    out, err = capsys.readouterr()
    assert "Semgrep OSS/python.lang" in out
    assert "1 result of a scanner lies in no file of this tree" in err
    assert 1 == main([*given, "--output", "sarif"])
    assert "Semgrep" not in capsys.readouterr().out
    assert 0 == main(["score", "skills"])


def test_a_file_that_is_not_there_ends_with_what_to_do(
    skill: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["score", str(skill), "--sarif-in", "none.sarif"])
    assert "none.sarif cannot be read (No such file or directory)" in capsys.readouterr().err
