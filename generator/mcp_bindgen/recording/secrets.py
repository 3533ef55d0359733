"""Replaces ${NAME} in settings by variables, and masks their values in messages."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Expanded",
    "address",
    "command_words",
    "expand",
    "header",
    "is_sensitive",
    "mask",
    "refuse_leak",
    "variable",
]

_VARIABLE = re.compile(r"\$\{(?:([A-Za-z_]\w*)(:-[^{}]*)?\})?", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_SENSITIVE = re.compile(
    r"(?i)auth|cookie|credential|key|pass|secret|session|signature|token"
)

# Characters of the shortest secret that is masked, and of the shortest that a recording
# must not hold; shorter ones occur by chance.
_SHORTEST, _SHORTEST_LEAK = 4, 8
_GAP = r"(?:\s|\\[nrt]?)*+"  # line breaks and spaces, also as JSON has them


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text in which variables were replaced.

    Attributes:
        text: The text with the values; it must never be shown.
        secrets: The values that must appear nowhere.
    """

    text: str
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        """Return a text without secrets."""
        return "Expanded(...)"


def expand(text: str, environment: Mapping[str, str], source: str) -> Expanded:
    """Replace `${NAME}` and `${NAME:-default}` by variables of the environment.

    Example: `expand("${A:-x}/${B}", {"B": "y"}, "--url").text == "x/y"`.

    Args:
        text: The text as the user wrote it.
        environment: The variables.
        source: The option or key that holds the text, for messages.

    Raises:
        BindgenError: A variable is not set and has no default.
    """
    secrets: list[str] = []

    def value(match: re.Match[str]) -> str:
        name, default = match[1], match[2]
        if name is None:
            hint = "write ${NAME} or ${NAME:-default}"
            _refuse(f"{source}: expected a name and }} after ${{", hint)
        variable = environment.get(name, "")
        if not variable and default is not None:
            return str(default[2:])
        if name not in environment:
            hint = f"run `export {name}=...` first, or write ${{{name}:-default}}"
            _refuse(f"{source}: the environment variable {name} is not set", hint)
        secrets.append(variable)
        return variable

    return Expanded(_VARIABLE.sub(value, text), tuple(secrets))


def header(line: str, environment: Mapping[str, str]) -> tuple[str, Expanded]:
    """Read `Name: value`, and return the name and the expanded value.

    Args:
        line: The header as the user wrote it.
        environment: The variables for `${NAME}`.

    Raises:
        BindgenError: The name or the value does not fit into a header.
    """
    name, colon, rest = line.partition(":")
    name = name.strip()
    if not colon or not _TOKEN.fullmatch(name):
        # The message does not repeat the line, which may be a secret alone.
        _refuse("--header: expected Name: value", 'write "Name: ${VARIABLE}"')
    value = expand(rest.strip(), environment, f"header {name}")
    text = value.text.strip()
    if not text.isascii() or not text.isprintable():
        wrong = f"header {name}: expected printable ASCII, got another character"
        _refuse(wrong, "check the value; it may end with a line break")
    secrets = value.secrets
    if _SENSITIVE.search(name):
        secrets += (text, text.rpartition(" ")[2])
    return name, Expanded(text, secrets)


def variable(line: str, environment: Mapping[str, str]) -> tuple[str, Expanded]:
    """Read `NAME=VALUE`, or `NAME` for the value that it has in the environment.

    Args:
        line: The variable as the user wrote it.
        environment: The variables for `NAME` and `${NAME}`.

    Raises:
        BindgenError: The name is empty, or a variable is not set.
    """
    name, equals, text = line.partition("=")
    if not name or not (equals or _NAME.fullmatch(name)):
        # The message does not repeat the text, which may be a secret alone.
        _refuse("--env: expected NAME or NAME=VALUE", "write --env NAME")
    value = expand(text if equals else f"${{{name}}}", environment, f"--env {name}")
    secrets = (value.text,) if _SENSITIVE.search(name) else ()
    return name, Expanded(value.text, (*value.secrets, *secrets))


