"""Errors a person can act on.

PluginEvalError        anything we expected to go wrong: message, what to do
├── UsageError         the command line or a setting is wrong
├── ContentError       a file cannot be read or scored; names the path
├── GitError           git refused, or is not there
└── HistoryError       what earlier runs wrote cannot be read; names the line
"""

from __future__ import annotations


class PluginEvalError(Exception):
    """What happened and where (`message`), and what to do about it (`remedy`)."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}"


class UsageError(PluginEvalError):
    """The command line or a setting is wrong."""


class ContentError(PluginEvalError):
    """A file that belongs to a skill, agent or plugin cannot be read or scored."""

    def __init__(self, path: str, message: str, remedy: str) -> None:
        super().__init__(message, remedy)
        self.path = path


class GitError(PluginEvalError):
    """git refused, or is not installed."""


class HistoryError(PluginEvalError):
    """The history of a report, or a part of a report, is not what an earlier run has written."""
