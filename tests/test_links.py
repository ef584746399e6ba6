"""Where a skill points to, in the default ruleset: each decided case is a row."""

from __future__ import annotations

import pytest

from memory_tree import MemoryTree
from plugineval_action.evaluate import score_skill
from skills import (
    HOME,
    PLUGIN,
    Files,
    beside,
    flag_lines,
    flags,
    part,
    rules,
    score,
    skill_text,
)

COHERENCE = "ecosystem_coherence"


# Links into references/


@pytest.mark.parametrize(
    "body",
    [
        "[a](references/gone.md)",
        "![a](references/gone.png)",
        "[a][r]\n\n[r]: references/gone.md",
        "[a]\n\n[A]: references/gone.md 'title'",
        "[a](./references/gone.md)",
        "[a](.//references//gone.md)",
        "[a](references/gone.md 'title')",
        "[a](<references/gone there.md>)",
        "[a](references/gone%20there.md)",
        "[a](references/gone.md#part)",
        "[a](references/gone.md?raw=1#part)",
        "[a](references/there.md/../gone.md)",
        "[a](references/deep/gone.md)",
        "[a](references/gone/)",
        "[a](references/There.md)",
        "[a](references/THERE.MD)",
        "[a](../s/references/gone.md)",
        "[`a`](references/gone.md)",
        "[![a](references/there.md)](references/gone.md)",
        "| a |\n|---|\n| [a](references/gone.md) |",
        "<a href='references/gone.md'>a</a>",
        '<img alt="a" src="references/gone.png">',
        "<a href=references/gone.md>a</a>",
        '<A HREF="references/gone there.md">a</A>',
        '<p>\n<img\n  src="references/gone.png"\n></p>',
        "text <a\nhref='references/gone.md'>a</a>",
    ],
)
def test_a_link_into_references_that_leads_to_nothing_is_an_orphan(body: str) -> None:
    result = score(skill_text(body), beside("references/there.md"))

    assert flags(result) == ["ORPHAN_REFERENCE"]


@pytest.mark.parametrize(
    "body",
    [
        "[a](references/there.md)",
        "[a](references/there.md#part)",
        "[a](references/with%20space.md)",
        "[a](<references/with space.md>)",
        "[a](references/deep/there.md)",
        "[a](references/deep)",
        "[a](references/deep/)",
        "[a](references/)",
        "[a](references/%E4%BE%8B.md)",
        "<a href='references/with space.md'>a</a>",
        "(references/gone.md)",
        "references/gone.md",
        "`references/gone.md`",
        "`[a](references/gone.md)`",
        "```\n[a](references/gone.md)\n```",
        "text\n\n    [a](references/gone.md)\n",
        "[a](https://host/references/gone.md)",
        "[a](/references/gone.md)",
        "[a](~/references/gone.md)",
        "[a](#references/gone.md)",
        "[a](docs/references/gone.md)",
        "[a](references/../other/gone.md)",
        "[a](references.md)",
        "<references/gone.md>",
        "[unused]: references/gone.md",
        "<!-- [a](references/gone.md) <a href='references/gone.md'>a</a> -->",
        "<!--\n<img src='references/gone.png'>\n-->",
        "<a data-href='references/gone.md'>a</a>",
    ],
)
def test_what_is_no_link_into_references_or_exists_is_no_orphan(body: str) -> None:
    there = beside(
        "references/there.md",
        "references/with space.md",
        "references/deep/there.md",
        "references/例.md",
    )

    assert flags(score(skill_text(body), there)) == []


@pytest.mark.parametrize("files", [beside(), beside("references/there.md"), beside("references")])
def test_orphans_do_not_need_the_folder(files: Files) -> None:
    assert flags(score(skill_text("[a](references/gone.md)"), files)) == ["ORPHAN_REFERENCE"]


def test_each_missing_target_is_flagged_once_at_its_first_line() -> None:
    body = (
        "[a](references/a.md) [b](references/b.md#x)\n\n"
        "[c](./references/b.md) ![d](references/a.md?x)\n\n"
        "[e](references/A.md)\n"
    )

    assert flag_lines(score(skill_text(body)), "ORPHAN_REFERENCE") == [5, 5, 9]


def test_an_html_orphan_knows_its_line() -> None:
    body = "é\n\n<p>\n<a href='references/a.md'>a</a>\n\ntext\n<img src='references/b.md'>\n</p>\n"

    assert flag_lines(score(skill_text(body)), "ORPHAN_REFERENCE") == [8, 11]


# References to other skills and agents

