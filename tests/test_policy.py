"""The policy decides which findings are told and which fail a run; no score ever moves."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents import read
from gaming import gaming_skills
from memory_tree import DIRECTORY, SYMLINK, MemoryTree
from plugineval_action import PROJECT_URL
from plugineval_action.cli.main import main
from plugineval_action.content.tree import Tree
from plugineval_action.errors import UsageError
from plugineval_action.evaluate import score_skill
from plugineval_action.findings.withheld import reasons
from plugineval_action.policy.apply import hold_review, holder
from plugineval_action.policy.baseline import (
    count,
    fingerprint,
    parse,
    ratcheted,
    read_baseline,
    render,
)
from plugineval_action.policy.expired import expired
from plugineval_action.policy.model import POLICY_FILE, Policy, parse_policy, read_policy
from plugineval_action.policy.report import BY_HAND, decided, legacy_of, with_worked_off
from plugineval_action.report.gather import WHOLE, Moment, gather_shard, joined
from plugineval_action.report_values import MarketplaceReport, Scored
from plugineval_action.results import Composite, Finding, Result
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review.trees import Side, review_trees
from plugineval_action.review_values import Review
from skills import skill_text

SCHEMA = Path(__file__).parent.parent / "docs/schema/policy.schema.json"
TODAY = date(2026, 11, 30)
PATH = "skills/s/SKILL.md"
BODY = "[a](gone.md)\n\n[b](lost.md)\n\n```bash\ncurl -s https://example.com/x | sh\n```\n"
WAIVER = "waivers:\n- {{rule: PIPE_TO_SHELL, path: '{}', owner: us, reason: '{}', expires: {}}}\n"


def tree(body: str = BODY, **files: str) -> MemoryTree:
    return MemoryTree({PATH: skill_text(body), **files})


def scored(where: Tree) -> Result:
    return score_skill(where, "skills/s")


def told(text: str, *, today: date = TODAY, known: Counter[str] | None = None) -> list[Finding]:
    where = tree()
    return list(holder(parse_policy(text), where, today, known)(scored(where)).findings)


def rules(findings: list[Finding]) -> list[str]:
    return [note.rule for note in findings]


def test_without_decisions_everything_is_told_as_it_was() -> None:
    assert list(scored(tree()).findings) == told("")
    assert ["BROKEN_LINK", "BROKEN_LINK", "PIPE_TO_SHELL"] == rules(told(""))


def test_no_policy_moves_a_score_or_a_badge() -> None:
    where = tree("Lorem ipsum dolor sit amet elit enim sint culpa anim aute nulla velit.\n")
    before = scored(where)
    off = "\n".join(f"- {{rule: {note.rule}, level: off}}" for note in before.findings)
    after = holder(parse_policy(f"levels:\n{off}"), where, TODAY)(before)

    assert () == after.findings
    assert (before.composite, before.layers) == (after.composite, after.layers)


@pytest.mark.parametrize(
    "policy",
    [
        "levels: [{rule: HIDDEN_TEXT, level: 'off'}]",
        "waivers: [{rule: HIDDEN_TEXT, path: '**', owner: us, reason: x, expires: 2027-01-31}]",
    ],
)
def test_no_policy_buys_a_badge_and_the_reason_stays_as_a_note(policy: str) -> None:
    (gaming,) = (one for one in gaming_skills() if one[:2] == ("hidden", "invoice-audit"))
    where = MemoryTree({f"s/{name}": text for name, text in gaming.files.items()})
    before = score_skill(where, "s")
    after = holder(parse_policy(policy), where, TODAY)(before)
    assert after.composite

    assert "withheld" == after.composite.badge
    assert [("HIDDEN_TEXT", "note")] == [(one.rule, one.level) for one in reasons(after)]
    assert reasons(after)[0].message.endswith(
        "The policy passes over it, and the badge stays withheld."
    )


@pytest.mark.parametrize("rule", ["PIPE_TO_SHELL", "SK072", "sk072", "pipe-to-shell"])
def test_a_level_is_changed_by_name_or_code(rule: str) -> None:
    found = {note.rule: note.level for note in told(f"levels: [{{rule: {rule}, level: error}}]")}

    assert {"BROKEN_LINK": "warning", "PIPE_TO_SHELL": "error"} == found


@pytest.mark.parametrize("word", ["off", "'off'"])
def test_a_rule_is_switched_off_whether_or_not_yaml_reads_the_word_as_false(word: str) -> None:
    assert ["PIPE_TO_SHELL"] == rules(told(f"levels: [{{rule: BROKEN_LINK, level: {word}}}]"))


def test_of_several_levels_the_last_that_fits_counts() -> None:
    levels = (
        "levels:\n- {rule: BROKEN_LINK, level: error}\n"
        "- {rule: BROKEN_LINK, path: skills/**, level: note}\n"
        "- {rule: BROKEN_LINK, path: other/**, level: 'off'}\n"
    )

    assert {"note"} == {note.level for note in told(levels) if note.rule == "BROKEN_LINK"}


@pytest.mark.parametrize(("days", "waived"), [(1, True), (0, True), (-1, False)])
def test_a_waiver_holds_up_to_its_day_and_then_says_that_it_has_expired(
    days: int, waived: bool
) -> None:
    expires = TODAY + timedelta(days)
    found = told(WAIVER.format("skills/**", "No other way.", expires))
    messages = [note.message for note in found if note.rule == "PIPE_TO_SHELL"]

    assert waived == (messages == [])
    assert all(one.endswith(f"The waiver of us expired on {expires}.") for one in messages)


@pytest.mark.parametrize(("days", "told"), [(1, []), (0, []), (-1, [3])])
def test_an_expired_waiver_is_told_on_its_line_though_it_matches_nothing(
    days: int, told: list[int]
) -> None:
    policy = parse_policy(f"\n{WAIVER.format('gone/**', 'No.', TODAY + timedelta(days))}")

    assert told == [note.line for note in expired(policy, TODAY)]
    assert told == [note.line for note in everything(policy).findings]
    assert {POLICY_FILE} >= {note.path for note in everything(policy).findings}


def test_an_expired_waiver_is_no_news_of_a_change() -> None:
    policy = parse_policy(WAIVER.format("gone/**", "No.", "2020-01-01"))
    review = review_trees(Side(tree(), "base"), Side(tree("Text.\n"), "head"), "plugineval")

    assert () == hold_review(review, policy, tree(), tree("Text.\n"), TODAY).findings


def test_that_a_waiver_has_expired_can_be_levelled_like_any_finding() -> None:
    waiver = WAIVER.format("gone/**", "No.", "2020-01-01")
    policy = parse_policy(f"levels: [{{rule: SK079, level: error}}]\n{waiver}")

    assert ["error"] == [note.level for note in everything(policy).findings]


def everything(policy: Policy) -> Review:
    """A run over everything, under a policy."""
    where = MemoryTree({})
    return hold_review(Review("", "head", "plugineval", ()), policy, where, where, TODAY)


def test_a_waiver_holds_for_its_path_only() -> None:
    assert "PIPE_TO_SHELL" in rules(told(WAIVER.format("plugins/**", "No.", "2030-01-01")))


@pytest.mark.parametrize("missing", ["owner", "reason", "expires", "path", "rule"])
def test_a_waiver_without_one_of_its_parts_is_refused(missing: str) -> None:
    fields = {
        "rule": "SK072",
        "path": "a",
        "owner": "us",
        "reason": "Because.",
        "expires": "2027-01-01",
    }
    del fields[missing]
    text = json.dumps({"waivers": [fields]})

    with pytest.raises(UsageError, match=rf"waivers\.0\.{missing}"):
        parse_policy(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("levels:\n- {rule: BROKEN_LNIK, level: note}", ":2: levels.0.rule: there is no rule"),
        ("levels:\n- {rule: BROKEN_LNIK, level: note}", "Did you mean BROKEN_LINK?"),
        ("levels: [{rule: MISSING_TRIGGER, level: note}]", "part of the score"),
        ("levels:\n- rule: SK072\n  level: loud", ":3: levels.0.level is 'loud'"),
        ("\n\nprofile: vim", ":3: profile is 'vim'"),
        ("colour: red", ":1: There is no key 'colour' here. Known are profile, fail-on, levels"),
        ("waiver: []", "Did you mean waivers?"),
        ("x: 1", ":1: There is no key 'x' here. Known are"),
        (
            "levels: {BROKEN_LINK: off}",
            "levels: this is no list of entries. Write each as an entry: - {rule: BROKEN_LINK, ",
        ),
        ("levels: [BROKEN_LINK]", "Write each as an entry: - {rule: BROKEN_LINK, level: note}"),
        ("waivers: {rule: SK072}", "Write each as an entry: - {rule: BROKEN_LINK, path: "),
        ("fail-on: off", ":1: fail-on: off is no level to fail on. Write never, or leave"),
        (WAIVER.format("a", "", "2027-01-01"), "is empty. Write something between the quotes."),
        (WAIVER.format("a", "x" * 600, "2027-01-01"), "at most 500 characters. Shorten it."),
        (
            WAIVER.format("a", "b", "2027-01-01").replace("'a'", "[a, b]"),
            "is no text. Write a single text here; several need an entry each.",
        ),
        ("profile: \0", "not valid YAML: control characters are not allowed. Remove what"),
        ("- a", POLICY_FILE),
        ("profile: codex\nprofile: codex", ":2: 'profile' is given twice. Keep one."),
        ("a: [", "not valid YAML"),
        ("profile: codex\nlevels: &a [*a]", ":2: Aliases (*name) may not be used."),
        ("x" * 60_000, "over 50,000"),
        ("{" * 40_000, POLICY_FILE),
        (WAIVER.format("a", " ", "2027-01-01"), ":2: waivers.0.reason"),
        (WAIVER.format("a", "b", "soon"), ":2: waivers.0.expires: 'soon' is no day. Write one"),
        (
            "levels:\n- {rule: SK072, path: /a/**, level: note}",
            ":2: levels.0.path: '/a/**' can",
        ),
        ("levels:\n- {rule: SK072, path: a/, level: note}", "can match no file. Write it from the"),
        ("levels:\n- {rule: SK072, path: ./a, level: note}", "can match no file"),
        ("levels:\n- {rule: SK072, path: ../a, level: note}", "can match no file"),
        ("levels:\n- {rule: SK072, path: 'a\\b', level: note}", "can match no file"),
        ("\nbaseline: ../known.json", ":2: baseline: '../known.json' lies outside the repository"),
        ("baseline: 'a\\b'", "baseline: 'a\\b' lies outside the repository, or"),
        (
            "levels:\n- {rule: semgrep/x, level: note}",
            ":2: levels.0.rule: 'semgrep/x' is a",
        ),
        ("waivers: [" + "{rule: SK072}, " * 501 + "]", "more mistakes follow"),
    ],
)
def test_what_is_wrong_with_a_policy_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_policy(text)


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_its_lines() -> None:
    with pytest.raises(UsageError) as raised:
        parse_policy("profile: 3\nlevels: {a: b}\nwaivers: [x]\nbaseline: [1]\nfail-on: yes")
    lines = raised.value.message.splitlines()

    assert [f"{POLICY_FILE}:{at}" for at in range(1, 6)] == [line.split(": ")[0] for line in lines]


def test_hostile_globs_take_no_time_that_grows_with_their_stars() -> None:
    glob = "/".join(["*a" * 40] * 6)
    level = f"- {{rule: BROKEN_LINK, path: '{glob}', level: note}}"
    policy = parse_policy("levels:\n" + f"{level}\n" * 90)
    long = MemoryTree({f"{'a' * 200}/{'a' * 200}/SKILL.md": skill_text(BODY)})

    assert 3 == len(holder(policy, long, TODAY)(score_skill(long, long_path(long))).findings)


def long_path(where: Tree) -> str:
    return next(iter(where.files())).rpartition("/")[0]


@given(st.text(max_size=200))
def test_arbitrary_text_is_a_policy_or_a_usage_error(text: str) -> None:
    with suppress(UsageError):
        assert isinstance(parse_policy(text), Policy)


def test_the_document_shows_a_policy_that_can_be_read() -> None:
    text = re.findall(r"```yaml\n(.*?)```", read("docs/policy.md"), re.DOTALL)[0]
    policy = read_policy(MemoryTree({POLICY_FILE: text}))

    assert policy is not None
    assert ("warning", 2, 1) == (policy.fail_on, len(policy.levels), len(policy.waivers))


def test_the_schema_says_what_the_reader_asks_for() -> None:
    """Set PLUGINEVAL_REGENERATE=1 to write it anew from the model."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{PROJECT_URL}/blob/main/docs/schema/policy.schema.json",
        **Policy.model_json_schema(),
    }
    if os.environ.get("PLUGINEVAL_REGENERATE") == "1":
        SCHEMA.write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")

    assert schema == json.loads(SCHEMA.read_text(encoding="utf-8"))


