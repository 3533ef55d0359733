"""The catalog server's tools over real HTTP: results, failures and JSON Patch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, MCPError

from tests.servers.launch import CATALOG_TOKEN, serve_http
from tests.servers.talk import connect_http, failure, said, value

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

pytestmark = pytest.mark.anyio

ORDERS = {"entityType": "table", "fqn": "warehouse.sales.orders"}
REVENUE = {"entityType": "table", "fqn": "warehouse.finance.revenue_daily"}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def client(catalog_url: str) -> AsyncGenerator[Client]:
    """One server for all tests that change nothing."""
    async with connect_http(catalog_url, token=CATALOG_TOKEN) as connected:
        yield connected


@pytest.fixture
async def fresh() -> AsyncGenerator[Client]:
    """A server of its own for a test that changes the catalogue."""
    with serve_http("catalog") as url:
        async with connect_http(url, token=CATALOG_TOKEN) as connected:
            yield connected


async def names_of(client: Client, **arguments: Any) -> list[str]:
    page = value(await client.call_tool("search_metadata", arguments))
    return [hit["fullyQualifiedName"] for hit in page["hits"]]


async def test_half_of_the_tools_promise_their_output(client: Client) -> None:
    tools = (await client.list_tools()).tools
    promised = {tool.name for tool in tools if tool.output_schema is not None}
    assert promised == {"search_metadata", "get_entity_lineage", "create_glossary"}
    assert all(tool.title and tool.description for tool in tools)


async def test_search_finds_and_orders(client: Client) -> None:
    assert await names_of(client, query="revenue", entityType="table") == [
        "warehouse.finance.revenue_daily"
    ]
    by_name = {"field": "name", "order": "asc"}
    assert (await names_of(client, query="*", sort=by_name, size=2)) == [
        "Business",
        "Business.Revenue",
    ]
    newest = await names_of(client, query="*", sort={"field": "updatedAt"}, size=1)
    assert newest == ["boards.revenue_overview"]
    assert await names_of(client, query="revenue", minScore=0.9) == []


async def test_search_filters(client: Client) -> None:
    async def filtered(**filters: Any) -> list[str]:
        return await names_of(client, query="*", filters=filters)

    assert await filtered(owners=["amal", "nobody"]) == ["warehouse.sales.orders"]
    assert await filtered(tags=["PII.Sensitive", "Domain.Sales"]) == [
        "warehouse.sales.customers"
    ]
    assert await filtered(tier="Tier3") == ["boards.revenue_overview"]
    # Null is a value to look for; a filter left out is none.
    assert await filtered(tier=None) == ["Business", "Business.Revenue"]
    assert await filtered(service=None, tags=["Domain.Finance"]) == ["Business.Revenue"]


async def test_search_pages_by_a_parameter_called_from(client: Client) -> None:
    names: list[str] = []
    starts: list[int] = [0]
    for start in starts:
        arguments = {"query": "*", "from": start, "size": 4}
        page = value(await client.call_tool("search_metadata", arguments))
        assert (page["from"], page["total"]) == (start, 9)
        names += [hit["fullyQualifiedName"] for hit in page["hits"]]
        if page["nextFrom"] is not None:
            starts.append(page["nextFrom"])
    assert starts == [0, 4, 8]
    assert names == await names_of(client, query="*", size=50)


async def test_search_shows_optional_parts_only_when_due(client: Client) -> None:
    plain = value(await client.call_tool("search_metadata", {"query": "monthly"}))
    assert plain["hits"] == []
    assert "facets" not in plain
    arguments = {"query": "monthly", "includeDeleted": True, "includeFacets": True}
    full = value(await client.call_tool("search_metadata", arguments))
    (hit,) = full["hits"]
    assert hit["deleted"] is True
    assert hit["description"] is None
    assert full["facets"] == {"entityType": {"table": 1}, "tag": {}}


async def test_details_are_json_text(client: Client) -> None:
    result = await client.call_tool("get_entity_details", ORDERS)
    assert result.structured_content is None
    details = json.loads(said(result))
    assert details["columns"][-1]["name"] == "shipping"
    assert (details["hasMoreColumns"], "lineage" in details) == (False, False)


async def test_details_include_what_the_call_wants(client: Client) -> None:
    async def details(**arguments: Any) -> Any:
        parameters = {**ORDERS, **arguments}
        return json.loads(
            said(await client.call_tool("get_entity_details", parameters))
        )

    some = await details(columnLimit=2)
    assert (len(some["columns"]), some["hasMoreColumns"]) == (2, True)
    every = await details(columnLimit=None)
    assert (len(every["columns"]), "hasMoreColumns" in every) == (5, False)
    assert "columns" not in await details(include=[])
    assert (await details(include=["lineage"]))["lineage"] == {
        "upstream": ["events.shop.order_placed"],
        "downstream": ["warehouse.finance.revenue_daily"],
    }


async def test_lineage_walks_both_ways(client: Client) -> None:
    graph = value(await client.call_tool("get_entity_lineage", REVENUE))
    reached = {
        node["fullyQualifiedName"]: (node["direction"], node["depth"])
        for node in graph["nodes"]
    }
    assert reached == {
        "warehouse.sales.orders": ("upstream", 1),
        "warehouse.sales.customers": ("upstream", 1),
        "events.shop.order_placed": ("upstream", 2),
        "boards.revenue_overview": ("downstream", 1),
    }
    assert graph["truncated"] is False
    assert len(graph["edges"]) == 4
    assert all("columns" not in edge for edge in graph["edges"])
    assert graph["edges"][-1] == {
        "from": "warehouse.finance.revenue_daily",
        "to": "boards.revenue_overview",
        "pipeline": None,
    }


async def test_lineage_stops_at_its_depth(client: Client) -> None:
    arguments = {**REVENUE, "upstreamDepth": 1, "includeColumnLineage": True}
    arguments |= {"downstreamDepth": 0}
    graph = value(await client.call_tool("get_entity_lineage", arguments))
    assert graph["truncated"] is True
    assert {edge["to"] for edge in graph["edges"]} == {REVENUE["fqn"]}
    assert graph["edges"][1]["columns"] == [
        {"from": ["country"], "to": "country", "transform": None}
    ]


async def test_create_glossary_and_terms(fresh: Client) -> None:
    arguments = {
        "name": "Ports",
        "description": "Where ships land.",
        "reviewers": ["noor"],
    }
    made = value(await fresh.call_tool("create_glossary", arguments))
    assert made["review"] == {"reviewers": ["noor"], "newTermStatus": "Draft"}
    assert (made["mutuallyExclusive"], made["owners"]) == (False, [])

    term = {"glossary": "Ports", "name": "Quay", "description": "A place to moor."}
    top = json.loads(said(await fresh.call_tool("create_glossary_term", term)))
    assert (top["fullyQualifiedName"], top["status"]) == ("Ports.Quay", "Draft")
    below = {
        **term,
        "name": "Berth",
        "parentTerm": "Ports.Quay",
        "style": {"color": "#00aaff"},
        "extension": {"costCenter": "CC-1", "rank": 3},
    }
    inner = json.loads(said(await fresh.call_tool("create_glossary_term", below)))
    assert inner["fullyQualifiedName"] == "Ports.Quay.Berth"
    assert inner["style"] == {"color": "#00aaff", "icon": None}
    assert inner["extension"] == {"costCenter": "CC-1", "rank": 3}
    assert await names_of(fresh, query="berth") == ["Ports.Quay.Berth"]

    plain = {"name": "Plain", "description": "", "owners": [{"name": "noor"}]}
    made = value(await fresh.call_tool("create_glossary", plain))
    assert "review" not in made
    assert made["owners"] == [{"type": "team", "name": "noor"}]


async def test_patch_applies_each_operation(fresh: Client) -> None:
    operations: list[dict[str, Any]] = [
        {"op": "test", "path": "/tier", "value": "Tier1"},
        {"op": "replace", "path": "/tier", "value": None},
        {"op": "add", "path": "/tags/-", "value": "PII.None"},
        {"op": "remove", "path": "/owners/1"},
        {"op": "copy", "from": "/displayName", "path": "/description"},
        {"op": "move", "from": "/columns/0", "path": "/columns/1"},
    ]
    arguments = {**ORDERS, "patch": operations, "expectedVersion": 0.1}
    dry = await fresh.call_tool("patch_entity", {**arguments, "dryRun": True})
    patched = json.loads(said(await fresh.call_tool("patch_entity", arguments)))
    assert json.loads(said(dry)) == patched
    assert patched["tier"] is None
    assert patched["tags"] == ["Domain.Sales", "PII.None"]
    assert patched["owners"] == [{"type": "team", "name": "sales-data"}]
    assert patched["description"] == "Orders"
    assert [c["name"] for c in patched["columns"]][:2] == ["customer_id", "order_id"]
    assert patched["version"] == 0.2
    stored = json.loads(said(await fresh.call_tool("get_entity_details", ORDERS)))
    assert {**stored, "hasMoreColumns": None} == {**patched, "hasMoreColumns": None}


BAD_PATCHES: list[tuple[list[dict[str, Any]], str]] = [
    ([{"op": "test", "path": "/tier", "value": "Tier2"}], "PATCH_FAILED"),
    ([{"op": "remove", "path": "/nowhere"}], "PATCH_FAILED"),
    ([{"op": "replace", "path": "/tags/9", "value": "x"}], "PATCH_FAILED"),
    ([{"op": "add", "path": "/description/x", "value": 1}], "PATCH_FAILED"),
    ([{"op": "add", "path": "no-slash", "value": 1}], "PATCH_FAILED"),
    ([{"op": "add", "path": "/tags/-"}], "PATCH_FAILED"),
    ([{"op": "move", "path": "/tags"}], "PATCH_FAILED"),
    ([{"op": "replace", "path": "", "value": []}], "PATCH_FAILED"),
    ([{"op": "replace", "path": "/id", "value": "x"}], "id cannot be changed"),
    ([{"op": "replace", "path": "/tags", "value": "x"}], "it leaves no entity"),
    ([{"op": "remove", "path": "/owners"}], "it leaves no entity"),
]


@pytest.mark.parametrize(("operations", "reason"), BAD_PATCHES)
async def test_patch_is_all_or_nothing(
    client: Client, operations: list[dict[str, Any]], reason: str
) -> None:
    before = said(await client.call_tool("get_entity_details", ORDERS))
    good = {"op": "replace", "path": "/description", "value": "changed"}
    arguments = {**ORDERS, "patch": [good, *operations]}
    assert reason in failure(await client.call_tool("patch_entity", arguments))
    assert said(await client.call_tool("get_entity_details", ORDERS)) == before


NOWHERE = {"entityType": "table", "fqn": "warehouse.nowhere"}
TERM = {"glossary": "Business", "name": "Revenue", "description": ""}
ADD = [{"op": "add", "path": "/tags/-", "value": "x"}]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("get_entity_details", NOWHERE, "ENTITY_NOT_FOUND"),
        ("get_entity_lineage", NOWHERE, "ENTITY_NOT_FOUND"),
        ("patch_entity", {**NOWHERE, "patch": ADD}, "ENTITY_NOT_FOUND"),
        ("create_glossary_term", {**TERM, "glossary": "No"}, "ENTITY_NOT_FOUND"),
        ("create_glossary_term", {**TERM, "parentTerm": "No"}, "ENTITY_NOT_FOUND"),
        ("create_glossary_term", TERM, "ENTITY_EXISTS"),
        ("create_glossary", {"name": "Business", "description": ""}, "ENTITY_EXISTS"),
        (
            "patch_entity",
            {**ORDERS, "patch": ADD, "expectedVersion": 7},
            "VERSION_CONFLICT",
        ),
        ("search_metadata", {}, "INVALID_ARGUMENTS"),
        ("search_metadata", {"query": "x", "from": -1}, "INVALID_ARGUMENTS: /from"),
        ("search_metadata", {"query": "x", "entityType": None}, "INVALID_ARGUMENTS"),
        ("search_metadata", {"query": "x", "from_": 1}, "INVALID_ARGUMENTS"),
        (
            "search_metadata",
            {"query": "x", "filters": {"tier": "Tier9"}},
            "INVALID_ARGUMENTS: /filters/tier",
        ),
        ("patch_entity", {**ORDERS, "patch": []}, "INVALID_ARGUMENTS: /patch"),
    ],
)
async def test_failures_are_tool_errors(
    client: Client, tool: str, arguments: dict[str, Any], code: str
) -> None:
    assert failure(await client.call_tool(tool, arguments)).startswith(code)


async def test_a_parent_must_be_in_the_same_glossary(fresh: Client) -> None:
    other = {"name": "Other", "description": ""}
    assert value(await fresh.call_tool("create_glossary", other))["name"] == "Other"
    arguments = {"glossary": "Other", "name": "X", "description": ""}
    arguments |= {"parentTerm": "Business.Revenue"}
    answer = await fresh.call_tool("create_glossary_term", arguments)
    assert failure(answer).startswith("WRONG_GLOSSARY")


async def test_an_unknown_tool_is_a_protocol_error(client: Client) -> None:
    with pytest.raises(MCPError, match="Unknown tool: nope") as caught:
        await client.call_tool("nope", {})
    assert caught.value.code == -32602