THERE: Files = {
    f"{PLUGIN}/skills/Near_1.2/SKILL.md": "Text.\n",
    f"{PLUGIN}/skills/near/SKILL.md": "Text.\n",
    f"{PLUGIN}/skills/near/references/a.md": "Text.\n",
    f"{PLUGIN}/agents/helper.md": "Text.\n",
    f"{PLUGIN}/commands/run.md": "Text.\n",
    f"{HOME}/agents/inner.md": "Text.\n",
    f"{HOME}/sub-skills/inner/SKILL.md": "Text.\n",
    f"{HOME}/references/skills/own.md": "Text.\n",
    f"{HOME}/scripts/run.sh": "Text.\n",
    "skills/root/SKILL.md": "Text.\n",
    "plugins/next/skills/far/SKILL.md": "Text.\n",
    "plugins/next/skills/s/SKILL.md": "Text.\n",
    "plugins/next/agents/guide.md": "Text.\n",
    "agents/outer.md": "Text.\n",
    ".claude/skills/installed/SKILL.md": "Text.\n",
}


def _references(body: str) -> tuple[str, int]:
    """How many references are dead, and how many resolve."""
    result = score(skill_text(body), THERE)
    dead = flags(result)

    assert set(dead) <= {"DEAD_CROSS_REF"}
    return ("dead" if dead else "none", int(part(result, COHERENCE, "cross-references").found))


@pytest.mark.parametrize(
    "body",
    [
        "`skills/near`",
        "`skills/near/`",
        "`skills/near/SKILL.md`",
        "`./skills/near`",
        "`skill/near`",
        "skills/near",
        "Read skills/near.",
        "(skills/near/SKILL.md)",
        "`skills/Near_1.2/SKILL.md`",
        "[a](../near/SKILL.md)",
        "[a](../near/SKILL.md#part)",
        "[a](../near/references/a.md)",
        "[a](../../skills/near)",
        "<a href='../near/SKILL.md'>a</a>",
        "[a][r]\n\n[r]: ../near/SKILL.md",
        "`plugins/own/skills/near`",
        "`skills/root`",
        "`plugins/next/skills/far/SKILL.md`",
        "`plugins/next/skills/s/SKILL.md`",
        "[a](../../../next/skills/far/SKILL.md)",
        "`agents/helper.md`",
        "`agents/inner.md`",
        "`agents/outer.md`",
        "[a](../../agents/helper.md)",
        "`sub-skills/inner`",
        "`.claude/skills/installed`",
        "own:near",
        "`own:near`",
        "`own:helper`",
        "`next:far`",
        "`next:guide`",
    ],
)
def test_a_reference_that_resolves_feeds_coherence(body: str) -> None:
    assert _references(body) == ("none", 1)


@pytest.mark.parametrize(
    "body",
    [
        "`skills/gone`",
        "`skills/gone/SKILL.md`",
        "`skills/NEAR`",
        "`skills/near/gone.md`",
        "`skills/Near_1.3/SKILL.md`",
        "`sub-skills/gone`",
        "`agents/gone.md`",
        "`plugins/next/skills/gone/SKILL.md`",
        "[a](../gone/SKILL.md)",
        "[a](../gone/references/a.md)",
        "[a](../near/references/gone.md)",
        "[a](skills/gone)",
        "[a](../../agents/gone.md)",
        "![a](../gone/references/a.png)",
        "<a href='../gone/SKILL.md'>a</a>",
        "[a][r]\n\n[r]: ../gone/SKILL.md",
        "See skills/near/gone.md.",
        "Read (skills/near/references/gone.md).",
    ],
)
def test_a_reference_that_leads_to_nothing_is_dead(body: str) -> None:
    assert _references(body) == ("dead", 0)