@pytest.mark.parametrize("odd", [SYMLINK, DIRECTORY])
def test_a_policy_that_is_no_plain_file_is_refused_as_it_would_seem_to_hold(
    odd: str | None,
) -> None:
    with pytest.raises(UsageError, match=re.escape(POLICY_FILE)):
        read_policy(MemoryTree({PATH: skill_text(), POLICY_FILE: odd}))


def test_a_policy_under_the_other_ending_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "fail-on: note\n")
    (tmp_path / POLICY_FILE).rename(tmp_path / ".plugin-eval.yaml")

    assert 0 == main(["score", str(tmp_path)])
    assert ".plugin-eval.yaml is not read" in capsys.readouterr().err


# The baseline


def test_what_the_baseline_knows_is_not_told_though_lines_move() -> None:
    known = count(tree(), scored(tree()).findings)
    moved = tree(f"Text.\n\nMore text.\n\n{BODY}\n[c](new.md)\n")
    found = holder(Policy(), moved, TODAY, known)(scored(moved)).findings

    assert ["The link leads to new.md, which is not there."] == [note.message for note in found]


def test_a_finding_is_known_by_its_file_too_and_not_by_the_blanks_around_its_line() -> None:
    note = next(one for one in scored(tree()).findings if one.rule == "BROKEN_LINK")
    where = tree(**{"other.md": f"  {BODY}"})

    assert fingerprint(where, note) == fingerprint(MemoryTree({PATH: _shifted()}), note)
    assert fingerprint(where, note) != fingerprint(where, note._replace(path="other.md", line=1))


