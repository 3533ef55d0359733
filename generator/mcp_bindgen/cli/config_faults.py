"""Finds the mistakes in `[tool.mcp-bindgen]`: unknown keys and wrong values."""

from __future__ import annotations

from difflib import get_close_matches
from math import inf
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.host_faults import OAUTH_OPTIONS
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.render.targets import HTTP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "CAPABILITIES",
    "ERAS",
    "OAUTH",
    "TOP",
    "faults_of",
    "server_faults",
    "table_of",
    "toml_hint",
    "unexpected",
]

TOP: Mapping[str, type] = {
    "targets": list,
    "http": str,
    "output": str,
    "shared-runtime": str,
    "changelog": str,
    "models": dict,
    "format": object,  # read with the project of the output folder
    "diff": dict,  # read by `diff`
    "servers": dict,
}
# An mcp.json has a command and its "args" apart; people copy from it.
_COMMAND_HINT = 'write one list of both: command = ["npx", "-y", "some-server"]'
SERVER: Mapping[str, type] = {
    "url": str,
    "command": list,
    "headers": dict,
    "auth": str,
    "oauth": dict,
    "env": dict,
    "cwd": str,
    "timeout": float,
    "era": str,
    "declare": list,
    "prefix": str,
    "policy": str,
    "recording": str,
    "output": str,
    "package": str,
    "name": str,
    "targets": list,
    "http": str,
    "include": list,
    "exclude": list,
}
ERAS = ("legacy", "modern")
"""The eras of the protocol: before and since its version 2026-07-28."""

CAPABILITIES = ("elicitation", "sampling", "roots")
"""The capabilities of a client, which a server may ask to use."""

OAUTH = "oauth"
"""The value of `auth` that is no token."""

_LAST_PORT = 65_535
_STORES = ("file", "memory", "keyring")
_CHOICES: Mapping[str, tuple[str, ...]] = {"era": ERAS, "http": HTTP}
_OF_URL, _OF_COMMAND = ("headers", "auth", "oauth"), ("env", "cwd")
_EXPECTED: Mapping[type, str] = {
    str: "a string",
    list: "a list of strings",
    dict: "a table",
    float: "a number of seconds",
}
_HINTS: Mapping[type, str] = {
    str: 'write {key} = "TEXT"',
    list: 'write {key} = ["TEXT"]',
    dict: "write it as a table: [{path}.{key}]",
    float: "write {key} = 30",
}
_ACTUAL: Mapping[type, str] = {str: "a string", list: "a list", dict: "a table"}


