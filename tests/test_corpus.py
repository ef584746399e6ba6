"""The corpus: who is met, what the files hold, and who is never ranked against whom."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from golden_files import assert_golden
from market import market_at
from plugineval_action.certify.corpus import Corpus, Entry, joined, references, with_games
from plugineval_action.certify.games import ASPECTS, Game
from plugineval_action.certify.index_file import corpus_files, read_corpus
from plugineval_action.certify.standing import elo_result, rated
from plugineval_action.cli.main import main
from plugineval_action.errors import UsageError
from plugineval_action.stats.bradley_terry import Better


def entry(name: str, lines: int = 100, category: str | None = "own", **more: float) -> Entry:
    """A skill of the corpus, with a digest of its own."""
    plain = Entry(name, f"p/{name}", category, lines, sha256(name.encode()).hexdigest())
    return plain._replace(**more)  # type: ignore[arg-type]


def game(winner: Entry, loser: Entry, task: int = 0, loses: tuple[str, ...] = ()) -> Game:
    """A game that the winner won in both orders, but for some aspects."""
    won: tuple[Better, ...] = tuple("second" if one in loses else "first" for one in ASPECTS)
    lost: tuple[Better, ...] = tuple("first" if one in loses else "second" for one in ASPECTS)
    return Game.between(winner.digest, loser.digest, f"{task:016x}", "j", won, lost)


def names(entries: tuple[Entry, ...]) -> list[str]:
    return [one.name for one in entries]


# References


def test_category_comes_first_then_size_then_rating() -> None:
    subject = entry("s", rating=1600.0)
    corpus = [
        entry("elsewhere", category="other", rating=1600.0),
        entry("long", lines=200, rating=1600.0),
        entry("far", rating=1300.0),
        entry("near", lines=129, rating=1590.0),
    ]

    found = references(corpus, subject, 4)

    assert ["near", "far", "long", "elsewhere"] == names(found.chosen)
    assert (3, 3) == (found.same_category, found.same_size)


@pytest.mark.parametrize(("lines", "same"), [(70, 1), (130, 1), (69, 0), (131, 0)])
def test_about_the_same_length_is_within_thirty_percent(lines: int, same: int) -> None:
    assert same == references([entry("a", lines)], entry("s", 100)).same_size


def test_a_skill_meets_neither_itself_nor_its_copy_nor_its_older_version() -> None:
    subject = entry("s")
    copy = entry("copy")._replace(digest=subject.digest)
    older = entry("s")._replace(digest="0" * 64)

    assert () == references([subject, copy, older], subject).chosen


def test_no_category_is_no_common_category() -> None:
    found = references([entry("a", category=None)], entry("s", category=None))

    assert 0 == found.same_category


def test_equal_references_are_drawn_by_a_lot_of_each_skill_own() -> None:
    """So that not everybody meets the same few; the same skill meets the same ones again."""
    corpus = [entry(f"r{number}") for number in range(40)]
    one, other = references(corpus, entry("a"), 8), references(corpus, entry("b"), 8)

    assert one == references(corpus[::-1], entry("a"), 8)
    assert set(one.chosen) != set(other.chosen)


# Ratings


def test_ratings_follow_games_and_groups_stay_apart() -> None:
    a, b, c, x, y = (entry(name) for name in "abcxy")
    games = [game(a, b, 1), game(a, b, 2), game(b, c, 1), game(x, y, 1)]
    corpus = rated(with_games(Corpus("r/1", ".", (a, b, c, x, y, entry("idle"))), games))
    by_name = {one.name: one for one in corpus.skills}
    ratings = {name: one.rating for name, one in by_name.items()}

    assert ratings["a"] > ratings["b"] > ratings["c"]  # type: ignore[operator]
    assert [1, 1, 1, 2, 2, None] == [by_name[name].group for name in (*"abcxy", "idle")]
    assert (None, 0) == (ratings["idle"], by_name["idle"].games)
    assert 4500 == pytest.approx(sum(ratings[name] or 0.0 for name in "abc"))


def test_a_standing_counts_only_its_own_group() -> None:
    a, b, x, y = (entry(name) for name in "abxy")
    games = [game(b, a, 1), game(x, y, 1)]
    corpus = rated(with_games(Corpus("r/1", ".", (a, b, x, y)), games))
    found = elo_result(a.digest, games[:1], {}, corpus)

    assert found is not None
    assert (0.0, "b", 1, 1484) == (
        found.corpus_percentile,
        found.closest_comparable,
        found.matches,
        found.rating,
    )


def test_wins_and_losses_are_counted_by_dimension() -> None:
    a, b = entry("a"), entry("b")
    games = [game(a, b, 1, loses=("scope_calibration",)), game(a, b, 2), game(b, a, 3)]
    found = elo_result(a.digest, games, {}, rated(with_games(Corpus("r/1", ".", (a, b)), games)))

    assert found is not None
    assert (1, 2) == (
        found.dimensional_wins["scope_calibration"],
        found.dimensional_losses["scope_calibration"],
    )
    assert "overall" not in found.dimensional_wins


def test_opponents_count_with_the_rating_that_they_came_with() -> None:
    a, b = entry("a"), entry("b")
    games = [game(a, b)]
    corpus = rated(with_games(Corpus("r/1", ".", (a, b)), games))
    strong = elo_result(a.digest, games, {b.digest: 1700.0}, corpus)
    unknown = elo_result(a.digest, games, {}, corpus)

    assert strong is not None
    assert unknown is not None
    assert strong.rating > unknown.rating == 1516


def test_who_has_not_played_has_no_standing() -> None:
    assert elo_result("0" * 64, [], {}, Corpus("r/1", ".")) is None


def test_a_game_that_is_played_again_counts_once() -> None:
    a, b = entry("a"), entry("b")
    corpus = with_games(with_games(Corpus("r/1", "."), [game(a, b)]), [game(a, b)])

    assert 1 == len(corpus.games)


# Files


def test_a_corpus_is_read_as_it_was_written(tmp_path: Path) -> None:
    a, b = entry("a"), entry("b", category=None)
    corpus = rated(with_games(Corpus("r/1", "../skills", (a, b)), [game(a, b)]))
    for name, text in corpus_files(corpus).items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert corpus == read_corpus(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("index.json", "{", "Invalid JSON"),
        ("index.json", '{"ruleset": "r", "source": "."}', "skills: Field required"),
        ("games.json", '{"aspects": [], "games": []}', "its games are about other aspects"),
        ("games.json", '{"aspects": [], "games": [{}]}', "games/0/one: Field required"),
    ],
)
def test_a_broken_corpus_is_an_error_that_says_where(
    name: str, text: str, why: str, tmp_path: Path
) -> None:
    for file, content in corpus_files(Corpus("r/1", ".")).items():
        (tmp_path / file).write_text(content)
    (tmp_path / name).write_text(text)

    with pytest.raises(UsageError, match=why):
        read_corpus(tmp_path)


def test_a_hostile_rating_is_refused(tmp_path: Path) -> None:
    """Whoever can write the corpus cannot make a rating of NaN or of infinity."""
    corpus = Corpus("r/1", ".", (entry("a", rating=1500.0, games=1, group=1),))
    text = corpus_files(corpus)["index.json"]
    (tmp_path / "index.json").write_text(text.replace("1500.0", "NaN"))

    with pytest.raises(UsageError, match="is no part of a corpus"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("path", ["../secret", "/etc", "p/../../secret", "p//s", "p/s/", "./p"])
def test_a_skill_that_leads_out_of_the_corpus_is_refused_by_name(path: str, tmp_path: Path) -> None:
    text = corpus_files(Corpus("r/1", ".", (entry("a"),)))["index.json"]
    (tmp_path / "index.json").write_text(text.replace('"p/a"', json.dumps(path)))

    with pytest.raises(UsageError, match=f"skills/0/path: '{path}' leads out of the folder"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("source", ["/etc", "a/../../b", "a//b", ""])
def test_a_source_that_no_init_has_written_is_refused_by_name(source: str, tmp_path: Path) -> None:
    text = corpus_files(Corpus("r/1", "../market"))["index.json"]
    (tmp_path / "index.json").write_text(text.replace('"../market"', json.dumps(source)))

    with pytest.raises(UsageError, match=f"source: '{source}' is no folder relative to the corpus"):
        read_corpus(tmp_path)


def test_two_skills_at_one_path_are_refused(tmp_path: Path) -> None:
    one = entry("a")
    for name, text in corpus_files(Corpus("r/1", ".", (one, one))).items():
        (tmp_path / name).write_text(text)

    with pytest.raises(UsageError, match="two skills at one path"):
        read_corpus(tmp_path)


def test_what_others_have_written_meanwhile_stays() -> None:
    """Two runs at once: the second one reads what the first one has written."""
    a, b, c = entry("a"), entry("b"), entry("c")
    now = with_games(Corpus("r/1", ".", (a, b, c)), [game(b, c)])
    mine = a._replace(score=80.0)
    done = with_games(Corpus("r/1", ".", (mine, b)), [game(a, b)])
    expected = with_games(Corpus("r/1", ".", (mine, b, c)), [game(a, b), game(b, c)])

    assert expected == joined(now, done, ["p/a", "p/gone"])


# Commands


def test_a_corpus_cannot_have_skills_outside_of_the_repository_around_it_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever clones it has skills of their own that a model must not be shown."""
    market_at(tmp_path / "private", 2)
    repository = market_at(tmp_path / "cloned/market", 2).parent
    (repository / ".git").mkdir()
    folder = str(repository / "corpus")
    assert 0 == main(["init", str(repository / "market"), "--corpus-dir", folder])
    index = repository / "corpus/index.json"
    index.write_text(index.read_text().replace("../market", "../../private"))
    code = main(
        ["certify", str(repository / "market/p/skills/s1"), "--corpus-dir", folder, "--dry-run"]
    )

    assert 2 == code
    assert f"{str(tmp_path / 'private')!r}, which is not in the repository" in (
        capsys.readouterr().err
    )


