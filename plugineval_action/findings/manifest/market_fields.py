"""PL011: a marketplace without the fields that are required."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.manifest.fields import market
from plugineval_action.findings.subject import Market

ENTRY = '{"name": "p", "source": "./plugins/p"}'


def find(subject: Market) -> Iterator[Hit]:
    """The name, and an owner with a name."""
    fields, manifest = subject.manifest.fields, subject.manifest
    if not fields.get("name"):
        yield Hit(manifest.line("name"), "The marketplace has no name.")
    owner = fields.get("owner")
    if not isinstance(owner, dict):
        yield Hit(
            manifest.line("owner"), 'The marketplace has no owner, such as {"name": "Our team"}.'
        )
    elif not owner.get("name"):
        yield Hit(manifest.line("owner"), "The owner of the marketplace has no name.")


CHECK = Check(
    code="PL011",
    id="MARKET_FIELDS",
    family="manifests",
    level="error",
    title="Marketplace lacks a required field",
    why="Without name and owner the marketplace cannot be added.",
    source="https://code.claude.com/docs/en/plugin-marketplaces",
    remedy='Add it: "name": "our-plugins", "owner": {"name": "Our team"}.',
    bad=market(ENTRY, '"name": "our-plugins"'),
    good=market(ENTRY),
    find=find,
    profiles=("claude-code",),
)
