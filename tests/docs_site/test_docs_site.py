"""The pages of the documentation: each link leads to one; reference pages are whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.cli import COMMANDS

from tests.docs_site.__main__ import navigation, sources
from tests.docs_site.links import broken_links
from tests.docs_site.pages import ROOT
from tests.docs_site.pictures import completion, diff

if TYPE_CHECKING:
    from pathlib import Path


def test_each_page_is_made_and_in_the_navigation() -> None:
    pages, listed = sources(), navigation()
    for name, text in pages.items():
        assert text.startswith("# "), name
        assert f'"{name}"' in listed


def test_the_reference_has_all_commands_and_settings() -> None:
    pages = sources()
    for command in COMMANDS:
        assert f"\n## {command}\n" in pages["commands.md"]
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text("utf-8"))
    for key in schema["properties"]:
        assert f"| `{key}` |" in pages["settings.md"]


def test_the_picture_shows_what_diff_prints() -> None:
    assert (ROOT / "docs" / "images" / "diff.svg").read_text("utf-8") == diff()


@pytest.mark.xdist_group("jedi")
def test_the_picture_shows_what_an_editor_completes() -> None:
    pytest.importorskip("jedi", reason="needs the extra dev")
    picture = ROOT / "docs" / "images" / "completion.svg"
    assert picture.read_text("utf-8") == completion()


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    links = "b.html b.html#here c.html#no #x d.html https://a.example/".split()
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    loaded = '<script src="https://b.example/x.js"></script><img src="a.html">'
    (tmp_path / "a.html").write_text(anchors + loaded)
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "c.html").write_text('<a href="/">')
    assert [line.split()[1] for line in broken_links(tmp_path)] == [
        *("c.html#no", "#x", "d.html", "https://b.example/x.js"),
        "/",
    ]
