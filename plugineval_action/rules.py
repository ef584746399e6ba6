"""What a rule is, and the rules whose findings are raised where a file is read or measured.

Anti-patterns cost 5 % of the composite each; portability rules lower the harness_portability
sub-score; all others only tell. Every rule has a name and a short code, and goes by either. The
rules that look at what was read are in `findings/`, and so is the catalogue of all.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from plugineval_action import PROJECT_URL
from plugineval_action.results import Level

Family = Literal[
    "anti-pattern",
    "portability",
    "content",
    "front matter",
    "links",
    "scripts",
    "agents",
    "manifests",
    "marketplace",
    "hygiene",
    "integrity",
]


_IMPORTED: Final = re.compile(r"[\w .+-]{1,40}/")


def is_imported(name: str) -> bool:
    """Whether a rule is a scanner's: those are called `tool/rule`, and ours hold no slash."""
    return _IMPORTED.match(name) is not None


class Rule(NamedTuple):
    """What a flag or finding is called, how loud it is, and its remedy in one sentence.

    `id` is its name in every output; `code` stands for it where a person has to type it.
    """

    code: str
    id: str
    family: Family
    level: Level
    title: str
    remedy: str

    @property
    def url(self) -> str:
        """The rule's page."""
        return f"{PROJECT_URL}/blob/main/docs/rules/{self.id}.md"


_CATALOGUE = (
    Rule("AP001", "OVER_CONSTRAINED", "anti-pattern", "warning", "More than 15 MUST, NEVER or ALWAYS",
         "Keep the rules whose breach does harm; say the rest in plain words, with the reason."),
    Rule("AP002", "EMPTY_DESCRIPTION", "anti-pattern", "error", "Description under 20 characters",
         "Say in the description what the skill does and when to use it."),
    Rule("AP003", "MISSING_TRIGGER", "anti-pattern", "warning", "Description does not say when to use the skill",
         'Add a clause such as "Use when …" to the description.'),
    Rule("AP004", "BLOATED_SKILL", "anti-pattern", "warning", "Over 800 lines and no references/",
         "Move detail into files under references/ and link to them."),
    Rule("AP005", "ORPHAN_REFERENCE", "anti-pattern", "warning", "Link into references/ leads to nothing",
         "Create the file, or correct or remove the link."),
    Rule("AP006", "DEAD_CROSS_REF", "anti-pattern", "warning", "Reference to a skill or agent that is not there",
         "Correct the path, or remove the reference."),
    Rule("PO001", "SKILL_OVER_CODEX_CAP", "portability", "warning", "Over 8,192 bytes in one file",
         "Move detail into files that the skill links to, so that less is loaded at once."),
    Rule("PO002", "CLAUDE_TOOL_REFS", "portability", "note", "Tool of one harness named as an instruction",
         "Say what to do (read the file, run the command) instead of which tool does it."),
    Rule("PO003", "CLAUDE_TOOL_PROSE", "portability", "note", '"the … tool" of one harness named in prose',
         "Say what to do instead of which tool does it."),
    Rule("SK001", "BYTE_ORDER_MARK", "content", "warning", "File starts with a byte order mark",
         "Save the file as UTF-8 without BOM: with it some agents see no front matter."),
    Rule("SK002", "UNDECODABLE_BYTES", "content", "warning", "File is not valid UTF-8",
         "Save the file as UTF-8."),
    Rule("SK003", "NUL_BYTES", "content", "warning", "File holds NUL bytes", "Remove them; a text file has none."),
    Rule("SK004", "FRONTMATTER_MISSING", "content", "warning", "No front matter",
         "Start the file with a line ---, then name and description, then a line ---."),
    Rule("SK005", "FRONTMATTER_NOT_FIRST", "content", "warning", "Front matter is not at the top of the file",
         "Remove what stands before the first ---: agents do not see this front matter."),
    Rule("SK006", "FRONTMATTER_UNCLOSED", "content", "error", "Front matter is never closed",
         "Add a line --- after the last field."),
    Rule("SK007", "INVALID_YAML", "content", "error", "Front matter is not valid YAML",
         'Quote the value: one that holds ": " or starts with a special character needs quotes.'),
    Rule("SK008", "FRONTMATTER_NOT_MAPPING", "content", "error", "Front matter is not a list of fields",
         "Write one field a line, such as name: my-skill."),
    Rule("SK009", "NON_STRING_FIELD", "content", "warning", "Field is not text",
         "Quote the value, so that every YAML reader takes it as text."),
    Rule("SK010", "DUPLICATE_KEY", "content", "warning", "Field is given twice",
         "Keep one of the two; the last one counts here, others may take the first."),
    Rule("SK011", "EXPECTED_DIRECTORY", "content", "warning", "A file stands where a folder belongs",
         "Rename the file, or make it a folder."),
    Rule("SK012", "EXPECTED_FILE", "content", "warning", "A folder stands where a file belongs",
         "Rename the folder, or put the file in its place; it is skipped until then."),
    Rule("SK013", "MISNAMED_SKILL_FILE", "content", "warning", "Skill file is not called SKILL.md",
         "Rename it to SKILL.md, in capitals: under another name it is not found everywhere."),
    Rule("SK014", "BROKEN_MANIFEST_PATH", "content", "warning", "Manifest names a path that is not there",
         "Correct the path: it starts with ./ and stays inside the plugin or marketplace."),
    Rule("SK015", "BINARY_REFERENCE", "content", "note", "File in references/ is not text",
         "Save it as UTF-8, or move pictures and data to assets/."),
    Rule("SK016", "UNREADABLE_FILE", "content", "error", "A skill or agent of the plugin cannot be read",
         "Do what the message asks for; until then it counts for nothing in the plugin's score."),
    Rule("SK017", "SYMLINK_REFUSED", "content", "warning", "Symbolic link is not followed",
         "Put the file itself in the place of the link, which may lead out of the repository."),
    Rule("SK018", "INVALID_JSON", "content", "error", "Manifest is not valid JSON",
         "Correct the JSON; until then the plugin is scored by what lies in its folders."),
    Rule("SK019", "WRONG_TYPE", "content", "warning", "Manifest field has the wrong type",
         "Give it a value of the kind that the message asks for; it is ignored until then."),
    Rule("SK020", "TOO_INTRICATE", "content", "warning", "Markdown is too intricate to measure whole",
         "Move what stands from the line that is named on into a file of its own."),
    Rule("SK078", "PRESCREENED", "content", "warning", "Text may be meant for the model that judges",
         "Remove the passage; if it has to stay, --judge-anyway has the skill judged all the same."),
    Rule("SK079", "EXPIRED_WAIVER", "content", "note", "Waiver in the policy has expired",
         "Mend what it was for and remove it, or give it a new day and a reason that still holds."),
)  # fmt: skip

RAISED_IN_PLACE: dict[str, Rule] = {rule.id: rule for rule in _CATALOGUE}
