"""Checks the schema of residual validation as each package will compile it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.node import SchemaError, is_schema, with_inner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.schema.document import Document

__all__ = ["check_residual"]

_REFERENCES = ("$ref", "$dynamicRef")


def check_residual(document: Document, schema: Mapping[str, Any]) -> None:
    """Compile a schema of residual validation once.

    Args:
        document: The document that it comes from, which knows the place of a fault.
        schema: The schema.

    Raises:
        SchemaError: A keyword has a value of the wrong form, or a reference leads out
            of the document or to nothing.
    """
    if reason := _refusal(schema):
        raise SchemaError(next(_pointers(document, reason), ""), reason)


def _refusal(schema: Mapping[str, Any]) -> str:
    """Return the reason why a schema cannot be compiled, "" for none."""
    from mcp_bindgen.runtime.validation.schema import SchemaChecker

    try:
        SchemaChecker(schema)
    except ValueError as error:
        return str(error)
    return ""


def _pointers(document: Document, reason: str) -> Iterator[str]:
    """Yield the pointers of keywords that are refused for a reason.

    It looks at each schema without those inside of it, so that a large one takes no
    longer than its text.
    """
    word, _, _ = reason.partition(" ")  # of a value of the wrong form
    for pointer, node in document.nodes:
        for keyword in (*_REFERENCES, word):
            own = {keyword: node[keyword]} if keyword in node else {}
            if own and reason == _refusal(with_inner(own, _any)):
                yield child(pointer, keyword)


def _any(inner: object) -> object:
    """Return the schema that any value fits for a schema; a faulty one stays."""
    return True if is_schema(inner) else inner
