"""Rows 26 to 28: call_many, telemetry, timeouts that are none, cookies."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.chaos.case import Case, Tally
from tests.chaos.drive import (
    KINDS,
    Program,
    Twin,
    caught,
    client_class,
    nonces,
    package,
    run,
)
from tests.chaos.exchange import Exchange, answer
from tests.chaos.server import ERAS, Script, serve

__all__ = ["CASES"]

_COOKIES = 64 * 1024


def _http(client: Any, url: str, **options: Any) -> Any:
    return client.http(url, timeout=4, **options)


def _plain(client: Any) -> Any:
    """Return the client itself, where it is a twin."""
    return client.client if isinstance(client, Twin) else client


def at_once(tally: Tally) -> None:
    """Row 26: no call can be made none at a time."""
    wrong = package("chaospkg._runtime.errors").ConfigError
    for number, kind in product((0, -1), KINDS):
        with tally.attempt(f"at_once={number} {kind}"), serve(Script()) as server:

            async def work(client: Any, number: int = number) -> Any:
                call = partial(_plain(client).change_item, nonce=nonces())
                return await caught(client.call_many([call], at_once=number))

            error = run(kind, partial(_http, url=server.url), work)
            assert isinstance(error, wrong), f"{error!r}"
            assert not server.log("tools/call"), "a call was made"


class _OwnError(Exception):
    """An error of the user's own code."""


def foreign(tally: Tally) -> None:
    """Row 26: an error of the user's own comes the same way from both clients."""
    ends: dict[str, str] = {}
    for kind in KINDS:
        with tally.attempt(kind), serve(Script()) as server:
            ends[kind] = run(kind, partial(_http, url=server.url), _many)
            assert "Group" not in ends[kind], f"it comes as {ends[kind]}"
    with tally.attempt("both alike"):
        assert len(set(ends.values())) == 1, f"{ends}"


async def _many(client: Any) -> str:
    def own() -> Any:
        raise _OwnError

    async def own_async() -> Any:
        own()

    method = _plain(client).change_item
    calls: list[Any] = [partial(method, nonce=nonces()) for _ in range(3)]
    calls.insert(1, own if isinstance(client, Twin) else own_async)
    try:
        results = await client.call_many(calls)
    except Exception as error:  # noqa: BLE001, its kind is the result
        return f"raised {type(error).__name__}"
    return " ".join(type(result).__name__ for result in results)


def _spans() -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


def telemetry(tally: Tally) -> None:
    """Row 27: spans of calls that are cancelled, that fail, and of many at once."""
    exporter = _spans()
    for era in ERAS:
        with serve(Script(era, _slow)) as server:
            _cancelled(tally, era, server.url, exporter)
            for kind in KINDS:
                _failing(tally, f"{era} {kind}", server.url, exporter)
                _parents(tally, f"{era} {kind}", server.url, exporter)


def _slow(exchange: Exchange) -> None:
    if exchange.nonce.startswith("slow"):
        exchange.hang()
    answer(exchange)


def _types(exporter: InMemorySpanExporter) -> set[str]:
    """Return error.type of all calls that were seen, and forget them."""
    spans = [s for s in exporter.get_finished_spans() if "tools/call" in s.name]
    exporter.clear()
    assert spans, "no span"
    return {str((span.attributes or {}).get("error.type")) for span in spans}


def _cancelled(tally: Tally, era: str, url: str, exporter: Any) -> None:
    with tally.attempt(f"cancelled {era}"):

        async def work(client: Any) -> None:
            await client.connect()
            call = asyncio.ensure_future(client.change_item(nonce=nonces("slow")))
            await asyncio.sleep(0.2)
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call

        exporter.clear()
        run("async", partial(_http, url=url), work)
        types = _types(exporter)
        assert types & {"CancelledError", "cancelled"}, f"error.type is {types}"


def _own_hook(*_: object) -> bool:
    raise _OwnError


def _failing(tally: Tally, name: str, url: str, exporter: Any) -> None:
    with tally.attempt(f"foreign {name}"):

        async def work(client: Any) -> None:
            hooked = client.with_options(before_call=_own_hook)
            await caught(hooked.change_item(nonce=nonces()))

        exporter.clear()
        run(name.split()[1], partial(_http, url=url), work)
        types = _types(exporter)
        assert len(types) == 1, f"{types}"
        assert str(types.pop()).endswith("_OwnError"), "error.type is not the error's"


def _parents(tally: Tally, name: str, url: str, exporter: Any) -> None:
    with tally.attempt(f"parents {name}"):

        async def work(client: Any) -> Any:
            calls = [
                partial(_plain(client).change_item, nonce=nonces()) for _ in "1234"
            ]
            with trace.get_tracer("chaos").start_as_current_span("parent") as parent:
                await client.call_many(calls)
            return parent.get_span_context().trace_id

        exporter.clear()
        number = run(name.split()[1], partial(_http, url=url), work)
        spans = [s for s in exporter.get_finished_spans() if "tools/call" in s.name]
        traces = {span.context.trace_id for span in spans if span.context}
        assert traces == {number}, f"{len(spans)} calls are in {len(traces)} traces"


_TIMEOUTS: tuple[Any, ...] = (
    *(0, -1, float("nan"), float("inf"), -float("inf"), "5", True, [1]),
)


def timeouts(tally: Tally) -> None:
    """Row 28: a timeout is a positive finite number, or None."""
    wrong = package("chaospkg._runtime.errors").ConfigError
    program = Program(tally.folder)
    for value, kind in product(_TIMEOUTS, KINDS):
        made = client_class(kind)
        for name, make in (
            ("http", partial(made.http, "http://127.0.0.1:9/mcp")),
            ("stdio", partial(made.stdio, program.command)),
            ("with_options", made.http("http://127.0.0.1:9/mcp").with_options),
        ):
            with tally.attempt(f"{name} {str(value)[:8]!r} {kind}"):
                error = _raised(partial(make, timeout=value))
                assert isinstance(error, wrong), f"{error!r}"
    for value, kind in product((None, 1, 0.5, 86_400), KINDS):
        with tally.attempt(f"fine {value} {kind}"):
            client_class(kind).http("http://127.0.0.1:9/mcp", timeout=value)


def _raised(make: Any) -> Exception | None:
    try:
        make()
    except Exception as error:  # noqa: BLE001, its kind is the result
        return error
    return None


def _baker(exchange: Exchange) -> None:
    """Set a hundred new cookies of a kilobyte each with every answer."""
    base = len(exchange.state.log) * 100
    fields = [f"set-cookie: c{base + i}={'x' * 500}" for i in range(60)]
    exchange.json(exchange.echo(), "200 OK", *fields)


def cookies(tally: Tally) -> None:
    """Row 28: a server cannot make requests grow with its cookies."""
    for kind in KINDS:
        with tally.attempt(f"cookies {kind}"), serve(Script(call=_baker)) as server:

            async def work(client: Any) -> None:
                for _ in range(tally.some(10, 30)):
                    nonce = nonces()
                    assert (await client.change_item(nonce=nonce)).text == nonce

            start = time.monotonic()
            run(kind, partial(_http, url=server.url), work)
            sizes = [len(r["headers"].get("cookie", "")) for r in server.log()]
            assert max(sizes) < _COOKIES, f"{max(sizes)} bytes of cookies"
            assert time.monotonic() - start < 30, "cookies make calls slow"


CASES = (
    Case(26, "at-once", at_once),
    Case(26, "foreign", foreign),
    Case(27, "telemetry", telemetry),
    Case(28, "timeouts", timeouts),
    Case(28, "cookies", cookies),
)