def refuse_leak(text: str, secrets: Iterable[str]) -> None:
    """Refuse a recording in which the server repeats a secret.

    Args:
        text: The recording, as JSON.
        secrets: Values of variables and of headers.

    Raises:
        BindgenError: The recording holds one of them.
    """
    for secret in secrets:
        if len(secret) >= _SHORTEST_LEAK and json.dumps(secret)[1:-1] in text:
            wrong = "the server's own texts repeat the value of a header or variable"
            _refuse(
                wrong,
                "nothing was written; write a value that is no secret without ${NAME}",
            )


def address(
    text: str, environment: Mapping[str, str], where: str = "--url"
) -> Expanded:
    """Expand a URL; query parameters with the name of a secret are secrets.

    Args:
        text: The URL as the user wrote it.
        environment: The variables for `${NAME}`.
        where: The name of the option or the key with the URL, for messages.

    Raises:
        BindgenError: A variable is not set and has no default.
    """
    url = expand(text, environment, where)
    try:
        query = parse_qsl(urlsplit(url.text).query)
    except ValueError:  # The client refuses a URL that is not one.
        return url
    secrets = (value for name, value in query if _SENSITIVE.search(name))
    return Expanded(url.text, (*url.secrets, *secrets))


def is_sensitive(name: str) -> bool:
    """Return whether a header, variable, option or parameter is named like a secret.

    Example: `is_sensitive("X-Api-Key")`.
    """
    return bool(_SENSITIVE.search(name))


def command_words(
    command: Sequence[str], environment: Mapping[str, str]
) -> list[Expanded]:
    """Replace `${NAME}` in the words of a command.

    A folder such as `${HOME}` is no secret: the name of the variable, or the option
    before it, shows whether it is one.

    Args:
        command: The program and its arguments.
        environment: The variables.

    Raises:
        BindgenError: A variable is not set and has no default.
    """
    before = ("", *command)
    words = [expand(word, environment, "command") for word in command]
    return [
        Expanded(value.text, _secrets_of(option, word, value))
        for option, word, value in zip(before, command, words, strict=False)
    ]


def _secrets_of(before: str, word: str, value: Expanded) -> tuple[str, ...]:
    """Return the secrets of a word: its variables, or the value of an option."""
    option = before if before.startswith("-") else ""
    own = word.partition("=")[0] if word.startswith("-") else ""
    names = (match[1] or "" for match in _VARIABLE.finditer(word))
    if not any(map(is_sensitive, (option, own, *names))):
        return ()
    if value.secrets:
        return value.secrets
    return (value.text.partition("=")[2] if own else value.text,)


def mask(text: str, secrets: Iterable[str]) -> str:
    """Return the text with *** in place of each secret.

    A secret is also found as it stands in a URL or in JSON, and, from 8 characters on,
    over several lines.

    Args:
        text: The text to show.
        secrets: The values to mask; those under 4 characters stay.
    """
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = _form(secret).sub("***", text)
    return text


@lru_cache(maxsize=64)
def _form(secret: str) -> re.Pattern[str]:
    """Return the pattern of a secret in a URL, in JSON, or over several lines."""
    plain = secret.encode("utf-8", "surrogatepass")
    forms = {
        json.dumps(secret, ensure_ascii=is_plain)[1:-1] for is_plain in (True, False)
    }
    forms |= {secret, quote(plain), quote(plain, safe=""), quote_plus(plain)}
    patterns = [re.escape(form) for form in sorted(forms, key=len, reverse=True)]
    letters = "".join(secret.split()) if len(secret) >= _SHORTEST_LEAK else ""
    if len(letters) >= _SHORTEST_LEAK:
        patterns.append(_GAP.join(map(re.escape, letters)))
    return re.compile("|".join(patterns))


def _refuse(message: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", message, hint))
