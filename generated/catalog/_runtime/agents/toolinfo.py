# Copied by mcp-bindgen. Do not edit.
"""The tools of a package, read from its files on first use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .. import limits
from ..errors import FAILURE, ConfigError, UnusableToolError, printable
from ..json_values import members
from ..lazy import read_json

if TYPE_CHECKING:
    from ..client.binding import Binding

__all__ = [
    "NAME_LIMIT",
    "Parameter",
    "ToolInfo",
    "ToolInfos",
    "brief",
    "read_package",
    "select",
    "short_name",
    "strict_verdicts",
]

NAME_LIMIT = limits.TOOL_NAME

ToolT = TypeVar("ToolT", bound=str)
InfoT = TypeVar("InfoT", bound="ToolInfo[Any]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool.

    Attributes:
        name: Its name in Python.
        wire: Its name on the wire.
        type: Its type, as the function's signature has it.
        required: Whether each call must have it.
        description: The server's description of it.
        default: The value that the server takes where a call has none; `MISSING` if
            unknown.
    """

    name: str
    wire: str
    type: str
    required: bool
    description: str
    default: Any


@dataclass(frozen=True, slots=True)
class ToolInfo(Generic[ToolT]):
    """One tool; the texts are the server's, cleaned.

    Attributes:
        tool: The member of `Tool`, which is its name on the wire.
        export_name: Its name for models, which every API takes.
        title: Its name for people.
        description: Its description.
        schema: Its input schema for models: clean texts, a plain object at the root.
        hints: The server's annotations that are set: read_only, destructive ...
        package: The package that it belongs to.
        function: The name of its module and of its function.
        risk: Its risk, as the policy says that the package was generated with; "" else.
        approval: The modes in which a person approves each call, by that policy.
        denied: Whether that policy denies each call; models are not offered the tool.
    """

    tool: ToolT
    export_name: str = field(repr=False)
    title: str
    description: str = field(repr=False)
    schema: Mapping[str, Any] = field(repr=False)
    hints: Mapping[str, bool]
    package: str
    function: str = field(repr=False)
    _parameters: Sequence[Mapping[str, Any]] = field(repr=False)
    risk: str = field(default="", repr=False)
    approval: Sequence[str] = field(default=(), repr=False)
    denied: bool = field(default=False, repr=False)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters, in the server's order."""
        from ..validation.scalars import MISSING

        unknown: dict[str, Any] = {"default": MISSING}
        return tuple(Parameter(**unknown | dict(p)) for p in self._parameters)

    @property
    def read_only(self) -> bool:
        """Whether the server says that the tool changes nothing."""
        return self.hints.get("read_only", False)

    @property
    def destructive(self) -> bool:
        """Whether it may destroy something: true unless the server denies it."""
        return not self.read_only and self.hints.get("destructive", True)

    @property
    def raw(self) -> Mapping[str, Any]:
        """The tool as the server listed it."""
        return _recording(self.package)[1][self.tool]

    @property
    def server(self) -> Mapping[str, Any]:
        """The server's facts about itself: name, version, title ..."""
        return _recording(self.package)[0]

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """The input schema as the server sent it."""
        return members(self.raw["inputSchema"])

    @property
    def output_schema(self) -> Mapping[str, Any] | None:
        """The output schema as the server sent it, if it sent one."""
        return self.raw.get("outputSchema")

    @property
    def annotations(self) -> Mapping[str, Any]:
        """The annotations as the server sent them; claims, not facts."""
        return self.raw.get("annotations") or {}

    @property
    def strict_schema(self) -> Mapping[str, Any] | None:
        """The input schema for OpenAI's strict mode, if that can express it."""
        return strict_verdicts(self.package).get(self.tool, {}).get("parameters")

    def binding(self) -> Binding[Any]:
        """Import the tool's module and return the binding of its function.

        Raises:
            UnusableToolError: The module does not import.
        """
        try:
            module = import_module(f"{self.package}.tools.{self.function}")
        except FAILURE as error:
            raise UnusableToolError(self.tool, error) from error
        binding: Binding[Any] = vars(module)["_TOOL"]
        return binding


