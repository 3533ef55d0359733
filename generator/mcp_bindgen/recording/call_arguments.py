"""Words of a command line to the arguments of a tool, as its schema says."""

from __future__ import annotations

import re
from difflib import get_close_matches
from shlex import quote
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import Problem
from mcp_bindgen.runtime.agents.text_arguments import signature, type_text, value_of
from mcp_bindgen.runtime.errors import printable
from mcp_bindgen.runtime.json_values import elements, members
from mcp_bindgen.runtime.strict_json import loads
from mcp_bindgen.runtime.validation.schema import SchemaChecker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = ["arguments_from", "command_line", "example", "find_tool"]

_WORD = re.compile(r"([^=]+?)(:=|=@|=)(.*)", re.DOTALL)


def find_tool(
    listed: Iterable[Mapping[str, Any]], name: str, server: str
) -> Mapping[str, Any] | Problem:
    """Return the tool of this very name; a problem with a suggestion if there is none.

    Args:
        listed: Raw tools.
        name: The name as the user wrote it.
        server: The server, for the message.
    """
    by_name = {str(tool.get("name")): tool for tool in listed}
    if name in by_name:
        return by_name[name]
    near = get_close_matches(name[:80], by_name, 1)
    hint = f"did you mean {near[0]}?" if near else f"tools are {', '.join(by_name)}"
    return Problem("", f"{server} has no tool {name[:80]!a}", hint)


def arguments_from(
    words: Sequence[str],
    schema: Mapping[str, Any],
    read: Callable[[str], str],
) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments of a call, and their mistakes.

    Example: `arguments_from(["size=2"], {"properties": {"size": {"type": "integer"}}},
    str) == ({"size": 2}, [])`.

    Args:
        words: `key=value`, `key:=JSON`, `key=@file`, or `-` for a JSON object.
        schema: The input schema of the tool; it says which values are strings.
        read: Returns the text of a file, of standard input for "-".

    Raises:
        BindgenError: A file cannot be read.
    """
    arguments: dict[str, Any] = {}
    faults: list[str] = []
    for word in words:
        try:
            if word == "-":
                arguments |= _object(read("-"))
            else:
                _add(arguments, word, schema, read)
        except ValueError as error:
            faults.append(str(error))
    # A fault of the schema comes only where each word is right on its own.
    return arguments, faults or [*_faults(arguments, schema)]


def _add(
    arguments: dict[str, Any],
    word: str,
    schema: Mapping[str, Any],
    read: Callable[[str], str],
) -> None:
    """Add the argument of one word.

    Raises:
        ValueError: It is malformed, names no parameter, or has no value of its type.
    """
    match = _WORD.fullmatch(word)
    if not match:
        raise ValueError(f"expected key=value, got {word[:80]!a}")
    key, operator, text = match.groups()
    properties = members(schema.get("properties"))
    if key not in properties and not _is_open(schema):
        near = get_close_matches(key[:80], properties, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"there is no parameter {key[:80]!a}{hint}")
    part = properties.get(key, {})
    if operator == ":=":
        value = _json(text, key)
    else:
        text = read(text) if operator == "=@" else text
        try:
            value = value_of(text, part, schema)
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None
    before: object = arguments.get(key)
    is_list = isinstance(value, list)
    if isinstance(before, list) and is_list:  # one element for each word
        value = [*elements(cast("object", before)), *elements(cast("object", value))]
    elif key in arguments:
        raise ValueError(f"{key}: expected one value, got two")
    arguments[key] = value


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Return whether a tool's schema explicitly allows undeclared parameters."""
    rest = schema.get("additionalProperties")
    return rest is True or isinstance(rest, dict) or not schema.get("properties")


def _object(text: str) -> dict[str, Any]:
    value = _json(text, "standard input")
    if not isinstance(value, dict):
        raise ValueError("standard input: expected a JSON object")  # noqa: TRY004
    return members(cast("object", value))


def _json(text: str, source: str) -> Any:
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise ValueError(f"{source}: expected JSON, {printable(error, 200)}") from None


def _faults(arguments: dict[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    properties = members(schema.get("properties"))
    missing = [k for k in elements(schema.get("required")) if k not in arguments]
    for key in missing:
        type_ = type_text(properties.get(key, {}), schema)
        yield f"{key}: expected {type_}, got nothing"
    if missing:
        return
    try:
        checker = SchemaChecker(dict(schema))
    except ValueError:  # The server checks the rest.
        return
    yield from (str(fault) for fault in checker.faults(arguments))


def example(command: str, name: str, schema: Mapping[str, Any]) -> str:
    """Return the signature of a tool, and a call of it to copy.

    Args:
        command: The beginning of the call, as "mcp-bindgen call catalog".
        name: The tool.
        schema: Its input schema.
    """
    copied = command_line(command, name, schema)
    return f"{signature(name, schema)}, as in: {copied}"


def command_line(command: str, name: str, schema: Mapping[str, Any]) -> str:
    """Return a call of a tool to copy into a shell, which runs no text of the server.

    Args:
        command: As for `example`.
        name: As for `example`.
        schema: As for `example`.
    """
    properties = members(schema.get("properties"))
    words = (
        _sample(str(key), type_text(properties.get(key, {}), schema))
        for key in elements(schema.get("required"))
    )
    return " ".join([command, quote(name), *words])


def _sample(key: str, type_: str) -> str:
    if type_.startswith("array"):
        return f"{quote(key)}:='[]'"
    samples = {
        "integer": "=1",
        "number": "=1",
        "boolean": "=true",
        "object": ":='{}'",
        "string": "=TEXT",
    }
    first = type_.partition(" | ")[0].strip('"')
    return f"{quote(key)}{samples.get(type_, f'={quote(first)}')}"