def _shifted() -> str:
    return skill_text(BODY).replace("[a]", "  [a]")


def test_one_finding_that_two_results_hold_counts_once() -> None:
    result = scored(tree())
    known = count(tree(), result.findings * 2)
    hold = holder(Policy(), tree(), TODAY, known)

    assert count(tree(), result.findings) == known
    assert [(), ()] == [hold(result).findings, hold(result).findings]


def test_what_withholds_a_plugins_badge_is_told_of_a_skill_that_has_no_badge_to_lose() -> None:
    hidden = Finding("HIDDEN_TEXT", "warning", "Said.", "Mend it.", PATH)
    poor = Composite(10.0, 1.0, (), "no_badge", "Estimated")
    skill = Result("skill", "s", "skills/s", "r", composite=poor, findings=(hidden,))
    badge = poor._replace(badge="withheld")
    plugin = Result("plugin", "p", "", "r", composite=badge, members=(skill,))
    policy = parse_policy("levels: [{rule: HIDDEN_TEXT, level: 'off'}]")
    hold = holder(policy, tree(), TODAY)

    assert ["note"] == [note.level for note in hold(plugin).members[0].findings]
    assert () == hold(skill).findings


def test_a_second_finding_on_an_equal_line_is_new() -> None:
    known = count(tree(), scored(tree()).findings)
    block = BODY[BODY.index("```") :]
    twice = tree(f"{BODY}\n{block}")
    found = holder(Policy(), twice, TODAY, known)(scored(twice)).findings

    assert ["PIPE_TO_SHELL"] == [note.rule for note in found]


