# Copied by mcp-bindgen. Do not edit.
"""Puts the answers of a client into its session, and its channel into the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import ref

from .list_changes import ListChanges
from .questions import Questions
from .server_options import ServerOptions

if TYPE_CHECKING:
    from ..protocol.request import SessionSettings
    from .channel import Channel

__all__ = ["answering", "bind"]


def answering(settings: SessionSettings, options: ServerOptions) -> SessionSettings:
    """Return settings of a session that answers the server.

    Args:
        settings: The settings without answers.
        options: The functions and values of the user.

    Raises:
        ConfigError: A root is none.
        TypeError: There is no such option.
    """
    if unknown := options.keys() - ServerOptions.__annotations__.keys():
        raise TypeError(f"there is no option {min(unknown)!r}")
    chosen: Any = {name: value for name, value in options.items() if value is not None}
    questions = Questions(chosen)
    changes = chosen.get("on_list_changed")
    return replace(
        settings,
        handlers=questions.handlers,
        offers=questions.offers,
        on_change=ListChanges(changes).flow if changes else None,
    )


def bind(channel: Channel[Any], client: type[Any], seconds: float | None) -> None:
    """Give the answers the server and the client of their questions.

    Args:
        channel: The session and its driver; the answers do not hold it.
        client: The class of the client.
        seconds: The time of its calls.
    """
    settings, weak = channel.session.settings, ref(channel)

    def made() -> Any:
        held = weak()
        if held is None:
            return None
        return client(held).with_options(timeout=seconds)

    elicit: Any = settings.handlers.get("elicitation/create")
    if elicit is not None:
        elicit.__self__.server = channel.server
    change: Any = settings.on_change
    if change is not None:
        change.__self__.bind(made)
