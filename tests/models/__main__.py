"""Makes the models of real servers in four kinds, imports and types them: a table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo
from mcp_bindgen.python.model_kinds import KINDS

from tests.packages import generate
from tests.shared import SHARED, recordings

if TYPE_CHECKING:
    from collections.abc import Mapping

IMPORTS = """
import importlib, pathlib, sys
import msgspec, pydantic
sys.path.insert(0, sys.argv[1])
for path in sorted(pathlib.Path(sys.argv[1]).glob("*/models/*.py")):
    name = ".".join(path.relative_to(sys.argv[1]).with_suffix("").parts)
    try:
        module = importlib.import_module(name)
        for class_ in [*vars(module).values()]:
            if isinstance(class_, type) and class_.__module__ == name:
                if issubclass(class_, msgspec.Struct):
                    msgspec.json.Decoder(class_)
                elif path.stem not in {"__init__", "session"}:
                    pydantic.TypeAdapter(class_)
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error)[:200]}")
"""
"""Imports all modules of models, and builds their types; prints what fails."""


def main() -> int:
    """Print a row for each kind, and the reasons why tools are left out."""
    parser = argparse.ArgumentParser(prog="scripts/models", description=__doc__)
    parser.add_argument("names", nargs="*", help="some servers  [default: all]")
    chosen = parser.parse_args()
    files = recordings()
    names = chosen.names or [*files]
    if not files or not {*names} <= files.keys():
        echo(f"nothing in {SHARED / 'corpus'} for {' '.join(chosen.names)}", err=True)
        return 2
    return max(kind_row(kind, {name: files[name] for name in names}) for kind in KINDS)


def kind_row(kind: str, recorded: Mapping[str, Path]) -> int:
    """Make, import and type the models of one kind; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        reasons, tools = made(kind, recorded, home)
        imports = ran("-c", IMPORTS, str(home / "src"))
        options = ("--strict", "--ignore-missing-imports", "--follow-imports=silent")
        cache = f"--cache-dir={home / 'cache'}"
        paths = sorted(str(p) for p in (home / "src").glob("*/models"))
        types = ran("-m", "mypy", *options, "--no-error-summary", cache, *paths)
    left_out = sum(reasons.values())
    clean = f"imports {'clean' if not imports else 'FAIL'}"
    typed = f"mypy --strict {'clean' if not types else 'FINDINGS'}"
    echo(f"{kind:10} {tools:6,} tools {left_out:4,} left out, {clean}, {typed}")
    for reason, count in reasons.most_common():
        echo(f"  {count:4,}  {reason}")
    echo(imports + types, nl=False)
    return int(bool(imports or types))


def made(
    kind: str, recorded: Mapping[str, Path], home: Path
) -> tuple[Counter[str], int]:
    """Generate the packages; return why tools have no models, and the count of all."""
    text = f'[tool.mcp-bindgen.models]\nkind = "{kind}"\n'
    (home / "pyproject.toml").write_text(text)
    reasons, tools = Counter[str](), 0
    for name, recording in recorded.items():
        report = home / "report.json"
        target = ("--target", "models", "--report", report, "--no-cache", "--quiet")
        generate(recording, "-o", home / "src", "--name", name, *target)
        facts: dict[str, Any] = json.loads(report.read_text())
        tools += len(facts["tools"])
        for tool in facts["tools"].values():
            notes = [n["detail"] for n in tool["notes"] if n["kind"] == "no-models"]
            reasons.update(note.rpartition(".py:")[2] for note in notes)
    return reasons, tools


def ran(*arguments: str) -> str:
    """Run Python; return what it prints."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