def test_written_again_a_baseline_only_gets_shorter() -> None:
    old, found = Counter(a=2, b=1), Counter(a=1, c=4)

    assert found == ratcheted(None, found)
    assert Counter(a=1) == ratcheted(old, found)


def test_a_baseline_is_read_as_it_was_written() -> None:
    baseline = count(tree(), scored(tree()).findings)

    assert baseline == parse(render(baseline))
    assert baseline == read_baseline(MemoryTree({"b.json": render(baseline)}), "b.json")
    assert Counter() == read_baseline(MemoryTree({}), "b.json")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 2, "findings": {}}', '{"version": 1, "findings": {"a": 0}}'],
)
def test_a_damaged_baseline_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"b\.json is no baseline"):
        read_baseline(MemoryTree({"b.json": text}), "b.json")


def reviewed(base: Tree, head: Tree, known: Counter[str]) -> list[str]:
    """The rules of what is told of the head of a review whose base has a baseline."""
    files = {path: base.read(path).decode() for path in base.files()}
    held_to = MemoryTree({**files, "known.json": render(known)})
    review = review_trees(Side(held_to, "base"), Side(head, "head"), "plugineval")
    held = hold_review(review, Policy(baseline="known.json"), held_to, head, TODAY)
    return [note.rule for one in held.changes if one.after for note in one.after.findings]


