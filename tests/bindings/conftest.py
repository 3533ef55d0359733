"""Both example servers, recorded and generated, and clients of them in four ways."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from anyio.from_thread import start_blocking_portal
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.servers.launch import CATALOG_TOKEN, serve_http, stdio_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from anyio.from_thread import BlockingPortal

    from tests.servers.launch import ServerName


@pytest.fixture(scope="package")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    home = tmp_path_factory.mktemp("served")
    with serve_http("catalog") as catalog, serve_http("todo", cwd=home) as todo:
        yield {"catalog": catalog, "todo": todo}


@pytest.fixture(scope="package")
def folder(
    urls: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Record both servers, one over each transport, and generate both packages."""
    folder = tmp_path_factory.mktemp("bindings")
    header = ("--header", "Authorization: Bearer ${CATALOG_KEY}")
    files = {name: str(folder / f"live_{name}.json") for name in urls}
    run("record", "--url", urls["catalog"], *header, "-o", files["catalog"])
    run("record", "-o", files["todo"], "--", *stdio_command("todo"))
    run("generate", *files.values(), "-o", str(folder), "--target", "python")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def run(*arguments: str) -> None:
    result = CliRunner(env={"CATALOG_KEY": CATALOG_TOKEN}).invoke(app, arguments)
    assert result.exit_code == 0, result.stderr


class Blocking:
    """An async client whose calls block, so that one test serves both kinds."""

    def __init__(self, client: Any, portal: BlockingPortal) -> None:
        self.client = client
        self.portal = portal

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.client, name)
        return lambda *args, **kw: self.portal.call(partial(method, *args, **kw))


WAYS = ["http", "http-async", "stdio", "stdio-async"]


def opened(package: Any, way: str, target: Any, stack: ExitStack, **more: Any) -> Any:
    """Return a client of one of the four ways, which the stack closes."""
    transport, _, is_async = way.partition("-")
    kind = package.AsyncClient if is_async else package.Client
    client = getattr(kind, transport)(target, **more)
    if not is_async:
        return stack.enter_context(client)
    portal = stack.enter_context(start_blocking_portal())
    stack.callback(portal.call, client.close)
    return Blocking(client, portal)


@pytest.fixture(scope="package", params=WAYS)
def connect(
    request: pytest.FixtureRequest,
    folder: Path,
    urls: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[ServerName], Any]]:
    """Return a function from a server's name to a client, in each of four ways.

    Tests share the client, as programs do: a server takes a second to start.
    """
    way = str(request.param)
    home = tmp_path_factory.mktemp("home")
    with ExitStack() as stack:

        @cache
        def connect(name: ServerName) -> Any:
            package = import_module(f"live_{name}")
            if way.startswith("stdio"):
                return opened(package, way, stdio_command(name), stack, cwd=home)
            token = CATALOG_TOKEN if name == "catalog" else None
            return opened(package, way, urls[name], stack, token=token)

        assert (folder / "live_todo").is_dir()
        yield connect


@pytest.fixture
def todo(connect: Callable[[ServerName], Any]) -> Any:
    return connect("todo")


@pytest.fixture
def catalog(connect: Callable[[ServerName], Any]) -> Any:
    return connect("catalog")
