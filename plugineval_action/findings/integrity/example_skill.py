"""An honest skill, as the good example of every sign."""

from __future__ import annotations

from typing import Final

from plugineval_action.findings.check import Files, skill

BODY: Final = """# Release notes

## Collect

Run `git log --merges` from the last tag, and note for each pull request what a user will see.

## Write

Put what breaks first, then what is new, then fixes. One sentence each, in the present tense.

```markdown
- `notes --since` takes a tag. Before, it took a date only.
```
"""

GOOD: Final[Files] = skill(body=BODY)


def filled(*sections: tuple[str, str]) -> Files:
    """An example with other sections."""
    return skill(
        body="# Release notes\n\n" + "\n\n".join(f"## {a}\n\n{b}" for a, b in sections) + "\n"
    )
