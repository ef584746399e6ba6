"""Waivers whose day is over: each is a finding on its line, whether or not it matches anything."""

from __future__ import annotations

from datetime import date
from typing import Final

from plugineval_action.findings.catalogue import RULES
from plugineval_action.policy.model import POLICY_FILE, Policy
from plugineval_action.results import Finding

EXPIRED: Final = RULES["EXPIRED_WAIVER"]


def expired(policy: Policy, today: date) -> tuple[Finding, ...]:
    """A note for each, in the order of the file."""
    return tuple(
        Finding(
            EXPIRED.id,
            EXPIRED.level,
            f"The waiver of {waiver.owner} for {waiver.rule} in {waiver.path} expired on"
            f" {waiver.expires}.",
            EXPIRED.remedy,
            POLICY_FILE,
            line := policy.line_of(number),
            line,
        )
        for number, waiver in enumerate(policy.waivers)
        if today > waiver.expires
    )