def test_in_a_review_the_baseline_excuses_what_the_base_still_has() -> None:
    known = count(tree(), scored(tree()).findings)

    assert [] == reviewed(tree(), tree(f"Text.\n\n{BODY}"), known)


def test_what_was_mended_and_comes_back_is_new_though_the_baseline_still_has_it() -> None:
    known = count(tree(), scored(tree()).findings)
    mended = tree("[a](gone.md)\n\n[b](lost.md)\n")

    assert ["PIPE_TO_SHELL"] == reviewed(mended, tree(), known)


def test_one_more_of_what_the_baseline_knows_is_a_new_problem() -> None:
    known = count(tree(), scored(tree()).findings)
    base = tree(**{"known.json": render(known)})
    head = tree(BODY + BODY[BODY.index("```") :])
    review = review_trees(Side(base, "base"), Side(head, "head"), "plugineval")
    (change,) = hold_review(review, Policy(baseline="known.json"), base, head, TODAY).changes

    assert ["PIPE_TO_SHELL"] == [one.rule for one in new_problems(change)]


def test_a_skill_that_comes_back_is_held_to_all_of_it() -> None:
    known = count(tree(), scored(tree()).findings)
    without = MemoryTree({"skills/t/SKILL.md": skill_text()})
    back = MemoryTree({PATH: skill_text(BODY), "skills/t/SKILL.md": skill_text()})

    assert ["BROKEN_LINK", "BROKEN_LINK", "PIPE_TO_SHELL"] == reviewed(without, back, known)


# Reports


def reported(policy: str, **files: str) -> MarketplaceReport:
    where = tree(**{POLICY_FILE: policy}, **files)
    read = read_policy(where)
    assert read is not None
    shard = gather_shard(
        where,
        "",
        "plugineval",
        Moment("c0ffee", "2026-01-31"),
        lambda found, _: found,
        WHOLE,
        decided(read, where, TODAY),
    )
    return joined([shard])


def report_rules(report: MarketplaceReport) -> list[str]:
    return [note.rule for one in report.loose for note in one.result.findings]


def test_a_report_knows_levels_waivers_and_profile() -> None:
    off = "levels: [{rule: BROKEN_LINK, level: 'off'}]\n"
    waived = WAIVER.format("skills/**", "No other way.", "2027-01-31")

    assert ["PIPE_TO_SHELL"] == report_rules(reported(off))
    assert [] == report_rules(reported(off + waived))
    named = skill_text("", "name: x\ndescription: y\n")
    other = reported("profile: agentskills", **{"skills/u/SKILL.md": named})
    assert "NAME_NOT_DIRECTORY" in report_rules(other)
    assert "NAME_NOT_DIRECTORY" not in report_rules(
        reported("profile: claude-code", **{"skills/u/SKILL.md": named})
    )


def test_a_report_holds_what_lies_beside_the_plugins_to_the_policy_too() -> None:
    market = {".claude-plugin/marketplace.json": '{"plugins": []}'}
    told = [one.message for one in reported("", **market).failures]

    assert any("MARKET_FIELDS" in one for one in told)
    off = "levels: [{rule: MARKET_FIELDS, level: 'off'}]"
    assert not any("MARKET_FIELDS" in one.message for one in reported(off, **market).failures)


def test_a_report_moves_no_score_by_a_policy() -> None:
    off = "levels: [{rule: BROKEN_LINK, level: 'off'}, {rule: PIPE_TO_SHELL, level: 'off'}]"
    (plain,), (held,) = reported("").loose, reported(off).loose

    assert plain.result.composite == held.result.composite
    assert plain.fixes == held.fixes


def test_a_report_shows_what_the_baseline_knows_as_that_is_where_it_is_worked_off() -> None:
    known = render(count(tree(), scored(tree()).findings))
    report = reported("baseline: known.json", **{"known.json": known})

    assert 3 == len(report_rules(report))


def test_a_report_tells_of_waivers_that_have_expired() -> None:
    failures = reported(WAIVER.format("gone/**", "No.", "2020-01-01")).failures

    assert [f"{POLICY_FILE}:2"] == [one.path for one in failures]


