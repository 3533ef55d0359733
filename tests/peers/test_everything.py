"""Questions and tasks of the official TypeScript server, called as functions."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.peers.test_peers import command, serving

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
    bindgen = [sys.executable, "-m", "mcp_bindgen"]
    record = ["record", url, "--declare", "elicitation,sampling", "--root", "."]
    for words in ([*record, "-o", "every.json"], ["generate", "every.json", "-o", "."]):
        subprocess.run([*bindgen, *words], cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("every")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith("every")]:
        del sys.modules[name]


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
