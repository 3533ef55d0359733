"""Constraints that combine or exclude schemas: they are compared as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp_bindgen.runtime.json_pointer import steps
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import KNOWN
from mcp_bindgen.schema.node import SchemaError, is_array, is_object, with_inner
from mcp_bindgen.schema.spelling import stripped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from mcp_bindgen.schema.document import Document

__all__ = [
    "is_dynamic",
    "is_elsewhere",
    "references",
    "targets_of",
    "text_constraints",
    "wordless",
]

# Keywords with a meaning for values, references, or requests.
_MEANT = (KNOWN | {"x-mcp-header"}) - frozenset("""
    $comment title description default examples example deprecated readOnly writeOnly
    """.split())
# Constraints that are only compared as texts. An `if` says nothing without its `then`
# and `else`, so these are one constraint.
_AS_TEXT_FOR_ALL = (
    *(("not",), ("if", "then", "else"), ("overlap",)),
    *(("$ref",), ("$dynamicRef",), ("$recursiveRef",)),
)
# The same with those that speak of one type.
_AS_TEXT: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "array": (
        *_AS_TEXT_FOR_ALL,
        *(("contains",), ("minContains",), ("maxContains",), ("unevaluatedItems",)),
    ),
    "object": (
        *_AS_TEXT_FOR_ALL,
        *(("propertyNames",), ("dependentRequired",), ("dependentSchemas",)),
        *(("dependencies",), ("unevaluatedProperties",)),
    ),
}


def text_constraints(
    document: Document, kind: str, nodes: Iterable[Mapping[str, Any]]
) -> frozenset[str]:
    """Return the constraints that are compared as texts only.

    Args:
        document: The document of their references.
        kind: The type that they constrain.
        nodes: The schemas; a value must fit all of them.
    """
    texts = set[str]()
    groups = _AS_TEXT.get(kind, _AS_TEXT_FOR_ALL)
    for node in nodes:
        for group in groups:
            if group[0] in node:
                rules = stripped({word: node[word] for word in group if word in node})
                targets = targets_of(document, rules)
                text = canonical(rules) + _text_of(targets)
                # The whole document decides about the target of "$dynamicRef", and of
                # a reference to an `$id`.
                if is_dynamic(text) or is_elsewhere(targets):
                    text += canonical(wordless(document.root, document.root))
                texts.add(text)
    return frozenset(texts)


def is_dynamic(text: str) -> bool:
    """Return whether targets of references depend on the whole document.

    Args:
        text: The schema, as JSON.
    """
    return '"$dynamicRef":' in text or '"$recursiveRef":' in text


def is_elsewhere(targets: Mapping[str, object]) -> bool:
    """Return whether one of the targets of references is not under their pointer.

    Args:
        targets: The targets as `targets_of` returns them.
    """
    return any(target is None for target in targets.values())


def _text_of(targets: Mapping[str, object]) -> str:
    """Return the targets of the references in a constraint: they may have changed."""
    same = {ref: stripped(target) for ref, target in targets.items()}
    return canonical(same) if same else ""


def targets_of(document: Document, value: object) -> dict[str, object]:
    """Return the target of each reference in a schema, and in these targets.

    Args:
        document: The document that they lead into.
        value: The schema.

    Returns:
        Reference to target; None where it leads nowhere, out of the document, or to an
        `$id`.
    """
    targets: dict[str, object] = {}
    pending = [value]
    while pending:
        for ref in references(pending.pop()):
            if ref not in targets:
                targets[ref] = _target(document, ref)
                pending.append(targets[ref])
    return targets


def _target(document: Document, ref: str) -> object:
    """Return the target of a reference; None where it has none, as in an enum."""
    try:
        target = document.target(ref)
    except SchemaError:
        return None
    return target[1] if target else None


def references(value: object) -> Iterator[str]:
    """Yield the references in a part of a schema, at any depth."""
    if is_object(value):
        ref = value.get("$ref")
        if isinstance(ref, str):
            yield ref
    inner = value.values() if is_object(value) else value if is_array(value) else ()
    for each in inner:
        yield from references(each)


def wordless(schema: Any, root: Mapping[str, Any]) -> Any:
    """Return a schema without texts, and without keywords that have no meaning.

    A keyword stays where a reference names it: its value may be a schema, too.

    Args:
        schema: The schema.
        root: The whole schema that it belongs to.
    """
    addresses = (unquote(ref.partition("#")[2]) for ref in references(root))
    return _wordless(schema, {step for text in addresses for step in steps(text)})


def _wordless(schema: Any, named: AbstractSet[str]) -> Any:
    if not is_object(schema):
        return schema
    inner = with_inner(schema, lambda each: _wordless(each, named))
    return {k: v for k, v in inner.items() if k in _MEANT or k in named}
