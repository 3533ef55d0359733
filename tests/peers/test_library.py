"""Resources, templates, prompts and completions of a FastMCP server, as functions."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from anyio.from_thread import start_blocking_portal

from tests.bindings.conftest import Blocking
from tests.peers.install import python
from tests.peers.test_peers import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("peers")

SCRIPT = Path(__file__).parent / "fastmcp_library.py"


@pytest.fixture(scope="module")
def words() -> list[str]:
    """Return what runs the server over stdio; skip where FastMCP is not installed."""
    if not python("fastmcp").exists():
        pytest.skip("fastmcp is not installed: run scripts/peers")
    return [str(python("fastmcp")), str(SCRIPT), "stdio"]


@pytest.fixture(scope="module")
def package(
    words: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """Record the server, generate a package, and import it."""
    folder = tmp_path_factory.mktemp("library")
    bindgen = [sys.executable, "-m", "mcp_bindgen"]
    record = ["record", "-o", "library.json", "--", *words]
    for command in (record, ["generate", "library.json", "-o", "."]):
        done = [*bindgen, *command]
        subprocess.run(done, cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("library")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == "library"]:
        del sys.modules[name]


@pytest.fixture(
    scope="module",
    params=["stdio", "stdio-legacy", "http", "http-legacy", "stdio-async"],
)
def library(
    request: pytest.FixtureRequest, words: list[str], package: Any
) -> Iterator[Any]:
    """Return a client of each transport, era and kind."""
    way, _, more = str(request.param).partition("-")
    options = {"era": "legacy" if more == "legacy" else None, "timeout": 60}
    if more == "async":
        with start_blocking_portal() as portal:
            client = package.AsyncClient.stdio(words, **options)
            yield Blocking(client, portal)
            portal.call(client.close)
    elif way == "http":
        with serving("library") as url, package.Client.http(url, **options) as client:
            yield client
    else:
        with package.Client.stdio(words, **options) as client:
            yield client


def test_resources(library: Any, package: Any) -> None:
    cover = library.read_resource(package.Resource.COVER)
    assert cover.mime_type == "image/png"
    assert cover.data[8:] == bytes(range(256))
    hours = library.read_resource(package.Resource.OPENING_HOURS)
    assert hours.json() == {"monday": [9, 18]}
    listed = library.list_resources()
    assert {info.uri for info in listed} == {*package.Resource}
    with pytest.raises(package.ProtocolError, match="library://none"):
        library.read_resource("library://none")
    assert library.verify() == []


def test_templates_get_each_argument_as_it_was(library: Any) -> None:
    assert library.book(title="caf\u00e9 & 100%").text == "A book about coffee."
    assert library.book(title="a/b").text == "A book with a slash."
    shelf = library.class_(floor=2, shelf="b/\u00e9 %2F?#")
    assert shelf.json() == {"floor": 2, "shelf": "b/\u00e9 %2F?#"}
    search = library.import_resource
    assert search().json() == {"query": "", "tags": None}
    both = search(query="a&tags=b+c d", tags=["x,y", "\U0001f600", ""])
    tags = ["x,y", "\U0001f600", ""]
    assert both.json() == {"query": "a&tags=b+c d", "tags": tags}


def test_prompts(library: Any, package: Any) -> None:
    (message,) = library.review(title="{{x}}\n")
    assert message.content.text == "Review '{{x}}\\n' with 3 stars."
    assert library.review(title="x", stars="5").text == "Review 'x' with 5 stars."
    roles = [message.role for message in library.import_prompt()]
    assert roles == ["user", "assistant"]
    with pytest.raises(package.InvalidArgumentsError, match="/stars: expected a str"):
        library.review(title="x", stars=5)
    with pytest.raises(package.ProtocolError):
        library.get_prompt(package.Prompt.REVIEW)


def test_links_and_completions(library: Any, package: Any) -> None:
    (link,) = library.newest(title="a/b").links
    assert library.follow(link).text == "A book with a slash."
    complete = partial(library.complete, "title", "a")
    prompt, template = package.Prompt.REVIEW, package.ResourceTemplate.BOOK
    for reference in (prompt, package.PROMPTS[prompt]):
        assert complete(prompt=reference).values == ("a/b",)
    for reference in (template, package.RESOURCE_TEMPLATES[template]):
        assert complete(template=reference).values == ("a/b",)
    shelf = package.ResourceTemplate.CLASS
    floors = library.complete("floor", template=shelf, others={"shelf": "s"})
    assert floors.values == (str(shelf), "s")