def worked_off(body: str) -> list[str]:
    """What a report says of the baseline that was written for `BODY`."""
    known = render(count(tree(), scored(tree()).findings))
    text = "baseline: known.json"
    where = tree(body, **{POLICY_FILE: text, "known.json": known})
    one = Scored(scored(where))
    report = MarketplaceReport("m", "c0ffee", "plugineval", "2026-01-31", (), loose=(one,))
    legacy = legacy_of(report, parse_policy(text), where, TODAY)
    told = with_worked_off(report, legacy, BY_HAND).failures
    return [f"{one.path}: {one.message} {one.remedy}" for one in told]


def test_a_report_says_how_many_entries_of_the_baseline_are_worked_off() -> None:
    said = "2 of 3 in the baseline are found no more. plugin-eval baseline write . drops them."

    assert [] == worked_off(BODY)
    assert [f"known.json: {said}"] == worked_off("[a](gone.md)\n")


def test_the_command_tells_of_a_worked_off_baseline_only_for_the_whole_repository(
    tmp_path: Path,
) -> None:
    write(tmp_path, "baseline: known.json\n")
    assert 0 == main(["baseline", "write", str(tmp_path)])
    (tmp_path / PATH).write_text(skill_text("Text.\n"), encoding="utf-8")
    for root, told in ((tmp_path, True), (tmp_path / "skills", False)):
        out = tmp_path / f"out{told}"
        assert 0 == main(["report", str(root), "--output-dir", str(out)])
        page = (out / "report.json").read_text(encoding="utf-8")
        assert told == ("3 of 3 in the baseline are found no more." in page)


def test_score_holds_what_lies_beside_the_skills_to_the_policy_and_tells_of_its_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "baseline: known.json\n" + WAIVER.format("gone/**", "No.", "2020-01-01"))
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin/marketplace.json").write_text('{"plugins": []}', encoding="utf-8")

    assert 0 == main(["score", str(tmp_path)])
    said = capsys.readouterr().err
    assert f"{POLICY_FILE}:3: The waiver of us for PIPE_TO_SHELL in gone/** expired on" in said
    assert "known.json is not there yet; plugin-eval baseline write . makes it." in said
    assert "MARKET_FIELDS" in said

    write(tmp_path, "levels: [{rule: MARKET_FIELDS, level: 'off'}]\n")
    assert 0 == main(["score", str(tmp_path)])
    assert "MARKET_FIELDS" not in capsys.readouterr().err


def test_the_command_writes_a_report_under_the_policy(tmp_path: Path) -> None:
    write(tmp_path, "levels: [{rule: PIPE_TO_SHELL, level: 'off'}]\n")

    assert 0 == main(["report", str(tmp_path), "--output-dir", str(tmp_path / "out")])
    told = (tmp_path / "out/report.json").read_text(encoding="utf-8")
    assert "BROKEN_LINK" in told
    assert "PIPE_TO_SHELL" not in told


# Reviews and the command line


def test_a_review_holds_both_sides_to_the_policy_of_the_base() -> None:
    base = tree("Text.\n", **{POLICY_FILE: "levels: [{rule: BROKEN_LINK, level: 'off'}]"})
    head = tree(BODY, **{POLICY_FILE: "levels: [{rule: PIPE_TO_SHELL, level: 'off'}]"})
    policy = read_policy(base)
    assert policy is not None
    review = review_trees(Side(base, "base"), Side(head, "head"), "plugineval")
    held = hold_review(review, policy, base, head, TODAY)

    (change,) = held.changes
    assert change.after is not None
    assert ["PIPE_TO_SHELL"] == [note.rule for note in change.after.findings]


def test_what_a_change_brings_in_beside_the_skills_is_held_to_the_policy_too() -> None:
    market = {".claude-plugin/marketplace.json": '{"plugins": []}'}
    base, head = tree(), tree(**market)
    review = review_trees(Side(base, "base"), Side(head, "head"), "plugineval")
    off = parse_policy("levels: [{rule: MARKET_FIELDS, level: 'off'}]")

    assert {"MARKET_FIELDS"} == {note.rule for note in review.findings}
    assert () == hold_review(review, off, base, head, TODAY).findings


def write(root: Path, policy: str) -> None:
    (root / ".git").mkdir(exist_ok=True)
    (root / "skills/s").mkdir(parents=True, exist_ok=True)
    (root / PATH).write_text(skill_text(BODY), encoding="utf-8")
    (root / POLICY_FILE).write_text(policy, encoding="utf-8")


