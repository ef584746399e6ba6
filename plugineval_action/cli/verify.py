"""`plugin-eval verify`: a certificate against the skill that it is about, offline."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from plugineval_action.cli.common import new_parser, path
from plugineval_action.cli.place import Place, locate
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.escape import printable
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import VERSIONS, versioned
from plugineval_action.scoring.bands import shown
from plugineval_action.survey import Target, score_target

NOT_VALID: Final = 1
_LARGEST: Final = 4 << 20


def parser() -> ArgumentParser:
    """The options of `verify`."""
    options = new_parser(
        "verify",
        "Check a certificate against a skill, without asking anybody. Exit 1 unless the skill is "
        "certified by it.",
        "  plugin-eval verify certificates/my-skill.json skills/my-skill",
    )
    options.add_argument("certificate", type=path, metavar="CERT", help="a certificate (JSON)")
    options.add_argument("path", type=path, metavar="PATH", help="the skill")
    return options


def run(args: Namespace) -> int:
    """Check, and say what was found."""
    from plugineval_action.certify.checking import Contents, check
    from plugineval_action.certify.contents import checksums, digest_of, uncovered

    certificate = _read(Path(args.certificate))
    place = locate(args.path)
    unit = _unit(place)
    try:
        digest = digest_of(checksums(place.tree, unit))
    except ContentError as error:
        raise UsageError(error.message, error.remedy) from error
    static = _static(certificate, place, unit)
    contents = Contents(digest, len(unit.files), uncovered(place.tree, unit))
    found = check(certificate, contents, static, datetime.now(UTC))
    for reason in found.reasons:
        sys.stdout.write(f"{found.status}: {printable(reason)}\n")
    if found.status != "valid":
        return NOT_VALID
    predicate = certificate["predicate"]
    sys.stdout.write(f"valid: {_told(predicate)}\n")
    sys.stdout.write(
        "Who issued it is not checked here; gh attestation verify does that for a signed one.\n"
    )
    return 0 if predicate["outcome"] == "certified" else NOT_VALID


def _told(predicate: Mapping[str, Any]) -> str:
    until = str(predicate["expires"])[:10]
    if predicate["outcome"] != "certified":
        reasons = " ".join(map(str, predicate["reasons"]))
        return printable(f"not certified ({predicate['outcome']}). {reasons}")
    score, elo = predicate["score"]["value"], predicate["elo"]["rating"]
    name = printable(predicate["skill"]["name"])
    badge = predicate["badge"]["name"].replace("_", " ")
    unsure = ", underpowered" if predicate["score"]["underpowered"] else ""
    return (
        f"{name} is certified until {until}: {badge}, score {shown(score)}, Elo {elo:.0f}{unsure}."
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            content = opened.read(_LARGEST + 1)
        value = None
        if len(content) <= _LARGEST:
            value = json.loads(content, object_pairs_hook=_once)
    except OSError as error:
        what = f"{str(file)!r} cannot be read ({error.strerror})."
        raise UsageError(what, "Name a certificate that plugin-eval certify wrote.") from error
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        what = f"{str(file)!r} is no JSON object, or larger than {_LARGEST >> 20} MiB."
        raise UsageError(what, "Name a certificate that plugin-eval certify wrote.")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. Raises UsageError for a key that is there twice: readers take either one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise UsageError(
            f"The certificate has {twice!r} twice.",
            "Name a certificate that plugin-eval certify wrote.",
        )
    return found


def _unit(place: Place) -> Unit:
    found = [unit for unit in discover(place.tree, place.path).skills if unit.path == place.path]
    if not found:
        raise UsageError(f"{place.argument!r} is no skill.", "Name the folder of a skill.")
    return found[0]


def _static(certificate: Mapping[str, Any], place: Place, unit: Unit) -> Result | None:
    """The static result under the ruleset that the certificate names, if we have it."""
    predicate = certificate.get("predicate")
    told = predicate.get("ruleset") if isinstance(predicate, dict) else None
    ruleset = next((name for name in VERSIONS if versioned(name) == told), None)
    if ruleset is None:
        return None
    result = score_target(place.tree, Target(unit.path, unit.plugin), ruleset)
    return None if isinstance(result, Failure) else result
