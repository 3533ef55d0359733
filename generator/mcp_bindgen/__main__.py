"""The program `mcp-bindgen`, also run by `python -m mcp_bindgen`."""

from __future__ import annotations

import gc
import os
import signal
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main"]

_INTERRUPTED = 130  # as shells say it


def main() -> None:
    """Run the command line; Control-C while it is imported ends it silently, too."""
    heeds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeds:  # A shell may have told a program in the background to ignore it.
        signal.signal(signal.SIGINT, _end)
    from mcp_bindgen.cli import main as run  # noqa: PLC0415, the slow part

    if heeds:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    finally:
        # Without it, Python's last look for cycles takes a tenth of a second for 2,000
        # tools; the process ends, so that none need be found.
        gc.freeze()


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """End the process at once: nothing has begun, and Python shows no traceback."""
    del number, frame
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
