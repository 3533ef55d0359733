# Copied by mcp-bindgen. Do not edit.
"""Checks JSON values against a JSON Schema (draft 7 or 2020-12); trusts neither."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import Fault
from ..json_values import kind_of
from .applicators import COMBINERS
from .assertions import TESTS
from .backtracking import pattern_matcher
from .node import EVERY, KINDS, Run, SchemaNode, TooCostlyError, doubt, refusal
from .references import (
    MANY,
    NAMED,
    ONE,
    Resource,
    expect,
    find_resources,
    is_array,
    is_object,
    is_texts,
    resolve,
    split,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .backtracking import Matcher
    from .node import Keywords, Tests

__all__ = ["SchemaChecker"]

_NEVER: Keywords = {"type": []}
_NAME_LISTS = frozenset(("dependencies", "dependentRequired"))
_LEFTOVERS = {"unevaluatedItems", "unevaluatedProperties"}
_HOLDERS = ONE | MANY | NAMED | {"$ref", "$dynamicRef"}
_EVERY_NAME = (*KINDS,)
_MAKERS = {**TESTS, **COMBINERS}
_CHANGED = {"additionalItems", "additionalProperties", "items", "patternProperties"}
_LATER = (  # keywords that draft 7 does not know
    "$dynamicRef prefixItems minContains maxContains dependentRequired"
    " dependentSchemas unevaluatedItems unevaluatedProperties"
)


class SchemaChecker:
    """A JSON Schema, compiled once; `format` is an annotation only.

    A pattern that no engine here reads (see `backtracking`) is not enforced.

    Attributes:
        root: The compiled schema.
        nodes: All schemas in it.
    """

    def __init__(self, schema: object) -> None:
        """Compile a schema.

        Args:
            schema: The schema as a JSON value: draft 7 where its `$schema` says so,
                else 2020-12.

        Raises:
            ValueError: It is no schema, or refers to something outside of itself.
        """
        compilation = _Compilation(find_resources(schema))
        self.root = _node(compilation, schema, compilation.resources[""], "false")
        try:
            for node, inner, keyword in compilation.pending:  # the list grows meanwhile
                _fill(compilation, node, inner, keyword)
        except RecursionError:
            raise ValueError("a value in the schema is nested too deeply") from None
        nodes = self.nodes = (*compilation.nodes.values(),)
        if any(_LEFTOVERS & node.children.keys() for node in nodes):
            # `unevaluated...` visits schemas a second time: they remember verdicts.
            for node in nodes:
                node.shared = True

    def run(self) -> Run:
        """Return the state of a check that begins; it counts the steps."""
        return Run((self.root.home,), {})

    def faults(self, value: object, run: Run | None = None) -> Iterator[Fault]:
        """Yield the faults of a JSON value, at most `limits.CHECK_FAULTS`.

        Example: `[fault.path for fault in SchemaChecker({"items": {"type": "null"}})
        .faults([1])] == ["/0"]`.

        Args:
            value: The value.
            run: The state of this check, for a caller that wants its steps.
        """
        run = run or self.run()
        try:
            yield from self.root.faults(value, run)
        except TooCostlyError as error:
            yield Fault("", "limits", str(error), kind_of(value))
        except RecursionError:
            text = "the value is nested too deeply to check"
            yield Fault("", "limits", text, kind_of(value))


@dataclass(frozen=True, slots=True)
class _Compilation:
    """The schemas of a document, compiled or pending, held since their ids are keys."""

    resources: Mapping[str, Resource]
    nodes: dict[tuple[int, int, str], SchemaNode] = field(
        default_factory=dict[tuple[int, int, str], SchemaNode]
    )
    pending: list[tuple[SchemaNode, object, str]] = field(
        default_factory=list[tuple[SchemaNode, object, str]]
    )
    dynamic: dict[str, dict[Resource | None, SchemaNode]] = field(
        default_factory=dict[str, "dict[Resource | None, SchemaNode]"]
    )


def _node(
    compilation: _Compilation, schema: object, home: Resource, keyword: str
) -> SchemaNode:
    expect(isinstance(schema, bool) or is_object(schema), keyword, "a schema")
    if len(compilation.resources) > 1:
        home = home.within(schema, compilation.resources)
    key = (id(schema), id(home), keyword if schema is False else "")
    if key not in compilation.nodes:
        compilation.nodes[key] = SchemaNode(home)
        compilation.pending.append((compilation.nodes[key], schema, keyword))
    else:
        compilation.nodes[key].shared = True
    return compilation.nodes[key]


def _fill(
    compilation: _Compilation, node: SchemaNode, schema: object, keyword: str
) -> None:
    if not is_object(schema):
        node.keywords = {} if schema else _NEVER
        refuse = () if schema else (refusal(keyword, "is not allowed"),)
        node.tests = dict.fromkeys(EVERY, refuse)
        return
    keywords = _keywords(schema, legacy=node.home.legacy)
    sizes = (len(arg) for arg in keywords.values() if is_array(arg) or is_object(arg))
    node.cost = 1 + sum(sizes) // limits.NAMES_A_STEP
    node.cost += limits.MULTIPLE_COST * ("multipleOf" in keywords)
    holders = [key for key in keywords if key in _HOLDERS]
    node.children = {} if holders else node.children
    for key in holders:
        _add_children(compilation, node, key, keywords[key])
    node.keywords = keywords
    node.tests = _tests(node, keywords)


def _tests(node: SchemaNode, keywords: Keywords) -> Tests:
    """Return type to tests; for a type that is not allowed, one that always fails."""
    allowed, by_type = _tests_of_types(_type_names(keywords))
    tests = by_type
    for keyword in keywords:
        kinds, make = _MAKERS.get(keyword, ((), None))
        if make and (test := make(keyword, node, keywords)):
            tests = {**by_type} if tests is by_type else tests
            for kind in allowed.intersection(kinds):
                tests[kind] = (*tests[kind], test)
    return tests


@lru_cache(maxsize=64)  # a schema has a few sets of types
def _tests_of_types(names: tuple[str, ...]) -> tuple[frozenset[type], Tests]:
    """Return what a schema allows that names types only: most do no more."""
    refuse = refusal("type", f"must be of type {' or '.join(names)}")
    tests: Tests = dict.fromkeys(EVERY, (refuse,))
    allowed = frozenset(kind for name in names for kind in KINDS[name])
    tests.update(dict.fromkeys(allowed, ()))
    if "integer" in names and "number" not in names:
        # 1.0 is an integer in JSON Schema, 1.5 is none.
        tests[float] = (lambda v, run: () if v.is_integer() else refuse(v, run),)
    return allowed, tests


def _type_names(keywords: Keywords) -> tuple[str, ...]:
    """Return the types that a schema allows: all where it names none."""
    if "type" not in keywords:
        return _EVERY_NAME
    names = keywords["type"]
    names = [names] if isinstance(names, str) else names
    is_valid = is_texts(names) and names and all(name in KINDS for name in names)
    expect(is_valid, "type", "one or more of the seven types")
    return (*names,)


def _add_children(
    compilation: _Compilation, node: SchemaNode, keyword: str, arg: Any
) -> None:
    """Compile the schemas that a keyword holds or points at."""
    compile_child = partial(_node, compilation, home=node.home, keyword=keyword)
    if keyword in ONE:
        node.children[keyword] = compile_child(arg)
    elif keyword in MANY:
        expect(is_array(arg) and (arg or keyword == "prefixItems"), keyword, "schemas")
        node.children[keyword] = [compile_child(schema) for schema in arg]
    elif keyword in NAMED:
        expect(is_object(arg), keyword, "an object")
        node.children[keyword] = {
            name: compile_child(inner)
            for name, inner in arg.items()
            if keyword not in _NAME_LISTS or not is_array(inner)
        }
        if keyword == "patternProperties":
            node.children[keyword] = [
                _matcher(*pair) for pair in node.children[keyword].items()
            ]
    elif keyword in {"$ref", "$dynamicRef"}:
        expect(isinstance(arg, str), keyword, "a string")
        schema, home = resolve(arg, node.home, compilation.resources)
        children: dict[Resource | None, SchemaNode] = {
            None: _node(compilation, schema, home, keyword)
        }
        # The target of `$dynamicRef` depends on the resources entered on the way.
        name = split(arg)[1]
        if keyword == "$dynamicRef" and home.dynamic.get(name) is schema:
            node.children[keyword] = ChainMap(
                children, _dynamic_nodes(compilation, name)
            )
        else:
            node.children[keyword] = children


def _dynamic_nodes(
    compilation: _Compilation, name: str
) -> dict[Resource | None, SchemaNode]:
    """Compile the target of a dynamic anchor in each resource, once for all."""
    if name not in compilation.dynamic:
        compilation.dynamic[name] = {
            home: _node(compilation, home.dynamic[name], home, "$dynamicRef")
            for home in compilation.resources.values()
            if name in home.dynamic
        }
    return compilation.dynamic[name]


def _matcher(pattern: str, compile_child: SchemaNode) -> tuple[Matcher, SchemaNode]:
    """Pair a pattern with its schema; one that no engine reads may match any name."""
    try:
        return pattern_matcher(pattern), compile_child
    except ValueError:
        anything = SchemaNode(compile_child.home, tests=dict.fromkeys(EVERY, (doubt,)))
        return lambda _name, _spend: True, anything


def _keywords(schema: Keywords, *, legacy: bool) -> Keywords:
    """Return the keywords that have an effect, under their names of 2020-12."""
    if legacy and "$ref" in schema:
        return {"$ref": schema["$ref"]}
    if not (legacy or _CHANGED & schema.keys()):
        return schema
    later = _LATER.split() if legacy else ()
    keywords = {key: arg for key, arg in schema.items() if key not in later}
    rest = keywords.pop("additionalItems", None)
    if is_array(keywords.get("items")):
        keywords["prefixItems"] = keywords.pop("items")
        if rest is not None:
            keywords["items"] = rest
    # One test serves both keywords of a group; its key is the first of them.
    if "items" in keywords:
        keywords.setdefault("prefixItems", [])
    if "patternProperties" in keywords or "additionalProperties" in keywords:
        keywords.setdefault("properties", {})
    return keywords
