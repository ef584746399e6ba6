"""Each sign of an empty form: what trips it, and the closest honest text that does not."""

from __future__ import annotations

import pytest

from gaming import SUBJECTS, filled, honest_texts
from memory_tree import MemoryTree
from plugineval_action.evaluate import score_skill
from plugineval_action.findings.catalogue import WITHHOLDING
from skills import skill_text

SUBJECT = SUBJECTS[0]
HONEST = honest_texts(SUBJECT)


def reasons(body: str) -> dict[str, str]:
    """What withholds the badge of a skill, by rule."""
    result = score_skill(MemoryTree({"s/SKILL.md": body}), "s")
    return {note.rule: note.message for note in result.findings if note.rule in WITHHOLDING}


def of(texts: list[str], code: str = "") -> dict[str, str]:
    return reasons(filled(SUBJECT, texts, code=code))


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        (
            "WORD_SALAD",
            [
                "Path the of an, when a of the is gives the to invoice a for.",
                "Reads the and a to it the in once, the of keeps a with nothing.",
            ],
        ),
        (
            "WORD_SALAD",
            [
                "When the grolp has been frindled, quash its vorple and blint the smeck for you.",
                "Each of the drabbish snorfles is to be wimbled with the glupe that you twanged.",
                "If a plonth is skorbed, it is for the murgish traggle to zorp the whole blint.",
                "This is the klent of the yarble: glimp it with that and frob the crund.",
                "For the twirmed hask, squelm the nobble and grindle the flonk to the wroth.",
            ],
        ),
        (
            "NOTHING_TO_DO",
            [
                "Our work is known for its elegance. Nobody who has met it was ever the same.",
                "There is a lightness in it that lingers on. It has a warm and open tone.",
                "People love how it makes them feel. It has been praised by all who met it.",
            ],
        ),
        (
            "NOTHING_TO_DO",
            [
                "What would the numbers tell us? Who among us could have known that before?",
                "Where would all of the papers have gone by then? Why would they be so many?",
                "How would you feel with a pile of them? Is it the pile or is it you?",
            ],
        ),
        (
            "NOTHING_TO_DO",
            [
                "All of it is explained in the section on output. See the section above for that.",
                "All that is to be known stands below. Look at the chapter about it elsewhere.",
                "The remainder of this is described in the documentation. Refer to the part below.",
            ],
        ),
        (
            "NOTHING_TO_DO",
            [
                "Do the work with great care. Make sure that all of it is really good.",
                "Review everything with attention to detail. Improve whatever needs improvement.",
                "Deliver the best results that you can. Handle all problems in the right way.",
            ],
        ),
        (
            "ONE_MOULD",
            [
                f"Every {one} of the {two} is a {three} to the {four}. "
                f"Every {five} of the {six} is a {one} to the {two}. "
                f"Every {three} of the {four} is a {six} to the {five}."
                for one, two, three, four, five, six in (
                    ("river", "plan", "gift", "table", "lamp", "road"),
                    ("cloud", "stone", "bridge", "book", "cup", "hat"),
                    ("horse", "field", "song", "wheel", "brush", "shoe"),
                    ("train", "garden", "knife", "coat", "bell", "mirror"),
                    ("boat", "hill", "spoon", "ring", "fence", "glove"),
                    ("plate", "wall", "apple", "shirt", "drum", "candle"),
                )
            ],
        ),
    ],
)
def test_text_that_says_nothing_trips_its_sign(rule: str, texts: list[str]) -> None:
    assert rule in of(texts)


def test_a_few_words_over_and_over_are_repetition_in_whatever_order() -> None:
    told = of([
        "Check the invoice with care. The care is with the invoice.",
        "With care the invoice is a check. The invoice is the care.",
        "Care is a check of the invoice. The check is with care.",
        "The check of care is the invoice. Invoice and check and care.",
    ])  # fmt: skip

    assert told["REPEATED_TEXT"].endswith("again and again.")


def test_sections_of_the_same_text_are_repetition() -> None:
    told = of(["Run the steps that apply to it.", "Put down what came out."] * 3)

    assert "REPEATED_TEXT" in told


def test_a_description_in_other_order_is_no_body() -> None:
    what, when = SUBJECT.what.lower(), SUBJECT.occasion
    told = of([
        f"{what}, returns a report and checks the result.",
        f"When {when}: checks the result, {what}.",
        f"Returns a report when {when} or during planning.",
        "For reviewing a supplier invoice when a summary is wanted, returns the report.",
        f"A summary is wanted, so {what} and checks.",
        f"During planning, {what}; the report returns the result.",
    ])  # fmt: skip

    assert "REPEATED_TEXT" in told


@pytest.mark.parametrize("blank", ["\u2800", "\u3164", "\u200b", "\u2003"])
def test_characters_that_show_nothing_are_hidden_text(blank: str) -> None:
    assert "show nothing at all" in of([*HONEST[:5], blank * 200])["HIDDEN_TEXT"]


@pytest.mark.parametrize(
    "text", ["\u3000\u8acb\u6c42\u66f8\u3092\u8aad\u3080\u3002", "👩\u200d💻 "]
)
def test_blanks_of_scripts_and_joiners_of_emoji_are_not_hidden(text: str) -> None:
    assert "HIDDEN_TEXT" not in of([*HONEST[:5], text * 60])


