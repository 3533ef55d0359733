"""Text with ${NAME} in it: the environment's values go in and are kept secret."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import parse_qsl, urlsplit

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Expanded", "address", "expand", "header", "mask"]

_VARIABLE = re.compile(r"\$\{(?:([A-Za-z_]\w*)(:-[^{}]*)?\})?", re.ASCII)
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_SENSITIVE = re.compile(
    r"(?i)auth|cookie|credential|key|pass|secret|session|signature|token"
)

# Shorter values stand in any text by chance.
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text with its variables replaced.

    Attributes:
        text: The text to use; never to be shown.
        secrets: What must appear nowhere.
    """

    text: str
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        """Show nothing of it."""
        return "Expanded(...)"


def expand(text: str, environment: Mapping[str, str], where: str) -> Expanded:
    """Replace `${NAME}` and `${NAME:-default}` by the environment's values.

    Args:
        text: The text as the user wrote it.
        environment: Names and values.
        where: What the text is, for messages.

    Raises:
        BindgenError: A variable is not set and has no default.
    """
    secrets: list[str] = []

    def value(match: re.Match[str]) -> str:
        name, default = match[1], match[2]
        if name is None:
            _refuse(f"{where}: a ${{ that starts no variable", "write ${NAME}")
        found = environment.get(name, "")
        if not found and default is not None:
            return str(default[2:])
        if name not in environment:
            hint = f"export {name}=... first, or write ${{{name}:-default}}"
            _refuse(f"{where}: the environment variable {name} is not set", hint)
        secrets.append(found)
        return found

    return Expanded(_VARIABLE.sub(value, text), tuple(secrets))


def header(line: str, environment: Mapping[str, str]) -> tuple[str, Expanded]:
    """Read `Name: value` and return the name and the expanded value.

    Raises:
        BindgenError: It has no name, or its value cannot stand in a header.
    """
    name, colon, rest = line.partition(":")
    name = name.strip()
    if not colon or not _TOKEN.fullmatch(name):
        # What was given is not repeated: it may be the secret alone.
        _refuse("a --header is not of the form Name: value", 'write "Name: ${VALUE}"')
    value = expand(rest.strip(), environment, f"header {name}")
    text = value.text.strip()
    if not text.isascii() or not text.isprintable():
        _refuse(f"header {name}: its value holds a character that no header may", "")
    secrets = value.secrets
    if _SENSITIVE.search(name):
        secrets += (text, text.rpartition(" ")[2])
    return name, Expanded(text, secrets)


def address(text: str, environment: Mapping[str, str]) -> Expanded:
    """Read a URL; what its query says under the name of a secret is one.

    Raises:
        BindgenError: A variable is not set and has no default.
    """
    found = expand(text, environment, "--url")
    try:
        query = parse_qsl(urlsplit(found.text).query)
    except ValueError:  # who connects to it says so
        return found
    secrets = (value for name, value in query if _SENSITIVE.search(name))
    return Expanded(found.text, (*found.secrets, *secrets))


def mask(text: str, secrets: Iterable[str]) -> str:
    """Return the text without the secrets in it."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, "***")
    return text


def _refuse(message: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", message, hint))
