"""Asks datamodel-code-generator's models for a second opinion on real schemas.

Where its best Pydantic models and ours disagree on an instance, jsonschema-rs judges.
Exit code 1 says that ours were wrong.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from click import echo
from mcp_bindgen.schema.node import is_object

from tests.fidelity.adapter import arguments
from tests.models.adapter import models
from tests.models.exact import is_sent
from tests.packages import generate
from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

INSTANCES = SHARED / "fidelity" / "instances.json"
BEST = """\
[tool.mcp-bindgen.models]
kind = "pydantic"
[tool.datamodel-codegen]
strict-types = ["str", "int", "float", "bool"]
use-missing-sentinel = true
extra-fields = "allow"
"""


def main() -> int:
    """Print the disagreements, by who is right."""
    if not INSTANCES.exists():
        echo(f"nothing to ask about: no {INSTANCES}; set MCP_BINDGEN_SHARED")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        table = disagreements(json.loads(INSTANCES.read_text())["tools"], Path(folder))
    for row, count in table.most_common():
        echo(f"{count:6,}  {row}")
    return int(any(row.startswith("ours is wrong") for row in table))


def disagreements(tools: Sequence[dict[str, Any]], folder: Path) -> Counter[str]:
    """Return sentences on instances to their counts.

    Args:
        tools: Schemas with valid and invalid instances.
        folder: An empty folder.
    """
    (folder / "pyproject.toml").write_text(BEST)
    listed: list[dict[str, Any]] = [
        {"name": f"t{n}", "inputSchema": {"type": "object", **tool["schema"]}}
        for n, tool in enumerate(tools)
    ]
    recording = folder / "opinion.json"
    recording.write_text(json.dumps({"tools": listed}))
    options = ("--target", "python,models", "--quiet", "--no-cache")
    generate(recording, "-o", folder / "src", *options)
    package = str(folder / "src" / "opinion")
    our_check, their_check = arguments(package), models(package)
    table = Counter[str]()
    for number, tool in enumerate(tools):
        ours = our_check(f"t{number}", None)
        try:
            theirs = their_check(f"t{number}", None)
        except ImportError:
            table["the other has no models of the tool"] += 1
            continue
        schema = listed[number]["inputSchema"]
        judge = jsonschema_rs.validator_for(schema, validate_formats=False)
        for data in [*tool["valid"], *(each["data"] for each in tool["invalid"])]:
            if not is_object(data):
                continue
            answers = {"ours": is_sent(ours, data), "theirs": is_sent(theirs, data)}
            table[opinion(valid=judge.is_valid(data), **answers)] += 1
    return table


def opinion(*, valid: bool, ours: bool, theirs: bool) -> str:
    """Return a sentence on one instance."""
    form = "a valid instance" if valid else "an invalid instance"
    if ours != valid:
        return f"ours is wrong: {form}"
    return "both are right" if theirs == valid else f"the other is wrong: {form}"


if __name__ == "__main__":
    sys.exit(main())
