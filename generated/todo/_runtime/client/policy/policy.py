# Copied by mcp-bindgen. Do not edit.
"""A policy: a file that a person reviewed, and that each call of a client obeys."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakKeyDictionary

from ... import limits
from ...errors import ConfigError, printable
from ...json_values import elements, members
from ...lazy import read_json
from ..channel import Channel
from .guard import Guard
from .passages import RequestPassage
from .powers import Powers
from .read import parse
from .state import State
from .supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .decide import Decision
    from .entry import Document

__all__ = ["BasePolicy", "schemas_of"]


def schemas_of(tools: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the input schema of each tool, by wire name."""
    return {str(tool.get("name")): members(tool.get("inputSchema")) for tool in tools}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BasePolicy:
    """A policy that clients obey; it never changes.

    Example:
        policy = Policy.load("policies/catalog.toml", mode="NORMAL")
        client = client.with_options(policy=policy)
    """

    _module: ClassVar[str] = ""

    document: Document
    powers: Powers
    _states: WeakKeyDictionary[Any, State] = field(
        default_factory=WeakKeyDictionary[Any, State]
    )

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        mode: str | None = None,
        approve: Callable[..., Any] | None = None,
        principal: str = "",
        audit: Callable[[Mapping[str, Any]], object] | None = None,
        decide: Callable[[str, Mapping[str, Any]], object] | None = None,
        supervisor: Supervisor | None = None,
        approval_seconds: float = limits.APPROVAL_SECONDS,
    ) -> Self:
        """Read a policy file, as `mcp-bindgen policy` writes it.

        Args:
            path: The file, TOML.
            mode: The mode at the start; None for that of the supervisor, or else the
                first of the file.
            approve: Takes an `ApprovalRequest` and answers True, False, `Deny(reason)`,
                `Approval(scope)` or `Replace(arguments)`; it may be async where the
                client is. Without it, calls that need an approval raise
                `ApprovalRequired`.
            principal: On whose behalf calls are made, for rates and the log.
            audit: Takes each record of the audit log, as `AuditLog` does.
            decide: Takes the wire name and the arguments of a call that the file
                allows: True agrees, "approve" asks a person, any other value denies.
            supervisor: The handle that may change the mode, revoke and approve.
            approval_seconds: How long `approve` may take, and an approval counts.

        Raises:
            PolicyFileError: The file has mistakes; all of them are listed.
            ConfigError: The file cannot be read, or has no such mode; or the
                supervisor has another.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise ConfigError(
                f"{printable(path, 200)}: {printable(error.strerror)}",
                hint="write it with mcp-bindgen policy RECORDING -o FILE",
            ) from None
        document = cls._parsed(data, os.fspath(path))
        handle = supervisor or Supervisor()
        handle.attach(document.modes, mode)
        powers = Powers(handle, approve, principal, audit, decide, approval_seconds)
        return cls(document, powers)

    @classmethod
    def _recorded(cls) -> dict[str, Any] | None:
        """Return the recording of the package, None outside of a package."""
        package = cls._module.rpartition(".")[0]
        return members(read_json(package, "recording.json")) if package else None

    @classmethod
    def _schemas(cls) -> dict[str, dict[str, Any]] | None:
        """Return the input schemas of the recorded tools, None outside of a package."""
        recorded = cls._recorded()
        if recorded is None:
            return None
        return schemas_of(map(members, elements(recorded.get("tools"))))

    @classmethod
    def _parsed(cls, data: bytes, file: str) -> Document:
        """Return the policy in a file, checked against the recording."""
        return parse(data, file, cls._schemas())

    @property
    def mode(self) -> str:
        """The mode of the moment."""
        return self.powers.supervisor.mode

    def explain(self, tool: str, arguments: Mapping[str, Any]) -> Decision:
        """Return the decision about a call, without making it."""
        from .decide import decide

        entry = self.document.entry("tools/call", tool)
        return decide(self.document, entry, self.mode, arguments)

    def guard(self, transport: object, server: str) -> Guard:
        """Return the policy with its state on one connection.

        Args:
            transport: The connection; all clients on it share the state.
            server: Scheme and host of the server, or its program.
        """
        try:
            state = self._states.setdefault(transport, State())
        except TypeError:  # a transport that no weak reference leads to
            state = State()
        channel: Any = transport
        if not isinstance(transport, Channel):
            state.known(self.document.server, server)
            return Guard(self.document, self.powers, state, server)
        state.known(self.document.server, server, channel.identity)
        blocking = not iscoroutinefunction(channel.driver.run)
        guard = Guard(self.document, self.powers, state, server, blocking)
        gates = channel.session.gates
        gates.add(guard, RequestPassage)
        gates.compares |= any(entry.reviewed for entry in self.document.tools.values())
        return guard

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.document.tools)} tools, {self.mode})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a policy holds the state of this process: load the file there")
