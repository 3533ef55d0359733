"""Renders the catalogue: static pages for people, inert for any text of a server."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from mcp_bindgen.hidden import show
from mcp_bindgen.render.environment import environment_of
from mcp_bindgen.render.target_folders import templates_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment

    from mcp_bindgen.render.site_pages import ServerPage

__all__ = ["site_files"]

_SEARCHED = 400  # characters of a description
_HTML = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&"})


def site_files(servers: Sequence[ServerPage], title: str, since: str) -> dict[str, str]:
    """Return the files of a catalogue: relative path with "/" to text.

    Each page is complete: it loads nothing, and its policy (CSP) allows the one style
    and the one script in it, by their hashes.

    Example: `site_files([server], "Tools", "")["index.html"]`.

    Args:
        servers: The servers, each with a folder of its own.
        title: The title of the catalogue.
        since: The name of the older version of `changes`, "" where there is none.
    """
    variables: dict[str, object] = {"title": title, "servers": servers, "since": since}
    index = Markup(_index(servers))  # noqa: S704, JSON without "<"
    files = {"index.html": _page("index", {**variables, "root": "", "index": index})}
    for server in servers:
        inside = {**variables, "server": server, "root": "../"}
        files[f"{server.package}/index.html"] = _page("server", inside)
        for tool in server.tools:
            path = f"{server.package}/{tool.function}.html"
            files[path] = _page("tool", {**inside, "tool": tool})
    return files


def _index(servers: Sequence[ServerPage]) -> str:
    """Return the words that the search reads, as JSON that is safe in HTML."""
    rows = [
        [
            f"{server.package}.{tool.function}",
            tool.wire,
            tool.title,
            " ".join(f"{row.name} {row.wire}" for row in tool.parameters),
            tool.description[:_SEARCHED],
        ]
        for server in servers
        for tool in server.tools
    ]
    return json.dumps(rows, separators=(",", ":")).translate(_HTML)


def _page(template: str, variables: Mapping[str, object]) -> str:
    return (
        _environment()
        .get_template(f"{template}.html.jinja")
        .render({**_own(), **variables})
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    folder = templates_folder() / "site"
    environment = environment_of(folder, _visible, autoescape=True)
    filters: dict[str, Any] = {"spans": _spans}
    environment.filters.update(filters)
    return environment


def _spans(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a text, each with whether it is in backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without its partner
        return [(text, False)]
    return [(part, bool(number % 2)) for number, part in enumerate(parts)]


@lru_cache(maxsize=1)
def _own() -> dict[str, str]:
    """Return the style and the script of all pages, each with its hash for the CSP."""
    texts: dict[str, str] = {}
    for name, file in (("style", "style.css"), ("script", "search.js")):
        text = (templates_folder() / "site" / file).read_text(encoding="utf-8")
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        texts[name] = Markup(text)  # noqa: S704, a file of ours
        texts[f"{name}_hash"] = f"sha256-{digest}"
    return texts


def _visible(value: object) -> object:
    """Return a text without hidden characters; Jinja escapes it after that.

    Raises:
        TypeError: A template printed something that is no text.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return show(value)
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"a template printed a {type(value).__name__}")
