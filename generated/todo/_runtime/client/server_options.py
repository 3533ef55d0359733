# Copied by mcp-bindgen. Do not edit.
"""The options of a client for requests of its server, and for its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from .drift import Difference
    from .url_request import UrlRequest

__all__ = ["ServerOptions"]


class ServerOptions(TypedDict, total=False):
    """The functions of a client for requests of its server, and for its changes.

    Each is declared to the server only where it is passed; functions may be async
    where the client is. A function of a call's own stream uses up the time of the call.
    """

    on_elicit: Callable[[dict[str, Any]], Any]
    """Takes the params of a form (`elicitation/create`): `message`, `requestedSchema`.
    Returns a Pydantic model or True, whose fields the form's defaults complete; False
    to decline; None to cancel; or the result itself, with an "action"."""

    on_url: Callable[[UrlRequest], bool | Awaitable[bool]]
    """Shows a URL to a person, and returns whether they agree to open it. Nothing else
    opens it, or reads it: `ask_url_on_terminal`."""

    on_sample: Callable[[dict[str, Any]], Any]
    """Takes the params of `sampling/createMessage`, which asks a model of yours, and
    returns its text, or the whole result."""

    sample_tools: bool
    """Whether `on_sample` takes `tools` and `toolChoice`, too."""

    roots: Sequence[str | Path | Mapping[str, Any]]
    """Folders that the server may work in: paths, file:// URIs, or whole roots."""

    on_list_changed: Callable[[list[Difference]], object]
    """Takes the findings of `verify()` each time that the server says that its tools,
    prompts or resources are others now."""