@pytest.mark.parametrize(
    "body",
    [
        # outside the text
        "```\nskills/gone `skills/gone`\n```",
        "text\n\n    skills/gone\n    [a](../gone/SKILL.md)\n",
        "~~~\n`skills/gone`\n~~~",
        # URLs
        "https://host/skills/gone",
        "<https://host/skills/gone>",
        "[a](https://host/skills/gone/SKILL.md)",
        "[a](//host/skills/gone/SKILL.md)",
        "`https://host/skills/gone`",
        "`github.com/owner/repo/skills/gone`",
        "`raw.githubusercontent.com/owner/repo/skills/gone`",
        "`git@host:owner/skills/gone`",
        "`@scope/skills/gone`",
        # home, absolute, variables, placeholders in brackets
        "`~/skills/gone`",
        "~/.claude/skills/gone/SKILL.md",
        "`/skills/gone`",
        "`/opt/skills/gone`",
        "[a](/skills/gone/SKILL.md)",
        "`$HOME/skills/gone`",
        "`${CLAUDE_PLUGIN_ROOT}/skills/gone`",
        "`$(pwd)/skills/gone`",
        "`<plugin>/skills/gone`",
        "`{root}/skills/gone`",
        "`{{ root }}/skills/gone`",
        "`[root]/skills/gone`",
        "`%HOME%\\skills/gone`",
        # placeholders
        "`skills/<name>/SKILL.md`",
        "`skills/{name}/SKILL.md`",
        "`skills/{x}`",
        "`skills/…`",
        "`skills/.../SKILL.md`",
        "`skills/*/SKILL.md`",
        "`skills/**`",
        "`skills/[name]/SKILL.md`",
        "`skills/$NAME/SKILL.md`",
        "`skills/your-skill`",
        "`skills/your-skill/SKILL.md`",
        "`skills/my-skill`",
        "`skills/YOUR_SKILL/SKILL.md`",
        "`skills/skill-name`",
        "`skills/my-thing/references/a.md`",
        "`skills/example`",
        "`skills/example-skill/SKILL.md`",
        "[a](../skills/my-skill/SKILL.md)",
        # install locations
        "`.claude/skills/gone`",
        "`.agents/skills/gone/SKILL.md`",
        "`.codex/skills/gone`",
        "`./.claude/skills/gone`",
        "`project/.claude/skills/gone`",
        # its own folder
        "`skills/s`",
        "`skills/s/SKILL.md`",
        "`skills/s/references/gone.md`",
        "`plugins/own/skills/s/scripts/gone.sh`",
        "[a](SKILL.md)",
        "[a](./SKILL.md#part)",
        "`references/skills/own.md`",
        "`references/skills/gone.md`",
        "`scripts/agents/gone.md`",
        "[a](references/skills/own.md)",
        # prose
        "Works for skills/agents and skills/commands.",
        "Any skill/agent of skills/tools/hooks.",
        "Put it into skills/ or agents/.",
        "`skills/`",
        "`agents/helper`",
        "`skills`",
        "Read skills/gone.",
        "`cp -r skills/gone there`",
        # names
        "own:gone",
        "own:s",
        "`gone:near`",
        "own:near:deeper",
        "https://own:near/",
        "Note:near",
    ],
)
def test_what_is_no_reference_to_another_skill(body: str) -> None:
    assert _references(body) == ("none", 0)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("`skills/gone` `skills/gone`\n\n`skills/gone`", [5]),
        ("`skills/gone` `./skills/gone` `skills//gone` `skills/gone/`", [5]),
        ("é\n`skills/gone`\n`skills/Gone`", [6, 7]),
        ("[a](../gone/SKILL.md)\n[b](../gone/SKILL.md#x)", [5]),
        ("`skills/gone`\n\n[a](skills/gone)", [5]),
        ("`skills/a`\n`skills/b`\n\n`agents/c.md`", [5, 6, 8]),
    ],
)
def test_each_dead_target_is_flagged_once_at_a_line_that_names_it(
    body: str, lines: list[int]
) -> None:
    assert lines == sorted(flag_lines(score(skill_text(body)), "DEAD_CROSS_REF"))


def test_a_target_that_resolves_counts_once() -> None:
    body = "`skills/near` [a](../../skills/near) skills/near\n\n`./skills//near`\n"

    assert _references(body) == ("none", 1)


def test_a_link_into_the_references_of_another_skill_is_no_orphan() -> None:
    result = score(skill_text("[a](../near/references/gone.md)"), THERE)

    assert flags(result) == ["DEAD_CROSS_REF"]


def test_a_skill_at_the_root_finds_its_neighbours() -> None:
    text = skill_text("`skills/near` `skills/gone` [a](references/gone.md)")
    tree = MemoryTree({"SKILL.md": text, "skills/near/SKILL.md": "Text.\n"}, "/somewhere/s")
    result = score_skill(tree, "")

    assert flags(result) == ["ORPHAN_REFERENCE", "DEAD_CROSS_REF"]
    assert part(result, COHERENCE, "cross-references").found == "1"


@pytest.mark.parametrize(
    ("body", "files", "raised"),
    [
        ("", {}, True),
        ("[a](reference.md)", beside("reference.md"), False),
        ("[a](./docs/deep/a.md#x)", beside("docs/deep/a.md"), False),
        ("[a](scripts/)", beside("scripts/run.sh"), False),
        ("`scripts/run.sh`", beside("scripts/run.sh"), False),
        ("[a](gone.md)", {}, True),
        ("[a](SKILL.md)", {}, True),
        ("[a](#part)", {}, True),
        ("[a](../near/SKILL.md)", {f"{PLUGIN}/skills/near/SKILL.md": ""}, True),
        ("scripts", beside("scripts/run.sh"), True),
        ("", beside("references/a.md"), False),
    ],
)
def test_any_file_that_the_text_links_to_discloses(body: str, files: Files, raised: bool) -> None:
    result = score(skill_text(f"{body}\n\n{'x' * 8192}"), files)

    assert raised == ("SKILL_OVER_CODEX_CAP" in rules(result))
