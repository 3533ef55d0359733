# Copied by mcp-bindgen. Do not edit.
"""Which event loop runs: connections and locks belong to one."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

__all__ = ["running_loop"]


def running_loop() -> object:
    """Return what stands for the running event loop, of asyncio or trio."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        lowlevel: Any = import_module("trio.lowlevel")
        token: object = lowlevel.current_trio_token()
        return token
