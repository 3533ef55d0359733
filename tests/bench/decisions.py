"""Measure a decision of a policy alone, and a client without a policy.

CPU time in microseconds, the least of many rounds, since loads only add to it. Run it
with `.venv/bin/python -m tests.bench.decisions`.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.runtime.client.answers import (
    as_sent,
    request_type,
    result,
    trace_context,
)
from mcp_bindgen.runtime.client.approval import approved
from mcp_bindgen.runtime.client.channel import Channel
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.client.policy.decide import decide
from mcp_bindgen.runtime.client.policy.read import parse

from tests.bench.counting import UNIT, work
from tests.policy.counting import CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

    from mcp_bindgen.runtime.client.binding import Binding
    from mcp_bindgen.runtime.results import ToolResult

__all__ = ["CASES", "Case", "decision_of", "main", "microseconds", "without_policy"]

_ROUNDS, _TIMES = 60, 500


class Case(NamedTuple):
    """One kind of decision.

    Attributes:
        name: Its name in the table.
        rules: What the entry `tools.t` has, as TOML.
        arguments: The arguments of the call.
        effect: The decision.
    """

    name: str
    rules: str
    arguments: Mapping[str, Any]
    effect: str = "allow"


_FILES = [{"path": f"/data/in/file-{n}.txt"} for n in range(3)]
CASES = (
    Case("no rule", "", {"query": "sales"}),
    Case(
        "two constraints",
        "arguments.size = { maximum = 50 }\narguments.query = { max_length = 100 }",
        {"size": 5, "query": "sales"},
    ),
    Case(
        "a pattern",
        'arguments.query = { pattern = "[a-z]+" }',
        {"query": "sales"},
    ),
    Case(
        "one when",
        'when = [{ arguments.action = ["delete"], approval = "always" }]',
        {"action": "show"},
    ),
    Case(
        "two when",
        'when = [{ arguments.action = ["delete"], approval = "always" },\n'
        ' { arguments.action = ["move", "rename"], modes = ["NORMAL"] }]',
        {"action": "show"},
    ),
    Case(
        "a path and its length",
        'arguments.path = { max_length = 100 }\npaths.path = { allowed = ["/data"],'
        ' forbidden = ["/data/keys"] }',
        {"path": "/data/in/sales-2026.csv"},
    ),
    Case(
        "the path of each of three files",
        'paths."/files/*/path" = { allowed = ["/data"] }',
        {"files": _FILES},
    ),
    Case(
        "denied by a constraint",
        "arguments.size = { maximum = 50 }",
        {"size": 51},
        "deny",
    ),
)


def decision_of(case: Case) -> Callable[[], str]:
    """Return a function that makes the decision once and returns its effect."""
    text = f'unreviewed = "allow"\n[tools.t]\nmodes = ["NORMAL"]\n{case.rules}\n'
    document = parse(text.encode(), "bench.toml")
    entry = document.entry("tools/call", "t")
    return lambda: decide(document, entry, "NORMAL", case.arguments).effect


def microseconds(action: Callable[[], object]) -> float:
    """Return the CPU time of an action: the least of many rounds."""
    times: list[int] = []
    for _ in range(_ROUNDS):
        start = time.thread_time_ns()
        for _ in range(_TIMES):
            action()
        times.append(time.thread_time_ns() - start)
    return min(times) / _TIMES / 1000


class _Bare(BaseClient):
    """A client without any step that policies need: as before there were policies."""

    def _send(
        self,
        name: str,
        arguments: dict[str, Any],
        binding: Binding[Any] | None = None,
    ) -> ToolResult:
        if not isinstance(self._transport, Channel):
            return self._transport.call_tool(name, as_sent(name, arguments))
        if hooks := self._options.before_call:
            arguments = approved(hooks, name, arguments, binding)
        params: Mapping[str, Any] = {"name": name, "arguments": arguments}
        if context := trace_context()():
            params = {**params, "_meta": context}
        options = self._options
        request = request_type().plain(
            "tools/call", params, options.on_progress, options.on_log
        )
        if options.log_level or options.on_notice:
            request = request.heard(options.log_level, options.on_notice)
        flow = self._transport.session.request(request)
        seconds = options.timeouts.get(name, options.timeout)
        return result(self._transport.driver.run(flow, seconds))


def instructions(action: Callable[[], object]) -> int:
    """Return the bytecode instructions of an action, in any version of Python."""
    number = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal number
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        number += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(None)
    return number


def without_policy() -> tuple[int, int]:
    """Return the instructions of a call without a policy: a client, and a bare one.

    The server is in memory, so that a real call has more of both.
    """
    counted: list[int] = []
    for kind in (BaseClient, _Bare):
        client = CountingServer().client(kind)
        calls = partial(client.call_tool, "list_items", {"query": "sales"})
        calls()  # connects
        counted.append(instructions(calls))
    return counted[0], counted[1]


def main() -> None:
    """Print a table."""
    for case in CASES:
        decided = decision_of(case)
        assert decided() == case.effect, case.name
        line = f"{case.name:34}{microseconds(decided):7.2f} us{work(decided):8,} {UNIT}"
        sys.stdout.write(f"{line}\n")
    client, bare = without_policy()
    share = (client - bare) / bare
    line = f"a call without a policy: {client:,} instructions; a client without"
    sys.stdout.write(f"{line} steps for policies: {bare:,} (+{share:.1%})\n")


if __name__ == "__main__":
    main()
