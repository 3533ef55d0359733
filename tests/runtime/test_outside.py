"""What the client shows and takes from outside: traces, cookies, forks, TLS."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client import telemetry
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import McpError, TransportError
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.runtime.conftest import Driver, Hostile

RUNTIME = Path(telemetry.__file__).parents[1]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[Any]]]:
    """Record spans and durations, as an application with an SDK does."""
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    meters = MeterProvider(metric_readers=[reader])
    loaded: Any = vars(telemetry)["_open_telemetry"]
    with monkeypatch.context() as patch:  # a process sets its providers once
        patch.setattr(trace, "get_tracer_provider", lambda: tracers)
        patch.setattr(metrics, "get_meter_provider", lambda: meters)
        inner: Any = metrics.get_meter  # it is defined in another module
        patch.setitem(inner.__globals__, "get_meter_provider", lambda: meters)
        loaded.cache_clear()
        yield lambda: list(exporter.get_finished_spans())
    loaded.cache_clear()
    data = reader.get_metrics_data()
    assert data is not None
    points: Any = data.resource_metrics[0].scope_metrics[0].metrics[0].data.data_points
    assert sum(point.count for point in points) == len(exporter.get_finished_spans())
    tracers.shutdown()
    meters.shutdown()


def test_spans(
    driver: Driver, hostile: Hostile, spans: Callable[[], list[Any]]
) -> None:
    url = hostile.url("good")
    driver.call(url)
    for act in ("unknown_tool", "html"):
        with pytest.raises(McpError):
            driver.call(hostile.url(act))
    good, unknown, html = spans()
    assert good.name == "tools/call tool"
    assert good.attributes == {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "tool",
        "gen_ai.operation.name": "execute_tool",
        "jsonrpc.request.id": "2",
        "mcp.protocol.version": "2026-07-28",
        "network.transport": "tcp",
        "server.address": "127.0.0.1",
        "server.port": int(url.split("/")[2].partition(":")[2]),
    }
    assert unknown.attributes["error.type"] == "-32602"
    assert unknown.attributes["rpc.response.status_code"] == "-32602"
    assert html.attributes["error.type"] == "TransportError"
    sent = hostile.log(url)[-1]["message"]["params"]["_meta"]
    assert format(good.context.trace_id, "032x") in sent["traceparent"]


def test_without_open_telemetry(
    driver: Driver, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: Any = vars(telemetry)["_open_telemetry"]
    loaded.cache_clear()
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", None)
    assert loaded() is None
    assert telemetry.trace_context() == {}
    assert driver.call(hostile.url("good")).text == "done"
    with pytest.raises(McpError):
        driver.call(hostile.url("unknown_tool"))
    loaded.cache_clear()


def test_a_program_that_sets_nothing_up_makes_no_spans(
    driver: Driver, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its interface is installed for another library, and costs each call nothing."""
    made: list[object] = []
    tracer = type(trace.get_tracer("x"))
    monkeypatch.setattr(tracer, "start_as_current_span", made.append)
    assert driver.call(hostile.url("good")).text == "done"
    assert made == []


def test_cookies_are_sent_back(driver: Driver, hostile: Hostile) -> None:
    async def work(client: Any) -> None:
        await client.call_tool("tool", {})
        await client.call_tool("tool", {})

    url = hostile.url("cookie")
    driver.http(url, work)
    first, second = [entry["headers"] for entry in hostile.log(url)][-2:]
    assert "cookie" not in first
    assert second["cookie"] == "node=a"


def test_an_answer_on_a_stream_that_goes_on(driver: Driver, hostile: Hostile) -> None:
    async def work(client: Any) -> None:
        for _ in range(2):
            assert (await client.call_tool("tool", {})).text == "done"

    driver.http(hostile.url("crash"), work)


def test_long_answers_to_notifications(driver: Driver, hostile: Hostile) -> None:
    assert driver.call(hostile.url("notices_much")).text == "done"


def test_a_fork_has_connections_of_its_own(hostile: Hostile) -> None:
    url = hostile.url("good")
    code = f"""
        import os
        from mcp_bindgen.runtime.client.client import BaseClient
        client = BaseClient.http({url!r})
        client.call_tool("tool", {{}})
        if (child := os.fork()) == 0:
            client.call_tool("tool", {{}})
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        client.call_tool("tool", {{}})
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
    parent, child, again = [
        entry["connection"]
        for entry in hostile.log(url)
        if entry["method"] == "tools/call"
    ]
    assert parent == again != child


def test_a_connection_is_not_used_when_servers_may_close_it(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, now = hostile.url("good"), time.monotonic
    with BaseClient.http(url) as client:
        for later in (0.0, 3.0, 7.9):
            monkeypatch.setattr(time, "monotonic", lambda d=later: now() + d)
            client.call_tool("tool", {})
    first, second, third = [
        entry["connection"]
        for entry in hostile.log(url)
        if entry["method"] == "tools/call"
    ]
    assert first == second != third


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Run a server whose certificate nobody has signed, for `localhost` only."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", "key.pem", "-out", "cert.pem"]
    command = [*words.split(), *names, *files]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    code = """
        import http.server, ssl, sys
        handler = http.server.BaseHTTPRequestHandler
        server = http.server.HTTPServer(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("cert.pem", "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline()), folder / "cert.pem"
        process.kill()


@pytest.mark.xdist_group("tls")
def test_tls_is_verified(
    driver: Driver, tls: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, certificate = tls
    for trusted, host, refused in (
        (False, "localhost", True),
        (True, "127.0.0.1", True),
        (True, "localhost", False),
    ):
        if trusted:
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(TransportError) as caught:
            driver.call(f"https://{host}:{port}/", retries=0)
        assert ("cannot connect" in str(caught.value)) is refused


def test_proxies_come_from_the_environment(
    driver: Driver, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with pytest.raises(TransportError, match="cannot connect"):
        driver.call(hostile.url("good"), retries=0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert driver.call(hostile.url("good")).text == "done"


def test_no_check_of_a_certificate_is_ever_left_out() -> None:
    for module in RUNTIME.rglob("*.py"):
        text = module.read_text()
        assert "verify=False" not in text
        assert "CERT_NONE" not in text
    assert ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).verify_mode is ssl.CERT_REQUIRED
