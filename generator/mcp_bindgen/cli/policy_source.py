"""Finds a policy file, and the recording that it is for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcp_bindgen.cli.config import find
from mcp_bindgen.cli.jobs import in_file, servers_of, shortest
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.policy_file import parsed
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.recording.document import Recording

__all__ = [
    "Source",
    "policy_path",
    "read_text",
    "recorded_for",
    "recording_of",
    "source_of",
    "tools_beside",
]


class Source(NamedTuple):
    """A recording, and the server that it was made from.

    Attributes:
        file: The recording.
        name: The name of the server, for the policy file.
        url: Its address as the settings have it, or "".
        command: Its program and arguments, or ().
    """

    file: Path
    name: str
    url: str = ""
    command: Sequence[str] = ()

    @property
    def policy(self) -> Path:
        """The file that the policy has by default."""
        return Path("policies") / f"{self.name}.toml"

    def facts(self, policy: Path) -> dict[str, str | Sequence[str]]:
        """Return the keys of `[server]` in a policy file.

        Args:
            policy: The policy file; the path of the recording is relative to it.
        """
        folder = policy.absolute().parent
        try:
            relative = Path(os.path.relpath(self.file.absolute(), folder)).as_posix()
        except ValueError:  # another drive
            relative = self.file.absolute().as_posix()
        # A variable in a URL may be a secret, and is another one elsewhere.
        url = "" if "${" in self.url else self.url
        command = () if any("${" in word for word in self.command) else self.command
        return {
            "name": self.name,
            "recording": relative,
            "url": url,
            "command": command,
        }


def source_of(word: str) -> Source:
    """Return the recording that a word names: a file, or a server of the settings.

    Raises:
        BindgenError: There is neither.
    """
    path = Path(word)
    if path.suffix == ".json" or path.is_file():
        return Source(path, path.stem)
    if find(Path.cwd()) is None:
        hint = "name a recording, or a server in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", f"there is no recording {word[:200]!a}", hint))
    server = servers_of(Path.cwd(), [word])[word]
    return Source(shortest(server.recording), word, server.url, server.command)


def recording_of(file: Path) -> Recording:
    """Return a recording; the problems of single tools are not shown.

    Raises:
        BindgenError: It cannot be read, or is no recording.
    """
    from mcp_bindgen.recording.document import load

    try:
        return load(read(file, DEFAULT))[0]
    except BindgenError as error:
        raise in_file(file, error) from error


def policy_path(chosen: Path | None) -> Path:
    """Return the policy file that the user means.

    Raises:
        BindgenError: None is chosen, and `policies` has not exactly one.
    """
    if chosen is not None:
        return chosen
    files = sorted(Path("policies").glob("*.toml"))
    if len(files) == 1:
        return files[0]
    actual = f"{len(files)} files" if files else "none"
    hint = "pass --policy FILE"
    message = f"expected one policy in the folder policies, got {actual}"
    raise BindgenError(Problem("", message, hint))


def read_text(file: Path) -> str | None:
    """Return the text of a policy file, None for no file, or for a pipe or a device.

    Raises:
        BindgenError: It cannot be read.
    """
    if file.is_fifo() or file.is_char_device():  # it would wait for a writer
        return None
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "expected UTF-8"
        hint = "name a policy file, or fix its permissions"
        problem = Problem("", f"{file}: {reason}", hint)
        raise BindgenError(problem) from error


def recorded_for(file: Path, text: str) -> Recording | None:
    """Return the recording that a policy file names, None where it names none.

    Raises:
        BindgenError: The policy is not TOML, or the recording cannot be read.
    """
    named = _named(file, text)
    return None if named is None else recording_of(named)


def tools_beside(file: Path) -> Sequence[Mapping[str, Any]] | None:
    """Return the tools of the recording that a policy file names, None without one.

    A policy may be where its recording is not: only the recording's own machine has it.

    Raises:
        BindgenError: The policy is not TOML, or the recording is none.
    """
    text = read_text(file)
    named = None if text is None else _named(file, text)
    if named is None or not named.is_file():
        return None
    return recording_of(named).tools


def _named(file: Path, text: str) -> Path | None:
    server: object = parsed(text, str(file)).get("server")
    table = cast("dict[str, Any]", server) if isinstance(server, dict) else {}
    named = table.get("recording")
    if not isinstance(named, str) or not named:
        return None
    return Path(os.path.normpath(file.parent / named))
