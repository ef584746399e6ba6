"""`--output markdown`: for a pager, a pull request, or a job summary.

Written line by line, without a template: loading a template engine would double the time that a
person waits for the score of one skill. Everything foreign goes through `markdown` or `code`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from plugineval_action.escape import code, markdown
from plugineval_action.findings.problems import Problem, rule_url
from plugineval_action.render.score.card import Card, SubScoreRow, cards
from plugineval_action.render.score.to_do import FORM_ONLY
from plugineval_action.render.view import Row, ScoreRun, Summary, method, summary
from plugineval_action.render.words import NOTHING
from plugineval_action.results import Failure

PROBLEMS_SHOWN: Final = 40


def render(run: ScoreRun) -> str:
    """The run as GitHub-flavoured Markdown: verdict, what to fix first, then why."""
    in_full = cards(run)
    at_a_glance = None if len(run.results) == 1 else summary(run)
    urls = _rule_urls(in_full, at_a_glance)
    lines = [
        *(_glance(at_a_glance, in_full, run) if at_a_glance else _cards(in_full, run)),
        *_failures(run.failures),
        f"{method(run)}.",
    ]
    if urls:
        lines += ["", *(f"[{rule}]: {url}" for rule, url in urls.items())]
    return "\n".join(lines) + "\n"


def _rule_urls(cards: Iterable[Card], summary: Summary | None) -> dict[str, str]:
    """The pages of all rules that the text names: addresses at the end keep the text readable."""
    named = {rule.rule for rule in summary.rules} if summary else set()
    for card in cards:
        named |= {problem.rule for problem in card.anti_patterns[:PROBLEMS_SHOWN]}
        named |= {problem.rule for problem in card.findings[:PROBLEMS_SHOWN]}
        named |= {each.rule for each in card.helps}
        named |= {fix.rule for fix in card.fixes if fix.rule}
    return {rule: url for rule in sorted(named) if (url := rule_url(rule))}


def _rule(rule: str) -> str:
    return f"[{rule}]" if rule_url(rule) else code(rule)


def _glance(summary: Summary, in_full: Iterable[Card], run: ScoreRun) -> Iterator[str]:
    counts = ", ".join(f"{count} {_badge(badge)}" for badge, count in summary.badges)
    title = summary.what if summary.rows else "Nothing scored"
    unscored = f", {summary.unscored} not scored" if summary.unscored else ""
    yield f"# {title}{': ' if counts else ''}{counts}{unscored}"
    yield ""
    yield from _notes(run.notes)
    if not summary.rows:
        return
    below = (
        f" {summary.below} below the threshold of {run.threshold:g} (✗)." if summary.below else ""
    )
    yield f"Worst first.{below}"
    yield ""
    yield from _table(summary.rows)
    yield ""
    if summary.rules:
        yield from ("## Errors, then what is most frequent", "")
        yield "| Rule | Times | Results | Costs | What |"
        yield "| :--- | ----: | ------: | :---- | :--- |"
        for rule in summary.rules:
            costs = "5 % each" if rule.costs else "nothing"
            numbers = f"{rule.times} | {rule.results} | {costs}"
            yield f"| {_rule(rule.rule)} | {numbers} | {markdown(rule.title)} |"
        yield ""
    for card in in_full:
        yield from _card(card, "##", ())


def _cards(in_full: Sequence[Card], run: ScoreRun) -> Iterator[str]:
    for card in in_full[:1]:
        yield from _card(card, "#", run.notes)
    for card in in_full[1:]:
        yield from _card(card, "##", ())


def _card(card: Card, level: str, notes: Iterable[str]) -> Iterator[str]:
    row = card.row
    score = row.score if row.points is not None else "not scored"
    badge = f", {_badge(row.badge)}" if row.badge != NOTHING else ""
    yield f"{level} {markdown(row.name)}: {score}{badge}"
    yield ""
    verdict = f" **{' '.join(card.verdict)}**" if card.verdict else ""
    said = [card.penalty, markdown(card.unscored) if card.unscored else ""]
    tail = "".join(f" {text}" for text in said if text)
    yield f"{row.kind.capitalize()} {code(row.path)}.{verdict}{tail}"
    yield ""
    yield from _notes((*notes, *card.notes))
    yield from _helps(card, level)
    yield from _fixes(card, level)
    if card.members:
        yield from (f"{level}# What is inside", "", *_table(card.members), "")
    if card.mean:
        yield from (card.mean, "")
    yield from _dimensions(card, level)
    yield from _measured(card, level)
    if card.anti_patterns:
        yield from (f"{level}# Anti-patterns", "", *_problems(card.anti_patterns), "")
    if card.findings:
        yield from (f"{level}# Findings", "", "They cost no points.", "")
        yield from (*_problems(card.findings), "")
    if card.sub_scores:
        yield from _why(card.sub_scores)


def _helps(card: Card, level: str) -> Iterator[str]:
    if card.helps:
        yield from (f"{level}# What helps a reader most", "")
        for each in card.helps:
            yield f"- **{markdown(each.said)}** ({code(each.place)}, {_rule(each.rule)})."
            yield f"  {markdown(each.remedy)}"
        yield ""


def _fixes(card: Card, level: str) -> Iterator[str]:
    if not card.fixes:
        return
    yield from (f"{level}# Fix first", "")
    for number, fix in enumerate(card.fixes, start=1):
        rule = f", {_rule(fix.rule)}" if fix.rule else ""
        yield f"{number}. **{fix.points}** {markdown(fix.title)} ({code(fix.place)}{rule})."
        yield f"   {markdown(fix.remedy)}{f' *{FORM_ONLY}*' if fix.form else ''}"
    more = f" {card.more_fixes} smaller ones are not listed." if card.more_fixes else ""
    yield ""
    yield f"The number is what each adds to the score when it alone is done.{more}"
    yield ""


def _dimensions(card: Card, level: str) -> Iterator[str]:
    if not card.dimensions:
        return
    yield from (f"{level}# Dimensions", "")
    sampled = any(one.interval for one in card.dimensions)
    head, rule = (" 95 % interval |", " ------------: |") if sampled else ("", "")
    yield f"| Dimension               | Score | Grade |  Share |{head}"
    yield f"| :---------------------- | ----: | :---- | -----: |{rule}"
    for one in card.dimensions:
        line = f"| {one.title:<23} | {one.score:>5} | {one.grade:<5} | {one.share:>6} |"
        yield f"{line} {one.interval:>13} |" if sampled else line
    yield ""
    if any(one.points is None for one in card.dimensions):
        yield "— was not measured at this depth; the shares are those of what was measured."
        yield ""


def _measured(card: Card, level: str) -> Iterator[str]:
    if card.measured:
        yield from (f"{level}# What was measured", "")
        yield "| Layer | Measure | Value | 95 % interval | How |"
        yield "| :---- | :------ | ----: | ------------: | :-- |"
        for one in card.measured:
            numbers = f"{one.value} | {one.interval} | {markdown(one.how, 300)}"
            yield f"| {one.layer} | {markdown(one.title)} | {numbers} |"
        yield ""
    if card.cost:
        yield from (f"Asked: {markdown(card.cost)}", "")


def _problems(problems: Sequence[Problem]) -> Iterator[str]:
    for problem in problems[:PROBLEMS_SHOWN]:
        yield f"- {_rule(problem.rule)} {code(problem.place)}: {markdown(problem.message)}"
        yield f"  {markdown(problem.remedy)}"
    if len(problems) > PROBLEMS_SHOWN:
        more = len(problems) - PROBLEMS_SHOWN
        yield f"- … and {more} more; `--output json` lists them all."


def _why(sub_scores: Iterable[SubScoreRow]) -> Iterator[str]:
    yield from ("<details>", "<summary>Why: each sub-score and its parts</summary>", "")
    for sub in sub_scores:
        yield from (f"**{sub.title}: {sub.score}**", "")
        if sub.parts:
            yield "| Part | Points | Found | Lines |"
            yield "| :--- | -----: | :---- | :---- |"
            for part in sub.parts:
                found = markdown(part.found, 80)
                yield f"| {markdown(part.name)} | {part.points} | {found} | {part.lines} |"
            yield ""
    yield from ("</details>", "")


def _table(rows: Sequence[Row]) -> Iterator[str]:
    names = [markdown(row.name) for row in rows]
    width = max(4, *map(len, names))
    yield f"| Score   | Badge    | Flags | {'Name':<{width}} | Path |"
    yield f"| ------: | :------- | ----: | :{'-' * (width - 1)} | :--- |"
    for row, name in zip(rows, names, strict=True):
        score = f"{row.score} ✗" if row.below else row.score
        front = f"| {score:>7} | {row.badge:<8} | {row.flags:>5} |"
        yield f"{front} {name:<{width}} | {code(row.path)} |"


def _failures(failures: Sequence[Failure]) -> Iterator[str]:
    if not failures:
        return
    yield from ("## Could not be scored", "")
    for one in failures:
        yield f"- {code(one.path)}: {markdown(one.message)} {markdown(one.remedy)}"
    yield ""


def _notes(notes: Iterable[str]) -> Iterator[str]:
    for note in notes:
        yield from (f"Note: {markdown(note)}", "")


def _badge(badge: str) -> str:
    return "no badge" if badge == "No badge" else badge
