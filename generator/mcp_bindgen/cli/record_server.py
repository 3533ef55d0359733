"""Records one server into its file, and shows the changes."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.graded import show_short
from mcp_bindgen.cli.jobs import shortest
from mcp_bindgen.cli.output import problems_json
from mcp_bindgen.cli.reach import SECONDS, reached, source_of
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.contract.summary import Compared
    from mcp_bindgen.recording.recorder import Options, Recorded
    from mcp_bindgen.recording.source import Source

__all__ = ["Saved", "as_json", "record_server", "store", "try_record"]

_MOST_JSON = 2_000  # characters of the answer of a call that failed


class Saved(NamedTuple):
    """The result of recording one server.

    Attributes:
        code: The exit code: 0, 1 (the server made mistakes) or 2 (it failed).
        changed: Whether the file changed.
        compared: The changes since the recording that was replaced; None if there was
            none.
        recorded: The recording, None where the server failed.
        problems: The reasons why it failed.
    """

    code: int
    changed: bool
    compared: Compared | None = None
    recorded: Recorded | None = None
    problems: Sequence[Problem] = ()


def try_record(
    server: Server,
    timeout: float | None,
    options: Options,
    environment: Mapping[str, str] = os.environ,
) -> Saved:
    """Record a server of the settings into its file; show a failure, and go on.

    Args:
        server: The server.
        timeout: The time for everything together, in seconds; None for that of the
            settings, or 60.
        options: The settings of the recording.
        environment: The variables for `${NAME}`.
    """
    source = source_of(server)
    options = replace(
        options,
        era=options.era or server.era or None,
        declare=options.declare or server.declare,
    )
    seconds = timeout or server.timeout or SECONDS
    try:
        with stopped_after(options.limits.seconds):
            output = shortest(server.recording)
            return record_server(source, seconds, options, output, environment)
    except BindgenError as error:
        screen.problems(
            Problem("", f"{server.key}: {problem.message}", problem.hint)
            for problem in error.problems
        )
        return Saved(2, changed=False, problems=error.problems)


def record_server(
    source: Source,
    timeout: float,
    options: Options,
    output: Path,
    environment: Mapping[str, str] = os.environ,
) -> Saved:
    """Record a server, write the recording, and show its problems and its contents.

    Raises:
        BindgenError: The server fails, or the file cannot be written.
    """
    live = reached(source, environment)
    screen.detail("connecting over HTTP" if live.url else "starting the program")
    return store(live.record(timeout, options), output, options)


def store(
    recorded: Recorded, output: Path, options: Options, *, check: bool = False
) -> Saved:
    """Write a recording into its file, and show its problems and its changes.

    Args:
        recorded: The recording.
        output: The file.
        options: The settings of the recording.
        check: Whether to compare only.

    Raises:
        BindgenError: The file cannot be written, is no recording, or would lose all its
            tools.
    """
    name = "standard output" if os.fspath(output) == "-" else str(output)
    screen.problems(recorded.problems, name)
    screen.problems(
        Problem("", f"--call {tool}: it failed: {json.dumps(answer)[:_MOST_JSON]}")
        for tool, answer in recorded.failed
    )
    before, after = _before(output, options), recorded.text.encode()
    if before != after:
        _refuse_other(name, before)
    if not (check or options.allow_empty or recorded.recording.tools):
        _refuse_emptied(name, before, options)
    changed = before != after if check else save(output, after)
    state = "written" if changed else "unchanged"
    state = "is out of date" if check and changed else state
    screen.summary(f"{_contents(recorded)}, {name} {state}")
    compared = _compared(before, after, name, options) if changed and before else None
    if compared:
        show_short(compared)
    code = int(bool(recorded.problems or recorded.failed))
    return Saved(code, changed, compared, recorded)


def as_json(name: str, file: str, saved: Saved) -> dict[str, Any]:
    """Return the result of recording one server, for programs.

    Args:
        name: The server in the settings, or "".
        file: The file of the recording.
        saved: The result.
    """
    if saved.recorded is None:
        return {"name": name, "file": file, "problems": problems_json(saved.problems)}
    recording = saved.recorded.recording
    problems = problems_json(saved.recorded.problems)
    failed = [{"tool": t, "result": answer} for t, answer in saved.recorded.failed]
    return {
        "name": name,
        "file": file,
        "server": dict(recording.server),
        "changed": saved.changed,
        "tools": len(recording.tools),
        "resources": len(recording.resources),
        "resource_templates": len(recording.resource_templates),
        "prompts": len(recording.prompts),
        "problems": problems,
        "failed_calls": failed,
    }


def _before(output: Path, options: Options) -> bytes:
    """Return the recording that is replaced, b"" where there is none to read."""
    if os.fspath(output) == "-" or not output.is_file():
        return b""
    with suppress(OSError), output.open("rb") as stream:
        return stream.read(options.limits.bytes + 1)
    return b""


def _refuse_other(name: str, before: bytes) -> None:
    """Refuse to replace a file that is no recording, as by a mistake in the settings.

    Raises:
        BindgenError: It is something else.
    """
    from mcp_bindgen.recording.replaceable import is_replaceable  # few files change

    if not is_replaceable(before):
        message = f"{name} is in the way: it is no recording"
        hint = "move it away, or name another file; nothing was written"
        raise BindgenError(Problem("", message, hint))


def _refuse_emptied(name: str, before: bytes, options: Options) -> None:
    """Refuse a server without tools where the recording has some.

    A server that starts half, or a login that has expired, lists none; the next `check`
    would find the two alike.

    Raises:
        BindgenError: The recording that would be replaced has tools.
    """
    from mcp_bindgen.recording.document import load

    tools = 0
    with suppress(BindgenError):  # A file that is no recording has none.
        tools = len(load(before, options.limits)[0].tools) if before else 0
    if tools:
        had = screen.count(tools, "tool")
        message = f"{name} would be empty: it has {had}, the server lists none"
        hint = "look at the server, or pass --allow-empty; nothing was written"
        raise BindgenError(Problem("", message, hint))


def _compared(
    before: bytes, after: bytes, name: str, options: Options
) -> Compared | None:
    """Return the changes since the recording that was replaced.

    A damaged recording is replaced without a message: there is nothing to compare.
    """
    from mcp_bindgen.contract.summary import Choice, compared

    with suppress(BindgenError):
        return compared("", name, before, after, Choice(options.limits))
    return None


def _contents(recorded: Recorded) -> str:
    """Return the server's name and the numbers of its tools and other entries."""
    recording = recorded.recording
    counts = {
        "tool": len(recording.tools),
        "resource": len(recording.resources),
        "resource template": len(recording.resource_templates),
        "prompt": len(recording.prompts),
    }
    listed = ", ".join(screen.count(n, kind) for kind, n in counts.items() if n)
    left_out = len(recorded.problems)
    more = f", {screen.count(left_out, 'problem')}" if left_out else ""
    name = str(recording.server.get("name", "server"))[:80]
    return f"{name}: {listed or 'no tools'}{more}"
