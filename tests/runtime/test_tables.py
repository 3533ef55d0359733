"""Results as tables in a notebook: escaped, capped, and only where they are tables."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.results import ToolResult
from mcp_bindgen.runtime.tables import table
from mcp_bindgen.runtime.validation.models import Model

HOSTILE = "</td></table><script>fire()</script>\u202e\x1b[31m&\"'"


class Page(HTMLParser):
    """Notes tags, attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_rows_and_members_are_tables() -> None:
    rows = [{"name": "orders", "size": 5}, {"name": "users", "new": True}]
    page = Page(table({"total": 2, "hits": rows}))
    assert page.tags.count("table") == 2
    assert [*filter(str.strip, page.texts)] == (
        "total 2 hits name size new orders 5 users true".split()
    )


@pytest.mark.parametrize("value", [None, "x", 5, [], {}, [1, 2], [{"a": 1}, 2], [{}]])
def test_other_values_are_none(value: Any) -> None:
    assert table(value) == ""


def test_texts_of_a_server_stay_texts() -> None:
    page = Page(table([{HOSTILE: HOSTILE, "in": {HOSTILE: [HOSTILE]}}]))
    assert {*page.tags} == {"table", "tr", "th", "td"}
    assert not any(c in "".join(page.texts) for c in "\u202e\x1b")
    assert "".join(page.texts).count("<script>fire()") == 4


def test_large_values_are_capped() -> None:
    wide = {f"c{number}": "x" * 10_000 for number in range(limits.TABLE_COLUMNS + 3)}
    text = table([wide] * (limits.TABLE_ROWS + 2))
    assert text.endswith("<p>... 2 more rows and 3 more columns</p>")
    assert len(text) < 2 * limits.TABLE_ROWS * limits.TABLE_COLUMNS * limits.TABLE_TEXT
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"a": deep}
    assert table(deep).count("<table>") == limits.TABLE_DEPTH + 1


def test_a_notebook_shows_results_and_models() -> None:
    class Owner(Model):
        name: str

    owner: Any = Owner(name="<b>")
    assert owner._repr_html_() == (
        "<table><tr><th>name</th><td>&lt;b&gt;</td></tr></table>"
    )
    raw: dict[str, Any] = {"content": []}
    structured: Any = ToolResult.from_wire({**raw, "structuredContent": {"n": 1}})
    bundle = structured._repr_mimebundle_()
    assert bundle["text/html"] == "<table><tr><th>n</th><td>1</td></tr></table>"
    plain: Any = ToolResult.from_wire(raw)
    assert "text/html" not in plain._repr_mimebundle_()
