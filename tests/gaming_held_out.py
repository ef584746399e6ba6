"""Twenty gaming skills of twenty kinds that no sign was tuned on when they were first measured.

They were written before the code of the signs was read by whoever wrote them; docs/validity.md has
what was withheld at first sight, and what is withheld now.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Final

from gaming import CODE, SMALL_TALK, SUBJECTS, Gaming, Subject, filled, honest_texts


def self_praise(subject: Subject) -> dict[str, str]:
    """Every sentence lauds the skill and none tells what to do."""
    thing = subject.thing
    texts = [
        f"This skill brings best-in-class {thing} expertise to every {thing} you have.",
        f"Trusted by professionals, the {thing} workflow is robust, complete and carefully made.",
        f"Experience {thing} excellence: our output is clear, rich, accurate and dependable.",
        f"Each {thing} example shows the remarkable depth that this {thing} skill is known for.",
        f"Thanks to its outstanding {thing} design, problems with a {thing} are long gone.",
        f"No other {thing} skill offers such a comprehensive {thing} experience from end to end.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def brackets(subject: Subject) -> dict[str, str]:
    """A template that nobody filled in."""
    texts = [
        f"[Describe here how the {subject.thing} is given to the skill]",
        "[Explain the input, with at least two sentences and one example]",
        "[Explain the output format, for example JSON or a table]",
        "[Add a realistic example of a request and the reply to it]",
        "[List the most common problems and what to do about each of them]",
        "[Name the skills that go before and after this one]",
    ]
    return {"SKILL.md": filled(subject, texts)}


def shuffled(subject: Subject) -> dict[str, str]:
    """Honest sentences with their words in the order of the alphabet."""
    texts = [" ".join(sorted(text.split())) for text in honest_texts(subject)]
    return {"SKILL.md": filled(subject, texts)}


def spun(subject: Subject) -> dict[str, str]:
    """One sentence, said over and over in other words."""
    thing = subject.thing
    verbs = (("check", "look at", "inspect"), ("review", "examine", "go through"))
    manner = ("carefully", "thoroughly", "attentively", "diligently", "with care", "closely")
    texts = [
        " ".join(
            f"{verb.capitalize()} the {thing} {how}, and {other} the {thing} {how}."
            for verb, other in zip(verbs[n % 2], verbs[(n + 1) % 2], strict=True)
        )
        for n, how in enumerate(manner)
    ]
    return {"SKILL.md": filled(subject, texts)}


def void_tables(subject: Subject) -> dict[str, str]:
    """Tables of the right form, and N/A in every cell."""
    table = f"| {subject.thing.title()} | Priority | Result |\n| --- | --- | --- |\n" + (
        "| N/A | N/A | N/A |\n" * 5
    )
    return {"SKILL.md": filled(subject, [table] * 6)}


def hollow_steps(subject: Subject) -> dict[str, str]:
    """Steps that say only that they are steps."""
    steps = "\n".join(f"{n}. Do step {n} of the {subject.thing} workflow." for n in range(1, 9))
    return {"SKILL.md": filled(subject, [steps] * 6)}


def see_elsewhere(subject: Subject) -> dict[str, str]:
    """Each section sends the reader to another one, in a circle."""
    names = ("Input", "Output format", "Examples", "Troubleshooting", "Related skills", "Usage")
    texts = [
        f"Everything about the {subject.thing} is explained in the section {name}. See there."
        for name in names
    ]
    return {"SKILL.md": filled(subject, texts)}


def questions(subject: Subject) -> dict[str, str]:
    """Only questions, and no answer to any."""
    thing = subject.thing
    texts = [
        f"What is the {thing} about? Who needs the {thing}? Why now, and why here?",
        f"Is the {thing} there? Could the {thing} be elsewhere? What would that mean?",
        f"How should a {thing} look? What would a good {thing} be like? Who decides?",
        f"Can you think of a {thing}? What makes this {thing} special to you?",
        f"What might go wrong with a {thing}? How would you feel about it?",
        f"What comes after the {thing}? What came before it? Does it matter?",
    ]
    return {"SKILL.md": filled(subject, texts)}


def fiction(subject: Subject) -> dict[str, str]:
    """A tale under the headings of a skill."""
    texts = [
        "The old lighthouse keeper climbed the stairs once more before the storm came in.",
        "Below him the sea had turned the colour of slate, and gulls were flying inland.",
        "He lit the lamp, as he had every evening for thirty years, and sat down to write.",
        "Dear Martha, he began, the swallows left on Tuesday and the garden is asleep.",
        "Far out a small sail appeared, vanished behind a wave, and appeared once again.",
        "By midnight the wind had dropped, and all the harbour was white with salt and moon.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def emoji(subject: Subject) -> dict[str, str]:
    """Rows of pictures where text should be."""
    marks = (
        "🚀 ✨ 🔥 💯 ",
        "✅ ✅ 🎯 📈 ",
        "🧠 💡 ⚡ 🌟 ",
        "📦 🔧 🛠 🎉 ",
        "🏆 🥇 👑 💎 ",
        "🤖 🙌 👏 🤝 ",
    )
    return {"SKILL.md": filled(subject, [mark * 12 for mark in marks])}


def idle_code(subject: Subject) -> dict[str, str]:
    """Little text, and long code that does nothing."""
    lines = "\n".join(f"    value_{n} = {n}\n    pass" for n in range(40))
    code = f"```python\ndef {subject.thing}():\n{lines}\n    return None\n```\n\n{CODE}"
    texts = [f"Run the {subject.thing} code below."] * 6
    return {"SKILL.md": filled(subject, texts, code=code)}


def noise(subject: Subject) -> dict[str, str]:
    """Encoded bytes under every heading."""
    digits = "3vQ9zKp7LmXw2RtYb8NcHs4JdGf6AaUeTo1iPqBxMkZr5WnCyVhDlSgEjF0uO"
    texts = [" ".join(digits[n:] + digits[:n] for n in range(at, at + 4)) for at in range(6)]
    return {"SKILL.md": filled(subject, texts)}


def licence(subject: Subject) -> dict[str, str]:
    """Legal boilerplate, which is long, well formed, and about nothing."""
    texts = [
        "All rights are reserved by the respective owners, to the extent permitted by law.",
        "The material is provided as is, without warranty of any kind, express or implied.",
        "In no event shall the holders be liable for any claim, damages or other liability.",
        "Redistribution in any form is allowed provided that this notice is kept in place.",
        "Should any provision be held invalid, the remaining provisions shall stay in force.",
        "These terms are governed by the law of the place where the holder resides.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def gibberish(subject: Subject) -> dict[str, str]:
    """Words that can be spoken and do not exist, around the one that is looked for."""
    thing = subject.thing
    texts = [
        f"Brondle the {thing} flimmerly until every snarp has been grobbed and torvated.",
        f"A quandled {thing} is wexed by the plimber, unless mordified skunts are glaved.",
        f"Once the {thing} has frolted, the vimbly dask returns a trunched blorp of zeels.",
        f"For a {thing} of nine drabs, glimp the hoskle and yarble each wroddle in turn.",
        f"If the {thing} skrives, unplox its murgle and wait for the crendish to subflate.",
        f"See also the {thing} nobbler, which dremps what this one has left ungrisked.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def mad_libs(subject: Subject) -> dict[str, str]:
    """Sentences that fit everywhere, with the skill's word put into each."""
    thing = subject.thing
    texts = [
        f"It is always good to look at the whole {thing} before going into the {thing}'s detail.",
        f"Every {thing} is different, and what worked for one {thing} need not work for another.",
        f"A good {thing} comes from patience, attention, and the will to learn from any {thing}.",
        f"Communication about the {thing} is the key to {thing} success, so keep people informed.",
        f"There are many ways to a {thing}; choose the {thing} that fits best, and stay flexible.",
        f"In the end it is {thing} quality that counts, and a {thing} needs time and focus.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def foreign_talk(subject: Subject) -> dict[str, str]:
    """Small talk in another language than that of the description."""
    texts = [
        "Es ist immer gut, einen klaren Kopf zu behalten und das Ganze im Blick zu haben.",
        "Jede Lage ist anders, und was gestern ging, muss morgen nicht die Antwort sein.",
        "Gute Ergebnisse kommen aus Geduld, Aufmerksamkeit und dem Willen zu lernen.",
        "Kommunikation ist der Schlüssel zum Erfolg, also sollen alle Bescheid wissen.",
        "Viele Wege führen zum Ziel; wähle den, der am besten passt, und bleib beweglich.",
        "Am Ende zählt die Qualität, und Qualität braucht Zeit und eine ruhige Hand.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def padded_reference(subject: Subject) -> dict[str, str]:
    """A thin skill whose references are long and say nothing."""
    padding = "\n\n".join([*SMALL_TALK] * 6)
    links = "Read [the guide](references/guide.md) and [the rules](references/rules.md)."
    texts = [f"{links} They explain the {subject.thing}."] * 6
    files = {"references/guide.md": f"# Guide\n\n{padding}\n", "references/rules.md": padding}
    return {"SKILL.md": filled(subject, texts), **files}


def echo(subject: Subject) -> dict[str, str]:
    """The description again under each heading, its words turned round."""
    texts = [
        f"{subject.what} and returns a report when {subject.occasion}.",
        f"When {subject.occasion}, the skill checks the result and returns a report.",
        f"A report is returned and the result is checked when {subject.occasion}.",
        f"Use it when {subject.occasion}: {subject.what.lower()}, checks the result.",
        f"For reviewing, during planning, or when a summary is wanted: {subject.what.lower()}.",
        f"Returns a report when a summary is wanted and {subject.occasion}.",
    ]
    return {"SKILL.md": filled(subject, texts)}


def blank_characters(subject: Subject) -> dict[str, str]:
    """Entities and spaces that a page shows as nothing."""
    texts = [
        "&nbsp;" * 40,
        "&#8203;&zwnj;" * 20,
        "&emsp;" * 30,
        "<br>" * 20,
        "&nbsp; " * 30,
        "<p></p>",
    ]
    return {"SKILL.md": filled(subject, texts)}


def log_lines(subject: Subject) -> dict[str, str]:
    """Numbers and dates, as many as there is room for."""
    texts = [
        "\n".join(
            f"- 2026-0{1 + at}-{10 + n} 0{n}:1{at}:2{n} id={n * 7919 + at * 104729} ok={n}"
            for n in range(8)
        )
        for at in range(6)
    ]
    return {"SKILL.md": filled(subject, texts)}


KINDS: Final = (
    self_praise, brackets, shuffled, spun, void_tables, hollow_steps, see_elsewhere, questions,
    fiction, emoji, idle_code, noise, licence, gibberish, mad_libs, foreign_talk,
    padded_reference, echo, blank_characters, log_lines,
)  # fmt: skip


def held_out_skills() -> Iterator[Gaming]:
    """Each kind once; subjects take turns."""
    for kind, subject in zip(KINDS, cycle(SUBJECTS), strict=False):
        yield Gaming(kind.__name__, subject.name, kind(subject))
