"""What a generated package's user sees of the client."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.recording.text_differences import differences
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.client.drift import Difference
from mcp_bindgen.runtime.errors import (
    ConfigError,
    InvalidArgumentsError,
)
from mcp_bindgen.runtime.results import ToolError, ToolResult, UnexpectedResultError

from tests.servers.launch import lasting_port, serve_http

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.runtime.conftest import Driver, Hostile


class Fake:
    """A caller's own transport."""

    def __init__(self, **raw: Any) -> None:
        self.raw = raw
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self.closed = False

    def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolResult:
        self.calls.append((name, arguments))
        return ToolResult.from_wire(self.raw)

    def close(self) -> None:
        self.closed = True


class AsyncFake(Fake):
    """The same for tasks."""

    async def call_tool(  # type: ignore[override]
        self, name: str, arguments: Mapping[str, Any], /
    ) -> ToolResult:
        return super().call_tool(name, arguments)

    async def close(self) -> None:  # type: ignore[override]
        super().close()


def fake(driver: Driver, **raw: Any) -> Any:
    """Return the right fake for a driver."""
    return (Fake if driver.blocking else AsyncFake)(**raw)


class Doubled:
    """Stands for a generated binding."""

    tool = "double"
    retryable = False
    header_params: Mapping[str, tuple[str, ...]] = {}

    def prepare(self, arguments: Mapping[str, object]) -> dict[str, object]:
        if "bad" in arguments:
            raise InvalidArgumentsError(self.tool, [])
        return dict(arguments)

    def parse(self, result: ToolResult) -> int:
        if not result.has_structured:
            raise UnexpectedResultError(self.tool, result, [])
        return int(result.structured) * 2


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Write a package as one is generated, and import it."""
    folder = tmp_path / "weather"
    (folder / "tools").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "tools" / "__init__.py").write_text("")
    (folder / "client.py").write_text(textwrap.dedent("""
        from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient

        class Client(BaseClient):
            pass

        class AsyncClient(AsyncBaseClient):
            pass
        """))
    (folder / "tools" / "add.py").write_text(textwrap.dedent("""
        def add(client, /, *, a):
            return client.call_tool("add", {"a": a})

        async def add_async(client, /, *, a):
            return await client.call_tool("add", {"a": a})
        """))
    (folder / "tools" / "broken.py").write_text("import no_such_module_anywhere")
    tool: dict[str, Any] = {"name": "good", "inputSchema": {}, "title": "old"}
    (folder / "recording.json").write_text(json.dumps({"tools": [tool]}))
    (folder / "manifest.json").write_text("{}")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield importlib.import_module("weather.client")
    for name in [name for name in sys.modules if name.startswith("weather")]:
        del sys.modules[name]


def client_class(driver: Driver, package: Any) -> Any:
    """Return the class that a driver drives."""
    driver.client = package.Client if driver.blocking else package.AsyncClient
    return driver.client


def test_tools_are_methods(driver: Driver, package: Any) -> None:
    kind = client_class(driver, package)

    own = type("Mine", (kind,), {"__module__": "elsewhere.mine"})

    for made in (kind, own):
        transport = fake(driver, content=[{"type": "text", "text": "3"}])
        result = driver.run(lambda c: c.add(a=1), lambda: made(transport))  # noqa: B023
        assert result.json() == 3
        assert transport.calls == [("add", {"a": 1})]
        assert transport.closed
    assert "add" in vars(kind)


def test_other_names_are_no_attributes(driver: Driver, package: Any) -> None:
    client = client_class(driver, package)(fake(driver))
    for name in ("nothing", "__wrapped__", "_private", "tools"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(client, name)
    with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
        _ = client.broken
    assert {"add", "call", "close"} <= set(dir(client))
    assert "call" in dir(driver.client(fake(driver)))
    assert "call" in dir((BaseClient if driver.blocking else AsyncBaseClient)(None))  # type: ignore[arg-type]
    assert repr(client).endswith("Fake')")


def test_a_typed_call(driver: Driver) -> None:
    def run(arguments: dict[str, object], **raw: Any) -> Any:
        made = lambda: driver.client(fake(driver, **raw))  # noqa: E731
        return driver.run(lambda c: c.call(Doubled(), arguments), made)

    assert run({"a": 1}, structuredContent=21) == 42
    with pytest.raises(InvalidArgumentsError):
        run({"bad": 1})
    with pytest.raises(UnexpectedResultError) as unexpected:
        run({})
    assert unexpected.value.server is not None
    with pytest.raises(ToolError, match="double: no"):
        run({}, isError=True, content=[{"type": "text", "text": "no"}])


def test_extra_arguments(driver: Driver) -> None:
    transport = fake(driver, structuredContent=1)

    async def work(client: Any) -> None:
        more = client.with_options(extra_arguments={"user": "me"}, timeout=None)
        await more.call(Doubled(), {"a": 1})
        await more.call_tool("x", {"a": 2})
        await client.call_tool("x", {})

    driver.run(work, lambda: driver.client(transport))
    assert [sent for _, sent in transport.calls] == [
        {"a": 1, "user": "me"},
        {"a": 2, "user": "me"},
        {},
    ]


def test_ones_own_transport_calls_tools_only(driver: Driver) -> None:
    with pytest.raises(ConfigError, match="calls tools and nothing else"):
        driver.run(lambda c: c.list_tools(), lambda: driver.client(fake(driver)))


def test_from_the_environment(
    driver: Driver, package: Any, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = client_class(driver, package)
    with pytest.raises(ConfigError, match="WEATHER_MCP_URL"):
        kind.from_env()
    url = hostile.url("wants_token")
    monkeypatch.setenv("WEATHER_MCP_URL", url)
    monkeypatch.setenv("WEATHER_MCP_TOKEN", "fresh")

    async def call(client: Any) -> Any:
        return await client.call_tool("tool", {})

    assert driver.run(call, lambda: kind.from_env(timeout=5)).text == "done"
    sent = hostile.log(url)[-1]["message"]["params"]["_meta"]
    assert sent["io.modelcontextprotocol/clientInfo"]["name"] == "weather"
    monkeypatch.setenv("WEATHER_MCP_COMMAND", "x")
    with pytest.raises(ConfigError, match="expected one of"):
        kind.from_env()
    monkeypatch.delenv("WEATHER_MCP_URL")
    python = sys.executable
    for command in (json.dumps([python, "-c", "pass"]), f"{python} -c 'pass'"):
        monkeypatch.setenv("WEATHER_MCP_COMMAND", command)
        assert "python" in repr(kind.from_env())
    for command in ("[1]", "[", "'"):
        monkeypatch.setenv("WEATHER_MCP_COMMAND", command)
        with pytest.raises(ConfigError, match="expected a command"):
            kind.from_env()


def test_verify(driver: Driver, package: Any, hostile: Hostile) -> None:
    client_class(driver, package)
    differences = driver.http(hostile.url("header_tools"), lambda c: c.verify())
    assert [str(difference) for difference in differences] == [
        "good /inputSchema/properties/a: added (PARAM_ADDED_OPTIONAL, compatible)",
        "good /title: removed (TOOL_TITLE_CHANGED, text)",
    ]


def test_differences() -> None:
    old = {
        "name": "a",
        "z": None,
        "n": 1,
        "m": [1],
        "_meta": 1,
        "execution": 1,
        "x~/": {"y": 1},
    }
    new: dict[str, Any] = {"name": "a", "z": None, "n": True, "m": [1], "x~/": {}}
    assert differences([old, {"name": "gone"}], [new, {"name": "new"}]) == [
        Difference("a", "/n", "changed"),
        Difference("a", "/x~0~1/y", "removed"),
        Difference("gone", "", "removed"),
        Difference("new", "", "added"),
    ]
    assert differences([old], [dict(reversed(old.items()))]) == []


def test_facts_before_they_are_known(driver: Driver) -> None:
    client = driver.client.http("http://127.0.0.1:9/")
    assert client.server_info == {}
    assert client.capabilities == {}
    assert client.protocol_version is None
    assert client.instructions is None


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_server_that_is_restarted(driver: Driver, era: str) -> None:
    port = str(lasting_port())

    async def work(client: Any) -> None:
        for _ in range(2):
            with serve_http("todo", "--port", port):
                assert len(await client.list_tools()) == 5

    driver.http(f"http://127.0.0.1:{port}/mcp", work, era=era)


def test_importing_is_layered() -> None:
    code = """
        import sys
        import mcp_bindgen.runtime.lazy
        assert not {"httpx", "pydantic", "anyio"} & set(sys.modules)
        import mcp_bindgen.runtime.errors, mcp_bindgen.runtime.results
        assert not {"httpx", "pydantic", "anyio"} & set(sys.modules)
        import mcp_bindgen.runtime.client.client
        assert not {"httpx", "pydantic", "opentelemetry", "mcp"} & set(sys.modules)
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
