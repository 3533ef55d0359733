"""Generated models, compared with jsonschema-rs."""

from __future__ import annotations

import json
import sys
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from hypothesis import reject
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.runtime.json_values import json_key
from mcp_bindgen.runtime.validation import bounded
from pydantic import TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
NUMBERS = count()


def generated(tool: dict[str, Any]) -> dict[str, str]:
    recording = json.dumps({"tools": [tool]}).encode()
    made = generate(recording, "randomly", Settings(("python",)))
    # Until draft 7 a reference hides the type beside it.
    others = [p for p in made.problems if "of type object" not in p.message]
    assert others == []
    if made.problems:
        reject()
    return dict(made.files)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def module_of(input_schema: object, output_schema: object) -> tuple[ModuleType, str]:
    """Return the module of a tool with these schemas, and how its classes begin."""
    name = f"t{next(NUMBERS)}"
    tool = {"name": name, "inputSchema": input_schema, "outputSchema": output_schema}
    path = f"tools/{name}.py"
    module = ModuleType(f"randomly.tools.{name}")
    module.__package__ = "randomly.tools"
    sys.modules[module.__name__] = module  # where pydantic looks names up
    exec(compile(generated(tool)[path], path, "exec"), module.__dict__)
    return module, name.title()


def verdicts(type_: Any, values: Iterable[object]) -> list[object]:
    """Return for each value what a type gives back, or that it refuses."""
    adapter, read = TypeAdapter[Any](type_), bounded.reader(type_)
    return [_verdict(adapter, read, value) for value in values]


def _verdict(
    adapter: TypeAdapter[Any], read: Callable[[object], object], value: object
) -> object:
    try:
        return json_key(adapter.dump_python(read(value), mode="json", by_alias=True))
    except ValidationError:
        return "refused"


def expected(accepts: Callable[[Any], bool], value: object) -> object:
    return json_key(value) if accepts(value) else "refused"


def agree(schema: dict[str, Any], values: list[Any]) -> None:
    """Check one schema alone: residual validation would check what stands beside it."""
    module, stem = module_of({"type": "object"}, schema)
    type_ = getattr(module, f"{stem}Result")
    accepts = jsonschema_rs.validator_for(schema).is_valid
    answers = verdicts(type_, values)
    assert answers == [expected(accepts, value) for value in values], schema
