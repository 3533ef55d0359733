"""An MCP server of the official SDK that takes the tokens of an authorization server.

Arguments: the port, and the issuer, whose `/admin/check` says which token is good.
"""

from __future__ import annotations

import sys

import httpx
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from pydantic import AnyHttpUrl

PORT, ISSUER = int(sys.argv[1]), sys.argv[2]
RESOURCE = f"http://127.0.0.1:{PORT}/mcp"


class Verifier:
    """Asks the authorization server about each token."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the facts about a token, None for one that is not good."""
        async with httpx.AsyncClient() as http:
            answer = await http.get(f"{ISSUER}/admin/check", params={"token": token})
        facts = answer.json()
        if not facts or facts["aud"] != RESOURCE:
            return None
        return AccessToken(
            token=token,
            client_id=facts["client"],
            scopes=["todo:read"],
            resource=RESOURCE,
        )


server = MCPServer(
    "guarded",
    token_verifier=Verifier(),
    auth=AuthSettings(
        issuer_url=AnyHttpUrl(ISSUER),
        resource_server_url=AnyHttpUrl(RESOURCE),
        required_scopes=["todo:read"],
    ),
)


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


server.run("streamable-http", host="127.0.0.1", port=PORT)
