"""Times what one call does besides HTTP: its arguments checked and made JSON."""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_bindgen.pipeline.generate import generate

from tests.bench.calls import sequential, taken

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bench.callers import Took
    from tests.bench.measure import Row

__all__ = ["rows"]

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


def rows() -> list[Row]:
    """Return what is done to arguments, and what one time takes."""
    listed = {"tools": [{"name": "search", "inputSchema": SCHEMA}]}
    package = generate(json.dumps(listed).encode(), "bench_validated")
    with tempfile.TemporaryDirectory() as folder:
        for path, text in package.files.items():
            target = Path(folder, package.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        sys.path.insert(0, folder)
        module: Any = importlib.import_module(f"{package.name}.tools.search")
        sys.path.remove(folder)
        model, binding = module.SearchArguments, module._TOOL
        model.model_rebuild()
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
    return [*taken(rounds_taken)]
