"""Measure how far off the announced cost of a certificate is, on real skills.

Usage: PLUGINEVAL_CORPUS=DIR python scripts/certify_costs.py [SKILLS]. Takes skills of one
marketplace, spread evenly over their lengths, and certifies each at depth deep on the Messages API
of the tests, against a corpus that knows nothing yet: once with a terse model, once with one that
thinks six times as long. Then the same skills one after the other, so that answers were seen.
Prints the tables of docs/validity.md. Seeds are fixed.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from model_server import Draft, Model, ModelServer, Seen  # noqa: E402
from plugineval_action.cli.main import main as command_line  # noqa: E402
from simulated_client import World  # noqa: E402
from simulated_model import world_model  # noqa: E402

MARKETPLACE: Final = "marketplaces/wshobson__agents"
SKILLS: Final = 12
THINKING: Final = {"terse": 1, "talkative": 6}
_DOLLARS: Final = re.compile(r"expected \$([0-9.]+), at most \$([0-9.]+)")


class Paid(NamedTuple):
    """What one certificate was expected to cost by the table, after first answers, and did cost.

    `most` is what it could cost at most.
    """

    table: float
    told: float
    most: float
    paid: float


def main() -> None:
    """Print all tables."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SKILLS
    market = Path(os.environ["PLUGINEVAL_CORPUS"]) / MARKETPLACE
    with TemporaryDirectory() as folder:
        at = Path(folder)
        _run("init", str(market), "--corpus-dir", str(at / "fresh"))
        skills = _spread(json.loads((at / "fresh/index.json").read_text())["skills"], count)
        for manner, times in THINKING.items():
            shutil.rmtree(at / "kept", ignore_errors=True)
            with ModelServer(_thinking(times)) as server:
                os.environ |= {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url}
                first = [_certified(at, market, path, keep=False) for _, path in skills]
                again = [_certified(at, market, path, keep=True) for _, path in skills]
            print(f"\n{manner}\n")
            for line in _table(skills, first, again[1:]):
                print(line, flush=True)


def _thinking(times: int) -> Model:
    model = world_model(World(tokens=800))

    def longer(seen: Seen) -> Draft | None:
        draft = model(seen)
        return draft and draft._replace(thinking=times * draft.thinking)

    return longer


def _spread(skills: Sequence[dict[str, object]], count: int) -> list[tuple[int, str]]:
    """Lines and path of so many skills, from the shortest to the longest."""
    ordered = sorted((int(str(one["lines"])), str(one["path"])) for one in skills)
    step = (len(ordered) - 1) / (count - 1)
    return [ordered[round(number * step)] for number in range(count)]


def _certified(at: Path, market: Path, path: str, *, keep: bool) -> Paid:
    """One certificate; `keep` goes on with the corpus of the last one."""
    corpus, out = at / ("kept" if keep else "used"), at / "certificates"
    if not keep:
        shutil.rmtree(corpus, ignore_errors=True)
    if not corpus.exists():
        shutil.copytree(at / "fresh", corpus)
    shutil.rmtree(corpus / "verdicts", ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    where = ("--corpus-dir", str(corpus), "--output-dir", str(out))
    told = _DOLLARS.findall(_run("certify", str(market / path), *where, "--max-usd", "50"))
    (file,) = out.glob("*--*.json")
    paid = json.loads(file.read_text())["predicate"]["cost"]["usd"]
    return Paid(float(told[0][0]), float(told[-1][0]), float(told[0][1]), paid)


def _run(*words: str) -> str:
    """What a command says on stderr."""
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()):
        command_line(words)
    return said.getvalue()


def _table(
    skills: Sequence[tuple[int, str]], first: Sequence[Paid], again: Sequence[Paid]
) -> Iterator[str]:
    yield "| Lines | By the table | Off by | After first answers | Off by | At most | Paid |"
    yield "| --: | --: | --: | --: | --: | --: | --: |"
    for (lines, _), one in zip(skills, first, strict=True):
        yield (
            f"| {lines} | ${one.table:.2f} | {_off(one.table, one.paid)} | ${one.told:.2f} | "
            f"{_off(one.told, one.paid)} | ${one.most:.2f} | ${one.paid:.2f} |"
        )
    for name, every in (("first", first), ("seen before", again)):
        off = [abs(one.told / one.paid - 1) for one in every]
        yield f"\n{name}: {100 * fmean(off):.1f} % off on average, {100 * max(off):.1f} % at most"


def _off(told: float, paid: float) -> str:
    return f"{100 * (told / paid - 1):+.0f} %".replace("-", "−")


if __name__ == "__main__":
    main()
