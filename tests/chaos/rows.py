"""The rows by number, the cases that try them, and those that have to pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.chaos import (
    bodies,
    cancel,
    deadlines,
    hooks,
    http_sse,
    interrupt,
    life,
    load,
    odds,
    old,
    once,
    orders,
    programs,
    proxies,
    refusals,
    sse_faults,
    toolboxes,
)

if TYPE_CHECKING:
    from tests.chaos.case import Case

__all__ = ["CASES", "PASSING", "TITLES"]

PASSING: tuple[int, ...] = (
    *(
        1,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        24,
        25,
    ),
    *(26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38),
)
"""The rows that pass, and have to: CI runs their short form.

Row 14 passes too, and measures seconds: a busy machine would fail it.
"""

TITLES: dict[int, str] = {
    0: "soak: healthy calls, 50 at once",
    1: "cancelled at any await, the next call works",
    2: "interrupted at any step, the next call works",
    3: "a program half closed or dead is started anew",
    4: "a malformed answer or a log line ends no program",
    5: "a fork shares neither program nor session",
    6: "a client dropped without close leaves nothing",
    7: "an async client serves more than one loop",
    8: "restart during a stream: once",
    9: "a reply that cannot connect: once",
    10: "a callback that raises: once",
    11: "the word session is no expiry: once",
    12: "a notice that cannot connect: outcome true",
    13: "a resuming GET that is refused: outcome true",
    14: "timeout bounds the call",
    15: "connections are bounded",
    16: "Retry-After beyond the deadline",
    17: "one refresh for one expiry",
    18: "sessions that expire under load",
    19: "idle connections are closed",
    20: "a toolbox with unreachable servers",
    21: "answers that were read before",
    22: "auth beside http",
    23: "proxy variables",
    24: "four causes, four messages",
    25: "stdio: retries and pings",
    26: "call_many: refusals and foreign errors",
    27: "telemetry of errors and of many calls",
    28: "timeouts that are none; cookies",
    29: "two hooks compose",
    30: "request() asks the hook",
    31: "what was not offered is not run",
    32: "verify() of a part",
    33: "servers that exit on an unknown method",
    34: "the old HTTP+SSE transport",
    35: "redirects",
    36: "refusals say status, path and body",
    37: "a program that speaks no JSON-RPC",
    38: "one environment for record and client",
}

CASES: tuple[Case, ...] = (
    *cancel.CASES,
    *interrupt.CASES,
    *once.CASES,
    *orders.CASES,
    *deadlines.CASES,
    *load.CASES,
    *toolboxes.CASES,
    *bodies.CASES,
    *proxies.CASES,
    *odds.CASES,
    *hooks.CASES,
    *old.CASES,
    *refusals.CASES,
    *life.CASES,
    *http_sse.CASES,
    *sse_faults.CASES,
    *programs.CASES,
)
