"""Measures how many real schemas the models of each kind get exactly."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo
from mcp_bindgen.python.model_kinds import KINDS
from mcp_bindgen.runtime.json_values import json_key

from tests.models.adapter import models
from tests.packages import generate
from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.models.adapter import Check

__all__ = ["is_sent", "perfect"]


def perfect(kind: str, tools: Sequence[dict[str, Any]], folder: Path) -> int:
    """Return how many schemas the arguments of a kind of models get exactly.

    Args:
        kind: The kind.
        tools: Schemas with valid and invalid instances.
        folder: An empty folder.
    """
    (folder / "pyproject.toml").write_text(
        f'[tool.mcp-bindgen.models]\nkind = "{kind}"'
    )
    listed = [
        {"name": f"t{n}", "inputSchema": {"type": "object", **tool["schema"]}}
        for n, tool in enumerate(tools)
    ]
    recording = folder / f"of_{kind}.json"
    recording.write_text(json.dumps({"tools": listed}))
    options = ("--target", "models", "--quiet", "--no-cache")
    generate(recording, "-o", folder / "src", *options)
    lookup = models(str(folder / "src" / f"of_{kind}"))
    count = 0
    for number, tool in enumerate(tools):
        try:
            check = lookup(f"t{number}", None)
        except ImportError:
            continue
        good = all(is_sent(check, data) for data in tool["valid"])
        bad = any(is_sent(check, each["data"]) for each in tool["invalid"])
        count += good and not bad
    return count


def is_sent(check: Check, data: object) -> bool:
    """Return whether a model takes a value, and sends it as it is."""
    try:
        return json_key(check(data)) == json_key(data)
    except Exception:  # noqa: BLE001 - each library has errors of its own
        return False


def main() -> int:
    """Print a row for each kind."""
    file = SHARED / "fidelity" / "instances.json"
    if not file.exists():
        return 2
    tools = json.loads(file.read_text())["tools"]
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            count = perfect(kind, tools, Path(folder))
        echo(f"B {kind:10} {count} of {len(tools)} schemas perfect")
    return 0


if __name__ == "__main__":
    sys.exit(main())
