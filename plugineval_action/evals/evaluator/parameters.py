"""What the configuration files share: model strings, sampling keys, and what really applies."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt

from plugineval_action.inputs.mistakes import problem, quoted

RUNNABLE: Final = "anthropic"
DEFAULT_MODEL: Final = "anthropic:claude-sonnet-5-5"
SAMPLING: Final = ("temperature", "top_p", "seed", "stop_sequences")
"""Keys that the Messages API of 2026-10-21 does not take, or that this program does not send."""


class Model(NamedTuple):
    """`provider:name`, taken apart."""

    provider: str
    name: str

    @property
    def is_runnable(self) -> bool:
        """Whether it can be asked from here."""
        return self.provider == RUNNABLE


def model_of(text: str) -> Model:
    """A model string that was checked."""
    provider, _, name = text.partition(":")
    return Model(provider, name)


def _checked(text: str) -> str:
    provider, _, name = text.partition(":")
    if not (provider.strip() and name.strip()) or text != text.strip():
        raise problem(f"{quoted(text)} is not provider:name.", f"Write it as {DEFAULT_MODEL}.")
    return text


ModelName = Annotated[str, Field(max_length=200), AfterValidator(_checked)]


class Parameters(BaseModel):
    """How a model is asked. What is None is taken from further out.

    TOML has numbers and truth values, so text in quotes is none of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: ModelName | None = None
    temperature: Annotated[float, Field(ge=0, le=2, strict=True)] | None = None
    max_tokens: Annotated[int, Field(gt=0, le=20_000, strict=True)] | None = None
    max_retries: Annotated[int, Field(ge=0, le=20, strict=True)] | None = None
    timeout_seconds: Annotated[float, Field(gt=0, le=3_600, strict=True)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1, strict=True)] | None = None
    seed: StrictInt | None = None
    stop_sequences: tuple[str, ...] | None = None


class Asking(NamedTuple):
    """The parameters of one metric, after everything further out has been asked."""

    model: str
    max_tokens: int
    max_retries: int
    timeout_seconds: float
    requested: tuple[str, ...]
    """Sampling keys that were given, and are not applied."""


def resolved(levels: tuple[Parameters, ...], defaults: Asking) -> Asking:
    """The first level that says something counts, key by key."""

    def first(key: str) -> object:
        return next((value for one in levels if (value := getattr(one, key)) is not None), None)

    requested = tuple(key for key in SAMPLING if first(key) is not None)
    given = {key: first(key) for key in Asking._fields if key != "requested"}
    kept = {key: value for key, value in given.items() if value is not None}
    return defaults._replace(**kept)._replace(requested=requested)  # type: ignore[arg-type] # as in Parameters


def notes(asking: Asking, place: str) -> Iterator[str]:
    """What the reader of a configuration has to know about how it is applied."""
    if asking.requested:
        keys = ", ".join(asking.requested)
        yield f"{place}: {keys} requested, not applied: no model takes it from here."
    model = model_of(asking.model)
    if not model.is_runnable:
        meant = get_close_matches(model.provider.lower(), [RUNNABLE])
        hint = f" Did you mean {RUNNABLE}:{model.name}?" if meant else ""
        told = f"{asking.model} is valid, but cannot be run here; only {RUNNABLE} can."
        yield f"{place}: {told}{hint}"
