"""An order of what JSON Schema lists without any: names must not follow such a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import Expr, Name, names
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.spelling import spelled, stripped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.schema.context import ClassDraft, CompileContext
    from mcp_bindgen.schema.document import Forms
    from mcp_bindgen.schema.node import Node

__all__ = ["as_declared", "fixed_order", "text_length"]


def fixed_order(schemas: Sequence[Node], forms: Forms) -> list[int]:
    """Return the numbers of schemas, sorted by what the schemas say.

    Titles and other texts count only where nothing else differs.

    Args:
        schemas: The schemas, in any order.
        forms: The forms that are known in their document.
    """
    if len(schemas) == 1:
        return [0]
    keys = [(canonical(stripped(schema, forms)), "", 0) for schema in schemas]
    if len({*keys}) < len(keys):
        texts = [
            (canonical(spelled(each, forms)), text_length(each)) for each in schemas
        ]
        keys = [(key[0], *text) for key, text in zip(keys, texts, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)


def text_length(schema: Node) -> int:
    """Return the length of a schema as JSON, which no order in it changes.

    Args:
        schema: The schema.
    """
    return len(canonical(schema))


def as_declared(context: CompileContext, root: Expr) -> dict[str, ClassDraft]:
    """Return the drafts in the order in which the schema declares their places.

    Args:
        context: The compiled schema.
        root: Its type.
    """
    has_root = isinstance(root, Name) and root.code in context.drafts
    if len(context.drafts) <= 1 + has_root:
        return context.drafts  # No two have a place in the same type.
    ordered: dict[str, ClassDraft] = {}
    pending, visited = [*reversed([*names(root)])], set[str]()
    while pending:
        code = pending.pop()
        if code in visited:
            continue
        visited.add(code)
        draft = context.drafts.get(code)
        inner = [context.settled[code]] if code in context.settled else []
        if draft is not None:
            ordered[code] = draft
            own = [draft.type] if draft.type is not None else []
            inner = own or [field.type for field in draft.fields]
        pending += reversed([used for expr in inner for used in names(expr)])
    # Unions that are too large lose their types; the classes in them stay.
    return {**ordered, **context.drafts}
