"""The same recording gives the same bytes, whatever the order and the surroundings."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.schema.node import listed, mapped

from tests.packages import CASES

RECORDINGS = [case / "recording.json" for case in CASES if case.name != "refused"]
TARGETS = ("python", "openai", "langchain")


def files(document: object, **more: Any) -> dict[str, str]:
    made = generate(json.dumps(document).encode(), "package", Settings(**more))
    return dict(made.files)


def shuffled(value: object, chance: random.Random, *, named: bool = False) -> Any:
    """Return JSON in another order: keys, but for those of properties, and tools."""
    elements, items = listed(value), [*mapped(value).items()]
    if isinstance(value, list):
        return [shuffled(item, chance) for item in elements]
    if not isinstance(value, dict):
        return value
    if not named:
        chance.shuffle(items)
    result = {k: shuffled(v, chance, named=k == "properties") for k, v in items}
    if isinstance(result.get("tools"), list):
        chance.shuffle(result["tools"])
    return result


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.parent.name)
def test_the_order_that_a_server_chose_does_not_count(path: Path) -> None:
    document = json.loads(path.read_text())
    expected = files(document)
    for seed in range(3):
        assert files(shuffled(document, random.Random(seed))) == expected


PROGRAM = """
import hashlib, pathlib, sys
from mcp_bindgen.pipeline.generate import generate
for path in sys.argv[1:]:
    made = generate(pathlib.Path(path).read_bytes(), "package")
    text = "".join(f"{name}\\n{made.files[name]}\\n" for name in sorted(made.files))
    print(hashlib.sha256(text.encode()).hexdigest(), len(made.problems))
"""


def test_the_surroundings_do_not_count(tmp_path: Path) -> None:
    surroundings: list[dict[str, str]] = [
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
        {"PYTHONHASHSEED": "2", "LANG": "tr_TR.UTF-8", "COLUMNS": "40", "HOME": "/"},
    ]
    command = [sys.executable, "-c", PROGRAM, *map(str, RECORDINGS)]
    folders = [Path.cwd(), tmp_path, Path("/")]
    outputs = [
        subprocess.run(
            command,
            env={**os.environ, **more},
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for more, folder in zip(surroundings, folders, strict=True)
    ]
    assert len(outputs[0].splitlines()) == len(RECORDINGS)
    assert outputs == [outputs[0]] * 3


def tool(name: str, **properties: object) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"name": name, "inputSchema": schema}


OBJECT = {"type": "object", "properties": {"id": {"type": "integer"}}}
BEFORE = [tool("alpha", item=OBJECT), tool("beta", item=OBJECT), tool("gamma")]
# What tells of all tools: it may change with each of them.
LISTS = {"recording.json", "manifest.json", "info.json", "openai.json"}
ARGUMENTS = {*LISTS, "openai_strict.json"}


def changed(after: list[dict[str, Any]]) -> set[str]:
    old, new = (files({"tools": tools}, targets=TARGETS) for tools in (BEFORE, after))
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def test_a_change_in_one_tool_changes_its_file_and_the_lists() -> None:
    text = {"type": "string", "description": "Something new."}
    after = [BEFORE[0], tool("beta", item=OBJECT, more=text), BEFORE[2]]
    assert changed(after) == ARGUMENTS | {"tools/beta.py"}


def test_a_new_description_changes_no_public_name() -> None:
    after = [{**BEFORE[0], "description": "Tell."}, *BEFORE[1:]]
    assert changed(after) == LISTS | {"tools/alpha.py", "names.py"}


def test_a_new_tool_changes_no_other() -> None:
    changes = changed([*BEFORE, tool("delta", item=OBJECT)])
    names = {"_public.py", "client.py", "names.py", "langchain.py", "tools/delta.py"}
    assert changes == ARGUMENTS | names


def test_a_tool_that_goes_changes_no_other() -> None:
    names = {"_public.py", "client.py", "names.py", "langchain.py", "tools/beta.py"}
    assert changed([BEFORE[0], BEFORE[2]]) == ARGUMENTS | names
