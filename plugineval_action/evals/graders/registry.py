"""Every type of check, by the name it has in a checks file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from plugineval_action.evals.graders.activation import Activation
from plugineval_action.evals.graders.base import Check
from plugineval_action.evals.graders.build import Build
from plugineval_action.evals.graders.command_not_run import CommandNotRun
from plugineval_action.evals.graders.command_order import CommandOrder
from plugineval_action.evals.graders.command_ran import CommandRan
from plugineval_action.evals.graders.files import FileAbsent, FileExists, FileJson, FileMatches
from plugineval_action.evals.graders.final_message import FinalMessage
from plugineval_action.evals.graders.limits import MaxCommands, MaxTokens
from plugineval_action.evals.graders.no_escalation import NoEscalation
from plugineval_action.evals.graders.no_thrash import NoThrash
from plugineval_action.evals.graders.smoke import Smoke
from plugineval_action.evals.graders.workspace_clean import WorkspaceClean

CHECKS: Final[Mapping[str, type[Check]]] = {
    "activation": Activation,
    "build": Build,
    "command_not_run": CommandNotRun,
    "command_order": CommandOrder,
    "command_ran": CommandRan,
    "file_absent": FileAbsent,
    "file_exists": FileExists,
    "file_json": FileJson,
    "file_matches": FileMatches,
    "final_message": FinalMessage,
    "max_commands": MaxCommands,
    "max_tokens": MaxTokens,
    "no_escalation": NoEscalation,
    "no_thrash": NoThrash,
    "smoke": Smoke,
    "workspace_clean": WorkspaceClean,
}
