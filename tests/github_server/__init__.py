"""A GitHub on the loopback interface: real HTTP, real object ids, state, faults on demand.

It speaks REST and the few GraphQL operations that the action needs. Every request and every reply
is checked against GitHub's own OpenAPI description (`tests/openapi/`), every GraphQL query against
the schema in `schema.graphql`; what breaks them is kept in `server.violations`, and leaving the
`with` block raises AssertionError if there is any.

    from github_server import Executable, GitHubServer, Link, Submodule, zipped

    with GitHubServer() as server:              # GitHubServer(enterprise=True): REST below /api/v3
        repository = server.repository("octo-org/skills")       # made once, then found again
        base = repository.commit({"a/SKILL.md": "text", "b": Link("a")}, branch="main")
        fork = server.repository("fork-owner/skills", fork_of=repository)
        fork.commit({"a/SKILL.md": "new"}, parents=[base], branch="patch-1")
        pull = repository.pull_request("patch-1", head_repository=fork, author="fork-owner")
        pull.comment("hello", author="someone", minimised=True)
        ...  # the code under test
        assert [] == server.calls("POST", "/comments$")

Where to connect
    `server.url`            GITHUB_API_URL, e.g. http://127.0.0.1:41234 or …/api/v3
    `server.graphql_url`    GITHUB_GRAPHQL_URL, …/graphql or …/api/graphql
    `server.html_url`       GITHUB_SERVER_URL, http://127.0.0.1:41234
    PyGithub: `Github(base_url=server.url, auth=Auth.Token(server.write_token), retry=None,
    seconds_between_requests=0, seconds_between_writes=0)`

Tokens
    `server.write_token`    the workflow's token with every permission; posts as github-actions[bot]
    `server.read_token`     the same, read only, as on pull requests from forks: writing is 403
    `server.pat`            a person's token: no check runs; its login is "maintainer"
    `server.add_token("text", pull_requests="write", checks="read")`  the workflow's token with just
        these; `contents`, `issues`, `pull_requests`, `checks`, `actions` are "read" | "write".
        Reading a public repository needs no permission, downloading an artifact needs `actions`.
    Any other token, or none, is 401.

Repositories: `server.repository(name, *, private=False, fork_of=None) -> Repository`
    `.commit(files, *, parents=None, branch=None, message="change", author="maintainer") -> sha`:
        files are the whole content: `{path: str | bytes | Link | Executable | Submodule}`; a branch
        that is named moves there; without `parents` the commit follows the tip of that branch,
        or of the default branch if it is new; `parents=()` makes a root commit
    `.files(revision) -> dict`      the same, back: `.commit({**repository.files(sha), …})`
    `.import_git(path)`             every commit and branch of a real local repository
    `.branches: dict[name, sha]`    change it as you like; `.default_branch` is "main"
    `.protected[branch] = "classic" | "ruleset"`    which pushes by API are refused
    `.signed: set[sha]`             commits that GitHub has signed
    `.may_propose: bool`            whether the workflow's token may open pull requests
    `.truncate_after: int | None`   recursive tree listings end after so many entries
    `.pull_request(head, *, base="main", head_repository=None, author="contributor",
        association="CONTRIBUTOR", labels=(), state="open", title="A change", draft=False)`
        -> PullRequest with `number`, `head_sha` (follows its branch while open), `base_sha`,
        `state`, `labels`, `merge_commit_sha`, `comments`, `close()`, `payload()` and
        `comment(body, *, author="someone", minimised=False)`
    `.pull_requests: dict[number, PullRequest]`
    `.issue(title, *, body="", author="someone") -> Issue` with `number`, `title`, `body`, `state`,
        `state_reason` and `edits`; `.issues: dict[number, Issue]`
    `.check_runs: list[CheckRun]`   with `name`, `head_sha`, `status`, `conclusion`, `details_url`,
        `title`, `summary`, `text`, `annotations` (as they came, in order), `html_url`
    `.workflow_run(*, head_sha, head_branch, head_repository=None, event="pull_request")`
        -> WorkflowRun with `id` and `artifact(name, zip_bytes, *, expired=False,
        size_in_bytes=None)`; `zipped({"result.json": b"{}"})` makes the bytes
    A Comment has `id`, `node_id`, `body`, `author`, `minimised`, `html_url` and `edits` (the older
    bodies); `pull.payload()`, `repository.payload()`, `run.payload()` are the objects that REST
    sends, fit for event files.

What came in
    `server.requests: list[Request]`    (method, path, query, body, status, token), in order; a
        GraphQL request has the path "/graphql/<operation name>", the download of an artifact,
        which comes from another port, "/storage/<artifact id>.zip"; links to further pages have
        the repository's number, but paths are given by name; status 0 if no whole reply was sent
    `server.calls(method="*", path="")` those of a method whose path matches a regular expression
    `server.violations: list[str]`      `GitHubServer(check=False)` does not raise for them

Faults: `server.fault(method, path, kind, *, times=1, after=0, seconds=1)`
    The next `times` requests of a method ("*": any) whose path matches the regular expression go
    wrong, but the first `after` of them do not. Paths are without the base path (/api/v3), as they
    stand in `server.requests`. Kinds, without an effect on the state unless said otherwise:
    "401", "404", "409", "413", "422", "429", "500", "502"
    "502-after"         the state changes, the reply is lost
    "403-integration"   Resource not accessible by integration
    "403-rate-limit"    the hour's requests are used up, until `seconds` from now
    "403-secondary"     secondary limit with `Retry-After: seconds`
    "403-abuse"         the secondary limit's message without that header
    "slow"              the reply comes `seconds` late; the state changes
    "hang"              no reply until the client or the server goes away
    "cut"               the connection is closed in the middle of the reply; the state changes
    "invalid-json"      a 200 of half an object; the state changes
    "graphql-rate-limit", "graphql-error"   HTTP 200 with `errors` of type RATE_LIMITED, or untyped
    `server.when(method, path, action, *, after=0)` calls `action()` once, just before such a
    request is answered: for what others do at the same time.
    `server.when(method, path, action)` calls `action()` once, just before such a request is
    answered: for what others do at the same time.
    `server.alter(method, path, change)` answers all such requests with `change(reply)`: for replies
        that GitHub's description does not allow.

What is not imitated: time (it moves on by a second whenever it is needed, and by
`repository.world.skip(days)`), limits of rate and of
time unless a fault asks for them, media types other than JSON and raw blobs, ETags, tags,
reviews, users and organisations, the scope of a token to one repository, and that of permissions
to what the description names. `protected` answers to a ruleset with the type UNPROCESSABLE.
To keep another operation, see `tests/openapi/README.md`, then add its route to `routes.py`.
"""

from __future__ import annotations

from github_server.exchange import Request
from github_server.faults import Kind
from github_server.objects import Executable, Submodule
from github_server.repository import Repository
from github_server.server import GitHubServer
from github_server.state import Artifact, CheckRun, Comment, Issue, PullRequest, WorkflowRun, zipped
from memory_tree import Link

__all__ = [
    "Artifact",
    "CheckRun",
    "Comment",
    "Executable",
    "GitHubServer",
    "Issue",
    "Kind",
    "Link",
    "PullRequest",
    "Repository",
    "Request",
    "Submodule",
    "WorkflowRun",
    "zipped",
]
