"""The official TypeScript server, called as functions."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.bindings.conftest import WAYS, opened
from tests.peers.running import command, generated, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("peers")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving("everything") as running:
        yield running


@pytest.fixture(scope="module")
def every(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Record the server, generate a package, and import it."""
    folder = tmp_path_factory.mktemp("every")
    declared = ("--declare", "elicitation,sampling", "--root", ".")
    with generated(folder, "every", url, *declared) as package:
        yield package


def answer(params: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the required fields of a form."""
    schema = params["requestedSchema"]
    choices = {
        name: schema["properties"][name].get("oneOf") for name in schema["required"]
    }
    content = {name: of[0]["const"] if of else "Ann" for name, of in choices.items()}
    return {"action": "accept", "content": content}


def sampled(_: object) -> str:
    """Answer in place of a model."""
    return "a sample"


def hear(messages: list[Any]) -> Callable[..., None]:
    """Return a function that keeps the messages of progress."""

    def on_progress(_number: object, _total: object, message: object) -> None:
        messages.append(message)

    return on_progress


def options(root: Path) -> dict[str, Any]:
    """Return answers to all questions of the server."""
    answers: dict[str, Any] = {"on_elicit": answer, "on_sample": sampled}
    return {**answers, "roots": [root], "timeout": 60}


@pytest.mark.parametrize("way", ["http", "stdio"])
def test_questions_and_tasks(way: str, url: str, every: Any, tmp_path: Path) -> None:
    target = url if way == "http" else [*command("everything"), "stdio"]
    with getattr(every.Client, way)(target, **options(tmp_path)) as client:
        assert "a sample" in client.trigger_sampling_request(prompt="hi").text
        assert "Name: Ann" in client.trigger_elicitation_request().text
        assert tmp_path.as_uri() in client.get_roots_list().text
        messages: list[Any] = []
        hearing = client.with_options(on_progress=hear(messages))
        report = hearing.simulate_research_query(topic="python", ambiguous=True)
        assert "programming" in report.text
        assert messages[0] == "Gathering sources..."


def test_a_handle_is_taken_up_again(url: str, every: Any, tmp_path: Path) -> None:
    # This server knows tasks of their own session alone.
    with every.Client.http(url, **options(tmp_path)) as client:
        task = client.submit(client.simulate_research_query, topic="tea")
        assert task.status().status == "working"
        again = client.resume_task(client.simulate_research_query, task.to_json())
        assert "Research Report: tea" in again.result(30).text
        assert task.id in [each.id for each in client.list_server_tasks()]


def test_questions_in_tasks_of_asyncio(url: str, every: Any, tmp_path: Path) -> None:
    async def run() -> list[str]:
        async with every.AsyncClient.http(url, **options(tmp_path)) as client:
            sample = await client.trigger_sampling_request(prompt="hi")
            task = await client.submit(client.simulate_research_query, topic="tea")
            return [sample.text, (await task.result(30)).text]

    sample, report = asyncio.run(run())
    assert "a sample" in sample
    assert "Research Report: tea" in report


@pytest.fixture(params=WAYS)
def client(
    request: pytest.FixtureRequest, url: str, every: Any, tmp_path: Path
) -> Iterator[Any]:
    """Return a client of each transport and kind."""
    way = str(request.param)
    target = url if way.startswith("http") else [*command("everything"), "stdio"]
    with ExitStack() as stack:
        yield opened(every, way, target, stack, **options(tmp_path))


def test_resources_and_templates(client: Any, every: Any) -> None:
    assert {info.uri for info in client.list_resources()} == {*every.Resource}
    guide = client.read_resource(every.Resource.FEATURES_MD)
    assert guide.mime_type == "text/markdown"
    assert guide.text.startswith("# Everything Server")
    text = client.dynamic_text_resource(resource_id=7)
    assert text.text.startswith("Resource 7: This is a plaintext resource")
    blob = client.dynamic_blob_resource(resource_id="8")
    assert blob.data.startswith(b"Resource 8: This is a base64 blob")
    with pytest.raises(every.ProtocolError):
        client.dynamic_text_resource(resource_id="a/b")
    listed = client.list_resource_templates()
    assert {info.uri_template for info in listed} == {*every.ResourceTemplate}


def test_linked_and_embedded_resources(client: Any) -> None:
    blob, text = client.get_resource_links(count=2).links
    assert client.follow(blob).data.startswith(b"Resource 1: This is a base64 blob")
    assert client.follow(text).text.startswith("Resource 2: This is a plaintext")
    embedded = client.get_resource_reference(resource_type="Text", resource_id=3)
    resource = embedded.content[1]
    assert resource.text.startswith("Resource 3: This is a plaintext")
    assert client.follow(resource).text.startswith("Resource 3: This is a plaintext")


def test_prompts_and_completions(client: Any, every: Any) -> None:
    assert {info.prompt for info in client.list_prompts()} == {*every.Prompt}
    (simple,) = client.simple_prompt()
    assert simple.role == "user"
    texts = [client.args_prompt(city="Rome", state=state).text for state in (None, "X")]
    assert ["X" in text for text in texts] == [False, True]
    before, resource = client.resource_prompt(resource_type="Blob", resource_id="4")
    assert "id: 4" in before.content.text
    assert resource.content.decode().startswith(b"Resource 4: This is a base64 blob")
    with pytest.raises(every.ProtocolError, match="Invalid resourceType"):
        client.resource_prompt(resource_type="None", resource_id="4")
    prompt, sales = every.Prompt.COMPLETABLE_PROMPT, {"department": "Sales"}
    assert client.complete("department", "S", prompt=prompt).values == (
        *("Sales", "Support"),
    )
    assert client.complete("name", "D", prompt=prompt, others=sales).values == (
        "David",
    )
    template = every.ResourceTemplate.DYNAMIC_TEXT_RESOURCE
    for value, values in (("12", ("12",)), ("x", ())):
        assert client.complete("resourceId", value, template=template).values == values


def test_a_subscription_tells_of_changes(client: Any, every: Any) -> None:
    changes: list[str] = []

    def changed(uri: str) -> bool:
        changes.append(uri)
        return False

    client.toggle_subscriber_updates()  # one message in each five seconds
    guide = every.Resource.FEATURES_MD
    client.subscribe(guide, changed, timeout=300)
    assert changes == [guide]