@pytest.mark.parametrize(
    ("fail_on", "code"), [("never", 0), ("error", 0), ("warning", 1), ("note", 1)]
)
def test_fail_on_fails_a_score(
    fail_on: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, f"fail-on: {fail_on}\n")

    assert code == main(["score", str(tmp_path), "--depth", "quick"])
    assert "s: " in capsys.readouterr().out


def test_what_fail_on_refuses_is_named_with_places_rules_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "fail-on: warning\n")
    for number in range(6):
        (tmp_path / f"skills/{number}").mkdir()
        (tmp_path / f"skills/{number}/SKILL.md").write_text(
            skill_text("[a](gone.md)\n"), encoding="utf-8"
        )

    assert 1 == main(["score", str(tmp_path / "skills")])
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("plugin-eval: fail-on warning: 9 findings of that level or worse: ")
    assert ["BROKEN_LINK"] * 5 == re.findall(r"skills/\d/SKILL\.md:\d+ (\w+)", said)
    assert "and 4 more. plugin-eval explain RULE says how to mend it; docs/policy.md, " in said


def test_nothing_is_said_where_nothing_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "fail-on: error\n")

    assert 0 == main(["score", str(tmp_path)])
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize(
    ("policy", "options", "passed"),
    [
        ("", (), None),
        ("fail-on: error", (), True),
        ("fail-on: warning", (), False),
        ("fail-on: warning", ("--threshold", "1"), False),
        ("fail-on: error", ("--threshold", "100"), False),
        ("fail-on: error", ("--threshold", "1"), True),
    ],
)
def test_json_says_whether_a_result_passed_both_gates(
    policy: str,
    options: tuple[str, ...],
    passed: bool | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, policy)

    assert int(passed is False) == main(["score", str(tmp_path), "--output", "json", *options])
    assert passed is json.loads(capsys.readouterr().out)["passed"]


AGENT = "---\nname: a\n---\n\nReviews.\n"
BESIDE = {
    "ENTRY_SOURCE": {
        ".claude-plugin/marketplace.json": """{
        "name": "m", "owner": {"name": "Us"}, "plugins": [{"name": "p", "source": "../gone"}]}"""
    },
    "MANIFEST_TYPE": {"p/.claude-plugin/plugin.json": '{"name": "p", "keywords": "a"}'},
    "AGENT_MISSING_FIELD": {"p/.claude-plugin/plugin.json": "{}", "p/agents/a.md": AGENT},
    "DUPLICATE_NAME": {
        "p/.claude-plugin/plugin.json": '{"name": "p"}',
        "p/skills/s/SKILL.md": skill_text(""),
        "p/skills/s2/SKILL.md": skill_text(""),
    },
}
"""For a rule files that break it, beside the skill of these tests."""


def write_beside(root: Path, rule: str) -> None:
    for name, text in BESIDE[rule].items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("rule", BESIDE)
