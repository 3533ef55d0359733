"""The client under test for the official conformance suite: `client.py sync|async URL`.

The suite names the scenario and its calls in the environment; what it does not name is
filled in from the schemas, so that every scenario is served by the same few lines.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.transport.oauth.auth import OAuth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.runtime.client.listed import ListedTool

SAMPLES: dict[str, object] = {
    "string": "text",
    "integer": 5,
    "number": 5,
    "boolean": True,
    "array": [],
    "object": {},
}
# This scenario's server lists tools and answers nothing else.
LIST_ONLY = {"json-schema-ref-no-deref"}


def sample(schema: object) -> dict[str, object]:
    """Return an object that fits a schema."""
    properties = members(members(schema).get("properties"))
    return {
        name: members(inner).get("default", SAMPLES.get(members(inner).get("type", "")))
        for name, inner in properties.items()
    }


def answer(params: Mapping[str, Any]) -> dict[str, object]:
    """Say yes to whatever the server asks."""
    return {"action": "accept", "content": sample(params.get("requestedSchema"))}


def plan(tools: list[ListedTool]) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls to make, in order."""
    if os.environ.get("MCP_CONFORMANCE_SCENARIO") in LIST_ONLY:
        return []
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    if calls := context.get("toolCalls"):
        return [(call["name"], call.get("arguments", {})) for call in calls]
    schemas = {tool.tool: tool.input_schema for tool in tools}
    if "json_schema_echo" in schemas:
        (focal,) = (name for name in schemas if name != "json_schema_echo")
        return [("json_schema_echo", {"schema": schemas[focal]})]
    return [(name, sample(schema)) for name, schema in schemas.items()]


def options() -> dict[str, Any]:
    """Return how to make the client."""
    version = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "")
    era = version if version.startswith("2025") else None
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    auth = {"auth": oauth()} if scenario.startswith("auth/") else {}
    return {"era": era, "on_elicit": answer, **auth}


def follow(url: str) -> None:
    """Log in as a browser does; the suite's authorization server asks nobody."""
    httpx.get(url, follow_redirects=True, timeout=10)


def identity(context: Mapping[str, str], issuer: str, resource: str) -> str:
    """Get an identity assertion (ID-JAG) from the identity provider (RFC 8693)."""
    kind = "urn:ietf:params:oauth:token-type"
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "requested_token_type": f"{kind}:id-jag",
        "subject_token": context["idp_id_token"],
        "subject_token_type": f"{kind}:id_token",
        "client_id": context["idp_client_id"],
        "audience": issuer,
        "resource": resource,
    }
    answer = httpx.post(context["idp_token_endpoint"], data=form)
    token: str = answer.raise_for_status().json()["access_token"]
    return token


def oauth() -> OAuth:
    """Return the OAuth of a scenario, with what the suite hands over."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    sent_arguments = {
        key: context[key] for key in ("client_id", "client_secret") if key in context
    }
    if key := context.get("private_key_pem"):
        algorithm = context.get("signing_algorithm", "ES256")
        return OAuth.client_credentials(
            sent_arguments["client_id"], private_key=key, algorithm=algorithm
        )
    if "client-credentials" in scenario:
        return OAuth.client_credentials(**sent_arguments)
    if "idp_token_endpoint" in context:
        return OAuth.enterprise(**sent_arguments, assertion=partial(identity, context))
    return OAuth(
        **sent_arguments,
        client_metadata_url="https://conformance-test.local/client-metadata.json",
        store="memory",
        on_login=follow,
    )


def run(url: str) -> None:
    """Go through the scenario, blocking."""
    with BaseClient.http(url, **options()) as client:
        for name, arguments in plan(client.list_tools()):
            client.call_tool(name, arguments)


async def run_async(url: str) -> None:
    """Go through the scenario with asyncio."""
    async with AsyncBaseClient.http(url, **options()) as client:
        for name, arguments in plan(await client.list_tools()):
            await client.call_tool(name, arguments)


if __name__ == "__main__":
    if sys.argv[1] == "sync":
        run(sys.argv[2])
    else:
        asyncio.run(run_async(sys.argv[2]))
