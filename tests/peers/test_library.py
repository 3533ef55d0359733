"""Resources, templates, prompts and completions of a FastMCP server, as functions."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.bindings.conftest import opened
from tests.peers.running import command, generated, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("peers")


@pytest.fixture(scope="module")
def words() -> list[str]:
    """Return what runs the server over stdio."""
    return [*command("library"), "stdio"]


@pytest.fixture(scope="module")
def package(
    words: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """Record the server, generate a package, and import it."""
    folder = tmp_path_factory.mktemp("library")
    with generated(folder, "library", "--", *words) as package:
        yield package


@pytest.fixture(
    scope="module",
    params=[
        *("stdio", "stdio-legacy", "stdio-async"),
        *("http", "http-legacy", "http-async", "http-async-legacy"),
    ],
)
def library(
    request: pytest.FixtureRequest, words: list[str], package: Any
) -> Iterator[Any]:
    """Return a client of each transport, era and kind."""
    way = str(request.param).removesuffix("-legacy")
    era = "legacy" if way != request.param else None
    with ExitStack() as stack:
        over_http = way.startswith("http")
        target = stack.enter_context(serving("library")) if over_http else words
        yield opened(package, way, target, stack, era=era, timeout=60)


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
