"""The catalogue of tools: its pages, its files, and server texts that stay texts."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.hidden import HIDDEN
from mcp_bindgen.pipeline.site import server_page
from mcp_bindgen.render.site import site_files

from tests.commands import ALPHA, BETA, last, names, recording, run
from tests.hostile.payloads import TEXTS
from tests.hostile.positions import PLACES

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON

CATALOG = Path(__file__).parents[2] / "generated" / "catalog" / "recording.json"
TAGS = frozenset(
    "a body button code details fieldset footer form h1 h2 h3 head header html input"
    " kbd label legend li link main meta nav output p pre script section select option"
    " span style summary table tbody td th thead title tr ul div".split()
)
ATTRIBUTES = frozenset(
    "aria-describedby aria-label aria-labelledby autocomplete charset class content"
    " data-destructive data-read data-server for hidden href http-equiv id lang name"
    " role scope spellcheck tabindex type value".split()
)
OURS = re.compile(r"[\w./#-]+")
PAGES = {
    "script": "</script><script>fire()</script>",
    "comment": "<!--<script>",
    "image": "\"'><img src=x onerror=fire()>",
    "entity": "&lt;script&gt;&#106;",
    "link": "[x](javascript:fire()) `</code><b>`",
    "template": "{{ 7 * 7 }}</textarea></title></style>",
    "hidden": "a\u202eb\x00c\x1b[31m\u2028",
    "surrogate": "\ud800",
    **{name: TEXTS[name] for name in ("double", "up", "dots")},
}


class Page(HTMLParser):
    """Notes all that a browser would act upon."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags = set[str]()
        self.attributes = set[str]()
        self.links = list[str]()
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links += [str(value) for name, value in attrs if name == "href"]
        kinds = [value for name, value in attrs if name == "type"]
        self.scripts += tag == "script" and kinds != ["application/json"]


@pytest.mark.parametrize("name", PAGES)
def test_texts_of_servers_stay_texts(name: str) -> None:
    for make in PLACES.values():
        data = json.dumps(make(PAGES[name])).encode()
        page, _ = server_page(data, "hostile", arguments={"bad": {"a": PAGES[name]}})
        for text in site_files([page], "Tools", "").values():
            read = Page(text)
            assert read.tags <= TAGS
            assert read.attributes <= ATTRIBUTES
            assert read.scripts == 1
            assert all(OURS.fullmatch(link) for link in read.links)
            assert not HIDDEN.search(text)
            text.encode()


def test_every_link_leads_to_a_page_or_an_anchor(tmp_path: Path) -> None:
    assert run("docs", str(CATALOG), "-o", str(tmp_path)).exit_code == 0
    for file in tmp_path.rglob("*.html"):
        for link in Page(file.read_text("utf-8")).links:
            path, _, anchor = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            assert not anchor or f'id="{anchor}"' in target.read_text("utf-8")


def test_a_tool_page_shows_types_examples_and_schemas(tmp_path: Path) -> None:
    run("docs", str(CATALOG), "-o", str(tmp_path))
    text = (tmp_path / "recording" / "search_metadata.html").read_text("utf-8")
    assert '<a href="#model-Filters">Filters</a>' in text
    assert "client.search_metadata(query=" in text
    assert "search_metadata_tool(client)" in text
    assert "curl &#34;$MCP_URL&#34;" in text
    assert "<summary>Input schema</summary>" in text


def test_the_same_recording_gives_the_same_pages(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("docs", str(CATALOG), "-o", str(tmp_path / folder))
    one, two = (tmp_path / "one", tmp_path / "two")
    paths = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    assert all((one / path).read_bytes() == (two / path).read_bytes() for path in paths)
    result = run("docs", str(CATALOG), "-o", str(one))
    assert last(result) == "6 tools of 1 server, 0 files changed"


def test_pages_of_gone_tools_go_and_files_of_others_stay(tmp_path: Path) -> None:
    site, file = tmp_path / "site", tmp_path / "s.json"
    run("docs", recording(file, ALPHA, BETA), "-o", str(site))
    (site / "s" / "mine.html").write_text("mine")
    run("docs", recording(file, ALPHA), "-o", str(site))
    assert names(str(site / "s")) == ["alpha.html", "index.html", "mine.html"]


def test_changes_since_older_recordings(tmp_path: Path) -> None:
    old, site = tmp_path / "old", tmp_path / "site"
    old.mkdir()
    recording(old / "s.json", ALPHA, BETA)
    more: JSON = {"name": "alpha", "inputSchema": {"type": "object", "required": ["x"]}}
    new = recording(tmp_path / "s.json", more)
    assert run("docs", new, "--since", str(old), "-o", str(site)).exit_code == 0
    assert "PARAM_ADDED_REQUIRED" in (site / "s" / "alpha.html").read_text("utf-8")
    assert "TOOL_REMOVED" in (site / "s" / "index.html").read_text("utf-8")


def test_a_bad_recording_is_named_and_the_others_get_pages(tmp_path: Path) -> None:
    recording(tmp_path / "good.json", ALPHA)
    (tmp_path / "bad.json").write_text("[]")
    result = run("docs", str(tmp_path), "-o", str(tmp_path / "site"))
    assert result.exit_code == 1
    assert "bad.json" in result.stderr
    assert (tmp_path / "site" / "good" / "alpha.html").exists()


def test_without_settings_there_is_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("docs")
    assert result.exit_code == 2
    assert "hint" in result.stderr
