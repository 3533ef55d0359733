"""Prints how many schemas of each set the packages that we generate get exactly.

python -m tests.fidelity [FOLDER]

Sets A and B are handed to the project. Set C is what `scripts/collect-schemas` wrote
into the folder: schemas of public packages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo

from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = SHARED / "fidelity"
HARNESS = FOLDER / "harness.py"
ADAPTER = Path(__file__).with_name("adapter.py")


@dataclass(frozen=True)
class Set:
    """A file of schemas, instances and verdicts."""

    letter: str
    option: str
    """How the harness calls files of this form."""
    file: Path

    @property
    def package(self) -> str:
        """The name of the package that is generated from it."""
        return f"set_{self.letter.lower()}"


SETS = (
    Set("A", "suite", FOLDER / "suite.json"),
    Set("B", "instances", FOLDER / "instances.json"),
)
RAISED = [
    part
    for limit in (
        *("tool_nodes=50000", "nodes=3000000", "bytes=300000000"),
        *("made=1000000000", "steps=20000000", "seconds=3000"),
    )
    for part in ("--limit", limit)
]
"""Limits for more tools than a server has."""


def main() -> int:
    """Generate a package from each set and score its arguments and its results.

    Set C also goes through the functions: what they send, refuse and return.
    """
    if not HARNESS.exists():
        echo(f"nothing to measure: no {HARNESS}; set MCP_BINDGEN_SHARED")
        return 2
    sets: tuple[Set, ...] = SETS
    if sys.argv[1:]:
        sets = (Set("C", "instances", Path(sys.argv[1]) / "instances.json"),)
    exact = True
    with tempfile.TemporaryDirectory() as folder:
        for each in sets:
            generate_set(each, Path(folder))
            for role in ("arguments", "results"):
                perfect, schemas = score(each, role, Path(folder))
                echo(f"{each.letter} {role:9} {perfect} of {schemas} schemas perfect")
                for fault in faults(each, role, Path(folder)):
                    echo(f"  {fault}")
                exact = exact and perfect == schemas
    return 0 if exact and all(map(through_functions, sys.argv[1:])) else 1


def through_functions(folder: str) -> bool:
    """Return whether the functions of a package send and return what schemas say."""
    tests = str(Path(__file__).with_name("test_calls.py"))
    file = str(Path(folder) / "instances.json")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    command += ["--timeout", "3600"]  # one test calls hundreds of tools
    environment = {**os.environ, "MCP_BINDGEN_INSTANCES": file}
    return subprocess.run(command, env=environment, check=False).returncode == 0


def generate_set(each: Set, folder: Path) -> list[dict[str, Any]]:
    """Write a package with a tool for each schema, once as input, once as output.

    Returns:
        The tools, in the order of the set.
    """
    recording = folder / f"{each.package}.json"
    options = (f"--{each.option}", each.file, "--out", recording)
    _run(HARNESS, "export", *options)
    document = json.loads(recording.read_text())
    tools: list[dict[str, Any]] = document["tools"]
    for tool in tools:
        tool["outputSchema"] = tool["inputSchema"]
    recording.write_text(json.dumps(document))
    command = ("-m", "mcp_bindgen", "generate", recording, "-o", folder)
    _run(*command, "--target", "python", *RAISED)
    return tools


def score(each: Set, role: str, folder: Path) -> tuple[int, int]:
    """Return how many schemas are perfect, and how many there are."""
    scores = folder / f"{each.package}.{role}.json"
    options = (f"--{each.option}", each.file, "--out", scores)
    _run(
        *(HARNESS, "run", *options, "--package", folder / each.package),
        *("--adapter", f"{ADAPTER}:{role}"),
    )
    (summary,) = _scores(each, role, folder)["summary"].values()
    return summary["perfect_schemas"], summary["schemas"]


def faults(each: Set, role: str, folder: Path) -> Iterator[str]:
    """Yield each schema that `score` found not to be perfect, with its first fault.

    The harness ends a check after 10 seconds by the clock: "timeout" may say no more
    than that the machine was busy.
    """
    for result in _scores(each, role, folder)["results"]:
        wrong = [each for each in result["outcomes"] if each["out"] != "ok"]
        if wrong:
            why = wrong[0].get("err") or result["build_error"]
            yield f"{result['id']}: {result['build']}, {wrong[0]['out']}: {why}"


def _scores(each: Set, role: str, folder: Path) -> dict[str, Any]:
    scores: dict[str, Any] = json.loads(
        (folder / f"{each.package}.{role}.json").read_text()
    )
    return scores


def _run(*arguments: object) -> None:
    command = [sys.executable, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode > 1:
        sys.exit(ran.stdout + ran.stderr)


if __name__ == "__main__":
    sys.exit(main())
