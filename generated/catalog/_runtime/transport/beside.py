# Copied by mcp-bindgen. Do not edit.
"""Flows that run beside the calls: each on a thread or in a task of its own."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio

from ..errors import FAILURE
from .drive import drive, drive_async
from .log_redaction import in_request
from .loops import begin_task, is_closed, running_loop, soon_in

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from .exchange import AsyncExchange, BlockingExchange

    _Exchange = BlockingExchange[Any]
    _TaskFlow = tuple[object, Generator[Any, Any, None]]

__all__ = ["Companions", "TaskCompanions"]


class Companions:
    """The flows that run beside the calls of one blocking client.

    A client that is dropped is not held by them: their exchanges have it weakly.
    """

    def __init__(self) -> None:
        self._exchanges: dict[_Exchange, None] = {}
        self._closed = False

    def begin(
        self, flow: Generator[Any, Any, None], exchange: BlockingExchange[Any]
    ) -> None:
        """Run a flow on a thread.

        Args:
            flow: The flow.
            exchange: Carries out its steps; it has no deadline.
        """
        if self._closed:
            flow.close()
            return
        self._exchanges[exchange] = None
        work, name = partial(self._run, flow, exchange), "mcp-bindgen beside"
        threading.Thread(target=work, name=name, daemon=True).start()

    def _run(
        self, flow: Generator[Any, Any, None], exchange: BlockingExchange[Any]
    ) -> None:
        in_request.set(True)
        try:
            with suppress(*FAILURE):
                drive(flow, exchange)
        finally:
            self._exchanges.pop(exchange, None)

    def close(self) -> None:
        """End all flows, and begin no others."""
        self._closed = True
        for exchange in list(self._exchanges):
            exchange.cut()


class TaskCompanions:
    """The flows that run beside the calls of one async client, each in a scope."""

    def __init__(self) -> None:
        self._flows: dict[anyio.CancelScope, _TaskFlow] = {}
        self._closed = False

    def begin(
        self,
        flow: Generator[Any, Any, None],
        exchange: Callable[[], AsyncExchange[Any]],
    ) -> None:
        """Run a flow in a task of the running event loop.

        Args:
            flow: The flow.
            exchange: Makes the exchange that carries out its steps.
        """
        if self._closed:
            flow.close()
            return
        scope = anyio.CancelScope()
        self._flows[scope] = running_loop(), flow

        async def work() -> None:
            in_request.set(True)
            try:
                with scope, suppress(*FAILURE):
                    await drive_async(flow, exchange())
            finally:
                self._flows.pop(scope, None)

        begin_task(work)

    def check_loops(self) -> None:
        """End the flows of event loops that were closed before these ended."""
        for scope, (loop, flow) in list(self._flows.items()):
            if is_closed(loop):
                self._flows.pop(scope, None)
                flow.close()

    def close(self) -> None:
        """End all flows, and begin no others."""
        self._closed, here = True, running_loop()
        for scope, (loop, _) in list(self._flows.items()):
            if loop is here:
                scope.cancel()
            else:
                soon_in(loop, scope.cancel)
