"""PL012: a marketplace under a name that is kept for others."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import clean, shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import KEBAB, market
from plugineval_action.findings.manifest.market_fields import ENTRY
from plugineval_action.findings.subject import Market

RESERVED = frozenset(
    {
        "agent-skills", "anthropic-agent-skills", "anthropic-marketplace", "anthropic-plugins",
        "claude-code-marketplace", "claude-code-plugins", "claude-community",
        "claude-for-financial-services", "claude-for-legal", "claude-plugins-community",
        "claude-plugins-official", "financial-services-plugins", "first-party-plugins",
        "healthcare", "knowledge-work-plugins", "life-sciences",
    }
)  # fmt: skip


def find(subject: Market) -> Iterator[Hit]:
    """A reserved name, unless Anthropic is the owner; and one that no command could name."""
    name, owner = subject.manifest.fields.get("name"), subject.manifest.fields.get("owner")
    if not isinstance(name, str) or not name:
        return
    line = subject.manifest.line("name")
    theirs = isinstance(owner, dict) and "anthropic" in str(owner.get("name")).lower()
    if name in RESERVED and not theirs:
        yield Hit(line, f"The name {name!r} is reserved for Anthropic's own marketplaces.")
    elif not KEBAB.fullmatch(name):
        text = shown(clean(name), 40)
        yield Hit(line, f"The name {text!r} is not small letters, digits and hyphens.")


CHECK = Check(
    code="PL012",
    id="MARKET_NAME",
    family="manifests",
    level="error",
    title="Marketplace has a name that cannot be used",
    why="Claude Code refuses to add a marketplace under a reserved name.",
    source="https://code.claude.com/docs/en/plugin-marketplaces",
    remedy="Choose another name, in small letters, digits and hyphens.",
    bad=market(ENTRY, '"name": "agent-skills",\n  "owner": {"name": "Us"}'),
    good=market(ENTRY),
    find=find,
    profiles=("claude-code",),
)
