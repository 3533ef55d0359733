# Copied by mcp-bindgen. Do not edit.
"""The resources and prompts of a package, from its files; no request is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..lazy import read_json
from .feature_marks import Marked, marked
from .prompts import PromptInfo
from .resources import ResourceInfo, ResourceTemplateInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["prompt_infos", "resource_infos", "template_infos"]

MemberT = TypeVar("MemberT", bound=str)
InfoT = TypeVar("InfoT", bound=Marked)


class FeatureInfos(Mapping[MemberT, InfoT], Generic[MemberT, InfoT]):
    """The listed resources or prompts of a server; read on first use.

    Args:
        module: Name of the module of the package that defines the members.
        members: The enumeration of the resources, templates or prompts.
        source: A JSON file of the package, and the key of the list in it.
        wire: The key of an entry that holds the value of its member.
        make: Makes the description of an entry.
    """

    def __init__(
        self,
        module: str,
        members: Iterable[MemberT],
        source: tuple[str, str],
        wire: str,
        make: Callable[[Mapping[str, Any]], InfoT],
    ) -> None:
        self._package = module.rpartition(".")[0]
        self._members = members
        self._source = source
        self._wire = wire
        self._make = make

    @cached_property
    def _infos(self) -> dict[MemberT, InfoT]:
        file, key = self._source
        entries = read_json(self._package, file)[key]
        listed = {e[self._wire]: marked(self._make(e), e) for e in entries}
        return {member: listed[str(member)] for member in self._members}

    def __repr__(self) -> str:
        """Return their number and their package."""
        key = self._source[1]  # as "resourceTemplates"
        kind = "".join(f" {c.lower()}" if c.isupper() else c for c in key)
        return f"<{len(self)} {kind} of {self._package}>"

    def __getitem__(self, member: MemberT) -> InfoT:
        return self._infos[member]

    def __iter__(self) -> Iterator[MemberT]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)


def resource_infos(
    module: str, members: Iterable[MemberT]
) -> Mapping[MemberT, ResourceInfo]:
    """Return the resources of a package by member; see `FeatureInfos`."""
    source = ("resources.json", "resources")
    return FeatureInfos(module, members, source, "uri", ResourceInfo.from_wire)


def template_infos(
    module: str, members: Iterable[MemberT]
) -> Mapping[MemberT, ResourceTemplateInfo]:
    """Return the resource templates of a package by member; see `FeatureInfos`."""
    source, make = (
        ("resources.json", "resourceTemplates"),
        ResourceTemplateInfo.from_wire,
    )
    return FeatureInfos(module, members, source, "uriTemplate", make)


def prompt_infos(
    module: str, members: Iterable[MemberT]
) -> Mapping[MemberT, PromptInfo]:
    """Return the prompts of a package by member; see `FeatureInfos`."""
    source = ("prompts.json", "prompts")
    return FeatureInfos(module, members, source, "name", PromptInfo.from_wire)
