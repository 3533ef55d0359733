"""The signals that end a command: SIGTERM and a hang-up are as Control-C."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["Terminated", "finish_renewals", "heed", "unheeded"]

_AS_SHELLS_SAY_IT = 128
_ENDING = ("SIGTERM", "SIGHUP")  # Windows has no hang-up
_RENEWAL = "renewal of tokens"  # the name of the thread in `Session`


class Terminated(KeyboardInterrupt):
    """A signal ends the command as Control-C does, with nothing half done.

    Args:
        number: The signal.

    Attributes:
        code: The exit code.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = _AS_SHELLS_SAY_IT + number


def heed() -> None:
    """Let each of these signals raise `Terminated`, unless the program ignores it."""
    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def unheeded() -> None:
    """Let each of these signals end the process at once, as in other programs."""
    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is _terminate:
            signal.signal(number, signal.SIG_DFL)


def finish_renewals() -> None:
    """Wait for tokens that are being renewed, whatever signals come meanwhile.

    The wait is short: a server has 15 seconds for each answer. If new tokens were lost,
    many servers would revoke the whole login.
    """
    renewals = [each for each in threading.enumerate() if each.name == _RENEWAL]
    for name in ("SIGINT", *_ENDING) if renewals else ():
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    for each in renewals:
        each.join()


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise Terminated(number)
