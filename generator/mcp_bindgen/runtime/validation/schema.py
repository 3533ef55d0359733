"""Checks JSON values against a JSON Schema (draft 7 or 2020-12), trusting neither."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import Fault, kind_of
from .applicators import COMBINERS
from .assertions import TESTS
from .backtracking import pattern_matcher
from .node import EVERY, KINDS, Node, Run, TooCostlyError, doubt, refusal
from .references import (
    MANY,
    NAMED,
    ONE,
    Resource,
    expect,
    is_array,
    is_object,
    is_texts,
    resolve,
    resources,
    split,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .backtracking import Matcher
    from .node import Test, Words

__all__ = ["Schema"]

_NAME_LISTS = frozenset(("dependencies", "dependentRequired"))
_LEFTOVERS = {"unevaluatedItems", "unevaluatedProperties"}
_MAKERS = {**TESTS, **COMBINERS}
_LATER = (  # keywords that draft 7 does not know
    "$dynamicRef prefixItems minContains maxContains dependentRequired"
    " dependentSchemas unevaluatedItems unevaluatedProperties"
)


class Schema:
    """A JSON Schema, compiled once; `format` is an annotation only.

    A pattern that no engine here reads (see `backtracking`) is not enforced.
    """

    def __init__(self, schema: object) -> None:
        """Compile a schema.

        Args:
            schema: The schema as a JSON value: draft 7 where its `$schema` says so,
                else 2020-12.

        Raises:
            ValueError: It is no schema, or refers to something outside of itself.
        """
        book = _Book(resources(schema))
        self._root = _node(book, schema, book.found[""], "false")
        try:
            for node, inner, word in book.todo:  # grows on the way
                _fill(book, node, inner, word)
        except RecursionError:
            raise ValueError("a value in the schema is nested too deeply") from None
        nodes = book.nodes.values()
        if any(_LEFTOVERS & node.kids.keys() for node in nodes):
            for node in nodes:  # what is left over asks all of them again
                node.shared = True

    def faults(self, value: object) -> Iterator[Fault]:
        """Yield what is wrong with a JSON value, at most 21 faults."""
        run = Run((self._root.home,), {})
        try:
            yield from self._root.faults(value, run)
        except TooCostlyError as error:
            yield Fault("", "limits", str(error), kind_of(value))
        except RecursionError:
            text = "the value is nested too deeply to check"
            yield Fault("", "limits", text, kind_of(value))


@dataclass(frozen=True, slots=True)
class _Book:
    """The schemas of a document, compiled or still to do; it keeps them alive."""

    found: Mapping[str, Resource]
    nodes: dict[tuple[int, int, str], Node] = field(
        default_factory=dict[tuple[int, int, str], Node]
    )
    todo: list[tuple[Node, object, str]] = field(
        default_factory=list[tuple[Node, object, str]]
    )
    named: dict[str, dict[Resource | None, Node]] = field(
        default_factory=dict[str, "dict[Resource | None, Node]"]
    )


def _node(book: _Book, schema: object, home: Resource, word: str) -> Node:
    expect(isinstance(schema, bool) or is_object(schema), word, "a schema")
    home = home.within(schema, book.found)
    key = (id(schema), id(home), word if schema is False else "")
    if key not in book.nodes:
        book.nodes[key] = Node(home)
        book.todo.append((book.nodes[key], schema, word))
    else:
        book.nodes[key].shared = True
    return book.nodes[key]


def _fill(book: _Book, node: Node, schema: object, word: str) -> None:
    if not is_object(schema):
        refuse = [] if schema else [refusal(word, "is not allowed")]
        node.tests = dict.fromkeys(EVERY, refuse)
        return
    words = _words(schema, legacy=node.home.legacy)
    sizes = (len(arg) for arg in words.values() if is_array(arg) or is_object(arg))
    node.cost = 1 + sum(sizes) // 16 + 16 * ("multipleOf" in words)
    for key, arg in words.items():
        _add_kids(book, node, key, arg)
    node.tests = _tests(node, words)


def _tests(node: Node, words: Words) -> dict[type, list[Test]]:
    """Make the tests for each type of value; a type not allowed has one."""
    names = words.get("type", list(KINDS))
    names = [names] if isinstance(names, str) else names
    known = is_texts(names) and names and all(name in KINDS for name in names)
    expect(known, "type", "one or more of the seven types")
    refuse = refusal("type", f"must be of type {' or '.join(names)}")
    tests: dict[type, list[Test]] = {kind: [] for name in names for kind in KINDS[name]}
    if "integer" in names and "number" not in names:
        tests[float].append(lambda v, run: () if v.is_integer() else refuse(v, run))
    for word in words:
        kinds, make = _MAKERS.get(word, ((), None))
        test = make and make(word, node, words)
        for kind in kinds:
            if test and kind in tests:
                tests[kind].append(test)
    return {kind: tests.get(kind, [refuse]) for kind in EVERY}


def _add_kids(book: _Book, node: Node, word: str, arg: Any) -> None:
    """Compile the schemas that a keyword holds or points at."""
    kid = partial(_node, book, home=node.home, word=word)
    if word in ONE:
        node.kids[word] = kid(arg)
    elif word in MANY:
        expect(is_array(arg) and (arg or word == "prefixItems"), word, "schemas")
        node.kids[word] = [kid(schema) for schema in arg]
    elif word in NAMED:
        expect(is_object(arg), word, "an object")
        node.kids[word] = {
            name: kid(inner)
            for name, inner in arg.items()
            if word not in _NAME_LISTS or not is_array(inner)
        }
        if word == "patternProperties":
            node.kids[word] = [_matcher(*pair) for pair in node.kids[word].items()]
    elif word in {"$ref", "$dynamicRef"}:
        expect(isinstance(arg, str), word, "a string")
        schema, home = resolve(arg, node.home, book.found)
        kids: dict[Resource | None, Node] = {None: _node(book, schema, home, word)}
        name = split(arg)[1]
        if word == "$dynamicRef" and home.dynamic.get(name) is schema:
            node.kids[word] = ChainMap(kids, _named(book, name))
        else:
            node.kids[word] = kids


def _named(book: _Book, name: str) -> dict[Resource | None, Node]:
    """Compile what a dynamic anchor means in each resource, once for all references."""
    if name not in book.named:
        book.named[name] = {
            home: _node(book, home.dynamic[name], home, "$dynamicRef")
            for home in book.found.values()
            if name in home.dynamic
        }
    return book.named[name]


def _matcher(pattern: str, kid: Node) -> tuple[Matcher, Node]:
    """Pair a pattern with its schema; one that cannot be run may match any name."""
    try:
        return pattern_matcher(pattern), kid
    except ValueError:
        anything = Node(kid.home, tests={kind: [doubt] for kind in EVERY})
        return lambda _name, _spend: True, anything


def _words(schema: Words, *, legacy: bool) -> dict[str, Any]:
    """Return the keywords that count, those of draft 7 under their later names."""
    if legacy and "$ref" in schema:
        return {"$ref": schema["$ref"]}
    later = _LATER.split() if legacy else ()
    words = {key: arg for key, arg in schema.items() if key not in later}
    rest = words.pop("additionalItems", True)
    if is_array(words.get("items")):
        words["prefixItems"], words["items"] = words["items"], rest
    # One test serves each of these groups, under the name of its first.
    if "items" in words:
        words.setdefault("prefixItems", [])
    if "patternProperties" in words or "additionalProperties" in words:
        words.setdefault("properties", {})
    return words
