# Copied by mcp-bindgen. Do not edit.
"""Expands URI templates (RFC 6570, all levels) into the URIs of resources."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from .. import limits
from ..errors import Fault, InvalidArgumentsError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Expression",
    "Operator",
    "TemplateValue",
    "Variable",
    "expand",
    "expanded",
    "parse",
    "required_variables",
]

TemplateValue = str | int | Sequence[str] | Mapping[str, str]
"""A value of a template: text, or with the modifier `*` a list or named texts."""


class Operator(NamedTuple):
    """How an expression writes its values (RFC 6570, appendix A).

    Attributes:
        first: The text before the first value.
        between: The text between two values.
        named: Whether each value has its name in front.
        equals: The text after the name of an empty value.
        reserved: Whether characters such as "/" stay as they are.
    """

    first: str
    between: str
    named: bool = False
    equals: str = ""
    reserved: bool = False


class Variable(NamedTuple):
    """One variable of an expression.

    Attributes:
        name: Its name.
        explode: Whether `*` follows: a list is written value by value.
        prefix: How many characters of the value are written, 0 for all.
    """

    name: str
    explode: bool
    prefix: int


class Expression(NamedTuple):
    """One `{...}` of a template."""

    operator: Operator
    variables: tuple[Variable, ...]


_OPERATORS: Mapping[str, Operator] = {
    "": Operator("", ","),
    "+": Operator("", ",", reserved=True),
    "#": Operator("#", ",", reserved=True),
    ".": Operator(".", "."),
    "/": Operator("/", "/"),
    ";": Operator(";", ";", named=True),
    "?": Operator("?", "&", named=True, equals="="),
    "&": Operator("&", "&", named=True, equals="="),
}
_RESERVED = ":/?#[]@!$&'()*+,;="
_EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
# RFC 6570, 2.3; many servers write a hyphen, too.
_VARIABLE = re.compile(r"([A-Za-z0-9_.-]+)(?:(\*)|:([1-9][0-9]{0,3}))?")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_TRIPLET = re.compile(r"(%[0-9A-Fa-f]{2})")


@lru_cache(maxsize=limits.PACKAGES)
def parse(template: str) -> tuple[str | Expression, ...]:
    """Return the parts of a template: texts, percent-encoded, and expressions.

    Example: `parse("todo://{id}")` gives "todo://" and one expression.

    Raises:
        ValueError: It is no template of RFC 6570.
    """
    parts: list[str | Expression] = []
    end = 0
    for match in _EXPRESSION.finditer(template):
        parts.append(_text(template[end : match.start()]))
        parts.append(Expression(_OPERATORS[match[1]], tuple(_variables(match[2]))))
        end = match.end()
    parts.append(_text(template[end:]))
    return tuple(part for part in parts if part != "")


def _text(text: str) -> str:
    if "{" in text or "}" in text:
        raise ValueError("a brace without its partner")
    try:  # RFC 6570, 3.1
        return _NOT_ASCII.sub(lambda match: quote(match[0]), text)
    except UnicodeEncodeError:
        raise ValueError("a text with half a character") from None


def _variables(text: str) -> Iterator[Variable]:
    for part in text.split(","):
        match = _VARIABLE.fullmatch(part)
        if match is None:
            raise ValueError("an expression that is no list of variables")
        yield Variable(match[1], bool(match[2]), int(match[3] or 0))


def required_variables(template: str) -> dict[str, bool]:
    """Return the variables of a template, and whether each needs a value.

    A variable that is a whole part of the path needs one: without it, the URI would be
    another one. One of a query, or of a path's further segments, may be left out.

    Raises:
        ValueError: It is no template of RFC 6570.
    """
    variables: dict[str, bool] = {}
    for part in parse(template):
        if isinstance(part, Expression):
            required = not part.operator.first
            for variable in part.variables:
                before = variables.get(variable.name, False)
                variables[variable.name] = before or required
    return variables


def expand(template: str, values: Mapping[str, TemplateValue | None]) -> str:
    """Return the URI that a template makes of values, percent-encoded.

    Example: `expand("todo://{id}/tasks{?tag}", {"id": "a/b"})` gives
    "todo://a%2Fb/tasks".

    Args:
        template: The URI template.
        values: Name of a variable to its value; one that is None is left out.

    Raises:
        TypeError: A value is of a wrong type.
        ValueError: It is no template.
    """
    return "".join(
        part if isinstance(part, str) else _expression(part, values)
        for part in parse(template)
    )


def expanded(template: str, arguments: Mapping[str, TemplateValue | None]) -> str:
    """Return the URI of a template's resource.

    Raises:
        InvalidArgumentsError: An argument has a type that no URI holds, the template
            has no such variable, or a part of its path has no value.
    """
    faults = [*_faults(template, arguments)]
    if faults:
        raise InvalidArgumentsError(template, faults, "template")
    return expand(template, arguments)


def _faults(
    template: str, arguments: Mapping[str, TemplateValue | None]
) -> Iterator[Fault]:
    """Yield a fault for each wrong argument, or for the template."""
    try:
        variables = required_variables(template)
    except ValueError as error:
        yield Fault("", "uriTemplate", str(error))
        return
    for name, required in variables.items():
        value = arguments.get(name)
        if required and (value is None or _is_empty(value)):
            number = "none" if value is None else "an empty list or object"
            yield Fault(f"/{name}", "required", f"expected a value, got {number}")
    for name in arguments:
        if name not in variables:
            wrong = f"the template has the variables {', '.join(variables) or 'none'}"
            yield Fault(f"/{name}", "additionalProperties", wrong)
    present = {name: value for name, value in arguments.items() if value is not None}
    for name, value in present.items():
        variable = Variable(name, explode=True, prefix=0)
        try:
            _expression(Expression(_OPERATORS[""], (variable,)), {name: value})
        except (TypeError, ValueError) as error:
            wrong = f"expected a string or an integer, got {error}"
            yield Fault(f"/{name}", "type", wrong)


def _is_empty(value: object) -> bool:
    """Return whether a value is a list or object without members: RFC 6570, 2.3."""
    is_many = isinstance(value, (Mapping, Sequence)) and not isinstance(value, str)
    return is_many and not value


def _expression(
    expression: Expression, values: Mapping[str, TemplateValue | None]
) -> str:
    operator = expression.operator
    written = [
        text
        for variable in expression.variables
        if (value := values.get(variable.name)) is not None
        for text in _value(operator, variable, value)
    ]
    return operator.first + operator.between.join(written) if written else ""


def _value(
    operator: Operator, variable: Variable, value: TemplateValue
) -> Iterator[str]:
    """Yield the texts of a value; an empty list has none."""
    name, reserved = variable.name, operator.reserved
    if isinstance(value, Mapping):
        yield from _pairs(operator, variable, value)
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        items = [_encoded(item, reserved=reserved) for item in value]
        if variable.explode:
            yield from (_named(operator, name, item) for item in items)
        elif items:
            yield _named(operator, name, ",".join(items))
    else:
        # A bool is an int for Python, and no value of a URI.
        text = str(value) if type(value) is int else value
        cut = text[: variable.prefix or None] if isinstance(text, str) else text
        yield _named(operator, name, _encoded(cut, reserved=reserved))


def _pairs(
    operator: Operator, variable: Variable, value: Mapping[str, str]
) -> Iterator[str]:
    """Yield the texts of named values: each of its own where they are exploded."""
    pairs = [
        (
            _encoded(key, reserved=operator.reserved),
            _encoded(item, reserved=operator.reserved),
        )
        for key, item in value.items()
    ]
    if not variable.explode:
        texts = [text for pair in pairs for text in pair]
        if texts:
            yield _named(operator, variable.name, ",".join(texts))
    elif operator.named:
        yield from (_named(operator, key, item) for key, item in pairs)
    else:
        yield from (f"{key}={item}" for key, item in pairs)


def _named(operator: Operator, name: str, text: str) -> str:
    if not operator.named:
        return text
    return f"{name}={text}" if text else f"{name}{operator.equals}"


def _encoded(text: object, *, reserved: bool) -> str:
    try:
        if not isinstance(text, str):
            name = type(text).__name__
            raise TypeError(name if name == "bytes" else f"{_article(name)} {name}")
        if not reserved:
            return quote(text, safe="")
        # Percent-encoded characters stay (RFC 6570, 3.2.3).
        parts = _TRIPLET.split(text)
        return "".join(
            part if number % 2 else quote(part, safe=_RESERVED)
            for number, part in enumerate(parts)
        )
    except UnicodeEncodeError:
        raise ValueError("a string with half a character") from None


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
