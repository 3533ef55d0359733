"""Install the servers of others that we test against, each apart from ours."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

from tests.conformance.suite import NODE, NPM, install_node

FOLDER = Path(__file__).resolve().parents[2] / ".venv" / "peers"
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
PYTHON = {"sdk1": "mcp>=1.30,<2", "fastmcp": "fastmcp[tasks]>=4.1,<5"}


def python(name: str) -> Path:
    """Return the interpreter of a peer."""
    return FOLDER / name / "bin" / "python"


def everything() -> Path:
    """Return the program of the TypeScript server."""
    return FOLDER / "everything" / EVERYTHING


def main() -> int:
    """Install whatever is not there yet."""
    for name, requirement in PYTHON.items():
        if not python(name).exists():
            venv.create(FOLDER / name, with_pip=True)
            pip = [str(python(name)), "-m", "pip", "install", "-q", requirement]
            subprocess.run(pip, check=True)
    if not everything().exists():
        install_node()
        folder = FOLDER / "everything"
        folder.mkdir(parents=True, exist_ok=True)
        path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
        package = "@modelcontextprotocol/server-everything"
        npm = [str(NODE), str(NPM), "install", "--silent", "--no-audit", package]
        subprocess.run(npm, check=True, cwd=folder, env={**os.environ, "PATH": path})
    return 0


if __name__ == "__main__":
    sys.exit(main())
