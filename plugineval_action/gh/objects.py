"""A repository's files, as its session gives them: listings, batches of texts, single blobs."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from plugineval_action.gh import graphql
from plugineval_action.gh.api_tree import Entry, Listing
from plugineval_action.gh.failure import Asked
from plugineval_action.gh.session import Session

READ = "contents: read"


class GitObjects:
    """Where `ApiTree` and `Blobs` get what they show; each call is one request."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def listing(self, tree_id: str, *, recursive: bool) -> Listing:
        """What lies in the directory of a commit or tree, or at any depth below it."""
        asked = Asked(f"list the files of {tree_id}", READ)
        # GitHub takes any value of `recursive` for yes.
        parameters = {"recursive": 1} if recursive else {}
        return self._session.get(asked, f"/git/trees/{tree_id}", _listing, parameters)

    def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Texts by id; what is binary, cut or not there is missing, and bytes may be replaced."""
        asked = Asked(f"read {len(ids)} files", READ)
        query = graphql.blobs_query(len(ids))
        return self._session.query(
            asked, query, graphql.blob_ids(ids), lambda data: graphql.blob_texts(ids, data)
        )

    def content(self, blob_id: str) -> bytes:
        """The exact bytes of a blob."""
        asked = Asked(f"read blob {blob_id}", READ)
        return self._session.get(
            asked, f"/git/blobs/{blob_id}", lambda answer: b64decode(answer["content"])
        )


def _listing(answer: dict[str, Any]) -> Listing:
    entries = [
        Entry(one["path"], one["mode"], one["sha"], one.get("size", 0)) for one in answer["tree"]
    ]
    return Listing(entries, complete=not answer["truncated"])
