"""The word that tells a branch of a union from others, for the name of its class."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from mcp_bindgen.python.names import class_words
from mcp_bindgen.schema.branches import is_class_like, lists_values
from mcp_bindgen.schema.node import Node, listed, mapped, members, types_of
from mcp_bindgen.schema.scalars import listed_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["words_apart"]

_ROUNDS = 3  # of looking at the branches that have no word yet
_LISTED = 16  # strings that a property lists, of which one may tell
_SHORT, _WORD = 2, 45  # characters of a string that says too little, or too much
T = TypeVar("T")


class _Facts(NamedTuple):
    """The facts that may tell a branch from others.

    Attributes:
        constants: Properties that allow one string, each with the string.
        required: Properties that it requires.
        named: Properties that it names.
        strings: Properties that allow a few strings, with each string.
        types: Types of properties, or of the elements of arrays, with the property.
    """

    constants: list[tuple[str, str]]
    required: list[str]
    named: list[str]
    strings: list[tuple[str, str]]
    types: list[tuple[str, str]]


def words_apart(branches: Sequence[Node], tag: str | None) -> list[str]:
    """Return for each branch a word that tells it from the others, "" for none.

    That is a string that only this branch allows for a property, as `Query` for
    `{"kind": {"const": "query"}}`, else a property that only this branch requires, as
    `ByQuery`, else one that only this branch names, as `WithQuery`, else one of several
    strings that only this branch allows, as `WithDaily`. Branches that have none are
    told from each other alone, at last by the type of a property, as `WithStringId`.
    Of several words, the first by the alphabet of the properties is taken, so that no
    order of them counts.

    Args:
        branches: Schemas; only objects get words.
        tag: The property that tells all of them apart, whose strings come first.
    """
    facts = [_facts(mapped(branch)) for branch in branches]
    words = _words([fact._replace(types=[]) for fact in facts], tag)
    nameless = [number for number, node in enumerate(branches) if is_class_like(node)]
    for _ in range(_ROUNDS):
        nameless = [number for number in nameless if not words[number]]
        if len(nameless) > 1:
            more = _words([facts[number] for number in nameless], tag)
            for number, word in zip(nameless, more, strict=True):
                words[number] = "" if word in words else word
    return words


def _facts(node: Mapping[str, Any]) -> _Facts:
    return _Facts(
        constants=sorted(_strings(node, 1)),
        required=sorted(cast("list[str]", node.get("required") or [])),
        named=sorted(members(node, "properties")),
        strings=sorted(_strings(node, _LISTED)),
        types=sorted(_types(node), key=_by_property),
    )


def _by_property(typed: tuple[str, str]) -> tuple[str, bool, str]:
    """Return the key to sort types of properties by; null says least, so it is last."""
    type_, wire = typed
    return wire, type_ == "null", type_


def _strings(node: Mapping[str, Any], most: int) -> list[tuple[str, str]]:
    """Return the properties that list a few values, each with each short string."""
    values = {
        wire: listed_values(schema)
        for wire, schema in members(node, "properties").items()
        if lists_values(schema)
    }
    return [
        (wire, value)
        for wire, allowed in values.items()
        if len(allowed) <= most
        for value in allowed
        if isinstance(value, str) and len(value) <= _WORD
    ]


def _types(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the types in each property's own schema."""
    for wire, schema in members(node, "properties").items():
        own = mapped(schema)
        branches = [*listed(own.get("anyOf")), *listed(own.get("oneOf"))]
        for part in map(mapped, [own, *branches]):
            types = types_of(part)
            inner = types_of(mapped(part.get("items"))) if "array" in types else ()
            yield from ((type_, wire) for type_ in (*types, *inner))


def _words(facts: list[_Facts], tag: str | None) -> list[str]:
    """Return for each branch a word by a fact of it alone, "" where there is none."""
    own = map(_Facts, *(_only_in_one([*lists]) for lists in zip(*facts, strict=True)))
    words: list[str] = []
    for constants, required, named, strings, types in own:
        constants.sort(key=lambda pair: pair[0] != tag)
        texts = [v if len(v) > _SHORT else f"{wire} {v}" for wire, v in strings]
        with_ = [*named, *texts, *map(" ".join, types)]
        choices = [class_words(value) for _, value in constants]
        choices += [*_prefixed("By", required), *_prefixed("With", with_)]
        words.append(next(filter(None, choices), ""))
    return [word if words.count(word) == 1 else "" for word in words]


def _prefixed(prefix: str, texts: list[str]) -> Iterator[str]:
    """Yield the words of texts behind a prefix; none for a text without words."""
    return (f"{prefix}{word}" for word in map(class_words, texts) if word)


def _only_in_one(lists: list[list[T]]) -> list[list[T]]:
    """Return lists without the elements that two of them have."""
    counts = Counter(element for elements in lists for element in set(elements))
    return [[e for e in elements if counts[e] == 1] for elements in lists]
