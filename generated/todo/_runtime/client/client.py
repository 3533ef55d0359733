# Copied by mcp-bindgen. Do not edit.
"""The two clients, blocking and async, that generated packages subclass."""

from .async_client import AsyncBaseClient
from .blocking_client import BaseClient

__all__ = ["AsyncBaseClient", "BaseClient"]
