"""How every run ends, whatever came of it: outputs and job summary, which need no rights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from plugineval_action.action.outputs import write_outputs
from plugineval_action.action.run import TITLE, tell
from plugineval_action.action.summary import write_summary
from plugineval_action.escape import markdown


def end(
    output: str | None,
    summary: str | None,
    values: Mapping[str, str],
    said: Iterable[str],
    *,
    done: bool = True,
) -> None:
    """Set the outputs and say in sentences of foreign text why there is nothing else to show."""
    told = "".join(f"{markdown(sentence)}\n\n" for sentence in said)
    heading = f"{TITLE}: nothing to do" if done else f"{TITLE}: not done"
    end_with(output, summary, values, f"### {heading}\n\n{told}")


def end_with(output: str | None, summary: str | None, values: Mapping[str, str], text: str) -> None:
    """Set the outputs and add Markdown to the summary; a file that cannot be written is told."""
    problems = [write_summary(Path(summary), text)] if summary else []
    if output:
        try:
            write_outputs(Path(output), values)
        except OSError as error:
            problems.append(f"The outputs could not be written ({error.strerror}).")
    tell("warning", filter(None, problems))
