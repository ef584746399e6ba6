"""Score one target for a report, and keep of it only what a report shows.

A marketplace may hold 20,000 skills. What each sub-score was made of is by far the most of a
result, and is needed only to find out what a fix is worth, so that is done here, at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

from plugineval_action.content.digest import unit_digest
from plugineval_action.content.discovery import Discovery, Unit
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.text import BOM, read_text
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.report.evals import kept_evals
from plugineval_action.report_values import Listing, Scored
from plugineval_action.results import Failure, Improvement, Kind, Result
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.scoring.advice import improvements
from plugineval_action.survey import Target, loose_targets, plugin_targets, score_target

DIGEST_LENGTH: Final = 16
"""Hex digits kept of a digest: enough to tell some ten thousand plugins apart."""

MOST_FIXES: Final = 12
"""Improvements that are kept of one skill, the best ones."""


class Job(NamedTuple):
    """A target, and the skills and agents that it consists of."""

    target: Target
    units: tuple[Unit, ...]


def jobs(found: Discovery) -> tuple[list[Job], list[Job]]:
    """What to do: plugins, then skills and agents outside of them."""
    units = {unit.path: unit for unit in (*found.skills, *found.agents)}

    def job(target: Target) -> Job:
        plugin = target.plugin
        if plugin is None:
            return Job(target, (units[target.path],))
        members = (*plugin.skills, *plugin.agents)
        return Job(target, tuple(units[path] for path in members if path in units))

    return [*map(job, plugin_targets(found))], [*map(job, loose_targets(found))]


def scanner(
    ruleset: Ruleset, profile: ProfileName = DEFAULT_PROFILE
) -> Callable[[Tree, Job], Scored]:
    """`scan` for a ruleset and a profile, as another process can take it over."""
    return partial(scan, ruleset=ruleset, profile=profile)


def scan(tree: Tree, job: Job, ruleset: Ruleset, profile: ProfileName = DEFAULT_PROFILE) -> Scored:
    """Score a target; what cannot be scored at all is a result that says why."""
    result = score_target(tree, job.target, ruleset, profile=profile)
    if isinstance(result, Failure):
        result = _unscored(job.target, result, ruleset)
    plugin = result.name if result.kind == "plugin" else ""
    listings = tuple(_listings(tree, result, plugin))
    found = scored(result, _digest(tree, job), listings)
    return found._replace(evals=tuple(kept_evals(tree, listings)))


def scored(result: Result, digest: str = "", listings: tuple[Listing, ...] = ()) -> Scored:
    """A result with what would raise it, without the parts that tell so."""
    return Scored(_slim(result), digest, tuple(_fixes(result)), listings)


def _unscored(target: Target, failure: Failure, ruleset: Ruleset) -> Result:
    plugin = target.plugin
    kind: Kind = "agent" if target.agent else "skill" if plugin is None else "plugin"
    name = plugin.name if plugin else target.path.rpartition("/")[2]
    why = f"{failure.message} {failure.remedy}"
    return Result(kind, name, target.path, versioned(ruleset), unscored=why)


def _fixes(result: Result) -> Iterator[tuple[str, Improvement]]:
    """Of the skills in a plugin; where there are none, what would raise the plugin itself."""
    skills = [each for each in result.members if each.kind == "skill" and each.layers]
    for owner in skills or [result]:
        for each in improvements(owner)[:MOST_FIXES]:
            yield owner.path, each


def _slim(result: Result) -> Result:
    layers = tuple(
        layer._replace(sub_scores=tuple(sub._replace(parts=()) for sub in layer.sub_scores))
        for layer in result.layers
    )
    return result._replace(layers=layers, members=tuple(map(_slim, result.members)))


def _digest(tree: Tree, job: Job) -> str:
    """Over skills and agents and where they lie in the plugin, but not over its name and place."""
    if not job.units:
        return ""
    root = f"{job.target.path}/"
    try:
        digests = [(unit.path, unit_digest(tree, unit)) for unit in job.units]
    except ContentError:
        return ""
    inside = sorted((path.removeprefix(root), digest) for path, digest in digests)
    text = "\0".join(f"{path}\0{digest}" for path, digest in inside)
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:DIGEST_LENGTH]


def _listings(tree: Tree, result: Result, plugin: str) -> Iterator[Listing]:
    for skill in result.members or (result,):
        if skill.kind == "skill" and skill.layers:
            yield _listing(tree, skill, plugin)


def _listing(tree: Tree, skill: Result, plugin: str) -> Listing:
    content = read_text(tree, join(skill.path, SKILL_FILE)).content
    front = split_lines(content.removeprefix(BOM))
    texts = [front.text(key).strip() for key in ("description", "when_to_use")]
    manual = front.fields.get("disable-model-invocation")
    hidden = manual is not None and manual.value is True
    return Listing(skill.name, plugin, skill.path, "\n".join(filter(None, texts)), hidden)