def test_a_corpus_outside_of_any_repository_may_have_its_skills_anywhere(tmp_path: Path) -> None:
    market = market_at(tmp_path / "work/market", 2)
    folder = str(tmp_path / "cache/corpus")

    assert 0 == main(["init", str(market), "--corpus-dir", folder])
    assert 0 == main(["certify", str(market / "p/skills/s1"), "--corpus-dir", folder, "--dry-run"])


def test_init_makes_no_corpus_that_would_be_refused(tmp_path: Path) -> None:
    market = market_at(tmp_path / "market", 2)
    (tmp_path / "mine/.git").mkdir(parents=True)

    assert 2 == main(["init", str(market), "--corpus-dir", str(tmp_path / "mine/corpus")])
    assert not (tmp_path / "mine/corpus").exists()


def test_init_does_not_write_into_a_skill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    market = market_at(tmp_path / "market", 2)
    inside = market / "p/skills/s1/corpus"

    assert 2 == main(["init", str(market), "--corpus-dir", str(inside)])
    assert "whose bytes would change" in capsys.readouterr().err
    assert not inside.exists()


def test_corpus_list_of_a_new_corpus_says_how_to_rate_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = corpus_files(Corpus("r/1", "../market", (entry("a", score=71.0), entry("b"))))
    (tmp_path / "index.json").write_text(files["index.json"])
    main(["corpus", "list", "--corpus-dir", str(tmp_path)])

    assert_golden("corpus_new.md", capsys.readouterr().out)


