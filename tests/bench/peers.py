"""The others: how each is installed, and run on the same tools."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.measure import Row, Run, measure, venv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["NOT_INSTALLED", "clients", "peers"]

NOT_INSTALLED = "it cannot be installed; pip says why"
REPLAY = Path(__file__).with_name("replay.py")


def schemas(programs: Path, recording: Path, output: Path) -> list[str]:
    """datamodel-code-generator, formatting with black, over the input schemas alone."""
    folder = output / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    tools: list[Any] = json.loads(recording.read_text("utf-8"))["tools"]
    for number, tool in enumerate(tools):
        schema = {**tool["inputSchema"], "title": f"Tool{number}Arguments"}
        (folder / f"tool_{number}.json").write_text(json.dumps(schema), "utf-8")
    return [
        str(programs / "datamodel-codegen"),
        *("--input", str(folder), "--input-file-type", "jsonschema"),
        *("--output", str(output / "models"), "--disable-timestamp"),
        *("--output-model-type", "pydantic_v2.BaseModel"),
        *("--formatters", "black", "isort"),
    ]


def mcpygen(programs: Path, recording: Path, output: Path) -> list[str]:
    """mcpygen: models and functions, without a client of their own."""
    server = {"command": sys.executable, "args": [str(REPLAY), str(recording)]}
    return [
        *(str(programs / "mcpygen"), "apigen", "--server-name", "bench"),
        *("--server-params", json.dumps(server), "--root-dir", str(output)),
    ]


def client_kit(programs: Path, recording: Path, output: Path) -> list[str]:
    """mcp-client-kit: functions, no models."""
    output.mkdir(parents=True, exist_ok=True)
    server = shlex.join([sys.executable, str(REPLAY), str(recording)])
    return [
        *(str(programs / "mcpgen"), "codegen", "bench", "--stdio", server),
        *("--out", str(output / "bench.py")),
    ]


PEERS: Mapping[
    str, tuple[Sequence[str], Callable[[Path, Path, Path], Sequence[str]]]
] = {
    "datamodel-code-generator and black": (
        ["datamodel-code-generator==0.89.0", "black==26.10.1", "isort"],
        schemas,
    ),
    "mcpygen": (["mcpygen==0.1.4", "mcp<2"], mcpygen),
    "mcp-client-kit": (["mcp-client-kit==0.10.0"], client_kit),
}


CLIENTS = {
    "mcp": ["mcp==2.3.0"],
    "langchain-mcp-adapters": ["langchain-mcp-adapters==0.3.2"],
}


def clients(home: Path) -> Iterator[tuple[str, Path | None]]:
    """Yield each other client with the Python of its environment, if there is one."""
    for name, requirements in CLIENTS.items():
        programs = _installed(home / name, requirements)
        yield name, programs and programs / "python"


def peers(
    home: Path, recordings: Mapping[int, Path], output: Path, runs: int
) -> Iterator[Row]:
    """Measure each peer on each recording.

    Args:
        home: Where their environments are, and stay.
        recordings: Number of tools to recording.
        output: Where they write to.
        runs: How often.
    """
    for name, python in clients(home):
        if python:
            module = "mcp" if name == "mcp" else "langchain_mcp_adapters.client"
            importing = Run([str(python), "-c", f"import {module}"])
            yield measure(f"import of {name}", 0, importing, runs)
        else:
            yield Row(f"import of {name}", failure=NOT_INSTALLED)
    for name, (requirements, command) in PEERS.items():
        programs = _installed(home / name.split()[0], requirements)
        if programs is None:
            yield Row(name, failure=NOT_INSTALLED)
            continue
        for tools, recording in recordings.items():
            arguments = command(programs, recording, output / f"{name[:9]}{tools}")
            yield measure(name, tools, Run(arguments), runs)


def _installed(folder: Path, requirements: Sequence[str]) -> Path | None:
    try:
        return venv(folder, requirements)
    except subprocess.CalledProcessError:  # pip has told why
        return None
