# Copied by mcp-bindgen. Do not edit.
"""Renames parameters whose names a model's API refuses, on the way out and back.

A name that the API takes stays. Any other gets a plain one, made of its letters, digits
and "_": `$filter` becomes `filter`. It depends on the name alone, unless two parameters
of one tool would have the same: then a part of the name's SHA-256 is added.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote

from .. import limits
from ..errors import printable
from ..json_pointer import child, steps
from ..json_values import elements, members
from ..strict_json import StrictJsonError
from ..validation.references import (
    MANY,
    ONE,
    Resource,
    find_resources,
    is_array,
    is_object,
    resolve,
    split,
    subschemas,
)
from .inner_schemas import of_elements, of_member

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

__all__ = ["ModelSchema", "Rule", "model_schema", "safe_names"]

Rule: TypeAlias = "re.Pattern[str]"
"""Matches, in full, the names that an API takes."""

# Keywords whose members are parameters, and whose members have other names.
_BY_PARAMETER = frozenset(
    ("properties", "dependentSchemas", "dependentRequired", "dependencies")
)
_BY_NAME = frozenset(("patternProperties", "$defs", "definitions"))


@dataclass(frozen=True, slots=True)
class ModelSchema:
    """The input schema of a tool, as one API takes it.

    Attributes:
        schema: The schema with the names for the model.
        names: Wire name to name for the model, of the parameters that are renamed.
    """

    schema: Mapping[str, Any]
    names: Mapping[str, str]
    _wire_schema: Mapping[str, Any] = field(repr=False)

    def to_wire(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return a model's arguments with the names that the server knows.

        Args:
            arguments: The arguments as the model wrote them.

        Raises:
            StrictJsonError: An object has one parameter under both names, or there are
                more values than any honest call has.
        """
        if not self.names:
            return arguments
        back = {name: wire for wire, name in self.names.items()}
        reader = _Reader(back, find_resources(self._wire_schema))
        renamed: dict[str, Any] = reader.read(arguments, [self._wire_schema])
        return renamed


def model_schema(schema: Mapping[str, Any], rule: Rule | None) -> ModelSchema:
    """Rename the parameters of a schema that an API refuses.

    Args:
        schema: An input schema, with wire names.
        rule: Matches the names that the API takes; None if it takes all names.
    """
    declared = set(_declared(schema)) if rule is not None else set[str]()
    if rule is None or all(map(rule.fullmatch, declared)):
        return ModelSchema(schema, {}, schema)
    names = safe_names(declared, rule)
    return ModelSchema(_renamed(schema, names), names, schema)


def safe_names(declared: Collection[str], rule: Rule) -> dict[str, str]:
    """Return a name for each parameter that an API refuses: all names differ.

    Example:
        `safe_names(["$top", "top"], re.compile("[a-z]+"))` gives `$top` a name like
        `top_3c9ab1`.

    Args:
        declared: The wire names of all parameters of one tool.
        rule: Matches the names that the API takes.
    """
    refused = sorted(name for name in declared if not rule.fullmatch(name))
    bases = {wire: _base(wire) for wire in refused}
    claims = Counter([*bases.values(), *(set(declared) - set(refused))])
    taken = set(claims)
    names: dict[str, str] = {}
    for wire, base in bases.items():
        names[wire] = base
        if claims[base] > 1:
            names[wire] = next(
                name for name in _marked(base, wire) if name not in taken
            )
        taken.add(names[wire])
    return names


def _base(wire: str) -> str:
    """Return the plain form of a name: ASCII letters, digits and "_", 64 at most."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", wire).strip("_") or "parameter"
    plain = f"_{plain}" if plain[0].isdigit() else plain
    return plain if len(plain) <= limits.TOOL_NAME else next(_marked(plain, wire))


def _marked(base: str, wire: str) -> Iterator[str]:
    """Yield names that end with a digest of the wire name; the first is nearly sure."""
    for number in count():
        data = f"{wire}{'#' * number}".encode("utf-8", "surrogatepass")
        mark = sha256(data).hexdigest()[:6]
        yield f"{base[: limits.TOOL_NAME - 7]}_{mark}"


def _declared(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of all parameters that a schema declares, at any depth."""
    pending: list[object] = [schema]
    while pending:
        node = pending.pop()
        if is_object(node):
            yield from members(node.get("properties"))
            pending += subschemas(node)


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """Return a schema with other names for some of its parameters."""
    if is_array(schema):  # the names of `dependentRequired`, or a list of schemas
        return [
            names.get(p, p) if isinstance(p, str) else _renamed(p, names)
            for p in schema
        ]
    if not is_object(schema):
        return schema
    made = {key: _keyword(key, part, names) for key, part in schema.items()}
    for wire in members(schema.get("properties")).keys() & names.keys():
        made.pop("propertyNames", None)  # a rule for wire names; each call is checked
        properties = made["properties"]
        properties[names[wire]] = _described(properties[names[wire]], wire)
    return made