def table_of(value: object) -> dict[str, Any]:
    """Return a table of the settings, {} for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def toml_hint(text: str) -> str:
    """Return what to do about a text that is not TOML."""
    is_marked = text.startswith("\ufeff")
    if is_marked:
        return "save it as UTF-8 without a byte-order mark"
    return "correct the file: it is not TOML"


def server_faults(table: object, path: str) -> list[tuple[str, str]]:
    """Return the mistakes in the table of one server, each with a hint."""
    faults = faults_of(table, SERVER, path)
    settings = table_of(table)
    name = settings.get(
        "package", settings.get("name", path.removeprefix("tool.mcp-bindgen.servers."))
    )
    try:
        package_name(str(name), exact=True)
    except BindgenError as error:
        faults += [(f"{path}: {p.message}", p.hint) for p in error.problems]
    for one, other in (("url", "command"), ("package", "name")):
        if one in settings and other in settings:
            both = f"{path} has a {one} and a {other}"
            return [*faults, (both, "remove one of them")]
    for home, keys in (("command", _OF_URL), ("url", _OF_COMMAND)):
        faults += [
            (f"{path}.{key} has no effect on a {home}", "remove it")
            for key in keys
            if key in settings and home in settings
        ]
    return [
        *faults,
        *_oauth_faults(settings, path),
        *_declared_faults(settings, path),
        *_text_faults(settings, path),
    ]


def _oauth_faults(settings: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    if "oauth" not in settings:
        return
    options = table_of(settings["oauth"])
    yield from faults_of(options, dict.fromkeys(OAUTH_OPTIONS, str), f"{path}.oauth")
    port, store = options.get("port", "1"), options.get("store", "file")
    if isinstance(port, str) and not _is_variable(port) and not _is_port(port):
        wrong = f"expected a number from 1 to 65535, got {port[:80]!a}"
        yield f"{path}.oauth.port: {wrong}", 'write port = "8765"'
    if isinstance(store, str) and not _is_variable(store) and store not in _STORES:
        wrong = f"{path}.oauth.store: {store[:80]!a} is unknown"
        yield wrong, f"write one of {', '.join(_STORES)}"
    if settings.get("auth") != OAUTH:
        alone = f'{path}.oauth has no effect without auth = "{OAUTH}"'
        yield alone, f'add auth = "{OAUTH}"'


def _is_variable(text: str) -> bool:
    """Return whether a text is known only when the server is reached."""
    return "${" in text


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= _LAST_PORT


def _text_faults(settings: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key in ("headers", "env"):
        for name, value in table_of(settings.get(key)).items():
            if not isinstance(value, str):
                hint = _HINTS[str].format(key=name)
                yield unexpected(f"{path}.{key}.{name}", str, value), hint


def _declared_faults(
    settings: Mapping[str, Any], path: str
) -> Iterator[tuple[str, str]]:
    for name in _listed(settings.get("declare")):
        if name not in CAPABILITIES:
            wrong = f"{path}.declare: {str(name)[:80]!a} is unknown"
            yield wrong, f"write some of {', '.join(CAPABILITIES)}"


def faults_of(
    table: object, kinds: Mapping[str, type], path: str
) -> list[tuple[str, str]]:
    """Return the mistakes in the keys and values of a table, each with a hint."""
    if not isinstance(table, dict):
        hint = f"write it as a table: [{path}]"
        return [(unexpected(path, dict, table), hint)]
    faults: list[tuple[str, str]] = []
    for key, value in cast("dict[str, object]", table).items():
        if key not in kinds:
            near = get_close_matches(key, kinds, 1)
            hint = (
                f"did you mean {near[0]}?" if near else f"keys are {', '.join(kinds)}"
            )
            if key == "args" and "command" in kinds:
                hint = _COMMAND_HINT
            faults.append((f"{path} has an unknown key {key!a}", hint))
        elif "\0" in _texts(value):
            hint = "remove it; no file, program or header has one in its name"
            faults.append((f"{path}.{key} holds a null character", hint))
        elif not _is(value, kinds[key]):
            hint = _HINTS[kinds[key]].format(key=key, path=path)
            hint = _COMMAND_HINT if key == "command" else hint
            faults.append((unexpected(f"{path}.{key}", kinds[key], value), hint))
        elif value not in _CHOICES.get(key, (value,)):
            hint = f"write one of {', '.join(_CHOICES[key])}"
            faults.append((f"{path}.{key}: {str(value)[:80]!a} is unknown", hint))
    return faults


def _is(value: object, kind: type) -> bool:
    """Return whether a value is of a kind; a number of seconds is positive."""
    if kind is list:
        return isinstance(value, list) and not _other(cast("object", value))
    if kind is not float:
        return isinstance(value, kind)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 < cast("float", value) < inf


def unexpected(path: str, kind: type, value: object) -> str:
    """Return the message that a value is of another kind than expected."""
    actual = _ACTUAL.get(type(value), f"{value!a}"[:80])
    if kind is list and (others := _other(value)):
        actual += f" with {others[0]!a}"[:80]
    return f"{path}: expected {_EXPECTED[kind]}, got {actual}"


def _texts(value: object) -> str:
    """Return all strings of a setting, joined."""
    parts: list[object] = [value]
    if isinstance(value, dict):
        parts = [*cast("dict[str, object]", value).values()]
    elif isinstance(value, list):
        parts = cast("list[object]", value)
    return "".join(part for part in parts if isinstance(part, str))


def _other(value: object) -> list[object]:
    """Return the items of a list that are no strings."""
    return [item for item in _listed(value) if not isinstance(item, str)]


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
