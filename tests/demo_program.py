"""A program that uses the generated bindings of the two example servers."""

import asyncio
import os
import shlex
import uuid

import catalog
import todo

CATALOG_URL, CATALOG_TOKEN = os.environ["CATALOG_URL"], os.environ["CATALOG_TOKEN"]
TODO_COMMAND = shlex.split(os.environ["TODO_COMMAND"])


def look_up() -> None:
    with catalog.Client.http(CATALOG_URL, token=CATALOG_TOKEN) as client:
        result = client.search_metadata(query="sales", entity_type="table", size=2)
        print(result.total, "found; first:", result.hits[0].fully_qualified_name)
        try:
            client.search_metadata(query="orders", size=1000)
        except catalog.InvalidArgumentsError as error:
            print("not sent:", error)


async def trace(*tables: str) -> None:
    async with catalog.AsyncClient.http(CATALOG_URL, token=CATALOG_TOKEN) as client:
        calls = [client.get_entity_lineage(entity_type="table", fqn=t) for t in tables]
        for answer in await asyncio.gather(*calls, return_exceptions=True):
            if isinstance(answer, catalog.GetEntityLineageResult):
                print(len(answer.nodes), "related to", answer.root.fully_qualified_name)
            elif isinstance(answer, catalog.ToolError):
                print("the tool says:", answer)


def plan() -> None:
    me = str(uuid.uuid4())
    with todo.Client.stdio(TODO_COMMAND) as client:
        task = client.add_task(user_id=me, title="Read the bindings", priority="high")
        client.complete_task(user_id=me, task_id=task.id)
        done = client.list_tasks(user_id=me, status="done")
        print("done:", [(each.title, each.priority) for each in done.tasks])


look_up()
asyncio.run(trace("warehouse.sales.orders", "no.such.table"))
plan()
