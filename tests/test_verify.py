"""`plugin-eval verify`: what it catches, on the command line and offline."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from certify_desk import WILD, Certificate, Desk
from model_server import ModelServer
from simulated_model import world_model

pytest_plugins = ["certify_fixtures"]

ROOT = Path(__file__).parents[1]


def test_a_fresh_certificate_is_valid(certified: Desk) -> None:
    assert 0 == certified.verify()
    assert certified.out.startswith("valid: s1 is certified until ")
    assert "Who issued it is not checked here" in certified.out


def test_verify_needs_no_key_and_no_corpus(certified: Desk) -> None:
    shutil.rmtree(certified.at / "corpus")

    assert 0 == certified.verify()


def test_verify_catches_a_changed_byte(certified: Desk) -> None:
    with (certified.at / "market/p/skills/s1/SKILL.md").open("a") as file:
        file.write(" ")

    assert 1 == certified.verify()
    assert "stale: The skill's files are not the ones that were certified as s1.\n" == certified.out


def test_verify_catches_a_file_that_was_added(certified: Desk) -> None:
    (certified.at / "market/p/skills/s1/run.sh").write_text("")

    assert 1 == certified.verify()


@pytest.mark.parametrize("folder", ["node_modules", "__pycache__", "inner"])
def test_verify_names_what_the_digest_does_not_cover(folder: str, certified: Desk) -> None:
    """Files of folders that nobody looks into, and of a skill inside the skill."""
    (certified.at / "market/p/skills/s1" / folder).mkdir()
    (certified.at / "market/p/skills/s1" / folder / "SKILL.md").write_text("")

    assert 1 == certified.verify()
    assert f"stale: {folder}/SKILL.md is not covered by it.\n" == certified.out


def test_verify_names_a_link_that_the_digest_does_not_cover(certified: Desk) -> None:
    (certified.at / "market/p/skills/s1/run.sh").symlink_to("/bin/sh")

    assert 1 == certified.verify()
    assert "stale: run.sh is not covered by it.\n" == certified.out


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\\b"])
def test_a_file_name_that_sha256sum_would_rewrite_has_no_checksum(
    name: str, certified: Desk
) -> None:
    (certified.at / "market/p/skills/s1" / name).write_text("")

    assert 2 == certified.verify()
    assert "Rename the file." in certified.err


def test_verify_catches_a_changed_date(certified: Desk) -> None:
    def later(told: Certificate) -> None:
        told["predicate"]["expires"] = "2099-01-01T00:00:00+00:00"

    certified.rewrite(later)

    assert 1 == certified.verify()
    assert "broken: It was changed after it was issued" in certified.out


@pytest.mark.parametrize("ruleset", ["reference/0.1.0", "plugineval/0", "mine/1"])
def test_verify_catches_a_wrong_ruleset_even_under_a_right_checksum(
    ruleset: str, certified: Desk
) -> None:
    def other(told: Certificate) -> None:
        told["predicate"]["ruleset"] = ruleset

    certified.rewrite(other, seal=True)

    assert 1 == certified.verify()
    assert certified.out.startswith("stale: ")
    assert "ruleset" in certified.out


def test_verify_catches_a_badge_that_the_numbers_do_not_carry(certified: Desk) -> None:
    def better(told: Certificate) -> None:
        told["predicate"]["badge"]["name"] = "platinum"

    certified.rewrite(better, seal=True)

    assert 1 == certified.verify()
    assert "Its badge is not the one that its score and rating give." in certified.out


def set_at(told: Certificate, where: str, value: object) -> None:
    """Set a field; a call changes the value that is there."""
    *folders, last = where.split("/")
    here: Any = told["predicate"]
    for name in folders:
        here = here[int(name)] if name.isdecimal() else here[name]
    here[last] = value(here[last]) if callable(value) else value


EVALS = {
    "harness": "codex",
    "cases": 2,
    "runs": 2,
    "passed": 1,
    "share": 0.5,
    "ci_lower": 0.1,
    "ci_upper": 0.9,
}
NUMBERS = [
    ("score/value", lambda value: value + 0.1),
    ("dimensions/0/score", lambda value: value + 0.01),
    ("dimensions/0/weight", lambda value: value + 0.01),
    ("elo/rating", lambda value: value + 100),
    ("elo/matches", lambda value: value + 1),
    ("elo/dimensional_wins/output_quality", 99),
    ("games/played", lambda value: value + 1),
    ("games/flips", lambda value: value + 1),
    ("score/above_line", lambda value: value + 5),
    ("score/to_next_line", 0.1),
    ("score/crosses", ["platinum"]),
    ("score/reach", 0.1),
    ("badge/by_score", "platinum"),
    ("badge/by_rating", "platinum"),
    ("reasons", ["It is bad."]),
    ("outcome", "uncertain"),
    ("static/flags", ["BLOATED_SKILL"]),
    ("evals", {"file": "f", "digest": "0" * 64, "results": [EVALS | {"share": 0.9}]}),
    ("evals", {"file": "f", "digest": "0" * 64, "results": [EVALS | {"ci_lower": 0.6}]}),
    ("evals", {"file": "f", "digest": "0" * 64, "results": [EVALS | {"runs": 1}]}),
]
"""What follows from other numbers, or what they follow from."""


@pytest.mark.parametrize(("where", "value"), NUMBERS)
def test_verify_catches_a_changed_number_even_under_a_right_checksum(
    where: str, value: object, certified: Desk
) -> None:
    certified.rewrite(lambda told: set_at(told, where, value), seal=True)

    assert 1 == certified.verify()
    assert certified.out.startswith("broken: ")
    assert "checksum" not in certified.out


@pytest.mark.parametrize(
    ("where", "value"),
    [
        *NUMBERS,
        ("cost/usd", 0.0),
        ("models/judge", "another"),
        ("terms/judges", 1),
        ("notes", ["x"]),
    ],
)
def test_verify_catches_any_change_under_the_old_checksum(
    where: str, value: object, certified: Desk
) -> None:
    certified.rewrite(lambda told: set_at(told, where, value))

    assert 1 == certified.verify()
    assert "broken: It was changed after it was issued" in certified.out


@pytest.mark.parametrize("seal", [True, False])
def test_verify_catches_a_changed_digest(seal: bool, certified: Desk) -> None:
    def other(told: Certificate) -> None:
        told["subject"][0]["digest"]["sha256"] = "0" * 64

    certified.rewrite(other, seal=seal)

    assert 1 == certified.verify()


def test_verify_catches_another_skill(certified: Desk) -> None:
    assert 1 == certified.verify(at="market/p/skills/s2")
    assert "stale: The skill's files are not the ones that were certified as s1.\n" == certified.out


def test_verify_catches_a_certificate_that_was_moved_to_another_skill(certified: Desk) -> None:
    """Its digest written over with that of a skill of another score, and sealed anew."""
    skill = certified.at / "market/p/skills/s2"
    (skill / "SKILL.md").write_text("---\nname: s2\ndescription: Reads bills.\n---\n# Bills\n")
    found = sha256((skill / "SKILL.md").read_bytes()).hexdigest()
    sums = f"{found}  SKILL.md\n"

    def moved(told: Certificate) -> None:
        told["subject"][0]["digest"]["sha256"] = sha256(sums.encode()).hexdigest()

    certified.rewrite(moved, seal=True)

    assert 1 == certified.verify(at="market/p/skills/s2")
    assert "stale: The static layer gives" in certified.out


def test_verify_catches_a_wrong_number_of_files(certified: Desk) -> None:
    certified.rewrite(lambda told: set_at(told, "skill/files", 7), seal=True)

    assert 1 == certified.verify()
    assert "stale: It speaks of another number of files than the skill's 1.\n" == certified.out


def test_verify_catches_a_file_that_was_removed(certified: Desk) -> None:
    """With it gone, the digest is another one."""
    folder = certified.at / "market/p/skills/s1"
    (folder / "run.sh").write_text("")
    both = digest_by_hand(folder)
    (folder / "run.sh").unlink()

    def with_two(told: Certificate) -> None:
        told["subject"][0]["digest"]["sha256"] = both

    certified.rewrite(with_two, seal=True)

    assert 1 == certified.verify()
    assert "stale: The skill's files" in certified.out


def test_the_digest_can_be_computed_with_sha256sum(certified: Desk) -> None:
    """The recipe of the documentation, word for word."""
    page = (ROOT / "docs/certificates.md").read_text(encoding="utf-8")
    recipe = next(line.strip() for line in page.splitlines() if "| sha256sum" in line)
    folder = certified.at / "market/p/skills/s1"
    found = subprocess.run(  # noqa: S602 - our own documentation
        recipe, shell=True, cwd=folder, capture_output=True, text=True, check=True
    )

    assert certified.certificate()["subject"][0]["digest"]["sha256"] == found.stdout.split()[0]
    assert digest_by_hand(folder) == found.stdout.split()[0]


def digest_by_hand(folder: Path) -> str:
    """The digest of a flat folder."""
    lines = [
        f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    return sha256("".join(lines).encode()).hexdigest()


def test_no_certificate_holds_for_longer_than_a_year(certified: Desk) -> None:
    def longer(told: Certificate) -> None:
        issued = datetime.fromisoformat(told["predicate"]["issued"])
        told["predicate"]["expires"] = (issued + timedelta(days=366)).isoformat()

    certified.rewrite(longer, seal=True)

    assert 1 == certified.verify()
    assert "broken: It says to hold for longer than 365 days, which none does.\n" == certified.out


@pytest.mark.parametrize("change", [{"underpowered": None}, {"ci_lower": 99.0}, {"ci_upper": 1.0}])
def test_verify_catches_an_interval_that_contradicts_its_certificate(
    change: dict[str, Any], certified: Desk
) -> None:
    def other(told: Certificate) -> None:
        score = told["predicate"]["score"]
        score.update({key: not score[key] if one is None else one for key, one in change.items()})

    certified.rewrite(other, seal=True)

    assert 1 == certified.verify()
    assert "broken: Its interval is not one of its score" in certified.out


def test_a_field_that_is_there_twice_is_refused(certified: Desk) -> None:
    """Another reader might take the other one."""
    file = certified.at / "certificates/p--s1.json"
    text = file.read_text(encoding="utf-8").replace('"outcome":', '"outcome": 1, "outcome":')
    file.write_text(text)

    assert 2 == certified.verify()
    assert "'outcome' twice" in certified.err


def test_an_expired_certificate_is_stale(certified: Desk) -> None:
    past = datetime.now(UTC) - timedelta(days=100)

    def old(told: Certificate) -> None:
        told["predicate"]["issued"] = past.isoformat(timespec="seconds")
        told["predicate"]["expires"] = (past + timedelta(days=90)).isoformat(timespec="seconds")

    certified.rewrite(old, seal=True)

    assert 1 == certified.verify()
    assert f"stale: It expired on {(past + timedelta(days=90)).date()}.\n" == certified.out


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("issued", "2099-01-01T00:00:00+00:00"),
        ("issued", "yesterday"),
        ("expires", "2000-01-01T00:00:00+00:00"),
        ("expires", "2099-01-01T00:00:00"),
    ],
)
def test_dates_that_make_no_sense_break_a_certificate(
    field: str, value: str, certified: Desk
) -> None:
    def changed(told: Certificate) -> None:
        told["predicate"][field] = value

    certified.rewrite(changed, seal=True)

    assert 1 == certified.verify()
    assert certified.out.startswith("broken: ")


@pytest.mark.parametrize("text", ["{}", '{"predicate": []}', '{"_type": 1, "subject": []}'])
def test_what_is_no_certificate_is_broken(text: str, certified: Desk) -> None:
    (certified.at / "certificates/p--s1.json").write_text(text)

    assert 1 == certified.verify()
    assert certified.out.startswith("broken: It is no certificate of a form")


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000])
def test_what_is_no_object_is_wrong_usage(text: str, certified: Desk) -> None:
    (certified.at / "certificates/p--s1.json").write_text(text)

    assert 2 == certified.verify()


def test_a_valid_certificate_that_certifies_nothing_fails(desk: Desk) -> None:
    with ModelServer(world_model(WILD)) as server:
        desk.certify(server)

    assert 1 == desk.verify()
    assert desk.out.startswith("valid: not certified (uncertain).")
