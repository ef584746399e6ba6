"""Every rule there is: those raised in place, and those of the folders beside this file."""

from __future__ import annotations

from typing import Final

from plugineval_action.findings.agent import ignored_field, missing_field, skill_field
from plugineval_action.findings.check import Check
from plugineval_action.findings.integrity import (
    counted_links,
    empty_examples,
    empty_sections,
    filler_text,
    hidden_text,
    nothing_to_do,
    off_topic,
    one_mould,
    repeated_text,
    stuffed_description,
    word_salad,
)
from plugineval_action.findings.manifest import (
    drift,
    entry_name,
    entry_source,
    field_name,
    manifest_name,
    manifest_paths,
    manifest_types,
    manifest_version,
    market_fields,
    market_name,
    unknown_manifest_field,
)
from plugineval_action.findings.market import (
    copied_text,
    duplicate_name,
    listing_budget,
    near_name,
    trigger_collision,
)
from plugineval_action.findings.skill import (
    agent_field,
    agent_without_fork,
    broad_tools,
    broken_anchor,
    broken_link,
    code_syntax,
    comment_cut,
    comment_orders,
    compatibility_limit,
    data_syntax,
    description_limit,
    destructive,
    empty_link,
    hidden_unicode,
    home_path,
    judge_address,
    link_case,
    listing_cut,
    missing_script,
    misspelt_field,
    mistyped_field,
    name_not_directory,
    name_rules,
    nobody_starts,
    not_executable,
    number_trap,
    outside_plugin,
    pipe_to_shell,
    reference_link,
    refused_elsewhere,
    reserved_name,
    script_syntax,
    secret,
    shebang,
    shell_syntax,
    tools_syntax,
    tracking_image,
    unclosed_fence,
    unknown_field,
    unlinked_reference,
    upload_size,
)
from plugineval_action.rules import RAISED_IN_PLACE, Rule


def _by_code(*modules: object) -> tuple[Check, ...]:
    checks: list[Check] = [vars(module)["CHECK"] for module in modules]
    return tuple(sorted(checks, key=lambda check: check.code))


SKILL_CHECKS: Final = _by_code(
    agent_field,
    agent_without_fork,
    broad_tools,
    broken_anchor,
    broken_link,
    code_syntax,
    comment_cut,
    comment_orders,
    compatibility_limit,
    data_syntax,
    description_limit,
    destructive,
    empty_link,
    hidden_unicode,
    home_path,
    judge_address,
    link_case,
    listing_cut,
    misspelt_field,
    missing_script,
    mistyped_field,
    name_not_directory,
    name_rules,
    nobody_starts,
    not_executable,
    number_trap,
    outside_plugin,
    pipe_to_shell,
    reference_link,
    refused_elsewhere,
    reserved_name,
    script_syntax,
    secret,
    shebang,
    shell_syntax,
    tools_syntax,
    tracking_image,
    unclosed_fence,
    unknown_field,
    unlinked_reference,
    upload_size,
    counted_links,
    empty_examples,
    empty_sections,
    filler_text,
    hidden_text,
    nothing_to_do,
    off_topic,
    one_mould,
    repeated_text,
    stuffed_description,
    word_salad,
)
AGENT_CHECKS: Final = _by_code(ignored_field, missing_field, skill_field)
PLUGIN_CHECKS: Final = _by_code(
    field_name,
    manifest_name,
    manifest_paths,
    manifest_types,
    manifest_version,
    unknown_manifest_field,
)
MARKET_CHECKS: Final = _by_code(drift, entry_name, entry_source, market_fields, market_name)
SHELF_CHECKS: Final = _by_code(
    copied_text, duplicate_name, listing_budget, near_name, trigger_collision
)

_FAMILIES: Final = (
    "front matter",
    "links",
    "scripts",
    "hygiene",
    "integrity",
    "agents",
    "manifests",
    "marketplace",
)

CHECKS: Final = tuple(
    sorted(
        (*SKILL_CHECKS, *AGENT_CHECKS, *PLUGIN_CHECKS, *MARKET_CHECKS, *SHELF_CHECKS),
        key=lambda check: (_FAMILIES.index(check.family), check.code),
    )
)

RULES: Final[dict[str, Rule]] = RAISED_IN_PLACE | {check.id: check.rule for check in CHECKS}
"""Every rule by its name, in the order in which they are listed."""

WITHHOLDING: Final = frozenset(check.id for check in CHECKS if check.withholds)
"""The rules whose findings withhold the badge."""


def rule_named(name: str) -> Rule | None:
    """The rule of a name or a code, in any case."""
    wanted = name.upper().replace("-", "_")
    known = RULES.get(wanted)
    return known or next((rule for rule in RULES.values() if rule.code == wanted), None)
