"""Measure generation, imports, validation and calls; with --peers, others beside us.

All on one machine in one run: trust the ratios. Medians with the least and the most in
brackets, first processor seconds, then seconds; memory is that of the largest process.
At the end the same for one call, in millionths, and the change against the last commit
that was measured, whose figures are in the history beside the JSON. The counted work is
the same on any machine with the same Python.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import sample
from tests.bench.counting import UNIT, generated, work
from tests.bench.history import commit, remember
from tests.bench.measure import CALLS_HEADER, HEADER, Row, Run, as_it_is, measure
from tests.bench.peers import clients, peers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
LIMITS = (
    "tools=20000",
    "bytes=500000000",
    "nodes=50000000",
    "steps=100000000",
    "seconds=3600",
    "made=1000000000",
)
PROGRAM = [sys.executable, "-m", "mcp_bindgen"]
HEAVY = "import httpx, pydantic; pydantic.BaseModel"
MOST_IMPORTED = 1_000
MOST_COUNTED = 1_000
HISTORY = "bench-history.json"


def start(runs: int) -> Iterator[Row]:
    """Measure what a command costs before it does anything."""
    yield measure("python alone", 0, Run([sys.executable, "-c", "pass"]), runs)
    yield measure("mcp-bindgen --help", 0, Run([*PROGRAM, "--help"]), runs)
    refused = Run([*PROGRAM, "generate", "nothing.json", "-o", "x"], codes=(2,))
    yield measure("mcp-bindgen, refused", 0, refused, runs)


def generation(tools: int, file: Path, folder: Path, runs: int) -> Iterator[Row]:
    """Measure a package made from nothing, made again, and with one tool changed."""
    output, cache = folder / "out", folder / "cache"
    limits = [option for limit in LIMITS for option in ("--limit", limit)]
    command = [*PROGRAM, "generate", str(file), "-o", str(output), *limits]
    environment = {"XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache)}
    document = json.loads(file.read_text("utf-8"))
    changes = iter(range(100))

    def nothing() -> None:
        shutil.rmtree(output / file.stem, ignore_errors=True)
        shutil.rmtree(cache, ignore_errors=True)

    def one() -> None:
        tool = document["tools"][tools // 2]
        tool["description"] = f"Changed {next(changes)} times."
        file.write_text(json.dumps(document), "utf-8")

    def row(what: str, *options: str, before: Callable[[], None] = as_it_is) -> Row:
        choices = Run(
            [*command, *options], before, environment=environment, codes=(0, 1)
        )
        return measure(what, tools, choices, runs)

    yield row("generate, one process", "--jobs", "1", "--no-cache", before=nothing)
    yield row("generate, all processors", before=nothing)
    yield row("generate, nothing changed")
    yield row("generate, one tool changed", "--jobs", "1", before=one)
    if tools <= MOST_COUNTED:
        count = generated(file.read_bytes(), work)
        yield Row("generate, counted work", tools, work=count, unit=UNIT)


def comparison(tools: int, file: Path, runs: int) -> Iterator[Row]:
    """Measure a comparison in which a tenth of the tools changed, then all of them."""
    for share in (10, 1):
        document = json.loads(file.read_text("utf-8"))
        for tool in document["tools"][::share]:
            schema = tool["inputSchema"]
            schema["properties"] = {**schema.get("properties", {}), "one_more": {}}
            schema["required"] = [*schema.get("required", []), "one_more"]
        newer = file.with_name(f"newer_{share}.json")
        newer.write_text(json.dumps(document), "utf-8")
        limits = [option for limit in LIMITS[:3] for option in ("--limit", limit)]
        command = [*PROGRAM, "diff", str(file), str(newer), *limits]
        what = "diff, a tenth changed" if share > 1 else "diff, all changed"
        yield measure(what, tools, Run(command, codes=(1,)), runs)


def imports(tools: int, output: Path, function: str, runs: int) -> Iterator[Row]:
    """Measure what a program pays for importing a package."""
    package = f"bench_{tools}"
    everything = f"import {package} as p\nfor name in p.__all__: getattr(p, name)"
    kinds = {
        "import of the package": f"import {package}",
        "import of one function": f"from {package} import {function}",
        "import of everything": everything,
    }
    for what, code in kinds.items():
        if tools <= MOST_IMPORTED or "everything" not in what:
            program = Run([sys.executable, "-c", code], folder=output)
            yield measure(what, tools, program, runs)


def rows(choices: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Measure all that is asked for."""
    recordings: dict[int, Path] = {}
    for tools in choices.sizes:
        recordings[tools] = folder / f"bench_{tools}.json"
        sample.write(choices.corpus, tools, recordings[tools])
    yield from start(choices.runs)
    for tools, file in recordings.items():
        yield from generation(tools, file, folder, choices.runs)
        yield from comparison(tools, file, choices.runs)
    output = folder / "out"
    program = Run([sys.executable, "-c", HEAVY])
    yield measure("import of httpx and pydantic", 0, program, choices.runs)
    for tools in recordings:
        manifest = output / f"bench_{min(recordings)}" / "manifest.json"
        listed = json.loads(manifest.read_text("utf-8"))["tools"]
        function = listed[sample.FIRST]["function"]
        yield from imports(tools, output, function, choices.runs)
    if choices.peers:
        few = {n: file for n, file in recordings.items() if n <= choices.most_for_peers}
        yield from peers(choices.peers, few, folder / "peers", choices.runs)


def measured(choices: argparse.Namespace) -> Iterator[Row]:
    """Measure all that is asked for, and print each row."""
    sys.stdout.write(f"{HEADER}\n")
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(choices, Path(folder).resolve()):
            sys.stdout.write(f"{row.line()}\n")
            sys.stdout.flush()
            yield row
    # What they load would count as the memory of each command started before.
    calls = import_module("tests.bench.calls")
    validation = import_module("tests.bench.validation")
    others = clients(choices.peers) if choices.peers else ()
    sys.stdout.write(f"\n{CALLS_HEADER}\n")
    load = calls.Load(choices.calls, choices.runs)
    compared = calls.compare(load, others=others)
    for row in chain(validation.rows(), compared):
        sys.stdout.write(f"{row.call()}\n")
        sys.stdout.flush()
        yield row


def main() -> None:
    """Print the table and write the JSON."""
    options = argparse.ArgumentParser("scripts/bench", description=__doc__)

    def add(name: str, default: Path | int | None, words: str) -> None:
        kind = int if isinstance(default, int) else Path
        options.add_argument(name, type=kind, default=default, help=words)

    add("--corpus", ROOT / "generated", "a folder of recordings, whose tools are used")
    sizes, words = [
        10,
        100,
        1000,
        10000,
    ], "numbers of tools; the last takes ten minutes"
    options.add_argument("--sizes", type=int, nargs="*", default=sizes, help=words)
    add("--runs", 5, "how often each is measured")
    add("--calls", 200, "calls in each measure of clients")
    add("--json", ROOT / "dist" / "bench.json", "the file that gets every figure")
    add("--peers", None, "measure others too; a folder for their environments")
    add("--most-for-peers", 1000, "tools that they get at most")
    choices = options.parse_args()
    choices.json.parent.mkdir(parents=True, exist_ok=True)
    table: list[Row] = []
    for row in measured(choices):
        table.append(row)
        text = json.dumps({"rows": [*map(asdict, table)]}, indent=2)
        choices.json.write_text(text + "\n", "utf-8")
    history = choices.json.with_name(HISTORY)
    sys.stdout.write("\n" + "\n".join(remember(history, commit(), table)) + "\n")


if __name__ == "__main__":
    main()
