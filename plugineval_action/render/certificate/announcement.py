"""What a certification will take, told before anything is sent."""

from __future__ import annotations

from typing import Final

from plugineval_action.certify.run import Plan
from plugineval_action.render.words import counted

_CENT: Final = 0.01


def announcement(skills: int, plan: Plan) -> str:
    """A sentence: how many skills and games, and what is still to be sent for them."""
    what = f"{counted(skills, 'skill')}, {counted(plan.games, 'game')}"
    if not plan.calls:
        return f"{what}: every answer is kept already, so nothing is sent and nothing is paid."
    return f"{what}: {counted(plan.calls, 'call')} to send, {cost(plan.usd)}."


def cost(usd: float | None) -> str:
    """An estimate in dollars."""
    if usd is None:
        return "at a price that is not known"
    return f"about ${usd:.2f}" if usd >= _CENT else "under a cent"
