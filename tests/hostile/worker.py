"""Runs hostile cases one after another, within limits; one line of JSON for each.

python -m tests.hostile.worker NUMBER...
"""

from __future__ import annotations

import io
import json
import resource
import shutil
import signal
import sys
import tempfile
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from mcp_bindgen.cli import app
from mcp_bindgen.schema.node import mapped

from tests.hostile.canary import Canary
from tests.hostile.cases import Case, bombs, cases
from tests.hostile.judge import look
from tests.hostile.payloads import HOST
from tests.hostile.positions import GOOD
from tests.hostile.use import use
from tests.load import compile_once

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import FrameType

__all__ = ["MEMORY", "SECONDS", "run"]

SECONDS = 20
"""Processor time that the command may take, and thrice that the use of its package."""
MEMORY = 1 << 30
"""Bytes of address space that the whole process may take."""
PACKAGE = "hostile_package"
# What packages import of others is imported before anybody watches.
LOADED = (StructuredTool, ToolMessage)


class TooLongError(BaseException):
    """A case takes too long; nothing may catch it."""


def run(case: Case, canary: Canary, folder: Path) -> dict[str, Any]:
    """Generate, judge and use one recording; `faults` says what is wrong."""
    data = case.make().replace(HOST.encode(), canary.address.encode())
    source, output = folder / "recording.json", folder / "out"
    source.write_bytes(data)
    output.mkdir()
    report = folder / "report.json"
    command = ["generate", str(source), "-o", str(output), "--name", PACKAGE]
    command += ["--no-cache", "--jobs", "1"]
    faults: list[str] = []
    began = time.perf_counter()
    busy = time.process_time()
    with canary.watch(reads=(source,), writes=(folder,)), within(2 * SECONDS):
        code, printed = _command([*command, "--report", str(report)])
    busy = time.process_time() - busy
    seconds = time.perf_counter() - began
    faults += [f"{busy:.1f} seconds"] if busy > SECONDS else []
    faults += _words(code, printed)
    result: dict[str, Any] = {"name": case.name, "code": code, "seconds": seconds}
    result |= {"bytes": len(data), "tools": 0, "left_out": 0}
    if code in (0, 1):
        facts = json.loads(report.read_text("utf-8"))
        result["tools"] = len(facts["tools"])
        result["left_out"] = len(facts["problems"])
        faults += _problems(facts["problems"])
        faults += _accounted(data, facts)
        sys.path.insert(0, str(output))
        try:
            faults += look(output / PACKAGE)
            with canary.watch(reads=(output,)), within(3 * SECONDS):
                faults += use(output / PACKAGE, _schemas(output / PACKAGE))
        finally:
            sys.path.remove(str(output))
    faults += canary.fired()
    faults += _strays(folder)
    result["faults"] = faults[:5]
    result["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return result


@contextmanager
def within(seconds: float) -> Generator[None]:
    """End a case that takes more processor time than this."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _command(arguments: list[str]) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            app(arguments, prog_name="mcp-bindgen")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 99
        else:
            code = 98
    return code, out.getvalue() + err.getvalue()


def _words(code: int, printed: str) -> list[str]:
    faults = [f"exit code {code}"] if code not in (0, 1, 2) else []
    ours = ("Traceback", "bug in mcp-bindgen", "fault of mcp-bindgen")
    faults += [f"{word}: {printed[-300:]}" for word in ours if word in printed]
    if not all(char == "\n" or char.isprintable() for char in printed):
        faults.append("what the terminal shows has control characters")
    if code == 2 and "hint:" not in printed:
        faults.append(f"a refusal without a hint: {printed[-200:]}")
    return faults


def _problems(problems: list[dict[str, str]]) -> list[str]:
    return [
        f"a problem without a place, a reason or a hint: {problem}"
        for problem in problems
        if not (problem["pointer"] and problem["message"] and problem["hint"])
    ]


def _accounted(data: bytes, printed: dict[str, Any]) -> list[str]:
    """Return the tools that are neither generated nor told of."""
    document: Any = json.loads(data, parse_int=str, parse_float=str)
    listed: Any = (document if "tools" in document else document["result"])["tools"]
    pointers = [problem["pointer"] for problem in printed["problems"]]
    lost = [
        f"/tools/{number} is neither generated nor told of"
        for number, entry in enumerate(listed)
        if str(mapped(entry).get("name")) not in printed["tools"]
        and not any(f"/tools/{number}/" in f"{pointer}/" for pointer in pointers)
    ]
    shared = "another one with the name 'good_one'" in str(printed["problems"])
    if (
        listed
        and listed[0] == GOOD
        and "good_one" not in printed["tools"]
        and not shared
    ):
        lost.append("the sound tool is lost")
    return lost


def _schemas(package: Path) -> dict[str, Any]:
    recording = json.loads((package / "recording.json").read_text("utf-8"))
    return {tool["name"]: tool["inputSchema"] for tool in recording["tools"]}


def _strays(folder: Path) -> list[str]:
    expected = {"recording.json", "report.json", "out"}
    strays = {path.name for path in folder.iterdir()} - expected
    outside = {path.name for path in (folder / "out").iterdir()} - {PACKAGE}
    return [f"a file outside the package: {name!a}" for name in strays | outside]


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError


def main(numbers: list[int]) -> None:
    """Run the cases of these numbers."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _too_long)
    known = [*cases(), *bombs()]
    sys.dont_write_bytecode = True
    compile_once()
    with tempfile.TemporaryDirectory() as root:
        canary = Canary(Path(root))
        for number in numbers:
            case = known[number]
            folder = Path(tempfile.mkdtemp(dir=Path(root).parent, prefix="case-"))
            try:
                result = run(case, canary, folder)
            except TooLongError:
                result = _ended(case, "it never ends")
            except Exception as error:  # noqa: BLE001, any of them is a finding
                result = _ended(case, f"{type(error).__name__}: {str(error)[:300]}")
            finally:
                with suppress(OSError):
                    shutil.rmtree(folder)
            sys.stdout.write(json.dumps({**result, "number": number}) + "\n")
            sys.stdout.flush()


def _ended(case: Case, why: str) -> dict[str, Any]:
    zero = {"code": -1, "seconds": 0.0, "bytes": 0, "tools": 0, "left_out": 0}
    return {"name": case.name, **zero, "memory": 0, "faults": [why]}


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]])
