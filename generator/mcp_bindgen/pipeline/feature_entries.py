"""Reads entries of resources, resource templates and prompts: texts and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import name, union
from mcp_bindgen.python.literals import PyName, WireStr, clean
from mcp_bindgen.python.names import field_names
from mcp_bindgen.recording.mismatch import describe_kind
from mcp_bindgen.runtime.client.uri_templates import (
    Expression,
    parse,
    required_variables,
)
from mcp_bindgen.schema.ir import Feature, Field, Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.recording.mismatch import JsonObject
    from mcp_bindgen.runtime.client.uri_templates import Operator, Variable

__all__ = ["UnusableError", "prompt", "resource", "template"]

_NAMELESS = PyName("unnamed")
# Characters that no value has in an expanded URI, unless the server allows them there.
_ENCODED = frozenset(":/?#[]@!$&'()*+,;=")
_TEXT, _NUMBER, _NONE = name("str"), name("int"), name("None")


class UnusableError(Exception):
    """An entry that no function can be made of.

    Attributes:
        pointer: JSON pointer into the entry.
        message: The reason.
    """

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


def resource(raw: JsonObject) -> Feature:
    """Return the resource of an entry of `resources/list`, not yet named."""
    size = raw.get("size")
    info = _info(raw, "uri", "name", "title", "description", "mimeType")
    return _feature("uri", info | ({"size": size} if type(size) is int else {}), raw)


def template(raw: JsonObject) -> Feature:
    """Return the template of an entry of `resources/templates/list`, not yet named.

    Raises:
        UnusableError: It is no template of RFC 6570.
    """
    text = str(raw["uriTemplate"])
    try:
        parts = parse(text)
    except ValueError as error:
        message = f"expected a URI template (RFC 6570), got {error}"
        raise UnusableError("/uriTemplate", message) from None
    fields = _variables(text)
    info = _info(raw, "uriTemplate", "name", "title", "description", "mimeType")
    notes = [Note("ambiguous", "/uriTemplate", reason) for reason in _ambiguous(parts)]
    return _feature("uriTemplate", info, raw, fields, tuple(notes[:1]))


def prompt(raw: JsonObject) -> Feature:
    """Return the prompt of an entry of `prompts/list`, not yet named.

    Raises:
        UnusableError: Its arguments are no list of objects with different names.
    """
    arguments = raw.get("arguments")
    if arguments is None:
        arguments = []
    if not isinstance(arguments, list):
        message = f"expected an array, got {describe_kind(arguments)}"
        raise UnusableError("/arguments", message)
    listed: dict[str, JsonObject] = {}
    for index, item in enumerate(arguments):
        wire = item.get("name") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(wire, str) or not wire:
            raise UnusableError(f"/arguments/{index}", "expected an object with a name")
        if wire in listed:
            message = f"the argument {wire[:80]!a} is listed twice"
            raise UnusableError(f"/arguments/{index}", message)
        listed[wire] = item
    fields = _fields(
        (wire, _TEXT, item.get("required") is True, _text(item, "description"))
        for wire, item in listed.items()
    )
    details = [
        {**_info(item, "name", "title", "description"), "required": field.required}
        for item, field in zip(listed.values(), fields, strict=True)
    ]
    info = {**_info(raw, "name", "title", "description"), "arguments": details}
    return _feature("name", info, raw, fields)


def _feature(
    key: str,
    info: dict[str, object],
    raw: JsonObject,
    fields: tuple[Field, ...] = (),
    notes: tuple[Note, ...] = (),
) -> Feature:
    wire = str(raw[key])
    title = _text(raw, "title") or _text(raw, "name") or wire
    return Feature(
        wire=WireStr(wire),
        title=WireStr(title),
        description=WireStr(_text(raw, "description")),
        function=_NAMELESS,
        member=_NAMELESS,
        info={**info, "name": _text(raw, "name") or wire},
        parameters=tuple(sorted(fields, key=lambda field: not field.required)),
        notes=notes,
    )


def _info(raw: JsonObject, *keys: str) -> dict[str, object]:
    """Return members of an entry that are texts; those for people are cleaned."""
    texts = {key: _text(raw, key) for key in keys if _text(raw, key)}
    return {
        key: clean(WireStr(text)) if key in ("title", "description") else text
        for key, text in texts.items()
    }


def _text(raw: JsonObject, key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _variables(template: str) -> tuple[Field, ...]:
    """Return the variables of a template as parameters, each once."""
    variables = {
        variable.name: variable
        for part in parse(template)
        if isinstance(part, Expression)
        for variable in part.variables
    }
    required = required_variables(template)
    return _fields(
        (wire, _variable_type(variable), required[wire], "")
        for wire, variable in variables.items()
    )


def _variable_type(variable: Variable) -> Expr:
    return name("TemplateValue") if variable.explode else union([_TEXT, _NUMBER])


def _fields(
    parameters: Iterable[tuple[str, Expr, bool, str]],
) -> tuple[Field, ...]:
    """Return parameters from wire name, type, whether it is required, and text."""
    listed = list(parameters)
    names = field_names(wire for wire, _, _, _ in listed)
    return tuple(
        Field(
            name=names[wire],
            wire=WireStr(wire),
            type=type_ if required else union([type_, _NONE]),
            required=required,
            doc=WireStr(text),
        )
        for wire, type_, required, text in listed
    )


def _ambiguous(parts: Iterable[str | Expression]) -> Iterator[str]:
    """Yield the reasons why different arguments may give the same URI of a template."""
    reserved = 0
    between: str | None = None  # the text since the last value, None before the first
    for part in parts:
        if isinstance(part, str):
            between = None if between is None else between + part
            continue
        operator, variables = part
        reserved += operator.reserved
        if any(variable.prefix for variable in variables):
            yield "only the first characters of a value are in the URI"
        if between is not None and not _ENCODED & {*between, *operator.first}:
            yield "values may hold the characters that separate two of them"
        if len(variables) > 1 and not _separates(operator):
            yield "values may hold the text that separates them"
        if reserved > 1:
            yield "two of its values may hold any character"
        between = ""


def _separates(operator: Operator) -> bool:
    """Return whether values of an expression never hold the text between them."""
    return not operator.reserved and operator.between in _ENCODED
