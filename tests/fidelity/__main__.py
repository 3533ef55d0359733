"""Prints how many schemas of two sets the packages that we generate get exactly."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from click import echo

from tests.shared import SHARED

FOLDER = SHARED / "fidelity"
HARNESS = FOLDER / "harness.py"
ADAPTER = Path(__file__).with_name("adapter.py")
SETS = {"A": "suite", "B": "instances"}


def main() -> int:
    """Generate a package from each set and score its arguments and its results."""
    if not HARNESS.exists():
        echo(f"nothing to measure: no {HARNESS}; set MCP_BINDGEN_SHARED")
        return 2
    exact = True
    with tempfile.TemporaryDirectory() as folder:
        for letter, name in SETS.items():
            generate_set(name, Path(folder))
            for role in ("arguments", "results"):
                perfect, schemas = score(name, role, Path(folder))
                echo(f"{letter} {role:9} {perfect} of {schemas} schemas perfect")
                exact = exact and perfect == schemas
    return 0 if exact else 1


def generate_set(name: str, folder: Path) -> None:
    """Write a package with a tool for each schema, once as input, once as output."""
    recording = folder / f"{name}.json"
    options = (f"--{name}", FOLDER / f"{name}.json", "--out", recording)
    _run(HARNESS, "export", *options)
    document = json.loads(recording.read_text())
    for tool in document["tools"]:
        tool["outputSchema"] = tool["inputSchema"]
    recording.write_text(json.dumps(document))
    _run("-m", "mcp_bindgen", "generate", recording, "-o", folder, "--target", "python")


def score(name: str, role: str, folder: Path) -> tuple[int, int]:
    scores = folder / f"{name}.{role}.json"
    options = (f"--{name}", FOLDER / f"{name}.json", "--out", scores)
    _run(
        *(HARNESS, "run", *options, "--package", folder / name),
        *("--adapter", f"{ADAPTER}:{role}"),
    )
    (summary,) = json.loads(scores.read_text())["summary"].values()
    return summary["perfect_schemas"], summary["schemas"]


def _run(*arguments: object) -> None:
    command = [sys.executable, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode > 1:
        sys.exit(ran.stdout + ran.stderr)


if __name__ == "__main__":
    sys.exit(main())
