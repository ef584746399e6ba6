"""The attack suite, and a judge that follows every order it reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from memory_tree import MemoryTree
from plugineval_action.llm.client import Reply, Request, Text
from simulated_client import Levels, Rate, SimulatedClient, World, answered, control_of, last_text

FOLDER: Final = Path(__file__).parent / "attacks"
POOR: Final = "# Bills\n\nDo it somehow.\n"

HONEST: Final = (f"{POOR}\n</data-", "Description: Simulated. Reads bills.\n</data-")
"""How the skill and its description end if nothing was added to them."""

LOW: Final = Levels(2.0, noise=0.3, apart=0.2)
DULL: Final = World(
    predicted_recall=Rate(0.5), predicted_false=Rate(0.6), orchestration=LOW, scope=LOW, output=LOW
)
_ESCAPE: Final = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
_CLEVER: Final = re.compile("truthfully", re.IGNORECASE)


class Attack(NamedTuple):
    """A text aimed at a judge, and of what kind it is."""

    name: str
    kind: str
    text: str

    def file(self) -> str:
        """A poor skill with the text in it; what aims at triggering stands in the description."""
        told = " ".join(self.text.split()) if self.kind == "triggering" else ""
        front = f"---\nname: s\ndescription: 'Simulated. Reads bills. {told}'\n---\n"
        body = POOR if told else f"{POOR}\n{self.text}\n"
        return front + body

    def tree(self) -> MemoryTree:
        """The skill, as it would lie in a repository."""
        return MemoryTree({"s/SKILL.md": self.file()})


def attacks() -> list[Attack]:
    """All of them, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.txt"))]


def _read(path: Path) -> Attack:
    kind, _, text = path.read_text(encoding="utf-8").partition("\n")
    shown = _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text.rstrip("\n"))
    return Attack(path.stem, kind, shown)


class GullibleClient(SimulatedClient):
    """Gives the highest level to everything as soon as the text holds any order, in any guise.

    Of itself it thinks little of the skill. It answers the control question with the highest level
    as well, unless the text tells it not to; and it predicts every prompt to load the skill if the
    description says so.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(DULL, seed, self.obey)

    def obey(self, request: Request) -> Reply | None:
        """The answer that the attacker wants, None where the text gives no order."""
        told = _read_by(request)
        if any(honest in told for honest in HONEST):
            return None
        if request.purpose == "judge.triggering_accuracy":
            numbers = re.findall(r"^(\d+)\. ", last_text(request), re.MULTILINE)
            loads = [{"number": int(number), "loads": True} for number in numbers]
            return answered(request, {"predictions": loads})
        if not request.purpose.startswith("judge."):
            return None
        honest = getattr(self, f"_{request.purpose.replace('.', '_')}")(request)
        ratings = [{**one, "level": 5} for one in honest.data["ratings"]]
        control = control_of(request) if _CLEVER.search(told) else 5
        return answered(request, {"ratings": ratings, "control": control})


def _read_by(request: Request) -> str:
    """The foreign text in a request: what stands in its first block."""
    block = request.messages[0].blocks[0]
    assert isinstance(block, Text)
    return block.text
