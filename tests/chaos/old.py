"""Rows 33 to 35: servers of earlier years, and redirects."""

from __future__ import annotations

import json
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import (
    KINDS,
    Program,
    attempt_call,
    caught,
    nonces,
    package,
    run,
)
from tests.chaos.package import TOOLS, command
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from pathlib import Path

    from tests.chaos.exchange import Exchange

__all__ = ["CASES"]


def _recorded(folder: Path, *words: object, cwd: Path | None = None) -> None:
    """Record a server with the command, and check that it has all tools."""
    recording = folder / "recording.json"
    recording.unlink(missing_ok=True)
    ran = command("record", "--timeout", 20, "-o", recording, *words, cwd=cwd)
    assert ran.returncode == 0, ran.stderr
    tools = json.loads(recording.read_text("utf-8"))["tools"]
    assert len(tools) == len(TOOLS), f"{len(tools)} tools"


def exits(tally: Tally) -> None:
    """Row 33: a program that exits on server/discover is started again."""
    for kind in KINDS:
        with tally.attempt(f"client {kind}"):
            program = Program(tally.folder, "", "old")
            error = run(kind, partial(_stdio, program=program), _two_calls)
            assert error is None, f"{error}"
            assert len(program.pids()) == 2, f"started {len(program.pids())} times"
    with tally.attempt("record"):
        program = Program(tally.folder, "", "old")
        _recorded(tally.folder, "--", *program.command)


def _stdio(client: Any, program: Program) -> Any:
    return client.stdio(program.command, timeout=8)


async def _two_calls(client: Any) -> Any:
    for tool in ("read_item", "change_item"):
        nonce = nonces()
        if error := await caught(_echoes(client, tool, nonce)):
            return error
    return None


async def _echoes(client: Any, tool: str, nonce: str) -> None:
    result = await getattr(client, tool)(nonce=nonce)
    assert result.text == nonce, "another call's answer"


def eras(tally: Tally) -> None:
    """Row 33: `--era` and `era` in the settings: the program starts once."""
    for era in tally.first(2, ("old", "modern", "legacy")):
        name = "modern" if era == "modern" else "legacy"
        with tally.attempt(f"--era {name}, {era} program"):
            program = Program(tally.folder, "", era)
            _recorded(tally.folder, "--era", name, "--", *program.command)
            _spoken(program, name)
        with tally.attempt(f"settings {name}, {era} program"):
            program = Program(tally.folder, "", era)
            _by_settings(tally.folder, program, f'era = "{name}"')
            _spoken(program, name)


def _spoken(program: Program, era: str) -> None:
    methods = [r["method"] for r in program.log()]
    unwanted = "server/discover" if era == "legacy" else "initialize"
    assert unwanted not in methods, f"it says {methods}"
    assert methods.count("start") == 1, f"it starts {methods.count('start')} times"


def _by_settings(folder: Path, program: Program, line: str) -> None:
    table = "[tool.mcp-bindgen.servers.chaos]"
    text = f"{table}\ncommand = {json.dumps(program.command)}\n{line}\n"
    (folder / "pyproject.toml").write_text(text)
    ran = command("record", cwd=folder)
    assert ran.returncode == 0, ran.stderr


def _endpoint(exchange: Exchange, uri: str) -> None:
    """Open the stream of the old transport, and hold it."""
    exchange.state.memory["stream"] = exchange
    exchange.stream()
    exchange.send(f"event: endpoint\ndata: {uri}\n\n")
    exchange.hang()


def _old_transport(exchange: Exchange, status: str, uri: str) -> bool:
    """Be a server of 2024-11-05: GET opens the stream that POSTs are answered in."""
    if exchange.path == "/mcp" and exchange.verb == "GET":
        _endpoint(exchange, uri)
        return True
    if exchange.path == "/mcp":
        exchange.refuse()
        exchange.http(status)
        return True
    exchange.http("202 Accepted")
    result = _old_result(exchange)
    if result is not None and "id" in exchange.message:
        stream: Exchange = exchange.state.memory["stream"]
        stream.send("event: message\n")
        stream.event({"jsonrpc": "2.0", "id": exchange.message["id"], **result})
    return True


def _old_result(exchange: Exchange) -> dict[str, Any] | None:
    match exchange.method:
        case "initialize":
            facts: dict[str, Any] = {
                "protocolVersion": "2024-11-05",
                "capabilities": {"tools": {}},
            }
            return {"result": {**facts, "serverInfo": {"name": "old", "version": "1"}}}
        case "tools/list":
            return {"result": {"tools": TOOLS}}
        case "tools/call":
            return {"result": exchange.echo()["result"]}
        case "reply":
            return None
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}


