"""Record servers again, regenerate their packages, tell whether anything changed."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers.launch import CATALOG_TOKEN, serve_http, stdio_command

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

ROOT = Path(__file__).resolve().parents[1]
UNCHANGED, CHANGED, FAILED = 0, 1, 2

EPILOG = """\
Without --server these are the two example servers of this project, and the packages
are generated/catalog and generated/todo. For servers of your own:

  scripts/regenerate --output src/acme \\
      --server tracker=https://tracker.example/mcp \\
      --header 'tracker=Authorization: Bearer ${TRACKER_TOKEN}' \\
      --server 'files=npx -y @acme/files-server'
"""


class FailedError(Exception):
    """A command said why on stderr."""


@dataclass(frozen=True, slots=True)
class Source:
    """A package and the arguments of `record` that reach its server."""

    name: str
    arguments: tuple[str, ...]


def main() -> int:
    """Return 0 if nothing changed, 1 if something did, 2 if it failed."""
    options = _options()
    try:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if options.offline:
                recordings = _recordings(options)
            else:
                sources = _told(options) or stack.enter_context(_examples(folder))
                recordings = {s.name: _record(s, folder) for s in sources}
            changed = [
                _regenerate(recording, name, options.output)
                for name, recording in sorted(recordings.items())
            ]
    except FailedError:
        return FAILED
    except RuntimeError as error:  # An example server did not start.
        sys.stderr.write(f"error: {error}\n")
        return FAILED
    return CHANGED if any(changed) else UNCHANGED


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


def _told(options: argparse.Namespace) -> list[Source]:
    sources: list[Source] = []
    for pair in options.server:
        name, _, target = pair.partition("=")
        if target.startswith(("http://", "https://")):
            headers = [
                ("--header", header.partition("=")[2])
                for header in options.header
                if header.partition("=")[0] == name
            ]
            flat = [part for pair in headers for part in pair]
            sources.append(Source(name, ("--url", target, *flat)))
        else:
            sources.append(Source(name, ("--", *shlex.split(target))))
    return sources


def _recordings(options: argparse.Namespace) -> dict[str, Path]:
    """Return the recordings inside the packages that are there, or that are named."""
    named = {pair.partition("=")[0] for pair in options.server}
    found = {
        path.parent.name: path
        for path in options.output.glob("*/recording.json")
        if not named or path.parent.name in named
    }
    missing = ", ".join(sorted(named - set(found)))
    if missing or not found:
        place = f"{missing} in {options.output}" if missing else str(options.output)
        sys.stderr.write(f"error: there is no recording of {place}\n")
        raise FailedError
    return found


@contextmanager
def _examples(folder: Path) -> Generator[list[Source]]:
    os.environ["CATALOG_TOKEN"] = CATALOG_TOKEN
    header = "Authorization: Bearer ${CATALOG_TOKEN}"
    with serve_http("catalog") as url:
        yield [
            Source("catalog", ("--url", url, "--header", header)),
            Source("todo", ("--cwd", str(folder), "--", *stdio_command("todo"))),
        ]


def _record(source: Source, folder: Path) -> Path:
    path = folder / f"{source.name}.json"
    _run("record", "--quiet", "-o", str(path), *source.arguments)
    return path


def _regenerate(recording: Path, name: str, output: Path) -> bool:
    """Bring one package up to date, show the difference, and tell if there is one."""
    arguments = ("generate", str(recording), "-o", str(output), "--name", name)
    difference = _run(*arguments, "--check", "--quiet")
    if difference:
        sys.stdout.write(difference)
        sys.stdout.flush()
    _run(*arguments)
    return bool(difference)


def _run(*arguments: str) -> str:
    """Run mcp-bindgen and return what it prints; findings alone are no failure."""
    command: Sequence[str] = (sys.executable, "-m", "mcp_bindgen", *arguments)
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode not in (0, 1):
        raise FailedError
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
