"""No annotation has a value that sphinx-autodoc2 would obey; models check it."""

from __future__ import annotations

import ast
import importlib
import json
import sys
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from tests.packages import generate

if TYPE_CHECKING:
    from pathlib import Path

ROLE = ":download:`x </etc/passwd>`"
VALUES = [ROLE, "`x </etc/passwd>`:download:", "a\n\n.. include:: /etc/passwd"]


@pytest.mark.parametrize("value", VALUES)
def test_active_values_are_in_no_annotation(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    properties = {
        "one": {"enum": [value, "b"]},
        "mixed": {"enum": [value, 1]},
        "fixed": {"const": value},
        "formed": {"type": "string", "pattern": f"^{value}$"},
        value: {"type": "integer"},
    }
    schema = {"type": "object", "properties": properties}
    recording = tmp_path / "r.json"
    recording.write_text(
        json.dumps({"tools": [{"name": "t", "inputSchema": schema}]}), "utf-8"
    )
    package = f"inert_{VALUES.index(value)}"
    generate(recording, "-o", tmp_path, "--name", package, "--quiet")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    module = importlib.import_module(f"{package}.tools.t")
    for node in ast.walk(ast.parse((tmp_path / package / "tools/t.py").read_text())):
        if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation:
            annotation = ast.unparse(node.annotation).replace("\\n", "\n")
            assert value not in annotation
    arguments = module.TArguments
    good = {"one": value, "mixed": value, "fixed": value, value: 1}
    made = arguments.model_validate(good)
    assert json.loads(made.model_dump_json(exclude_unset=True)) == good
    for wrong in ({"one": "c"}, {"mixed": 2}, {"fixed": "b"}, {value: "1"}):
        with pytest.raises(ValidationError):
            arguments.model_validate(wrong)
    sys.modules.pop(package)
