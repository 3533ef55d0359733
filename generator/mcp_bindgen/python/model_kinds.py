"""The kinds of models of `--target models`, and the user's settings for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.python.allowlist import Allowlist

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KINDS", "MODELS", "WITH_ALIASES", "ModelSettings"]

KINDS: Mapping[str, str] = {
    "typeddict": "typing.TypedDict",
    "dataclass": "dataclasses.dataclass",
    "msgspec": "msgspec.Struct",
    "pydantic": "pydantic_v2.BaseModel",
}
"""Our name of a kind to that of datamodel-code-generator, the default first."""

WITH_ALIASES: Mapping[str, frozenset[str]] = {
    "msgspec": frozenset(),
    "pydantic": frozenset({"dataclass", "field"}),
}
"""Kinds whose fields may have another name than on the wire, and names that only other
kinds need."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What models are made.

    Example: `ModelSettings("pydantic", (("base_class", "app.base.Base"),))`.

    Attributes:
        kind: One of `KINDS`.
        options: Name and value of each option of datamodel-code-generator that the
            project sets, sorted; lists are tuples.
    """

    kind: str = "typeddict"
    options: tuple[tuple[str, object], ...] = ()

    def allowlist(self) -> Allowlist:
        """Return the names that the user's own base class adds to the allowlist."""
        base = str(dict(self.options).get("base_class", ""))
        module, _, name = base.rpartition(".")
        if not module:
            return Allowlist()
        return Allowlist({module: frozenset({name})}, {}, frozenset({name}))


MODELS = ModelSettings()
