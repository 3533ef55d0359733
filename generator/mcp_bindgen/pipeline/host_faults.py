"""Finds the mistakes in the servers of the configuration files of MCP hosts."""

from __future__ import annotations

import math
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from mcp_bindgen.errors import Problem
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.host_files import OAUTH_OPTIONS, oauth_options
from mcp_bindgen.runtime.json_values import elements, kind_of, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["OAUTH_OPTIONS", "host_faults", "is_deep", "left_out", "url_of"]

_MOST_LEVELS = 32  # of objects and arrays; real files have five
_KINDS: tuple[tuple[str, type, str], ...] = (
    ("args", list, "an array"),
    ("env", dict, "an object"),
    ("envFile", str, "a text"),
    ("env_vars", list, "an array"),
    ("headers", dict, "an object"),
    ("http_headers", dict, "an object"),
)
_NO_TEXTS = frozenset({dict, list, type(None)})
_HTTP = ("http", "sse", "streamable-http", "streamablehttp", "streamable_http")
_TIMES = ("timeout", "tool_timeout_sec", "startup_timeout_sec")
_MOST_TIME = limits.TIMEOUT_MOST  # seconds, or milliseconds
_WEB_URL = re.compile(r"https?://[^/?#]|\$\{", re.IGNORECASE)  # or a variable with one
_OF_EDITOR = re.compile(r"\$\{(?:command|config):[^{}]*\}")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2: a token
_KNOWN = (
    *(key for key, _, _ in _KINDS),
    *("url", "serverUrl", "command", "cwd", "type", "transport", "auth", "oauth"),
    *(*_TIMES, "startup_timeout_ms", "bearer_token_env_var", "env_http_headers"),
    *("disabled", "enabled"),
)
# Lists of tools: of Codex, and of the Gemini CLI.
_OF_TOOLS = {
    "enabled_tools": "include",
    "disabled_tools": "exclude",
    "includeTools": "include",
    "excludeTools": "exclude",
}
_NEAR = 0.8  # "arg" and "args", but not "disabledTools" and "disabled"
_CORRECT = "correct the file"
# Neither a command nor a file of settings can hold them.
_UNUSABLE = re.compile(r"[\x00\ud800-\udfff]")


def is_deep(document: object) -> bool:
    """Return whether a document has too many levels for the functions that read it.

    Example: `is_deep(json.loads("[" * 900 + "]" * 900))`.
    """
    level = [document]
    for _ in range(_MOST_LEVELS):
        level = [inner for each in level for inner in _inside(each)]
    return bool(level)


def host_faults(name: str, raw: object) -> Iterator[Problem]:
    """Yield the reasons why a server of a file cannot be imported.

    Example: `[*host_faults("time", {"command": "mcp-server-time"})] == []`.

    Args:
        name: The name of the server.
        raw: Its value in the file.
    """
    if not isinstance(raw, dict):
        yield Problem("", f"{name}: expected an object", _CORRECT)
        return
    table = cast("dict[str, Any]", raw)
    if reason := _unusable(name, table):
        yield Problem("", f"{ascii(name)[1:-1]}: {reason}", _CORRECT)
        return
    faults = (*_target_faults(table), *_value_faults(table), *_name_faults(table))
    for wrong, hint in faults:
        yield Problem("", f"{name}: {wrong}", hint)


def url_of(table: Mapping[str, Any]) -> Any:
    """Return the URL of a server, "" for none."""
    return table.get("url") or table.get("serverUrl") or ""