def test_what_lies_beside_skills_obeys_policy_and_fail_on_as_their_own_findings_do(
    rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = f"fail-on: error\nlevels: [{{rule: {rule}, level: error}}]\n"
    write(tmp_path, level)
    write_beside(tmp_path, rule)

    assert 1 == main(["score", str(tmp_path)])
    assert rule in capsys.readouterr().err
    write(tmp_path, f"{level}baseline: known.json\n")
    assert 0 == main(["baseline", "write", str(tmp_path)])
    assert 0 == main(["score", str(tmp_path)])
    write(tmp_path, f"fail-on: error\nlevels: [{{rule: {rule}, level: off}}]\n")
    capsys.readouterr()
    assert 0 == main(["score", str(tmp_path), "--output", "sarif"])
    assert rule not in {one["ruleId"] for one in found(capsys.readouterr().out)}


@pytest.mark.parametrize("rule", BESIDE)
def test_machines_are_told_what_lies_beside_skills(
    rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "")
    (tmp_path / "skills/t").mkdir()
    (tmp_path / "skills/t/SKILL.md").write_text(skill_text("", "name: t\n"), encoding="utf-8")
    write_beside(tmp_path, rule)
    main(["score", str(tmp_path), "--output", "sarif"])
    sarif = {one["ruleId"] for one in found(capsys.readouterr().out)}
    main(["score", str(tmp_path), "--output", "json"])
    value = json.loads(capsys.readouterr().out)
    noted = [*value["findings"], *(note for one in value["results"] for note in one["findings"])]

    assert rule in sarif
    assert rule in {note["rule"] for note in noted}


@pytest.mark.parametrize("rule", BESIDE)
def test_a_report_finds_again_what_a_baseline_holds_of_what_lies_beside_skills(
    rule: str, tmp_path: Path
) -> None:
    write(tmp_path, "baseline: known.json\n")
    write_beside(tmp_path, rule)
    assert 0 == main(["baseline", "write", str(tmp_path)])
    assert 0 == main(["report", str(tmp_path), "--output-dir", str(tmp_path / "out")])

    assert "are found no more" not in (tmp_path / "out/report.json").read_text(encoding="utf-8")


def found(sarif: str) -> list[dict[str, str]]:
    results: list[dict[str, str]] = json.loads(sarif)["runs"][0]["results"]
    return results


def test_after_baseline_write_only_what_is_new_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "fail-on: warning\nbaseline: known.json\n")
    assert 0 == main(["baseline", "write", str(tmp_path)])
    assert "known.json: 3 findings.\n" == capsys.readouterr().out
    assert 0 == main(["score", str(tmp_path), "--depth", "quick"])

    (tmp_path / PATH).write_text(skill_text(f"{BODY}\n[c](new.md)\n"), encoding="utf-8")
    assert 1 == main(["score", str(tmp_path), "--depth", "quick"])
    (tmp_path / PATH).write_text(skill_text("[a](gone.md)\n"), encoding="utf-8")
    capsys.readouterr()
    assert 0 == main(["baseline", "write", str(tmp_path)])
    assert "known.json: 1 finding, 2 fewer than before.\n" == capsys.readouterr().out


@pytest.mark.parametrize(
    ("policy", "after"),
    [
        (None, "baseline: .plugin-eval-baseline.json\n"),
        ("", "baseline: .plugin-eval-baseline.json\n"),
        ("fail-on: warning", "fail-on: warning\nbaseline: .plugin-eval-baseline.json\n"),
        ("levels: [] # none\n\n", "levels: [] # none\nbaseline: .plugin-eval-baseline.json\n"),
    ],
)
def test_baseline_write_names_its_file_in_a_policy_that_names_none(
    policy: str | None, after: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, policy or "")
    if policy is None:
        (tmp_path / POLICY_FILE).unlink()

    assert 0 == main(["baseline", "write", str(tmp_path)])
    assert capsys.readouterr().out.endswith(".plugin-eval.yml: names it now. Commit both files.\n")
    assert after == (tmp_path / POLICY_FILE).read_text(encoding="utf-8")
    assert (tmp_path / ".plugin-eval-baseline.json").is_file()


@pytest.mark.parametrize("policy", ["{fail-on: error}", "fail-on: error\n...", "baseline:"])
def test_a_policy_that_no_line_can_be_added_to_is_left_alone(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, policy)

    assert 2 == main(["baseline", "write", str(tmp_path)])
    assert "Add to it: baseline: .plugin-eval-baseline.json" in capsys.readouterr().err
    assert policy == (tmp_path / POLICY_FILE).read_text(encoding="utf-8")
    assert not (tmp_path / ".plugin-eval-baseline.json").exists()


def test_the_folder_of_a_baseline_is_made_and_what_is_in_its_way_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "baseline: config/known/base.json\n")
    assert 0 == main(["baseline", "write", str(tmp_path)])
    assert (tmp_path / "config/known/base.json").is_file()

    write(tmp_path, "baseline: config/known\n")
    assert 2 == main(["baseline", "write", str(tmp_path)])
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("given_path", ["../known.json", "/known.json"])
def test_a_baseline_is_never_written_outside_of_the_repository(
    given_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, f"baseline: {given_path}\n")

    assert 2 == main(["baseline", "write", str(tmp_path)])
    assert "lies outside the repository" in capsys.readouterr().err


def test_the_profile_of_the_command_line_goes_before_that_of_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "profile: agentskills\n")
    (tmp_path / PATH).write_text(skill_text("", "name: x\ndescription: y\n"), encoding="utf-8")

    main(["score", str(tmp_path), "--depth", "quick"])
    assert "NAME_NOT_DIRECTORY" in capsys.readouterr().out
    main(["score", str(tmp_path), "--depth", "quick", "--profile", "claude-code"])
    assert "NAME_NOT_DIRECTORY" not in capsys.readouterr().out