def _keyword(keyword: str, value: Any, names: Mapping[str, str]) -> Any:
    """Return the value of a keyword with the other names."""
    if keyword in _BY_PARAMETER and is_object(value):
        return {names.get(p, p): _renamed(inner, names) for p, inner in value.items()}
    if keyword in _BY_NAME and is_object(value):
        return {key: _renamed(inner, names) for key, inner in value.items()}
    if keyword == "required" or keyword in ONE or keyword in MANY:
        return _renamed(value, names)
    if keyword in ("$ref", "$dynamicRef") and isinstance(value, str):
        return _reference(value, names)
    return value


def _described(schema: Any, wire: str) -> dict[str, Any]:
    """Return the schema of a parameter whose description says its wire name."""
    otherwise: dict[str, Any] = {} if schema else {"not": {}}
    node = schema if is_object(schema) else otherwise
    text = f"The server calls it {printable(wire, limits.NAME_TEXT)}."
    description = node.get("description")
    before = f"{description} " if isinstance(description, str) and description else ""
    return {**node, "description": f"{before}{text}"}


def _reference(reference: str, names: Mapping[str, str]) -> str:
    """Return a reference whose path leads through the new names."""
    url, pointer = split(reference)
    path: list[str] = []
    of_parameters = of_names = False  # whether the next step is a name
    for step in steps(pointer):
        path.append(names.get(step, step) if of_parameters else step)
        is_name = of_parameters or of_names
        of_parameters = not is_name and step in _BY_PARAMETER
        of_names = not is_name and step in _BY_NAME
    if url or path == steps(pointer):
        return reference
    return f"#{quote(child('', *path), safe=_IN_FRAGMENT)}"


_IN_FRAGMENT = "/~!$&'()*+,;=:@"  # RFC 3986


@dataclass(slots=True)
class _Reader:
    """Gives arguments their wire names back.

    Attributes:
        wire: Name for the model to wire name.
        resources: The schemas that references lead to.
        values: Values read so far.
    """

    wire: Mapping[str, str]
    resources: Mapping[str, Resource]
    values: int = 0

    def read(self, value: Any, schemas: Iterable[object], depth: int = 0) -> Any:
        """Return a value with wire names, by the schemas that may apply to it."""
        if is_array(value):
            self._spend(len(value), depth)
            nodes = self._applied(schemas)
            inner = [part for node in nodes for part in of_elements(node)]
            return [self.read(item, inner, depth + 1) for item in value]
        if is_object(value):
            self._spend(len(value), depth)
            return self._read_object(value, self._applied(schemas), depth)
        return value

    def _spend(self, size: int, depth: int) -> None:
        self.values += 1 + size
        if depth > limits.CHECK_LEVELS or self.values > limits.NULL_STEPS:
            raise StrictJsonError("the arguments are too large, or nested too deeply")

    def _read_object(
        self, value: dict[str, Any], nodes: list[dict[str, Any]], depth: int
    ) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, item in value.items():
            wire = self.wire.get(name, name)
            # A name that no schema here declares is a key of the model's own.
            if not any(wire in members(node.get("properties")) for node in nodes):
                wire = name
            if wire in made:
                text = (
                    f"the parameter {printable(name, limits.NAME_TEXT)} is there twice"
                )
                raise StrictJsonError(text)
            inner = [part for node in nodes for part in of_member(node, wire)]
            made[wire] = self.read(item, inner, depth + 1)
        return made

    def _applied(self, schemas: Iterable[object]) -> list[dict[str, Any]]:
        """Return schemas with those that they refer to and combine."""
        nodes: dict[int, dict[str, Any]] = {}
        pending = list(schemas)
        while pending:
            node = pending.pop()
            if not is_object(node) or id(node) in nodes:
                continue
            nodes[id(node)] = node
            pending += [self._target(node.get(key)) for key in ("$ref", "$dynamicRef")]
            for keyword in ("allOf", "anyOf", "oneOf"):
                pending += elements(node.get(keyword))
            pending += [node.get(keyword) for keyword in ("if", "then", "else")]
            pending += members(node.get("dependentSchemas")).values()
            pending += members(node.get("dependencies")).values()
        return list(nodes.values())

    def _target(self, reference: object) -> object:
        """Return the schema that a reference means; None where there is none."""
        if not isinstance(reference, str):
            return None
        try:
            return resolve(reference, self.resources[""], self.resources)[0]
        except ValueError:
            return None
