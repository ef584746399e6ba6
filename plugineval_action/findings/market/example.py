"""Small repositories with several skills, as examples."""

from __future__ import annotations

from plugineval_action.findings.check import Files


def skills(*named: tuple[str, str], bodies: tuple[str, ...] = ()) -> Files:
    """A skill for each name and description, in folders that are called a, b and so on."""
    texts = [*bodies, *[""] * len(named)]
    return {
        f"skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: {text} Use when asked.\n---\n"
        f"\n# {name}\n{body}"
        for (name, text), body in zip(named, texts, strict=False)
    }
