# Copied by mcp-bindgen. Do not edit.
"""The async stdio driver of the sans-I/O protocol, for asyncio and trio."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread

from ..errors import TransportError
from ..protocol.steps import Overhear, Receive, Send, StdioStep, Tell, Unlock
from .drive import drive_async, weakly
from .exchange import AsyncExchange
from .program_owner import Line, ProgramOwner
from .task_boxes import message_in
from .waiting import Turns

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..protocol.steps import Flow
    from .beside import TaskCompanions
    from .command import Command

T = TypeVar("T")


class AsyncStdioExchange(AsyncExchange[StdioStep]):
    """One call over stdio, in a task."""

    def __init__(self, driver: AsyncStdioDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._driver = driver
        self._line = Line(driver)

    async def perform(self, step: StdioStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Send():
                self._line.start(step)
            case Receive():
                return await self._receive(step.seconds)
            case Tell():
                self._line.write(step.body)
            case Overhear():
                self._line.overhear()
            case _:
                return await self.common(step)
        return None

    async def _receive(self, seconds: float | None) -> dict[str, Any]:
        for pause in self._line.waits(seconds):
            with suppress(Empty):
                return self._line.read(await message_in(self._line.box, pause))
        raise TransportError("no answer to the probe", is_legacy_server=True)

    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""
        driver = weakly(self._driver)
        self._driver.companions().begin(flow, partial(AsyncStdioExchange, driver, None))

    def unlock(self, step: Unlock) -> None:
        """Give a lock back."""
        if step.failed:
            self._line.spoilt()
        super().unlock(step)

    async def finish(self) -> None:
        """Give back the locks and the line of the call."""
        try:
            if self._turns.has("session", self):
                self._line.spoilt()
            self._line.stop()
        finally:
            await super().finish()


class AsyncStdioDriver(ProgramOwner):
    """Runs flows on a program, from any task of any event loop."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.turns = Turns()
        self._companions: TaskCompanions | None = None

    async def run(self, flow: Flow[StdioStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        if self._companions is not None:
            self._companions.check_loops()
        return await drive_async(flow, AsyncStdioExchange(self, timeout))

    async def close(self) -> None:
        """End the program."""
        if self._companions is not None:
            self._companions.close()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self.shut)

    def forked(self) -> None:
        """Leave the program to the parent process; begin with none."""
        super().forked()
        self.turns = Turns()
        self._companions = None

    def companions(self) -> TaskCompanions:
        """Return the companions: they run flows beside the calls, and are made late."""
        from .beside import TaskCompanions

        if self._companions is None:
            self._companions = TaskCompanions()
        return self._companions
