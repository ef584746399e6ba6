"""Badges that are withheld: the number stays, the badge goes, and the reasons are findings."""

from __future__ import annotations

from collections.abc import Mapping

from plugineval_action.findings.catalogue import WITHHOLDING
from plugineval_action.results import Finding, Result
from plugineval_action.rulesets import Ruleset


def withhold(result: Result, ruleset: Ruleset) -> Result:
    """The result without its badge, if a sign says that its form is filled with nothing.

    A plugin shares what its skills show. The reference ruleset gives the published badges.
    """
    composite = result.composite
    if composite is None or composite.badge == "no_badge" or ruleset == "reference":
        return result
    if not reasons(result):
        return result
    return result._replace(composite=composite._replace(badge="withheld"))


def beside(result: Result, notes: Mapping[str, tuple[Finding, ...]], ruleset: Ruleset) -> Result:
    """The result with what all skills together say of it and its members, by their paths."""
    told = notes.get(result.path, ()) if result.kind != "agent" else ()
    members = tuple(beside(one, notes, ruleset) for one in result.members)
    if not told and members == result.members:
        return result
    return withhold(result._replace(findings=(*result.findings, *told), members=members), ruleset)


def reasons(result: Result) -> tuple[Finding, ...]:
    """The findings that withhold the badge: of a skill its own, of a plugin those of its skills."""
    told = (result, *result.members)
    return tuple(note for one in told for note in one.findings if note.rule in WITHHOLDING)
