# Copied by mcp-bindgen. Do not edit.
"""Compares a server with the recording when it reports that its lists changed."""

from __future__ import annotations

import logging
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from .. import limits
from ..protocol.steps import Ask, CallbackError, Sleep

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ..protocol.steps import Flow
    from .drift import Difference

__all__ = ["ListChanges"]

_log = logging.getLogger(__name__.partition("._runtime")[0])


class ListChanges:
    """Reports the changes of one server; at most one comparison runs at a time.

    Args:
        on_changed: Takes the findings of `verify()`.
    """

    def __init__(self, on_changed: Callable[[list[Difference]], object]) -> None:
        self._on_changed = on_changed
        self._client: Callable[[], Any] = lambda: None
        self._running = self._again = False

    def bind(self, client: Callable[[], Any]) -> None:
        """Take the function that gives the client, None where it is gone."""
        self._client = client

    def flow(self) -> Flow[Any, None] | None:
        """Return the flow that compares and reports; None where one runs."""
        self._again = True
        if self._running:
            return None
        self._running = True
        return self._compared()

    def _compared(self) -> Flow[Any, None]:
        try:
            while self._again:
                self._again = False
                try:
                    yield from Ask(self._report)
                except CallbackError as error:
                    name = type(error.original).__name__
                    _log.warning("a changed list is not reported: %s", name)
                # A server that reports changes all the time is compared now and then.
                yield from Sleep(limits.LIST_PAUSE)
        finally:
            self._running = False

    def _report(self) -> Any:
        client = self._client()
        if client is None:
            return None
        differences = client.verify()
        if isawaitable(differences):
            return self._report_async(differences)
        return self._on_changed(differences)

    async def _report_async(self, differences: Awaitable[list[Difference]]) -> None:
        result = self._on_changed(await differences)
        if isawaitable(result):
            await result