def _target_faults(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the faults of the URL or the command, each with a hint."""
    url, command = url_of(table), table.get("command")
    if not isinstance(url, str):
        key = "url" if table.get("url") else "serverUrl"
        yield f"{key}: expected a text, got {kind_of(url)}", _CORRECT
    if not isinstance(command, str | list | None):
        yield f"command: expected a text, got {kind_of(command)}", _CORRECT
    elif not url and not command:
        yield "expected a url or a command, got neither", "add one"
    if url and _transport(table) not in (*_HTTP, ""):
        hint = "ask for its streamable HTTP endpoint, often /mcp"
        yield "its transport cannot be recorded", hint
    elif isinstance(url, str) and url:
        yield from _url_faults(url)


def _url_faults(url: str) -> Iterator[tuple[str, str]]:
    if url.startswith("unix:"):
        yield "its URL is a socket of this machine", "use http"
    elif not _WEB_URL.match(url):
        # The message does not repeat the URL, which may hold a secret.
        hint = "write it as https://HOST/PATH"
        yield "url: expected a URL that begins with http:// or https://", hint
    elif _has_user(url):
        hint = "write the URL without it, and a header Authorization"
        yield "its URL holds a user name, which no request may have", hint


def _has_user(url: str) -> bool:
    try:
        return urlsplit(url).username is not None
    except ValueError:  # no URL; the next command says so
        return False


def _value_faults(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the faults of all other values, each with a hint."""
    for key, kind, wrong in _KINDS:
        if not isinstance(value := table.get(key, kind()), kind):
            yield f"{key}: expected {wrong}, got {kind_of(value)}", _CORRECT
    for location, value in _texts(table):
        yield from _text_faults(location, value)
    for key in _TIMES:
        if (time := table.get(key)) is not None and not _is_time(time):
            wrong = f"{key}: expected a number above 0, at most {_MOST_TIME:,}"
            yield wrong, _CORRECT
    for key, value in (oauth_options(table) or {}).items():
        if key in OAUTH_OPTIONS and not isinstance(value, str):
            yield f"the option {key} of its OAuth is no text", _CORRECT


def _text_faults(location: str, value: object) -> Iterator[tuple[str, str]]:
    if type(value) in _NO_TEXTS:
        yield f"{location}: expected a text, got {kind_of(value)}", _CORRECT
    if isinstance(value, str) and (question := _OF_EDITOR.search(value)):
        wrong = f"{location}: only its editor knows the value of {question[0][:80]}"
        yield wrong, "write ${NAME} there"


def left_out(name: str, table: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each key that somebody needs and settings do not have.

    Example: `[*left_out("a", {"url": "https://b", "auth": {"CLIENT_ID": "c"}})] == []`.

    Args:
        name: The name of the server.
        table: The server in a file.
    """
    for key in oauth_options(table) or () if url_of(table) else ():
        if key not in OAUTH_OPTIONS:
            wrong = f"{name}: its OAuth has the option {key[:80]!a}, which is left out"
            hint = f"the settings know {', '.join(OAUTH_OPTIONS)}"
            yield Problem("", wrong, hint)
    for key in table:  # hosts have many more keys, which say nothing about the server
        if key not in _KNOWN and (near := get_close_matches(key, _KNOWN, 1, _NEAR)):
            wrong = f"{name}: it has the key {key[:80]!a}, which is left out"
            yield Problem("", wrong, f"did you mean {near[0]}?")
    for key, ours in _OF_TOOLS.items():
        if table.get(key):
            wrong = f"{name}: it has the key {key}, which is left out"
            yield Problem("", wrong, f"write {ours} = [...] into its settings")


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield location and value of each member that must be a text, number or bool."""
    for key in ("args", "command", "env_vars"):
        for number, word in enumerate(elements(table.get(key))):
            yield f"{key}[{number}]", word
    for key in ("headers", "http_headers"):
        for field, value in members(table.get(key)).items():
            yield f"{key}.{field}", value
    yield from (("url", url_of(table)), ("cwd", table.get("cwd", "")))
    for name, value in members(table.get("env")).items():
        if value is not None:  # a variable that is not set
            yield f"env.{name}", value


def _name_faults(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a fault for each name that no header or no variable can have."""
    variables = members(table.get("env"))
    names = [("env", name) for name in variables if not name or "=" in name]
    for key in ("headers", "http_headers"):
        fields = members(table.get(key))
        names += [(key, name) for name in fields if not _HEADER.fullmatch(name)]
    for key, name in names:
        yield f"{key}: {name[:80]!a} is no name", _CORRECT


def _is_time(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 < cast("float", value) <= _MOST_TIME


def _transport(table: Mapping[str, Any]) -> str:
    return str(table.get("type") or table.get("transport") or "").lower()


def _unusable(*values: object) -> str:
    """Return why settings cannot hold one of some values, "" where they can."""
    level = [*values]
    while level:
        for value in level:
            if isinstance(value, str) and _UNUSABLE.search(value):
                return "a text has a null character, or half of one"
            if isinstance(value, float) and not math.isfinite(value):
                return "a number is not finite, or too large"
        level = [inner for each in level for inner in _inside(each)]
    return ""


def _inside(value: object) -> list[object]:
    """Return the elements of an array, or the names and values of an object."""
    table = members(value)
    return [*elements(value), *table, *table.values()]
