"""The certificate of a skill, as an in-toto statement. Pure.

The statement's subject is the skill, by the digest of all its files; the predicate is what was
found out, so that GitHub's artifact attestation can sign it as it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from plugineval_action import PROJECT_URL
from plugineval_action.certify.predicate import Data, Terms, predicate_of
from plugineval_action.certify.run import Measured

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = f"{PROJECT_URL}/blob/main/docs/certificates.md#v1"
VALID_DAYS: Final = 90
"""Models change: what one of them said holds for a quarter of a year, unless told otherwise."""

LONGEST_DAYS: Final = 365
"""The most that may be told: a promise about models that lasts for years is none."""

_LONGEST: Final = 4096
"""Characters of a text, as in the schema."""


def statement(measured: Measured, terms: Terms) -> Data:
    """The certificate, with the checksum of everything else in it."""
    entry = measured.subject.entry
    whole: Data = {
        "_type": STATEMENT,
        "subject": [{"name": entry.path or entry.name, "digest": {"sha256": entry.digest}}],
        "predicateType": PREDICATE,
        "predicate": predicate_of(measured, terms),
    }
    told: Data = _plain(whole)
    told["predicate"]["checksum"] = checksum(told)
    return told


def _plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Data as it will be read again: no lone surrogate, no text without an end, no named tuple."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()[:_LONGEST]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def checksum(certificate: Mapping[str, Any]) -> str:
    """SHA-256 of a certificate without its checksum, as JSON with sorted keys and no spaces.

    It finds a slip of the hand. Whoever forges a certificate can compute it, too: who issued one
    is what the attestation proves.
    """
    predicate = {key: one for key, one in certificate["predicate"].items() if key != "checksum"}
    plain = {**certificate, "predicate": predicate}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
