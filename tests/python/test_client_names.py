"""No tool has the name of a client's method, which would hide it."""

from __future__ import annotations

from mcp_bindgen.python.reserved import TOOLS
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient


def test_each_public_method_is_reserved() -> None:
    for client in (FullClient, AsyncFullClient):
        public = {name for name in vars(client) if not name.startswith("_")}
        for base in client.__mro__[1:-1]:
            public |= {name for name in vars(base) if not name.startswith("_")}
        assert public - TOOLS == set()
