"""The tool that the words of `mcp-bindgen call` name, and its server."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mcp_bindgen.cli.jobs import servers_of
from mcp_bindgen.cli.reach import SECONDS, is_url, servers, source_of
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.recording.source import Source

__all__ = ["Target", "policy_of", "target_of"]


class Target(NamedTuple):
    """A tool of a server.

    Attributes:
        server: The name of the server, for messages.
        prefix: The beginning of a call to copy.
        source: The way to the server.
        tool: The tool.
        words: The words of the arguments.
        suffix: The end of a call to copy.
        recorded: The tools of the recording, None without a recording.
        seconds: The time for the call.
        era: The era of the protocol, or "".
        policy: The policy file that the call obeys, None for none.
    """

    server: str
    prefix: str
    source: Source
    tool: str
    words: Sequence[str]
    suffix: str = ""
    recorded: Sequence[Mapping[str, Any]] | None = None
    seconds: float = SECONDS
    era: str = ""
    policy: Path | None = None


def target_of(words: Sequence[str], command: Sequence[str]) -> Target:
    """Return the tool that the words name.

    Raises:
        BindgenError: The settings have no such server.
        UsageError: A word is missing.
    """
    from mcp_bindgen.recording.source import Source

    if command:
        source = Source(command=command)
        suffix = f" -- {shlex.join(command)}"
        prefix = "mcp-bindgen call"
        policy = policy_of(source)
        return Target(
            "the server",
            prefix,
            source,
            tool=words[0],
            words=words[1:],
            suffix=suffix,
            policy=policy,
        )
    if is_url(words[0]):
        tool = _second(words)
        prefix = f"mcp-bindgen call {shlex.quote(words[0])}"
        source = Source(words[0])
        policy = policy_of(source)
        return Target(words[0], prefix, source, tool, words[2:], policy=policy)
    name, tool, rest = _named(words)
    (server,) = servers([name])
    if not server.url and not server.command:
        hint = f"add a url or a command to [tool.mcp-bindgen.servers.{name}]"
        raise BindgenError(Problem("", f"{name} has no url and no command", hint))
    return Target(
        name,
        f"mcp-bindgen call {shlex.quote(name)}",
        source_of(server),
        tool,
        rest,
        recorded=_recorded(server.recording),
        seconds=server.timeout or SECONDS,
        era=server.era,
        policy=server.policy,
    )


def _named(words: Sequence[str]) -> tuple[str, str, Sequence[str]]:
    """Return the server, the tool and the other words of NAME TOOL or NAME.TOOL."""
    known = servers_of(Path.cwd())
    dotted = [name for name in known if words[0].startswith(f"{name}.")]
    if words[0] not in known and dotted:
        name = max(dotted, key=len)
        return name, words[0][len(name) + 1 :], words[1:]
    if words[0] not in known:
        servers([words[0]])  # refuses it
    return words[0], _second(words), words[2:]


def policy_of(source: Source) -> Path | None:
    """Return the policy that the settings have for a URL or a program, None for none.

    Raises:
        BindgenError: The settings are wrong, or have several policies for it: nobody
            knows which one counts.
    """
    from mcp_bindgen.cli.same_server import same_as

    listed = servers_of(Path.cwd()).values()
    same = same_as(source, (server for server in listed if server.policy))
    policies = {server.policy.resolve(): server for server in same if server.policy}
    if len(policies) > 1:
        names = ", ".join(server.key for server in policies.values())
        wrong = (
            f"expected one policy for the server, the settings have several: {names}"
        )
        hint = f"name the server: mcp-bindgen call {shlex.quote(same[0].key)} TOOL"
        raise BindgenError(Problem("", wrong, hint))
    return same[0].policy if same else None


def _second(words: Sequence[str]) -> str:
    if len(words) == 1:
        raise click.UsageError("expected the name of a tool after the server")
    return words[1]


def _recorded(file: Path) -> Sequence[Mapping[str, Any]] | None:
    from mcp_bindgen.recording.document import load

    with suppress(OSError, BindgenError):
        recording, _ = load(file.read_bytes())
        return recording.tools
    return None
