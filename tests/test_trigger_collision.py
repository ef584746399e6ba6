"""Which descriptions fight for a prompt (MK004), and which are told apart by what they say."""

from __future__ import annotations

import pytest

from memory_tree import MemoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.findings.prompts import quoted_prompts
from plugineval_action.findings.run import check_shelf
from plugineval_action.results import Finding

NOTES = "Writes release notes from merged pull requests of a repository"
TRIPS = "Plans train trips through Europe with changes, seats and night trains"

FIGHTING = {
    "nearly the same words": (
        ("notes", f"{NOTES}, for users. Use when asked."),
        ("changes", f"{NOTES}, for developers. Use when asked."),
    ),
    "one quoted prompt under different words": (
        ("invoice", 'Makes invoices. Use when somebody says "bill the customer".'),
        ("dunning", 'Reminds of late payments. Use for "Bill the customer!" and the like.'),
    ),
    "the same text twice": (
        ("trips", f"{TRIPS}. Use when a journey is planned."),
        ("journeys", f"{TRIPS}. Use when a journey is planned."),
    ),
    "a quoted prompt in Chinese marks and in others": (
        ("fapiao", "开发票。当用户说「 bill me now 」时使用。"),
        ("bills", "Sends bills. Use when asked “Bill me now”."),
    ),
    "a negation somewhere else in the description": (
        ("reach", 'Checks why texts are not coming. Use for "who can reach me".'),
        ("allow", 'Edits the list of senders. Use for "who can reach me". Never asks twice.'),
    ),
}
APART = {
    "each has a word of its own name": (
        ("discord", f"{NOTES}, and posts them to the Discord channel."),
        ("telegram", f"{NOTES}, and posts them to the Telegram channel."),
    ),
    "one sends the rest to the other by its name": (
        ("flow-plans", f"{TRIPS} as a flow. Case plans go to case-plans."),
        ("case-plans", f"{TRIPS} as a case, in plans that flow."),
    ),
    "both send the rest to each other": (
        ("map-flow", f"{TRIPS} on a map. A case: map-case. A flow: here."),
        ("map-case", f"{TRIPS} on a map. A flow: map-flow. A case: here."),
    ),
    "one quotes the prompt to send it away": (
        ("invoice", 'Makes invoices. Use when somebody says "bill the customer".'),
        ("dunning", 'Reminds of late payments. Do not use for "bill the customer".'),
    ),
    "they quote the same word, not the same prompt": (
        ("invoice", 'Makes invoices. Use when somebody says "bill".'),
        ("dunning", 'Reminds of late payments. Use when somebody says "bill".'),
    ),
    "they share a house style": (
        ("invoice", "This skill should be used when the user asks to make an invoice for a sale."),
        ("dunning", "This skill should be used when the user asks to remind of a late payment."),
    ),
}


def collisions(*named: tuple[str, str], front: str = "") -> list[Finding]:
    """The collisions of skills with a name and a description, in folders of those names."""
    files = {
        f"skills/{name}/SKILL.md": f"---\nname: {name}\n{front}description: '{text}'\n---\n\n# A\n"
        for name, text in named
    }
    tree = MemoryTree(files)
    notes = check_shelf(tree, discover(tree))
    return [one for told in notes.values() for one in told if one.rule == "TRIGGER_COLLISION"]


@pytest.mark.parametrize("pair", FIGHTING.values(), ids=FIGHTING)
def test_descriptions_that_fight_for_a_prompt_are_told_at_both(
    pair: tuple[tuple[str, str], ...],
) -> None:
    found = collisions(*pair)

    assert {(f"skills/{name}/SKILL.md", 3) for name, _ in pair} == {
        (one.path, one.line) for one in found
    }
    assert 2 == len(found)


@pytest.mark.parametrize("pair", APART.values(), ids=APART)
def test_descriptions_that_tell_prompts_apart_are_silent(
    pair: tuple[tuple[str, str], ...],
) -> None:
    assert [] == collisions(*pair)


def test_a_collision_names_the_other_skill_its_folder_and_what_both_say() -> None:
    quoting, _ = collisions(*FIGHTING["one quoted prompt under different words"])
    alike, _ = collisions(*FIGHTING["the same text twice"])

    assert (
        "This description and that of invoice in skills/invoice both quote"
        ' "Bill the customer!".' == quoting.message
    )
    assert (
        "This description and that of trips in skills/trips share 100% of their words: "
        "changes, europe, journey, night, planned, plans." == alike.message
    )


def test_skills_that_no_model_chooses_fight_for_nothing() -> None:
    pair = FIGHTING["one quoted prompt under different words"]

    assert [] == collisions(*pair, front="disable-model-invocation: true\n")


def test_of_many_skills_with_one_prompt_each_is_told_once() -> None:
    own = [" ".join(f"word{n}{sign}" for sign in "abcdef") for n in range(12)]
    many = [(f"s{n}", f'Does {text}. Use for "do the usual thing".') for n, text in enumerate(own)]

    assert 12 == len(collisions(*many))


def test_a_pair_that_shares_both_prompt_and_words_is_told_once() -> None:
    pair = [(name, f'{NOTES}. Use for "write the notes".') for name in ("notes", "changes")]

    assert 2 == len(collisions(*pair))


def test_a_prompt_is_known_by_its_words_and_shown_as_written() -> None:
    text = 'Use for "Who can REACH me?", or “go.” Say «Hilf  mir».'

    assert {"who can reach me": "Who can REACH me?", "hilf mir": "Hilf  mir"} == quoted_prompts(
        text
    )
