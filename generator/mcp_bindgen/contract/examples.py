"""Makes arguments of each tool that its input schema accepts, for examples."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.instances import values_of
from mcp_bindgen.contract.shape import root_parts
from mcp_bindgen.recording.document import load
from mcp_bindgen.runtime.validation.schema import SchemaChecker
from mcp_bindgen.schema.document import Document
from mcp_bindgen.schema.node import SchemaError, is_object, mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.limits import Limits

__all__ = ["example_arguments"]

_TRIED = 40


def example_arguments(data: bytes, limits: Limits) -> dict[str, dict[str, Any]]:
    """Return wire name of a tool to arguments that its schema accepts.

    A tool of which no arguments are known is not in it. Values that the schema itself
    shows (`examples`, `default`) come before those that fit it.

    Args:
        data: The recording.
        limits: The limits on it.

    Raises:
        BindgenError: It is no recording, or over a limit.
    """
    recording, _ = load(data, limits)
    pairs = (
        (str(t["name"]), _arguments(mapped(t["inputSchema"]))) for t in recording.tools
    )
    return {name: arguments for name, arguments in pairs if arguments is not None}


def _arguments(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        document = Document.read(schema)
        checker = SchemaChecker(document.root)
        values: list[object] = [
            *islice(values_of(document, root_parts(document)), _TRIED)
        ]
    except (SchemaError, ValueError, RecursionError):
        return None
    objects = (value for value in values if is_object(value))
    fitting = (value for value in objects if not any(checker.faults(value)))
    small: dict[str, Any] | None = min(fitting, key=len, default=None)
    if small is None:
        return None
    for name, value in _shown(schema, small):
        better = {**small, name: value}
        small = small if any(checker.faults(better)) else better
    return small


def _shown(
    schema: Mapping[str, Any], arguments: Mapping[str, Any]
) -> Iterator[tuple[str, object]]:
    """Yield the values that a schema shows for members of the arguments."""
    for name in arguments:
        member = mapped(mapped(schema.get("properties")).get(name))
        examples = member.get("examples")
        if isinstance(examples, list) and examples:
            yield name, examples[0]
        elif "default" in member:
            yield name, member["default"]
