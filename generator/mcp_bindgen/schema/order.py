"""An order of what JSON Schema lists without any: names must not follow such a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import Expr, names
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.spelling import spelled, stripped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.schema.context import ClassDraft, CompileContext
    from mcp_bindgen.schema.node import Node

__all__ = ["as_declared", "fixed_order"]


def fixed_order(schemas: Sequence[Node]) -> list[int]:
    """Return the numbers of schemas, sorted by what the schemas say.

    Titles and other texts count only where nothing else differs.

    Args:
        schemas: The schemas, in any order.
    """
    if len(schemas) == 1:
        return [0]
    keys = [(canonical(stripped(schema)), "") for schema in schemas]
    if len({*keys}) < len(keys):
        texts = (canonical(spelled(schema)) for schema in schemas)
        keys = [(key, text) for (key, _), text in zip(keys, texts, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)


def as_declared(context: CompileContext, root: Expr) -> dict[str, ClassDraft]:
    """Return the drafts in the order in which the schema declares their places.

    Args:
        context: The compiled schema.
        root: Its type.
    """
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
