"""Contents of files by git's name of them: asked for in batches, kept within bounds, and checked.

GraphQL gives many texts in one answer, but only texts, and nothing over 512,000 bytes. What it
cannot give exactly, as the name tells, REST gives one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha1
from typing import Final, NamedTuple, Protocol

from plugineval_action.gh.errors import Exhausted, GitHubError

BATCH: Final = 50
"""Most blobs in one query."""

BATCH_BYTES: Final = 1 << 20
"""Most bytes in one query, unless it is for a single blob: GitHub stops slow answers."""

KEPT_BYTES: Final = 1 << 27
"""Most bytes that are kept; the oldest go first, and are asked for again if need be."""

_TEXT_BYTES: Final = 512_000


class Blob(NamedTuple):
    """A file's content as a listing knows it: git's name of the bytes, and how many there are."""

    id: str
    size: int


class BlobSource(Protocol):
    """Where contents come from."""

    def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Texts by id, in one request; some may be missing, or not be the exact bytes."""

    def content(self, blob_id: str) -> bytes:
        """The exact bytes, in one request."""


class Blobs:
    """The contents of one repository; all of its trees share them."""

    def __init__(self, source: BlobSource) -> None:
        self._source = source
        self._kept: dict[str, bytes] = {}
        self._kept_bytes = 0
        self._in_batches = True

    def read(self, blob: Blob) -> bytes:
        """The bytes of a blob, asked for if they are not here. Raises GitHubError."""
        if blob.id not in self._kept:
            self.fetch([blob])
        data = self._kept.get(blob.id)
        if data is None:
            data = self._source.content(blob.id)
            if blob_id(data) != blob.id:
                raise GitHubError(
                    f"GitHub gave other bytes than those of blob {blob.id}.",
                    "Run the job again.",
                )
            self._keep(blob.id, data)
        return data

    def fetch(self, wanted: Iterable[Blob]) -> None:
        """Ask for what is not here yet, in batches; what that cannot give is left to `read`."""
        missing = {blob.id: blob for blob in wanted if blob not in self}
        for batch in _batches(missing.values()):
            if self._in_batches:
                self._fetch(batch)

    def __contains__(self, blob: Blob) -> bool:
        return blob.id in self._kept

    def _fetch(self, batch: Sequence[Blob]) -> None:
        try:
            texts = self._source.texts([blob.id for blob in batch])
        except Exhausted:
            raise
        except GitHubError:
            # One by one takes longer, but does without GraphQL.
            self._in_batches = False
            return
        for name, text in texts.items():
            data = text.encode("utf-8", "replace")
            if blob_id(data) == name:
                self._keep(name, data)

    def _keep(self, name: str, data: bytes) -> None:
        self._kept[name] = data
        self._kept_bytes += len(data)
        while self._kept_bytes > KEPT_BYTES:
            oldest = next(iter(self._kept))
            self._kept_bytes -= len(self._kept.pop(oldest))


def blob_id(data: bytes) -> str:
    """Git's name of some bytes, 40 hex digits."""
    return sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _batches(blobs: Iterable[Blob]) -> Iterator[list[Blob]]:
    """Blobs that may come as text, in batches of at most BATCH and about BATCH_BYTES."""
    batch: list[Blob] = []
    size = 0
    for blob in blobs:
        if blob.size > _TEXT_BYTES:
            continue
        if batch and (len(batch) == BATCH or size + blob.size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(blob)
        size += blob.size
    if batch:
        yield batch
