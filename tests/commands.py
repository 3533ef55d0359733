"""Runs our commands, in tests, and reads what they say and change."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner, Result
from mcp_bindgen.cli import app

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON

PROGRAM = [sys.executable, "-c", "from mcp_bindgen.__main__ import main; main()"]
SCRIPTED = [sys.executable, str(Path(__file__).parent / "servers" / "scripted.py")]
ALPHA: JSON = {"name": "alpha", "inputSchema": {"type": "object"}}
BETA: JSON = {"name": "beta", "inputSchema": {"type": "object"}}


def run(*arguments: str, **environment: str) -> Result:
    result = CliRunner(env=environment).invoke(app, arguments)
    assert "Traceback" not in result.stderr or "--verbose" in arguments
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def recording(path: Path, *tools: JSON) -> str:
    path.write_text(json.dumps({"tools": [*tools]}))
    return str(path)


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def last(result: Result) -> str:
    return result.stderr.splitlines()[-1]


def snapshot(path: Path) -> dict[str, tuple[int, int]]:
    """Return what a write would change: of this and all in it, the time and inode.

    Reading changes the access time, so that a whole `os.stat_result` may not be
    compared.
    """
    return {
        str(one): (one.lstat().st_mtime_ns, one.lstat().st_ino)
        for one in [path, *path.rglob("*")]
        if one.exists()
    }
