"""SARIF in the shapes that well-known tools give it: keys, bases and levels as each writes them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

FOUND = "AKIAJ7Q2ZL4XWV3BNMKD"
"""Made up, and found by nobody but the scanner in these samples."""


def log(*runs: Json) -> Json:
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"} | {
        "runs": list(runs)
    }


def semgrep(path: str, line: int = 3, **more: Any) -> Json:  # noqa: ANN401 - parts of a result
    """Levels stand in the rules, paths below %SRCROOT%, which nothing defines."""
    rule = "python.lang.security.audit.subprocess-shell-true"
    result = {
        "fingerprints": {"matchBasedId/v1": "requires login"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": path, "uriBaseId": "%SRCROOT%"},
                    "region": {
                        "startLine": line,
                        "endLine": line,
                        "startColumn": 1,
                        "endColumn": 9,
                        "snippet": {"text": "run(text, shell=True)"},
                    },
                }
            }
        ],
        "message": {"text": "Found 'subprocess' function 'run' with 'shell=True'."},
        "properties": {},
        "ruleId": rule,
        **more,
    }
    driver = {
        "name": "Semgrep OSS",
        "semanticVersion": "1.90.0",
        "rules": [
            {
                "id": rule,
                "name": rule,
                "defaultConfiguration": {"level": "error"},
                "helpUri": f"https://semgrep.dev/r/{rule}",
                "help": {"text": "Use shell=False."},
                "properties": {"precision": "very-high", "tags": ["CWE-78"]},
            }
        ],
    }
    invocation = {"executionSuccessful": True, "toolExecutionNotifications": []}
    return log({"invocations": [invocation], "results": [result], "tool": {"driver": driver}})


def codeql(path: str, line: int = 2) -> Json:
    """Rules stand in extensions, files in a list, and messages hold links to related places."""
    extension = {
        "name": "codeql/python-queries",
        "rules": [
            {
                "id": "py/command-line-injection",
                "defaultConfiguration": {"enabled": True, "level": "warning"},
                "properties": {"security-severity": "9.8"},
            }
        ],
    }
    result = {
        "rule": {
            "id": "py/command-line-injection",
            "index": 0,
            "toolComponent": {"index": 0},
        },
        "ruleId": "py/command-line-injection",
        "message": {"text": "This command depends on a [user-provided value](1)."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uriBaseId": "%SRCROOT%", "index": 0},
                    "region": {"startLine": line, "startColumn": 5, "endColumn": 20},
                }
            }
        ],
        "relatedLocations": [{"id": 1}],
    }
    return log(
        {
            "tool": {
                "driver": {"name": "CodeQL", "rules": []},
                "extensions": [extension],
            },
            "artifacts": [{"location": {"uri": path, "uriBaseId": "%SRCROOT%", "index": 0}}],
            "results": [result],
            "columnKind": "utf16CodeUnits",
        }
    )


def gitleaks(path: str, line: int = 1) -> Json:
    """No levels and no bases; the snippet is the secret itself."""
    result = {
        "message": {"text": f"aws-access-token has detected secret for file {path}."},
        "ruleId": "aws-access-token",
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": path},
                    "region": {
                        "startLine": line,
                        "endLine": line,
                        "snippet": {"text": FOUND},
                    },
                }
            }
        ],
        "partialFingerprints": {"commitSha": "", "author": "", "date": ""},
        "properties": {"tags": []},
    }
    rules = [{"id": "aws-access-token", "shortDescription": {"text": "An AWS access token."}}]
    return log({"tool": {"driver": {"name": "gitleaks", "rules": rules}}, "results": [result]})


def trivy(path: str, root: str, line: int = 1) -> Json:
    """Places stand below ROOTPATH, which is where it ran; messages have several lines."""
    result = {
        "ruleId": "CVE-2024-3651",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "Package: idna\nInstalled Version: 3.6\nSeverity: HIGH"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": path, "uriBaseId": "ROOTPATH"},
                    "region": {"startLine": line, "startColumn": 1, "endLine": line},
                },
                "message": {"text": f"{path}: idna@3.6"},
            }
        ],
    }
    rules = [{"id": "CVE-2024-3651", "helpUri": "https://avd.aquasec.com/nvd/cve-2024-3651"}]
    return log(
        {
            "tool": {"driver": {"name": "Trivy", "rules": rules}},
            "results": [result],
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {"ROOTPATH": {"uri": f"file://{root}/"}},
        }
    )
