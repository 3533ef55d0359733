"""A library on FastMCP 4, with resources, templates, prompts and completions.

It runs in an environment of its own. Arguments: `stdio`, or a port.
"""

import sys
from importlib import import_module
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
BOOKS = {"caf\u00e9 & 100%": "A book about coffee.", "a/b": "A book with a slash."}

server: Any = import_module("fastmcp").FastMCP("library")
types: Any = import_module("mcp_types")


def cover() -> bytes:
    """The cover of the catalogue."""
    return PNG


def opening_hours() -> dict[str, list[int]]:
    """The hours of each day."""
    return {"monday": [9, 18]}


def book(title: str) -> str:
    """One book."""
    return BOOKS[title]


def shelf(floor: int, shelf: str) -> dict[str, object]:
    """A shelf by its path."""
    return {"floor": floor, "shelf": shelf}


def search(query: str = "", tags: list[str] | None = None) -> dict[str, object]:
    """Books that match."""
    return {"query": query, "tags": tags}


def newest(title: str) -> Any:
    """Link to the newest book."""
    uri = f"library://books/{title.replace('/', '%2F')}"
    link = types.ResourceLink(type="resource_link", name="book", uri=uri)
    return [types.TextContent(type="text", text="Here:"), link]


def review(title: str, stars: int = 3) -> str:
    """Review a book."""
    return f"Review {title!r} with {stars} stars."


def import_books() -> Any:
    """Explain how to import books, with a picture."""
    base = import_module("fastmcp.prompts")
    return [
        base.Message("How do I import books?"),
        base.Message("Like this.", role="assistant"),
    ]


def complete(ref: Any, argument: Any, context: Any) -> list[str] | None:
    """Complete titles, and floors of the chosen shelf."""
    if argument.name == "title":
        return [title for title in BOOKS if title.startswith(argument.value)]
    chosen: dict[str, str] = (context.arguments or {}) if context else {}
    return [f"{ref.uri}", *chosen.values()] if argument.name == "floor" else None


server.resource("library://cover.png", mime_type="image/png", title="Cover")(cover)
server.resource("library://opening-hours", name="opening hours")(opening_hours)
server.resource("library://books/{title}", name="book")(book)
server.resource("library://shelves/{floor}/{shelf*}", name="class")(shelf)
server.resource("library://search{?query,tags*}", name="import")(search)
server.tool(newest)
server.prompt(review)
server.prompt(name="import")(import_books)
server.completion(complete)

if sys.argv[1] == "stdio":
    server.run("stdio", show_banner=False)
else:
    port = int(sys.argv[1])
    server.run("http", port=port, show_banner=False, log_level="ERROR")
