# Copied by mcp-bindgen. Do not edit.
"""The blocking stdio driver of the sans-I/O protocol."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import TransportError
from ..protocol.steps import Overhear, Receive, Send, StdioStep, Tell, Unlock
from .drive import drive, weakly
from .exchange import BlockingExchange
from .program_owner import Line, ProgramOwner
from .waiting import Turns

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..protocol.steps import Flow
    from .beside import Companions
    from .command import Command

T = TypeVar("T")


class StdioExchange(BlockingExchange[StdioStep]):
    """One call over stdio, on a thread."""

    def __init__(self, driver: StdioDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._driver = driver
        self._line = Line(driver)

    def perform(self, step: StdioStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Send():
                self._line.start(step)
            case Receive():
                return self._receive(step.seconds)
            case Tell():
                self._line.write(step.body)
            case Overhear():
                self._line.overhear()
            case _:
                return self.common(step)
        return None

    def _receive(self, seconds: float | None) -> dict[str, Any]:
        left = self.remaining()
        probe = seconds is not None and (left is None or seconds < left)
        for pause in self._line.waits(seconds if probe else left):
            with suppress(Empty):
                return self._line.read(self._line.box.get(timeout=pause))
        if not probe:
            self.remaining()
        raise TransportError("no answer to the probe", is_legacy_server=True)

    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""
        driver = weakly(self._driver)
        self._driver.companions().begin(flow, StdioExchange(driver, None))

    def unlock(self, step: Unlock) -> None:
        """Give a lock back."""
        if step.failed:
            self._line.spoilt()
        super().unlock(step)

    def finish(self) -> None:
        """Give back the locks and the line of the call."""
        try:
            if self._turns.has("session", self):
                self._line.spoilt()
            self._line.stop()
        finally:
            super().finish()


class StdioDriver(ProgramOwner):
    """Runs flows on a program, from any thread."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.turns = Turns()
        self._companions: Companions | None = None

    def run(self, flow: Flow[StdioStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        return drive(flow, StdioExchange(self, timeout))

    def exchange(self, timeout: float | None) -> StdioExchange:
        """Return the exchange that carries out the steps of one call."""
        return StdioExchange(self, timeout)

    def close(self) -> None:
        """End the program."""
        if self._companions is not None:
            self._companions.close()
        self.shut()

    def forked(self) -> None:
        """Leave the program to the parent process; begin with none."""
        super().forked()
        self.turns = Turns()
        self._companions = None

    def companions(self) -> Companions:
        """Return the companions: they run flows beside the calls, and are made late."""
        from .beside import Companions

        if self._companions is None:
            self._companions = Companions()
        return self._companions
