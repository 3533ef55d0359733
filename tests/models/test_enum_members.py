"""Members of an Enum hide no method of its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.python.model_kinds import KINDS, ModelSettings

from tests.models.__main__ import ran
from tests.models.module_of import module_of
from tests.packages import mypy

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {"type": "string", "enum": ["index", "index_", "title", "other"]}
NUMBERS = {"type": "integer", "enum": [1, 2]}
SHAPES: list[Any] = [
    {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": [word]}},
        "required": ["kind"],
    }
    for word in ("count", "format")
]
PROPERTIES: dict[str, Any] = {
    "text": TEXTS,
    "number": NUMBERS,
    "shape": {"oneOf": SHAPES},
}
USES = 'assert Text("index").index("n") == 1\nassert Text("title").title() == "Title"\n'


@pytest.mark.parametrize("kind", KINDS)
def test_a_member_of_an_enum_hides_no_method(tmp_path: Path, kind: str) -> None:
    options = (("enum_field_as_literal", "none"),)
    schema = {"type": "object", "properties": PROPERTIES}
    tool = {"name": "find", "inputSchema": schema}
    text = module_of(tool, ModelSettings(kind, options))
    assert 'title_ = "title"' in text
    (tmp_path / "find.py").write_text(f"{text}\n\n{USES}")
    assert mypy(tmp_path) == (0, "")
    assert ran(str(tmp_path / "find.py")) == ""