def old_transport(tally: Tally) -> None:
    """Row 34: HTTP+SSE, for clients and for record."""
    statuses = ("405 Method Not Allowed", "404 Not Found", "400 Bad Request")
    for status in tally.first(1, statuses):
        uri = "/messages/?session_id=abc"
        script = Script(before=partial(_old_transport, status=status, uri=uri))
        for kind in KINDS:
            with tally.attempt(f"{status[:3]} {kind}"), serve(script) as server:
                error = run(kind, partial(_http, url=server.url), _two_calls)
                assert error is None, f"{error}"
                arrived_nonces = [r["nonce"] for r in server.log("tools/call")]
                twice = len(arrived_nonces) != len(set(arrived_nonces))
                tally.count(len(arrived_nonces), twice=int(twice))
                assert not twice, "a call was delivered twice"
        with tally.attempt(f"{status[:3]} record"), serve(script) as server:
            _recorded(tally.folder, "--url", server.url)


def other_origin(tally: Tally) -> None:
    """Row 34: an endpoint of another origin gets nothing."""
    for kind in KINDS:
        with tally.attempt(kind), serve(Script()) as other:
            uri = f"http://127.0.0.1:{other.port}/messages"
            before = partial(_old_transport, status="405 No", uri=uri)
            with serve(Script(before=before)) as server:
                make = partial(_http, url=server.url)
                error = run(kind, make, attempt_call("read_item", nonces()))
                assert isinstance(error, package().McpError), f"{error!r}"
                assert any(r["verb"] == "GET" for r in server.log()), "no GET came"
                assert not other.log(), "another origin was sent a message"


def _http(client: Any, url: str) -> Any:
    return client.http(url, timeout=6)


def _redirects(exchange: Exchange, status: str, target: str) -> bool:
    if exchange.path != "/mcp/":
        return False
    exchange.refuse()
    exchange.http(status, "", f"location: {target}")
    return True


def redirects(tally: Tally) -> None:
    """Row 35: a same-origin 307 or 308 is followed once, for clients and record."""
    statuses = tally.first(1, ("307 Temporary", "308 Permanent"))
    for status, era in product(statuses, tally.first(1, ERAS)):
        script = Script(era, before=partial(_redirects, status=status, target="/mcp"))
        for kind in KINDS:
            with tally.attempt(f"{status[:3]} {era} {kind}"), serve(script) as server:
                error = run(kind, partial(_http, url=f"{server.url}/"), _two_calls)
                assert error is None, f"{error}"
                calls = server.log("tools/call")
                accepted = sum(r["accepted"] for r in calls)
                tally.count(len(calls), twice=int(accepted > 2))
                assert accepted == 2, f"{accepted} deliveries of 2 calls"
        with tally.attempt(f"{status[:3]} {era} record"), serve(script) as server:
            _recorded(tally.folder, "--url", f"{server.url}/")


def refused(tally: Tally) -> None:
    """Row 35: others are refused, and the error names their target."""
    kinds = ("307 Temporary", "302 Found", "301 Moved", "303 See", "308 Permanent")
    for status, kind in product(tally.first(2, kinds), KINDS):
        same = status[:3] in {"307", "308"}
        with tally.attempt(f"{status[:3]} {kind}"), serve(Script()) as other:
            target = f"http://127.0.0.1:{other.port}/mcp" if same else "/elsewhere"
            _refused(kind, status, target)
            assert not other.log(), "another origin was sent a message"
        with tally.attempt(f"{status[:3]} loop {kind}"):
            _refused(kind, status, "/mcp/")


def _refused(kind: str, status: str, target: str) -> None:
    before = partial(_redirects, status=status, target=target)
    with serve(Script(before=before)) as server:
        make = partial(_http, url=f"{server.url}/")
        error = run(kind, make, attempt_call("change_item", nonces()))
        assert isinstance(error, package().McpError), f"{error!r}"
        address = target.removesuffix("/mcp")
        assert address in str(error), f"which target? {error}"
        assert status[:3] in str(error), f"which status? {error}"
        assert len(server.log()) <= 4, f"it tries {len(server.log())} times"


CASES = (
    Case(33, "exits", exits),
    Case(33, "eras", eras, 120),
    Case(34, "transport", old_transport, 120),
    Case(34, "other-origin", other_origin),
    Case(35, "followed", redirects),
    Case(35, "refused", refused),
)
