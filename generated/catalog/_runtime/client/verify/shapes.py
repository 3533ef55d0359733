# Copied by mcp-bindgen. Do not edit.
"""Reads a simple schema as one declaration for each type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ... import limits
from ...json_pointer import child, steps
from ...json_values import elements, members
from .spelling import WORDS, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "KINDS",
    "Branch",
    "Shape",
    "UndecidedError",
    "bound_of",
    "shape_of",
    "words",
]

KINDS = ("null", "boolean", "number", "string", "array", "object")
_ASSERTING = frozenset(
    {"type", "enum", "const", "format", "pattern", "items", "uniqueItems"}
    | {"minLength", "maxLength", "minItems", "maxItems", "multipleOf"}
    | {"minProperties", "maxProperties", "minimum", "maximum"}
    | {"exclusiveMinimum", "exclusiveMaximum"}
    | {"properties", "required", "additionalProperties"}
)
# Other keywords do not concern a call; `x-mcp-header` names its headers.
_EFFECTIVE = _ASSERTING | frozenset(
    {"$ref", "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor"}
    | {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$id", "$anchor"}
    | {"prefixItems", "additionalItems", "unevaluatedItems", "contains"}
    | {"patternProperties", "propertyNames", "unevaluatedProperties"}
    | {"dependentRequired", "dependentSchemas", "dependencies"}
    | {"minContains", "maxContains", "x-mcp-header"}
)
_LISTS = frozenset({"type", "enum", "const"})


class UndecidedError(Exception):
    """A schema is not simple enough to be compared here."""


class Branch(NamedTuple):
    """The declaration of a schema for values of one type.

    Attributes:
        kind: The type as it is declared; an integer is a number elsewhere.
        pointer: Its JSON pointer in the document.
        node: The keywords, also those of other types.
        values: The only values, as JSON; None for no such list.
    """

    kind: str
    pointer: str
    node: Mapping[str, Any]
    values: frozenset[str] | None

    @property
    def is_free(self) -> bool:
        """Whether every value of the type fits."""
        return self.kind != "integer" and not self.node.keys() & (_ASSERTING - {"type"})


class Shape(NamedTuple):
    """A schema with one branch at most for each type.

    Attributes:
        pointer: Its JSON pointer in the document.
        branches: The branches by their types.
    """

    pointer: str
    branches: Mapping[str, Branch]

    @property
    def is_any(self) -> bool:
        """Whether every JSON value fits."""
        free = [branch for branch in self.branches.values() if branch.is_free]
        return len(free) == len(KINDS)


def words(document: Any, node: Any) -> dict[str, Any]:
    """Return the annotations of a schema and of its targets; the outer ones win.

    Args:
        document: The whole schema.
        node: The schema.
    """
    annotations: dict[str, Any] = {}
    for _ in range(limits.VERIFY_REFERENCES):
        own = members(node)
        for word in own.keys() & {*WORDS}:
            annotations.setdefault(word, own[word])
        if "$ref" not in own:
            break
        try:
            _, node = _target(document, own["$ref"])
        except UndecidedError:
            break
    return annotations


def shape_of(
    document: Any, pointer: str, node: Any, depth: int = 0, *, inside: bool = False
) -> Shape:
    """Return a schema as one branch for each type.

    Args:
        document: The whole schema, with the targets of references.
        pointer: The pointer of the schema in it.
        node: The schema.
        depth: References that lead to it.
        inside: Whether it is an alternative: nested ones are not read, as their number
            may grow without end.

    Raises:
        UndecidedError: It is not as simple as that.
    """
    if depth > limits.VERIFY_REFERENCES or not (node is True or isinstance(node, dict)):
        raise UndecidedError
    own = members(cast("object", node))
    rules = {key: value for key, value in own.items() if key in _EFFECTIVE}
    if not pointer:
        rules.pop("$id", None)  # deeper down, references would lead from there
    if "$ref" in rules:
        if len(rules) > 1:
            raise UndecidedError
        return shape_of(
            document, *_target(document, rules["$ref"]), depth + 1, inside=inside
        )
    if rules.keys() in ({"anyOf"}, {"oneOf"}) and not inside:
        return Shape(pointer, _alternatives(document, pointer, rules))
    if not rules.keys() <= _ASSERTING:
        raise UndecidedError
    branches = {branch.kind: branch for branch in _declared(pointer, rules)}
    if "integer" in branches:
        if "number" in branches:
            raise UndecidedError
        branches["number"] = branches.pop("integer")
    return Shape(pointer, branches)


def bound_of(kind: str, branch: Branch, name: str) -> Any:
    """Return a bound of a branch, None for none or for one that says nothing.

    Args:
        kind: The type that has it.
        branch: The branch.
        name: The keyword.

    Raises:
        UndecidedError: It is no number of that type.
    """
    value = branch.node.get(name)
    if value is None or (value == 0 and name.startswith("min") and kind != "number"):
        return None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole and not (branch.kind == "number" and isinstance(value, float)):
        raise UndecidedError
    return value


def _alternatives(
    document: Any, pointer: str, rules: Mapping[str, Any]
) -> dict[str, Branch]:
    """Return the branches of `anyOf` or `oneOf`, by their types."""
    branches: dict[str, Branch] = {}
    ((keyword, listed),) = rules.items()
    for number, each in enumerate(elements(listed)):
        at = child(pointer, keyword, number)
        inner = shape_of(document, at, each, inside=True)
        for kind, branch in inner.branches.items():
            before = branches.get(kind)
            branches[kind] = _joined(before, branch, keyword) if before else branch
    return branches


def _joined(one: Branch, other: Branch, keyword: str) -> Branch:
    """Return two lists of values as one."""
    is_plain = one.node.keys() | other.node.keys() <= _LISTS
    if keyword == "oneOf" or not is_plain or one.kind != other.kind:
        raise UndecidedError
    if one.values is None or other.values is None:
        raise UndecidedError
    return one._replace(values=one.values | other.values)


def _declared(pointer: str, rules: Mapping[str, Any]) -> Iterator[Branch]:
    """Yield the declaration of each type by keywords without combiners."""
    if "const" in rules and "enum" in rules:
        raise UndecidedError
    listed = [rules["const"]] if "const" in rules else rules.get("enum")
    if "type" in rules:
        names = rules["type"]
        kinds = [names] if isinstance(names, str) else elements(names)
    elif listed is not None:
        kinds = [*dict.fromkeys(map(_kind_of, elements(listed)))]
    elif rules:  # keywords of one type limit this type only
        raise UndecidedError
    else:
        kinds = [*KINDS]
    if not {*map(str, kinds)} <= {*KINDS, "integer"}:
        raise UndecidedError
    for kind in kinds:
        values = None if listed is None else _values(kind, elements(listed))
        if values != frozenset():
            few = values in (frozenset({"null"}), frozenset({"true", "false"}))
            node = _whole(rules) if kind == "integer" else rules
            yield Branch(kind, pointer, node, None if few else values)


def _whole(rules: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the keywords of an integer: above 0 is the same as at least 1."""
    own = {**rules}
    for side, step in (("Minimum", 1), ("Maximum", -1)):
        value = own.get(f"exclusive{side}")
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if is_whole and side.lower() not in own:
            own[side.lower()] = own.pop(f"exclusive{side}") + step
    return own


def _values(kind: str, listed: list[Any]) -> frozenset[str]:
    kinds = {kind, "integer"} if kind == "number" else {kind}
    return frozenset(text(each) for each in listed if _kind_of(each) in kinds)


def _kind_of(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    named = (int, "integer"), (float, "number"), (str, "string"), (list, "array")
    for kind, name in named:
        if isinstance(value, kind):
            return name
    return "object"


def _target(document: Any, ref: object) -> tuple[str, Any]:
    """Return the target of a reference in its document."""
    if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
        raise UndecidedError
    pointer, node = ref[1:], document
    for step in steps(pointer):
        if step not in members(node):
            raise UndecidedError
        node = node[step]
    return pointer, node