def test_init_indexes_every_skill_with_the_digest_that_sha256sum_gives(tmp_path: Path) -> None:
    market = market_at(tmp_path / "market", 2)
    (market / "p/skills/s1/references").mkdir()
    (market / "p/skills/s1/references/a.md").write_text("More.\n")
    code = main(["init", str(market), "--corpus-dir", str(tmp_path / "corpus")])
    index = json.loads((tmp_path / "corpus/index.json").read_text())
    with os.popen(  # noqa: S605 - what the documentation tells a stranger to do
        f"cd {market}/p/skills/s1 && find . -type f -printf '%P\\n' | LC_ALL=C sort | "
        "xargs sha256sum | sha256sum"
    ) as shell:
        expected = shell.read().split()[0]

    assert 0 == code
    assert "../market" == index["source"]
    first, second = index["skills"]
    lines = (market / "p/skills/s0/SKILL.md").read_text().count("\n")
    assert ("s0", "p/skills/s0", "p", lines, None, 0) == tuple(
        first[key] for key in ("name", "path", "category", "lines", "rating", "games")
    )
    assert expected == second["digest"]


def test_init_again_keeps_games_and_forgets_the_rating_of_what_has_changed(tmp_path: Path) -> None:
    market, folder = market_at(tmp_path / "market", 2), tmp_path / "corpus"
    words = ["init", str(market), "--corpus-dir", str(folder)]
    main(words)
    corpus = read_corpus(folder)
    one, other = corpus.skills
    played = rated(with_games(corpus, [game(one, other)]))
    for name, text in corpus_files(played).items():
        (folder / name).write_text(text)
    (market / "p/skills/s0/SKILL.md").write_text("---\nname: s0\ndescription: New.\n---\n")
    main(words)

    assert [0, 1] == [one.games for one in read_corpus(folder).skills]
    assert 1 == len(read_corpus(folder).games)


def test_corpus_list_shows_rated_skills_by_rating_and_groups_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, c, x, y = (entry(name, score=70.0) for name in "abcxy")
    games = [game(b, a), game(a, c), game(x, y)]
    corpus = rated(with_games(Corpus("r/1", ".", (a, b, c, x, y, entry("idle"))), games))
    for name, text in corpus_files(corpus).items():
        (tmp_path / name).write_text(text)
    code = main(["corpus", "list", "--corpus-dir", str(tmp_path)])
    shown = capsys.readouterr().out
    rows = [
        line.split(" | ") for line in shown.splitlines() if line.startswith("| ") and "`p/" in line
    ]

    assert 0 == code
    assert ["b", "a", "c", "x", "y"] == [row[1].split(" ")[0] for row in rows[:5]]
    assert ["| idle (`p/idle`)"] == [row[0] for row in rows[5:]]
    assert ["| 1", "| 2", "| 3", "| 1", "| 2"] == [row[0] for row in rows[:5]]
    assert 2 == shown.count("No game connects it with the others")


def test_corpus_list_gives_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.json").write_text(
        corpus_files(Corpus("r/1", ".", (entry("a"),)))["index.json"]
    )
    main(["corpus", "list", "--corpus-dir", str(tmp_path), "--output", "json"])

    assert ["a"] == [one["name"] for one in json.loads(capsys.readouterr().out)]


def test_without_a_corpus_the_remedy_is_init(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["corpus", "list", "--corpus-dir", str(tmp_path)])
    assert "plugin-eval init PLUGINS --corpus-dir" in capsys.readouterr().err
