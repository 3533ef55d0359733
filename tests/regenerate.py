"""Runs `mcp-bindgen sync` for the example servers of this project, or for others."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from tests.servers.launch import CATALOG_TOKEN, serve_http, stdio_command

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

ROOT = Path(__file__).resolve().parents[1]
FAILED = 2

EPILOG = """\
Exit codes: 0 nothing changed, 1 something changed, 2 it failed. Without --server these
are the two example servers of this project, and the packages are generated/catalog and
generated/todo. In a project of your own, name the servers in pyproject.toml and run
mcp-bindgen sync.
"""

Table: TypeAlias = "dict[str, object]"


def main() -> int:
    """Return the exit code of `mcp-bindgen sync`."""
    options = _options()
    output: Path = options.output.resolve()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if options.offline:
            servers = _recorded(output, options.server)
        else:
            try:
                servers = _named(options) or stack.enter_context(_examples(folder))
            except RuntimeError as error:  # An example server did not start.
                sys.stderr.write(f"error: {error}\n")
                return FAILED
        tables = {name: {"output": str(output), **t} for name, t in servers.items()}
        (folder / "pyproject.toml").write_text(_toml(tables), "utf-8")
        _seed(folder / "recordings", output, servers)
        offline = ["--offline"] if options.offline else []
        command = [sys.executable, "-m", "mcp_bindgen", "sync", "--diff", *offline]
        return subprocess.run(command, cwd=folder, check=False).returncode


def _seed(recordings: Path, output: Path, names: Iterable[str]) -> None:
    """Copy the recordings of packages, so that `sync` sees whether one changes."""
    recordings.mkdir()
    for name in names:
        if (recording := output / name / "recording.json").exists():
            shutil.copy(recording, recordings / f"{name}.json")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/regenerate",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--server", action="append", default=[], metavar="NAME=TARGET")
    parser.add_argument("--header", action="append", default=[], metavar="NAME=HEADER")
    parser.add_argument("--output", type=Path, default=ROOT / "generated")
    parser.add_argument(
        "--offline", action="store_true", help="take the recordings as they are"
    )
    options = parser.parse_args()
    if any("=" not in pair for pair in (*options.server, *options.header)):
        parser.error("--server and --header start with NAME=")
    return options


def _named(options: argparse.Namespace) -> dict[str, Table]:
    """Return the servers of --server, as tables of the settings."""
    servers: dict[str, Table] = {}
    for pair in options.server:
        name, _, target = pair.partition("=")
        if target.startswith(("http://", "https://")):
            pairs = (header.split("=", 1) for header in options.header)
            lines = [line for owner, line in pairs if owner == name]
            headers = {key.strip(): value.strip() for key, value in map(_field, lines)}
            servers[name] = {"url": target, "headers": headers}
        else:
            servers[name] = {"command": shlex.split(target)}
    return servers


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value


def _recorded(output: Path, pairs: list[str]) -> dict[str, Table]:
    """Return the packages that stand there, or those of --server."""
    named = [pair.partition("=")[0] for pair in pairs]
    packages = [path.parent.name for path in output.glob("*/recording.json")]
    return {
        name: {"recording": str(output / name / "recording.json")}
        for name in named or sorted(packages)
    }


@contextmanager
def _examples(folder: Path) -> Generator[dict[str, Table]]:
    os.environ["CATALOG_TOKEN"] = CATALOG_TOKEN
    headers = {"Authorization": "Bearer ${CATALOG_TOKEN}"}
    with serve_http("catalog") as url:
        yield {
            "catalog": {"url": url, "headers": headers},
            "todo": {"command": [*stdio_command("todo")], "cwd": str(folder)},
        }


def _toml(servers: dict[str, Table]) -> str:
    """Return settings with these servers; JSON strings and lists are TOML, too."""
    return "".join(
        f"[tool.mcp-bindgen.servers.{json.dumps(name)}]\n"
        + "".join(f"{key} = {_value(value)}\n" for key, value in table.items())
        for name, table in servers.items()
    )


def _value(value: object) -> str:
    if isinstance(value, dict):
        table = cast("dict[str, str]", value)
        members = (f"{json.dumps(k)} = {json.dumps(v)}" for k, v in table.items())
        return "{" + ", ".join(members) + "}"
    return json.dumps(value)


if __name__ == "__main__":
    sys.exit(main())
