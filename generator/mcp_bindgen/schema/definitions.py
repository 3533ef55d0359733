"""Finds the definitions without a single location: they are called by their keys.

A key of `$defs` is the name of a class in the server's program, which may change its
name, or the schema may have no definitions at all. So a class is called after the
location of its objects, if that says enough.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.names import class_words
from mcp_bindgen.python.plurals import singular
from mcp_bindgen.runtime.json_pointer import child, steps
from mcp_bindgen.schema.branches import is_class_like
from mcp_bindgen.schema.context import Location, Word
from mcp_bindgen.schema.keywords import DEFINITIONS, LISTS, MAPS, SINGLE
from mcp_bindgen.schema.node import Node, SchemaError, listed, mapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.schema.document import Document

__all__ = ["named_by_title", "named_definitions"]

# Keys that programs give to definitions.
_NUMBERED = re.compile(
    r"(?:Def|Definition|Model|Object|Ref|Schema|Type)s?[0-9]*", re.IGNORECASE
)
# Properties that say nothing about the objects in them.
_NAMELESS = frozenset({"Response", "Result", "Results"})
_SEVERAL = 2
_OF_ELEMENTS = frozenset({"items", "prefixItems", "additionalItems"})
_WITHIN = SINGLE | LISTS | MAPS


def named_definitions(document: Document) -> dict[str, str]:
    """Return the pointers of definitions that are called by their titles or keys.

    These are members of unions, definitions that are used under different names, and
    those under names that say nothing, as `result`.

    Args:
        document: The whole schema.

    Returns:
        Pointer to class name.
    """
    words_of = defaultdict[str, set[str]](set)
    members = set[str]()
    for pointer, node in document.nodes:
        members.update(_members_of_union(document, node, pointer))
        target = _target(document, node) if "$ref" in node else None
        if target is None:
            continue
        word = "" if pointer in members else _word_at(pointer)
        if word is not None:
            words_of[target[0]].add(word)
    named = {
        pointer: _own_name(document, pointer)
        for pointer, words in words_of.items()
        if len(words) >= _SEVERAL or not _NAMELESS.isdisjoint(words) or "" in words
    }
    return {pointer: name for pointer, name in named.items() if name}


def named_by_title(node: Mapping[str, Any], location: Location) -> Location:
    """Return the location of an object, with its title where its name says nothing."""
    title = class_words(str(node.get("title", "")))
    words = [word.short for word in location.path[1:] if word.short != "Item"]
    if title and words and words[-1] in _NAMELESS:
        return replace(location, path=(Word(title, title),))
    return location


def _members_of_union(document: Document, node: Any, pointer: str) -> list[str]:
    """Return the locations of the members of a union of several classes."""
    keyword = "anyOf" if "anyOf" in node else "oneOf"
    if keyword not in node:
        return []
    branches = cast("list[Node]", listed(node.get(keyword)))
    targets = ((b, _target(document, b)) for b in branches)
    classes = [b for b, target in targets if is_class_like(target[1] if target else b)]
    if len(classes) < _SEVERAL:
        return []
    return [child(pointer, keyword, number) for number in range(len(branches))]


def _target(document: Document, node: Node) -> tuple[str, Node] | None:
    """Return the target of a schema's reference; None if it is outside, or missing."""
    try:
        return document.target_of(node)
    except SchemaError:
        return None


def _word_at(pointer: str) -> str | None:
    """Return the word that a class at a pointer is called after.

    It is "" at the root, and None where a definition only refers to another.
    """
    word: str | None = ""
    path = iter(steps(pointer))
    for keyword in path:
        if keyword in MAPS:
            name = class_words(next(path, ""))
            word = None if keyword in DEFINITIONS else name
        elif keyword in _OF_ELEMENTS:
            word = word and (singular(word) or word)
    return word


def _own_name(document: Document, pointer: str) -> str:
    """Return the name that a definition has itself, "" for none that says anything."""
    *_, group, last = ["", "", *steps(pointer)]
    if group not in DEFINITIONS and {group, last} & _WITHIN:
        return ""  # Not a definition: its pointer leads to a property or the like.
    title = class_words(str(mapped(document.at(pointer)).get("title", "")))
    key = class_words(last)
    return next((n for n in (title, key) if n and not _NUMBERED.fullmatch(n)), "")
