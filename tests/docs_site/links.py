"""The links of the built site: each leads to a file of it, and to an anchor there."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["broken_links"]

# Zensical serves this page for any missing path, so that its links begin with "/".
_MISSING = "404.html"


class _Page(HTMLParser):
    """Collects the anchors of a page, its links, and the files that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors = set[str]()
        self.links = list[str]()
        self.loaded = list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.add(values.get("id", ""))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif "href" in values or "src" in values:
            self.loaded.append(values.get("src", values.get("href", "")))


def broken_links(site: Path) -> Iterator[str]:
    """Yield a line for each link to nothing, and for each file of another host."""
    texts = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    pages = {path: _Page(text) for path, text in texts.items() if path.name != _MISSING}
    for path, page in sorted(pages.items()):
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    yield f"{path.name}: {link} is loaded from another host"
                continue
            target = (
                (path.parent / unquote(parts.path)).resolve() if parts.path else path
            )
            anchor = unquote(parts.fragment)
            if not target.is_file():
                yield f"{path.name}: {link} leads to no file"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{path.name}: {link} leads to no anchor"
