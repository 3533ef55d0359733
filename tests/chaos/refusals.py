"""Rows 36 to 38: refusals, programs that speak no JSON-RPC, the environment."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import KINDS, Program, attempt_call, nonces, package, run
from tests.chaos.package import command
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from tests.chaos.exchange import Exchange

__all__ = ["CASES"]

_STATUSES = (
    *("401 Unauthorized", "404 Not Found", "400 Bad Request", "403 Forbidden"),
    "405 Method Not Allowed",
)
_BODY = "Access is only allowed at localhost:8819"
_SECRET = "s3cr3t-t0k3n"  # a planted one


def _refuses(exchange: Exchange, status: str, only: str = "") -> bool:
    """Refuse all, or a method alone, with a body that holds the caller's secret."""
    if only not in {"", exchange.method}:
        return False
    exchange.refuse()
    exchange.http(status, f"{_BODY}; you sent {_SECRET}", "content-type: text/plain")
    return True


def _http(client: Any, url: str) -> Any:
    return client.http(url, timeout=5, token=_SECRET, headers={"x-api-key": _SECRET})


def _says(text: str, status: str) -> None:
    """Check that a text tells status, path and body, and no secret."""
    assert status[:3] in text, f"no status: {text}"
    assert "/mcp" in text, f"no path: {text}"
    assert _BODY in text, f"no body: {text}"
    assert _SECRET not in text, "it shows a secret"


def to_clients(tally: Tally) -> None:
    """Row 36: the error of a client tells status, path and a piece of the body."""
    for status, only, kind in product(
        tally.first(2, _STATUSES), ("", "tools/call"), KINDS
    ):
        for era in ERAS[: tally.some(1, 2)]:
            if (status[:3], only, era) == ("404", "tools/call", "legacy"):
                continue  # that is a session that has expired
            script = Script(era, before=partial(_refuses, status=status, only=only))
            name = f"{status[:3]} {only or 'all'} {era} {kind}"
            with tally.attempt(name), serve(script) as server:
                make = partial(_http, url=server.url)
                error = run(kind, make, attempt_call("change_item", nonces()))
                assert isinstance(error, package().McpError), f"{error!r}"
                _says(str(error), status)


def to_record(tally: Tally) -> None:
    """Row 36: so does `record`; --verbose shows the exchange, and no traceback."""
    for status in tally.first(2, _STATUSES):
        with serve(Script(before=partial(_refuses, status=status))) as server:
            words = ("--url", server.url, "--header", "Authorization: Bearer ${TOKEN}")
            output = ("-o", tally.folder / "r.json")
            env = {**os.environ, "TOKEN": _SECRET}
            with tally.attempt(f"{status[:3]} record"):
                ran = command("record", *words, *output, env=env)
                assert ran.returncode == 2, f"exit code {ran.returncode}"
                _says(ran.stderr, status)
            with tally.attempt(f"{status[:3]} record --verbose"):
                ran = command("record", "--verbose", *words, *output, env=env)
                assert "Traceback" not in ran.stderr, "a traceback"
                assert "POST" in ran.stderr, f"no exchange: {ran.stderr[-200:]}"
                _says(ran.stderr, status)


def prints(tally: Tally) -> None:
    """Row 37: a program that prints other than JSON-RPC is told at once."""
    for kind in KINDS:
        with tally.attempt(f"client {kind}"):
            program, start = Program(tally.folder, "prints"), time.monotonic()
            make = partial(_stdio, program=program, timeout=60)
            error = run(kind, make, attempt_call("change_item", nonces()))
            _at_once(start, str(error))
    with tally.attempt("record"):
        program, start = Program(tally.folder, "prints"), time.monotonic()
        output = tally.folder / "r.json"
        ran = command("record", "-o", output, "--", *program.command)
        assert ran.returncode == 2, f"exit code {ran.returncode}"
        _at_once(start, ran.stderr)


def _at_once(start: float, text: str) -> None:
    passed = time.monotonic() - start
    assert passed < 15, f"it says so after {passed:.0f} s"
    assert "Usage: chaos" in text or "port 8080" in text, f"what did it print? {text}"


def _stdio(client: Any, program: Program, timeout: float = 8, **options: Any) -> Any:
    return client.stdio(program.command, timeout=timeout, **options)


def environments(tally: Tally) -> None:
    """Row 38: `record` gives the program what the client gives it, and no more."""
    os.environ["CHAOS_SECRET"] = _SECRET
    for kind in KINDS:
        with tally.attempt(f"same {kind}"):
            program = Program(tally.folder)
            work = attempt_call("read_item", nonces())
            run(kind, partial(_stdio, program=program), work)
            ran = command(
                "record", "-o", tally.folder / "r.json", "--", *program.command
            )
            assert ran.returncode == 0, ran.stderr
            ours, recorded = (r["env"] for r in program.log("start"))
            assert recorded == ours, f"{sorted(set(recorded) ^ set(ours))} differ"
            assert "CHAOS_SECRET" not in ours, "the program sees all of our variables"


def chosen(tally: Tally) -> None:
    """Row 38: env and cwd of the client, of the command and of the settings."""
    folder = tally.folder / "elsewhere"
    folder.mkdir()
    wanted = {"CHAOS_LEVEL": "11"}
    for kind in KINDS:
        with tally.attempt(f"client {kind}"):
            program = Program(tally.folder)
            make = partial(_stdio, program=program, env=wanted, cwd=folder)
            run(kind, make, attempt_call("read_item", nonces()))
            _started_as(program, folder)
    with tally.attempt("record --env --cwd"):
        program = Program(tally.folder)
        words = ("--env", "CHAOS_LEVEL=11", "--cwd", folder)
        output = ("-o", tally.folder / "r.json")
        ran = command("record", *words, *output, "--", *program.command)
        assert ran.returncode == 0, ran.stderr
        _started_as(program, folder)
    with tally.attempt("settings"):
        program = Program(tally.folder)
        _write_settings(tally.folder, program)
        ran = command("record", cwd=tally.folder)
        assert ran.returncode == 0, ran.stderr
        _started_as(program, folder)


def _write_settings(folder: Path, program: Program) -> None:
    lines = (
        "[tool.mcp-bindgen.servers.chaos]",
        f"command = {json.dumps(program.command)}",
        'env = { CHAOS_LEVEL = "11" }',
        'cwd = "elsewhere"',
    )
    (folder / "pyproject.toml").write_text("\n".join(lines) + "\n")


def _started_as(program: Program, folder: Path) -> None:
    (start,) = program.log("start")
    assert start["env"].get("CHAOS_LEVEL") == "11", "env= has no effect"
    assert Path(start["cwd"]) == folder.resolve(), f"it runs in {start['cwd']}"


CASES = (
    Case(36, "clients", to_clients, 120),
    Case(36, "record", to_record, 120),
    Case(37, "prints", prints, 240),
    Case(38, "same", environments),
    Case(38, "chosen", chosen),
)
