"""Texts made to hurt: each is about one size, and each aims at one place that could be slow or
could break."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

_PIECES: Final[Mapping[str, str]] = {
    "opening brackets": "[",
    "links": "[a](",
    "links into references": "![a](./references/%2e%2e/a b#c) [a](references/é) ",
    "links to skills": "[a](../b/SKILL.md) ",
    "nested quotes": "> ",
    "emphasis": "*a_ ",
    "back-ticks": "` `` ``` ",
    "fences": "```\n~~~\n",
    "list markers": "- 1. ",
    "table cells": "|a",
    "html comments": "<!-- ",
    "html comments that end": "<!-- <a href=x> -->\n",
    "html tags": "<a href=x ",
    "html quotes": "<a href=' href=\" ",
    "html lines": "<p>\n<img\nsrc='references/x'>\n\n",
    "spaces": " ",
    "blank lines": "\n",
    "one long word": "a",
    "reference openings": "(references/",
    "reference links": "[x](references/",
    "empty references": "(references/)",
    "skill paths": "skills/a/",
    "skill words": "skills/ ",
    "skill paths alone": "`skills/a` ",
    "absolute paths": "/skills/",
    "home paths": "~/skills/a ",
    "hosts": "a.b.skills/c/",
    "parents": "../skills/",
    "qualified names": "a:b-",
    "names that exist": "own:s ",
    "hyphens and colons": "a-:",
    "output and format": "output form ",
    "returns": "return ",
    "json": "json",
    "use when": "use use ",
    "directives": "MUST NEVER ",
    "the tool": "the `Read` ",
    "tools alone": "`Read` tool ",
    "the tool in prose": "the Read\n\t tool ",
    "the spaces": "the \t",
    "coordinates": "coordinates ",
    "entities": "&amp;&#x41;",
    "definitions": "[a]: <b\n",
    "setext": "a\n=\n",
    "right to left": "\u202e\u200b",
    "not text": "\ufffd\0",
}


@cache
def hostile_bodies(size: int) -> dict[str, str]:
    """Bodies of about `size` characters, by what they are made of."""
    return {name: piece * (size // len(piece)) for name, piece in _PIECES.items()}


@cache
def hostile_front_matters(size: int) -> dict[str, str]:
    """Front matter of about `size` characters, by what it is made of."""
    many = size // 8
    return {
        "anchors": "".join(f"k{at}: &a{at} x\n" for at in range(many // 2)),
        "aliases": "a: &a text\nb: [" + "*a, " * (size // 4) + "]\n",
        "aliased description": f"a: &a {'x' * 1000}\ndescription: [" + "*a, " * (size // 4) + "]\n",
        "laughs": "a0: &a0 [x, x]\n"
        + "".join(f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]\n" for at in range(1, 40))
        + "description: *a39\n",
        "merges": "a0: &a0 {x: 1}\n"
        + "".join(f"a{at}: &a{at} {{<<: [*a{at - 1}, *a{at - 1}]}}\n" for at in range(1, 25))
        + "<<: *a24\n",
        "deep lists": "description: " + "[" * size,
        "deep maps": "".join(" " * at + "a:\n" for at in range(1200)),
        "a long number": "name: " + "9" * size + "\n",
        "a wrong date": "name: 2024-13-45\n",
        "an unknown tag": "name: !!python/object/apply:os.system [true]\n",
        "merged mappings": "a: &a {"
        + ", ".join(f"{at:x}: 1" for at in range(size // 20))
        + "}\n"
        + "".join(f"b{at}: {{<<: *a}}\n" for at in range(size // 30)),
        "sixties": "name: 1" + ":1" * (size // 2) + "\n",
        "a list of itself": "name: &a [*a]\n",
        "broken scalars": "name: !!bool x\ndescription: !!int ''\nmodel: !!timestamp x\n",
        "complex keys": "? [a, b]\n: c\n",
        "tabs": "name:\tx\n\tdescription: y\n",
        "keys twice": "name: a\n" * many,
        "commas": "description: '" + "," * size + "'\n",
        "when when": "description: " + "when " * (size // 5) + "\n",
        "do not use": "description: " + "do not use when " * (size // 16) + "\n",
        "spaces in a phrase": f'description: "verwende{" " * size}. wenn é"\n',
        "spaces after a phrase": f'description: "जब उपयोगकर्ता{" " * size}. é"\n',
        "for words": "description: for " + "a" * size + "\n",
    }