class ToolInfos(Mapping[ToolT, InfoT]):
    """The tools of a package, by `Tool` member or wire name; read on first use.

    Args:
        package: Name of the package.
        members: Its `Tool` enum.
    """

    def __init__(self, package: str, members: Iterable[ToolT]) -> None:
        self._package = package
        self._members = members

    @cached_property
    def _infos(self) -> dict[ToolT, InfoT]:
        infos = cast("Mapping[str, InfoT]", read_package(self._package))
        return {member: infos[member] for member in self._members}

    def __repr__(self) -> str:
        """Return their number and their package."""
        return f"<{len(self)} tools of {self._package}>"

    def __getitem__(self, tool: ToolT) -> InfoT:
        return self._infos[tool]

    def __iter__(self) -> Iterator[ToolT]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)


@lru_cache(maxsize=limits.PACKAGES)
def read_package(package: str) -> Mapping[str, ToolInfo[Any]]:
    """Return the tools of a package by wire name."""
    module = import_module(f"{package}.info")
    infos: dict[str, ToolInfo[Any]] = {}
    for name, entry in read_json(package, "info.json").items():
        tool, parameters = module.Tool(name), entry.pop("parameters")
        infos[tool] = module.ToolInfo(
            tool, package=package, _parameters=parameters, **entry
        )
    return infos


@lru_cache(maxsize=limits.RECORDINGS)
def _recording(
    package: str,
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the server and the tools, by wire name, of a package's recording."""
    recording = read_json(package, "recording.json")
    return recording["server"], {tool["name"]: tool for tool in recording["tools"]}


@lru_cache(maxsize=limits.PACKAGES)
def strict_verdicts(package: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the schema of each tool for strict mode, or a reason."""
    try:
        return read_json(package, "openai_strict.json")
    except FileNotFoundError:
        return {}


def select(
    infos: Iterable[InfoT],
    include: str | Iterable[str] | None = None,
    exclude: str | Iterable[str] | None = None,
) -> list[InfoT]:
    """Return the tools that are chosen, in their order.

    Args:
        infos: Tools.
        include: `Tool` members, wire names or globs of them; all if None.
        exclude: The same, for tools to leave out.

    Raises:
        ConfigError: If one of them matches no tool.
    """
    listed = list(infos)
    included = listed if include is None else _matching(listed, include)
    dropped = {info.tool for info in _matching(listed, exclude or ())}
    return [info for info in included if info.tool not in dropped]


def _matching(infos: list[InfoT], globs: str | Iterable[str]) -> list[InfoT]:
    patterns = [globs] if isinstance(globs, str) else list(globs)
    names = {info.tool for info in infos}
    matched: set[str] = set()
    for pattern in map(str, patterns):
        matches = {pattern} & names or {n for n in names if fnmatchcase(n, pattern)}
        if not matches:
            raise ConfigError(
                f"no tool is called {printable(pattern, limits.NAME_TEXT)}",
                hint="take members of Tool, wire names, or globs such as 'get_*'",
            )
        matched |= matches
    return [info for info in infos if info.tool in matched]


def short_name(name: str) -> str:
    """Return a name that every model's API takes: the name itself, if they do."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)
    plain = plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
    if len(plain) <= NAME_LIMIT:
        return plain
    mark = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{plain[: NAME_LIMIT - 7].rstrip('_')}_{mark}"


def brief(text: str, limit: int) -> str:
    """Return a text of at most so many characters, cut where a word ends."""
    if len(text) <= limit:
        return text
    start = text[: limit - 4]
    head, space, _ = start.rpartition(" ")
    return (head if space and len(head) > limit // 2 else start).rstrip() + " ..."
