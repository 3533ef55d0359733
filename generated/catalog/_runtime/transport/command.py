# Copied by mcp-bindgen. Do not edit.
"""A server's command: the program, its arguments, environment and folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ConfigError, TransportError, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Command"]

# Variables that a program needs to run at all; secrets come only by env=.
_ENV = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR"),
    *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "SYSTEMDRIVE"),
    *("PROCESSOR_ARCHITECTURE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
)


class Command:
    """A program with its arguments, its variables and its folder.

    Raises:
        ConfigError: If the command is no list of texts.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str] | None,
        cwd: str | Path | None,
    ) -> None:
        if isinstance(command, str) or not command:
            raise ConfigError(
                "expected a command as a list of texts: a program and its arguments",
                hint='write it like ["npx", "-y", "server-name"]',
            )
        inherited = {name: os.environ[name] for name in _ENV if name in os.environ}
        self.env = {**inherited, **(env or {})}
        self.cwd = cwd
        self.name = printable(Path(command[0]).name, 100)
        self.words = tuple(map(str, command))

    def line(self) -> list[str]:
        """Return the command with the path of its program; it may be installed later.

        Raises:
            ConfigError: There is no such program now.
        """
        program = shutil.which(self.words[0], path=self.env.get("PATH"))
        if program is None:
            path = Path(self.words[0])
            if path.is_dir():
                wrong, hint = f"{self.name!r} is a folder", "name a program in it"
            elif len(path.parts) > 1:
                wrong = f"no program has the path {printable(path, 200)!r}"
                hint = "correct the path, or let the system run the file (chmod +x)"
            else:
                wrong = f"there is no program {self.name!r}"
                hint = "install it, or give its whole path"
            raise ConfigError(wrong, hint=hint)
        return [program, *self.words[1:]]

    def refusal(self, error: OSError | ValueError) -> TransportError:
        """Return the error for a program that does not start."""
        return TransportError(
            f"the program does not start: {self._reason(error)}",
            outcome="not sent",
            hint="check the words of the command, its variables and its folder",
        )

    def _reason(self, error: OSError | ValueError) -> str:
        if isinstance(error, UnicodeEncodeError):
            return "half a character in a word or a variable"
        if not isinstance(error, OSError):
            return f"{error} in a word or a variable"
        reason = error.strerror or str(error)
        is_folder = self.cwd is not None and error.filename == self.cwd
        return f"{reason}: the folder {printable(self.cwd)}" if is_folder else reason
