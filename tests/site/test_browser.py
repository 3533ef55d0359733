"""The catalogue in a real browser, without a network: search, links, accessibility.

It needs Playwright's Python (the extra `browser`) and Chromium; axe-core comes from
npm. The tests are skipped where one of them is missing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands import run
from tests.docs_site.pages import ROOT
from tests.docs_site.pictures import photograph
from tests.site.chromium import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
AXE = "axe-core@4.14.1"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.xdist_group("browser"),
]


def tool(number: int) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"word": {"type": "string"}}}
    return {
        "name": f"{'get' if number % 2 else 'delete'}_thing_{number:04}",
        "description": f"Works on thing {number}. `code` <b>no tag</b>",
        "inputSchema": {**schema, "required": ["word"] * (number % 3 == 0)},
        "outputSchema": schema,
        "annotations": {"readOnlyHint": bool(number % 2)},
    }


def site(folder: Path, number: int) -> str:
    """Make a catalogue of two servers, and return its address."""
    for server in ("one", "two"):
        tools = [tool(each) for each in range(number // 2)]
        (folder / f"{server}.json").write_text(json.dumps({"tools": tools}))
    assert run("docs", str(folder), "-o", str(folder / "site")).exit_code == 0
    return (folder / "site").as_uri()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    return site(tmp_path_factory.mktemp("small"), 20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """Yield a page without a network; whatever it complains of is a failure."""
    context = browser.new_context(offline=True)
    opened = context.new_page()
    complaints: list[str] = []

    def complain(said: Any) -> None:
        complaints.append(str(getattr(said, "text", said)))

    opened.on("console", complain)
    opened.on("pageerror", complain)
    yield opened
    context.close()
    assert complaints == []


def visible_tools(page: Any) -> list[str]:
    texts: list[str] = page.locator(".tools:not([hidden]) h3 a").all_text_contents()
    return texts


def test_a_search_ranks_names_and_stays_in_the_address(page: Any, small: str) -> None:
    page.goto(f"{small}/index.html")
    assert len(visible_tools(page)) == 20
    page.keyboard.press("/")
    page.keyboard.type("thing_0003")
    assert visible_tools(page) == ["get_thing_0003"] * 2
    assert page.locator("#count").text_content() == "2 of 20 tools"
    page.reload()
    assert visible_tools(page) == ["get_thing_0003"] * 2
    page.locator("#query").press("Escape")
    assert len(visible_tools(page)) == 20


def test_filters_and_words_of_descriptions(page: Any, small: str) -> None:
    page.goto(f"{small}/index.html")
    page.locator("#read").check()
    assert all(name.startswith("get_") for name in visible_tools(page))
    page.locator("#server").select_option("two")
    assert len(visible_tools(page)) == 5
    page.locator("#query").fill("works thing 7")
    assert visible_tools(page) == ["get_thing_0007"]


def test_enter_opens_the_first_tool_and_the_way_back_is_an_anchor(
    page: Any, small: str
) -> None:
    page.goto(f"{small}/index.html")
    page.locator("#query").fill("delete_thing_0002")
    page.locator("#query").press("Enter")
    page.wait_for_url("**/one/delete_thing_0002.html")
    assert page.locator("h1").text_content() == "delete_thing_0002"
    assert page.locator("main b").count() == 0
    page.locator("nav a").first.click()
    page.wait_for_url("**/index.html#one.delete_thing_0002")
    assert page.locator("li:target h3").text_content() == "delete_thing_0002"


def test_all_can_be_read_without_javascript(browser: Any, small: str) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{small}/index.html")
    assert page.locator("#tools li:visible").count() == 20
    assert not page.locator("#controls").is_visible()
    context.close()


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if npm is None:
        pytest.skip("needs npm")
    words = [npm, "install", "--silent", "--no-audit", "--prefix", str(folder), AXE]
    try:
        subprocess.run(words, check=True, timeout=120)
    except subprocess.SubprocessError:
        pytest.skip(f"npm cannot install {AXE}")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_complaint(browser: Any, small: str, axe: str, scheme: str) -> None:
    context = browser.new_context(
        offline=True,
        color_scheme=scheme,
        viewport={"width": 640, "height": 800},
        bypass_csp=True,
    )
    page = context.new_page()
    tools = [f"one/get_thing_{n:04}" for n in (1, 3)] + ["two/delete_thing_0002"]
    for name in ["index", "one/index", *tools]:
        page.goto(f"{small}/{name}.html")
        page.evaluate(axe)
        violations = page.evaluate("axe.run().then(r => r.violations)")
        assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 640
    context.close()


def test_the_script_makes_the_picture_of_the_catalogue(
    browser: Any, tmp_path: Path
) -> None:
    photograph(browser, tmp_path / "made.png")
    committed = ROOT / "docs" / "images" / "catalogue.png"
    sizes = [path.read_bytes()[16:24] for path in (tmp_path / "made.png", committed)]
    assert sizes[0] == sizes[1]


def test_a_thousand_tools_open_and_are_searched(page: Any, tmp_path: Path) -> None:
    page.goto(f"{site(tmp_path, 1_000)}/index.html")
    assert page.locator("#count").text_content() == "1000 of 1000 tools"
    page.locator("#query").fill("thing_0123")
    assert visible_tools(page) == ["get_thing_0123"] * 2
