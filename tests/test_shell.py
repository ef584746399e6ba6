"""Shell text as simple commands, and what an exit code says of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.evals.traces.shell import simple_commands, unwrapped
from plugineval_action.evals.traces.substitutions import LIFTED


def words(text: str) -> list[str]:
    return [" ".join(one.words) for one in simple_commands(text, 0)]


def outcomes(text: str, exit_code: int | None) -> list[tuple[str, str]]:
    return [(" ".join(one.words), one.outcome) for one in simple_commands(text, exit_code)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm ci && npm test; ls | wc -l || x", ["npm ci", "npm test", "ls", "wc -l", "x"]),
        ('echo "npm install && rm -rf x"', ["echo npm install && rm -rf x"]),
        ("a 'b  c' d\\ e \"f'g\"", ["a b  c d e f'g"]),
        ("CI=1 npm install 2>&1 >out.log", ["npm install"]),
        ("env A=b timeout -k 5 60 npm test" , ["npm test"]),
        ("timeout 60 npm test", ["npm test"]),
        ("ls # npm install", ["ls"]),
        ("echo a#b", ["echo a#b"]),
        ("cat > f <<'EOF'\nnpm install\nEOF\nls", ["cat", "ls"]),
        ("cat <<-A <<B\n\tx\n\tA\ny\nB\nls", ["cat", "ls"]),
        ("cat <<< text", ["cat"]),
        ("if test -f a; then npm install; fi", ["test -f a", "npm install"]),
        ("(cd app && npm ci)", ["cd app", "npm ci"]),
        ("a \\\n  b", ["a b"]),
        ("a &&\n\n b", ["a", "b"]),
        ("cd app && bash -c 'npm install && ls'", ["cd app", "npm install", "ls"]),
        ("", []),
        ("'unclosed", ["'unclosed"]),
        ("npm run dev &", ["npm run dev"]),
    ],
)  # fmt: skip
def test_text_is_split_where_the_shell_would_split_it(text: str, expected: list[str]) -> None:
    assert expected == words(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo $(rm -rf x)", ["echo _", "rm -rf x"]),
        ("echo `rm -rf x`", ["echo _", "rm -rf x"]),
        ('echo "a $(rm -rf "x y") b"', ["echo a _ b", "rm -rf x y"]),
        ("echo '$(rm -rf x)' '`rm y`'", ["echo $(rm -rf x) `rm y`"]),
        ("echo \\$(rm x)", ["echo $", "rm x"]),
        ('echo "\\$(rm x)" \\`', ["echo $(rm x) `"]),
        ("echo $(echo $(rm x; ls))", ["echo _", "echo _", "rm x", "ls"]),
        ("echo `echo \\`rm x\\``", ["echo _", "echo _", "rm x"]),
        ("diff <(sort a) >(rm b)", ["diff _ _", "sort a", "rm b"]),
        ("X=$(rm x) npm test", ["npm test", "rm x"]),
        ("echo $((1 + 2)) $((1<<2))\necho $(rm x)", ["echo _ _", "echo _", "rm x"]),
        ("echo $(( $(rm x) + 1 ))", ["echo _", "rm x"]),
        ("echo $(echo ')' \")\"; rm x)", ["echo _", "echo ) )", "rm x"]),
        ("ls # $(rm x) `rm y`", ["ls"]),
        ("cat <<EOF\nIt's $(rm x)\nEOF\nls", ["cat", "ls", "rm x"]),
        ("cat > f.md <<'EOF'\nRun `rm x` or $(rm y)\nEOF\nls", ["cat", "ls"]),
        ("cat <<\\EOF\n`rm x`\nEOF\n", ["cat"]),
        ("git commit -m \"$(cat <<'EOF'\nDon't `rm x`)\nEOF\n)\" && ls",
         ["git commit -m _", "ls", "cat"]),
        ("cat <<< $(rm x)", ["cat", "rm x"]),
        ("ls > $(rm x)", ["ls", "rm x"]),
        ("echo $(rm x", ["echo _", "rm x"]),
        ("echo `rm x", ["echo _", "rm x"]),
        ("bash -c 'echo $(rm x)'", ["echo _", "rm x"]),
        ("sudo -u root rm -rf x", ["sudo -u root rm -rf x", "rm -rf x"]),
        ("ls | xargs -n 1 -0 rm -rf", ["ls", "xargs -n 1 -0 rm -rf", "rm -rf"]),
        ("find . -name a -exec rm {} +", ["find . -name a -exec rm {} +", "rm {}"]),
        (
            r"find . -exec rm {} \; -exec a b +",
            [r"find . -exec rm {} ; -exec a b +", "rm {}", "a b"],
        ),
        ("eval 'rm -rf x; ls'", ["eval rm -rf x; ls", "rm -rf x", "ls"]),
        ("nice -n 10 stdbuf -oL npm test", ["npm test"]),
        ("env -u A -i B=c rm x", ["rm x"]),
        ("command -v rm", ["command -v rm"]),
        ("setsid nohup rm x &", ["rm x"]),
    ],
)  # fmt: skip
def test_what_a_command_starts_is_found(text: str, expected: list[str]) -> None:
    """`_` stands where a substitution is lifted out."""
    assert expected == [one.replace(LIFTED, "_") for one in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sudo a", ["succeeded", "succeeded"]),
        ("x | xargs a", ["unknown", "succeeded", "unknown"]),
        ("echo $(a)", ["succeeded", "unknown"]),
        ("eval 'a && b'", ["succeeded", "succeeded", "succeeded"]),
    ],
)
def test_what_a_command_starts_need_not_have_succeeded_with_it(
    text: str, expected: list[str]
) -> None:
    assert expected == [outcome for _, outcome in outcomes(text, 0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$TOOL install", True),
        ('"$(which npm)" install', True),
        ("eval $X", True),
        ("$'\\x72m' -rf x", True),
        ("/bin/r? -rf x", True),
        ("{rm,-rf,x}", True),
        ("curl -s x | bash -s", True),
        ("bash <<EOF\nrm x\nEOF", True),
        ("echo $(echo $(echo $(echo $(echo $(rm x)))))", True),
        ("echo $HOME", False),
        ("bash build.sh", False),
        ("bash --version", False),
        ("[ -f a ] && [[ -f b ]]", False),
        ("ls *.md", False),
    ],
)
def test_what_cannot_be_told_is_hidden(text: str, *, expected: bool) -> None:
    assert expected == any(one.is_hidden for one in simple_commands(text, 0))


@pytest.mark.parametrize(
    ("text", "exit_code", "expected"),
    [
        ("a", 0, ["succeeded"]),
        ("a", 1, ["failed"]),
        ("a", None, ["unknown"]),
        ("a && b", 0, ["succeeded", "succeeded"]),
        ("a && b", 1, ["unknown", "unknown"]),
        ("a; b", 0, ["unknown", "succeeded"]),
        ("a; b", 1, ["unknown", "failed"]),
        ("a\nb && c", 0, ["unknown", "succeeded", "succeeded"]),
        ("a || true", 0, ["unknown", "unknown"]),
        ("a | tail", 0, ["unknown", "succeeded"]),
        ("a | tail", 1, ["unknown", "failed"]),
        ("a && b | tail", 0, ["succeeded", "unknown", "succeeded"]),
        ("a &", 0, ["unknown"]),
        ("a & b", 0, ["unknown", "succeeded"]),
        ("if a; then b; fi", 0, ["unknown", "unknown"]),
        ("! a", 0, ["unknown"]),
        ("bash -c 'a'", 1, ["failed"]),
        ("x && bash -c 'a; b'", 0, ["succeeded", "unknown", "succeeded"]),
    ],
)
def test_an_exit_code_says_only_what_it_can(
    text: str, exit_code: int | None, expected: list[str]
) -> None:
    assert expected == [outcome for _, outcome in outcomes(text, exit_code)]


def test_a_declined_command_ran_in_no_part() -> None:
    assert ["declined", "declined"] == [
        one.outcome for one in simple_commands("a && bash -c b", None, declined=True)
    ]


def test_only_one_shell_around_everything_is_taken_off() -> None:
    assert "ls -c" == unwrapped("ls -c")
    assert "bash script.sh -c x" == unwrapped("bash script.sh -c x")
    assert "a && bash -c b" == unwrapped("a && bash -c b")


@given(st.text(st.sampled_from("ab '\"\\$()`;|&<>\n#=!{}-c"), max_size=60), st.integers(0, 1))
def test_any_text_is_split_without_an_empty_command(text: str, exit_code: int) -> None:
    assert all(one.words and one.program is not None for one in simple_commands(text, exit_code))


@pytest.mark.parametrize(
    "piece",
    [
        "'", '"', "\\", "$(", "`", "<<A\n", "a && ", "((", "a=", "$", "$((", "<(", "`\\`", '"$(',
        "$(<<A\n", "eval ", "sudo ",
    ],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    """A pattern that backtracks would not come to an end here."""
    assert simple_commands(piece * 20_000, 0) is not None


@pytest.mark.parametrize(
    "text",
    [
        "a; " * 2_000,
        "a b " * 2_000,
        "echo $(a) " * 300,
        "`a` " * 300,
        "cat <<EOF\n" + "$(a)\n" * 300 + "EOF\n",
    ],
)
def test_of_a_text_with_too_much_in_it_the_rest_is_hidden(text: str) -> None:
    """Otherwise a command could be put behind a long list of others, and would not be seen."""
    found = simple_commands(f"{text}; rm x", 0)

    assert any(one.is_hidden for one in found)
    assert len(found) < 1_300
    assert {"unknown"} == {one.outcome for one in found}


@pytest.mark.parametrize(
    "text",
    ["x 'a b' " * 900, "cat > x <<'EOF'\n" + "a; `b` $(c)\n" * 5_000 + "EOF\nnpm ci", "`a` " * 200],
)
def test_long_texts_that_are_ordinary_are_looked_at_whole(text: str) -> None:
    assert not any(
        one.is_hidden and len(one.words) == 1 and one.words[0] == LIFTED
        for one in simple_commands(text, 0)[1:]
    )


def test_a_find_that_runs_much_takes_no_more_than_its_words() -> None:
    found = simple_commands("find . " + "-exec a " * 900, 0)

    assert sum(len(one.words) for one in found) < 4_000
