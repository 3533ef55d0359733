"""Times what one call does besides HTTP: its arguments checked and made JSON."""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_bindgen.pipeline.generate import generate

from tests.bench.calls import sequential, taken

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from tests.bench.callers import Took
    from tests.bench.measure import Row

__all__ = ["ARGUMENTS", "SCHEMA", "bindings", "rows"]

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "kinds": {"type": "array", "items": {"enum": ["table", "view", "file"]}},
        "owner": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "team": {"type": "string"}},
            "required": ["name"],
        },
        "exact": {"type": "boolean"},
    },
    "required": ["query"],
}
ARGUMENTS = {
    "query": "orders",
    "limit": 20,
    "kinds": ["table", "view"],
    "owner": {"name": "Ada", "team": "data"},
}
TIMES = 2_000
ROUNDS = 9


@contextmanager
def bindings(
    tools: Mapping[str, tuple[dict[str, Any], dict[str, Any] | None]],
) -> Generator[dict[str, Any]]:
    """Generate a package, and yield the bindings of its tools by wire name.

    Args:
        tools: Wire name of each tool to its input and its output schema.
    """
    listed = [
        {"name": name, "inputSchema": schema, **({"outputSchema": out} if out else {})}
        for name, (schema, out) in tools.items()
    ]
    name = f"bench_validated_{len(listed)}"
    package = generate(json.dumps({"tools": listed}).encode(), name)
    with tempfile.TemporaryDirectory() as folder:
        for path, text in package.files.items():
            target = Path(folder, name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        sys.path.insert(0, folder)
        made: dict[str, Any] = {}
        for tool in package.catalog.tools:
            module = importlib.import_module(f"{name}.tools.{tool.function}")
            made[tool.wire.text] = module._TOOL
            made[tool.wire.text].arguments.model_rebuild()
        yield made  # the package imports more of itself when it is used
        sys.path.remove(folder)


def rows() -> list[Row]:
    """Return what is done to arguments, and what one time takes."""
    with bindings({"search": (SCHEMA, None)}) as made:
        return [*_rows(made["search"])]


def _rows(binding: Any) -> Iterator[Row]:
    model = binding.arguments
    works: dict[str, Callable[[], object]] = {
        "arguments checked and made JSON": lambda: json.dumps(
            binding.prepare(ARGUMENTS)
        ),
        "the same with pydantic alone": lambda: (
            model.__pydantic_validator__.validate_python(ARGUMENTS).model_dump_json(
                by_alias=True, exclude_unset=True
            )
        ),
    }
    rounds_taken: dict[str, list[Took]] = {what: [] for what in works}
    for _ in range(ROUNDS):
        for what, work in works.items():
            rounds_taken[what].append(sequential(work, TIMES))
    return taken(rounds_taken)