@pytest.mark.parametrize("blank", ["&nbsp;" * 30, "&#8203; " * 20, "<br>" * 9, "<p></p>", "&emsp;"])
def test_a_section_of_entities_and_empty_tags_is_empty(blank: str) -> None:
    assert "EMPTY_SECTIONS" in of([*HONEST[:2], blank, blank, blank, blank])


IDLE = """```python
def audit():
    # Everything is computed here.
    total = 0
    done = False
    rows = []
    print("The audit has been done and all is well.")
    print("There is nothing more that you need to do.")
    return None


def main():
    print("Done with everything that was asked for.")
    return True
```
"""


def test_code_that_sets_prints_and_returns_fixed_values_is_idle() -> None:
    assert "fixed values" in of(HONEST, code=IDLE)["EMPTY_EXAMPLES"]


@pytest.mark.parametrize(
    "code",
    [
        IDLE.replace("total = 0", "total = sum(rows)"),
        IDLE.replace("```python", "```yaml"),
        "```bash\n" + "export LEVEL=3\nmake check\n" * 12 + "```\n",
        "```toml\n" + "\n".join(f"option_{n} = {n}" for n in range(40)) + "\n```\n",
    ],
)
def test_code_that_computes_and_settings_are_not_idle(code: str) -> None:
    assert "EMPTY_EXAMPLES" not in of(HONEST, code=code)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(HONEST, id="honest"),
        pytest.param(
            [
                "Who approved the invoice? If nobody did, send it back to the buyer.",
                "Which tax rate does it show? Compare it with `rates.csv`.",
                "Is the supplier known? Look it up in the ledger before you pay.",
            ],
            id="questions with what follows from them",
        ),
        pytest.param(
            [
                "Lea la factura una vez y anote el total de cada línea en la hoja de gastos.",
                "Compare el total con el pedido; si no coincide, pregunte al proveedor.",
                "Guarde la factura en la carpeta del mes y envíe el resumen al jefe.",
            ],
            id="Spanish",
        ),
        pytest.param(
            [
                "Lies die Rechnung einmal und schreib die Summe jeder Zeile in die Liste.",
                "Vergleiche die Summe mit der Bestellung und frag bei Fehlern den Lieferanten.",
                "Leg die Rechnung in den Ordner des Monats und schick die Liste an die Leitung.",
            ],
            id="German",
        ),
        pytest.param(
            [
                "Run `kubectl get pods`, then `etcdctl snapshot save`; containerd stays up.",
                "Drain the node with kubectl, cordon it, and wait for the daemonsets of cilium.",
                "Patch the ingress of traefik so that certmanager renews what letsencrypt issued.",
            ],
            id="jargon",
        ),
    ],
)
def test_text_that_says_something_trips_no_sign(texts: list[str]) -> None:
    told = of(texts)
    told.pop("OFF_TOPIC", None)  # another sign's: a text in a language other than its description's

    assert told == {}


def test_a_trade_with_words_of_its_own_is_no_word_salad() -> None:
    bread = """# Sourdough loaf

Feed the starter the evening before. It must float in a bowl of water, or the loaf stays flat.

Mix flour and water with your hands until no dry flour is left. Rest the dough under a damp cloth
while the oven is cold. Knead in the salt last, since salt slows the yeast.

Fold the dough from each side toward the middle, turn the bowl, and fold again. Stop when it holds
its shape. Wet hands stick less than floured ones.

Shape a tight ball by dragging it over an unfloured table. Let it prove in a basket lined with
linen. Poke it gently: the dent should come back slowly.

Preheat the pot together with the oven. Slash the top with a razor, deep and quickly. Bake covered
until the crust stops rising, then uncovered until it is the colour of chestnuts.
"""

    assert {} == reasons(skill_text(bread, "name: loaf\ndescription: Bakes sourdough loaves.\n"))


def test_a_page_of_calls_repeats_what_calls_have_in_common() -> None:
    calls = "".join(
        f'## {verb} /{thing}\n\n{what}.\n\n```bash\ncurl -sS -X {verb} "$BASE/{thing}" -H '
        f'"Authorization: Bearer $TOKEN" {data}\n```\n\nReturns {back}. Errors: `401` without a '
        f"token, `404` if the {thing.split('/')[0]} is not yours.\n\n"
        for verb, thing, what, data, back in CALLS
    )

    assert {} == reasons(skill_text(f"# Shelf API\n\n{calls}", CALLING))


CALLING = "name: shelf-api\ndescription: Lists, lends and returns books by the Shelf API.\n"
CALLS = (
    ("GET", "shelves", "Lists your shelves, newest first", "", "an array of shelves"),
    ("POST", "shelves", "Makes a shelf", '-d \'{"name": "sea"}\'', "the shelf with its `id`"),
    ("GET", "books/7", "Reads one book", "", "title, author and place"),
    ("PATCH", "books/7", "Corrects a title", '-d \'{"title": "Tides"}\'', "the book as it is now"),
    ("DELETE", "books/7", "Throws a book away", "", "nothing"),
    ("POST", "loans", "Lends a book", '-d \'{"book": 7, "days": 14}\'', "the day it is due"),
    ("GET", "loans/late", "Lists who is late", "", "names, latest first"),
    ("DELETE", "loans/3", "Takes a book back", "", "the fee in cents, if any"),
)
"""Verb, path, what it does, data, and what comes back, of an interface with eight calls."""
