"""Which skills and plugins the paths of a command line name."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from plugineval_action.cli.common import path
from plugineval_action.cli.place import Place, locate, no_agents_alone, own_target
from plugineval_action.cli.policy import policy_of
from plugineval_action.content.discovery import Discovery, discover
from plugineval_action.errors import UsageError
from plugineval_action.escape import printable
from plugineval_action.findings.problems import LEVELS
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.render.words import counted
from plugineval_action.results import Finding
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import Target, plugin_targets, skill_targets

if TYPE_CHECKING:
    from plugineval_action.policy.model import Policy

MOST_NEAR: Final = 3


class Work(NamedTuple):
    """A path, what there is to score at it, and the policy of the repository around it.

    `found` is all that lies there, None for one skill or plugin that is named by itself.
    """

    place: Place
    targets: list[Target]
    policy: Policy | None
    found: Discovery | None


def add_targets(options: ArgumentParser) -> None:
    """The paths, and what is scored at them."""
    options.add_argument(
        "paths",
        type=path,
        nargs="+",
        metavar="PATH",
        help="a skill, a plugin, a marketplace or a folder",
    )
    options.add_argument(
        "--each",
        choices=("skill", "plugin"),
        help="what is scored in a marketplace or folder (default: skill)",
    )


def work_of(args: Namespace) -> Iterator[Work]:
    """What there is to score for each path, each target once. Raises UsageError if a path is wrong.

    What lies at one path may be two targets: entries of marketplaces may share a directory.
    """
    met: set[tuple[Path, str | None]] = set()
    for argument in dict.fromkeys(args.paths):
        place = locate(argument)
        own, found = _targets(place, args.each, args.ruleset)
        named = {
            (place.tree.root / target.path, target.plugin.name if target.plugin else None): target
            for target in own
        }
        targets = [target for key, target in named.items() if key not in met]
        yield Work(place, targets, policy_of(place.tree), found)
        met |= named.keys()


def profile_of(work: Work, args: Namespace) -> ProfileName:
    """Who will load the skills: as asked for, else as the policy says."""
    profile: ProfileName | None = args.profile
    return profile or (work.policy.profile if work.policy else DEFAULT_PROFILE)


def _targets(
    place: Place, each: str | None, ruleset: Ruleset
) -> tuple[list[Target], Discovery | None]:
    own = own_target(place, ruleset) if each is None else None
    if own:
        return [own], None
    found = discover(place.tree, place.path, ruleset=ruleset)
    targets = plugin_targets(found) if each == "plugin" else skill_targets(found)
    if not targets:
        raise _nothing(place, "plugins" if each == "plugin" else "skills", found)
    return targets, found


def told_beside(notes: Sequence[Finding]) -> Iterator[str]:
    """What no score shows, such as a marketplace.json that is broken; the worst first."""
    ordered = sorted(notes, key=lambda note: LEVELS.index(note.level))
    yield from map(_told, ordered[:MOST_NEAR])
    if len(ordered) > MOST_NEAR:
        more = counted(len(ordered) - MOST_NEAR, "more finding")
        yield f"{more} beside what is scored; --output sarif lists them."


def _told(note: Finding) -> str:
    return f"{printable(note.path)}:{note.line}: {printable(note.message)} ({note.rule})"


def _nothing(place: Place, what: str, found: Discovery) -> UsageError:
    """The error for a folder that holds nothing to score, and what comes close to it."""
    if f"/{place.path}".endswith("/agents") or (found.agents and not found.plugins):
        return no_agents_alone(place.argument, place.tree.root / place.path)
    refused = [f"{printable(one.message)} {one.remedy}" for one in place.tree.refused()]
    told = [*refused, *map(_told, found.asides)]
    near = "".join(f"\n  {line}" for line in told[:MOST_NEAR])
    return UsageError(
        f"{place.argument!r} holds no {what}.",
        "A skill is a folder with SKILL.md, a plugin one with .claude-plugin/."
        + (f" What comes close:{near}" if near else ""),
    )
