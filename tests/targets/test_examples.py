"""Every example for a framework, in the README and in the docs, runs as it stands."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.render.target_folders import built_in
from mcp_bindgen.render.targets import TARGETS as DEFAULTS

from tests.servers.launch import CATALOG_TOKEN
from tests.targets.conftest import ROOT, TARGETS, write
from tests.targets.endpoint import scripted

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("examples")

SEARCH = {"query": "sales", "size": 1}
PAGE = "templates/README.md"
TEXT = "in the warehouse"


def examples(path: str, section: str) -> list[str]:
    """Return the Python blocks of a section of a page."""
    text = (ROOT / path).read_text(encoding="utf-8")
    _, _, rest = text.partition(f"## {section}\n")
    return re.findall(r"```python\n(.*?)```", rest.split("\n## ")[0], re.DOTALL)


def target_table() -> str:
    """Return the table of the built-in targets, made from their descriptions."""
    rows = ["| target | module | contents |", "|---|---|---|"]
    for target in built_in():
        module = f"catalog.{target.module}" if target.module else "catalog"
        default = " (default)" if target.name in DEFAULTS else ""
        rows.append(f"| `{target.name}`{default} | `{module}` | {target.description} |")
    return "\n".join(rows)


def test_the_page_lists_the_targets_as_they_describe_themselves() -> None:
    assert target_table() in (ROOT / PAGE).read_text(encoding="utf-8")


FRAMEWORKS = ("openai", "langchain", "anthropic", "agents", "pydantic_ai", "gemini")
EXAMPLES = {
    f"catalog.{name}": next(
        block
        for block in examples("README.md", "Agent frameworks")
        + examples(PAGE, "Examples")
        if f"catalog.{name} " in block
    )
    for name in FRAMEWORKS
}


@pytest.fixture(scope="module")
def names(
    tmp_path_factory: pytest.TempPathFactory, catalog_url: str, todo_url: str
) -> Iterator[dict[str, Any]]:
    """What the examples take as given: packages `catalog` and `todo`, two clients."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("catalog", "todo"):
        data = (ROOT / "generated" / name / "recording.json").read_bytes()
        write(dict(generate(data, name, Settings(TARGETS)).files), folder / name)
    with pytest.MonkeyPatch.context() as patch:
        for name in [*sys.modules]:  # other tests import those of the checkout
            if name.partition(".")[0] in {"catalog", "todo"}:
                patch.delitem(sys.modules, name)
        patch.setattr("sys.path", [str(folder), *sys.path])
        catalog, todo = import_module("catalog"), import_module("todo")
        with (
            catalog.Client.http(catalog_url, token=CATALOG_TOKEN) as client,
            todo.Client.http(todo_url) as todo_client,
        ):
            yield {"client": client, "todo_client": todo_client}


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """Give each test its event loop: `run_sync` of the libraries leaves theirs open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


def run(source: str, names: dict[str, Any]) -> str:
    """Run an example and return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "example", "exec"), dict(names))
    return printed.getvalue()


def chat(**message: Any) -> dict[str, Any]:
    """Return a chat completion."""
    answer = {"role": "assistant", "content": None, **message}
    choice = {"index": 0, "finish_reason": "stop", "message": answer}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }


def response(item: dict[str, Any]) -> dict[str, Any]:
    """Return a response of the Responses API."""
    return {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def anthropic(block: dict[str, Any]) -> dict[str, Any]:
    """Return a message of Anthropic's API."""
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [block],
    }


def gemini(part: dict[str, Any]) -> dict[str, Any]:
    """Return a response of Gemini's API."""
    content = {"role": "model", "parts": [part]}
    return {"candidates": [{"content": content, "finishReason": "STOP"}]}


CALL = {"name": "search_metadata", "arguments": json.dumps(SEARCH)}
SAID: dict[str, Any] = {"type": "output_text", "text": TEXT, "annotations": []}
SPOKEN = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
SCRIPTS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "catalog.openai": (
        "openai",
        [
            chat(tool_calls=[{"id": "1", "type": "function", "function": CALL}]),
            chat(content=TEXT),
        ],
    ),
    "catalog.agents": (
        "agents",
        [
            response({"type": "function_call", "call_id": "1", **CALL}),
            response({**SPOKEN, "content": [SAID]}),
        ],
    ),
    "catalog.anthropic": (
        "anthropic",
        [
            anthropic(
                {"type": "tool_use", "id": "1", "name": CALL["name"], "input": SEARCH}
            ),
            anthropic({"type": "text", "text": TEXT}),
        ],
    ),
    "catalog.gemini": (
        "google.genai",
        [
            gemini({"functionCall": {"name": CALL["name"], "args": SEARCH}}),
            gemini({"text": TEXT}),
        ],
    ),
}


@pytest.mark.parametrize("example", SCRIPTS)
def test_an_example_ends_with_what_the_model_says(
    names: dict[str, Any], monkeypatch: pytest.MonkeyPatch, example: str
) -> None:
    library, answers = SCRIPTS[example]
    pytest.importorskip(library, reason="the extra `frameworks` is not installed")
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
    with scripted(*answers) as endpoint:
        for variable, path in (
            ("OPENAI_BASE_URL", "/v1"),
            ("ANTHROPIC_BASE_URL", ""),
            ("GOOGLE_GEMINI_BASE_URL", ""),
        ):
            monkeypatch.setenv(variable, endpoint.url + path)
        for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
            monkeypatch.setenv(variable, "none")
        assert run(EXAMPLES[example], names) == f"{TEXT}\n"
    assert "hits" in json.dumps(endpoint.requests[1])


def test_the_example_of_langchain(names: dict[str, Any]) -> None:
    pytest.importorskip("langchain", reason="the extra `frameworks` is not installed")
    fakes = import_module("langchain_core.language_models.fake_chat_models")
    message = import_module("langchain_core.messages").AIMessage
    tool_call = {"name": CALL["name"], "args": SEARCH, "id": "1", "type": "tool_call"}

    def bind_tools(model: Any, *_: Any, **__: Any) -> Any:
        return model

    kind = type("Model", (fakes.GenericFakeChatModel,), {"bind_tools": bind_tools})
    script = [message("", tool_calls=[tool_call]), message(TEXT)]
    variables = {**names, "chat_model": kind(messages=iter(script))}
    assert run(EXAMPLES["catalog.langchain"], variables) == f"{TEXT}\n"


def test_the_example_of_pydantic_ai(names: dict[str, Any]) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra `frameworks` is not installed")
    parts = import_module("pydantic_ai.messages")
    script = [parts.ToolCallPart(CALL["name"], SEARCH), parts.TextPart(TEXT)]

    def answer(messages: Any, info: Any) -> Any:
        return parts.ModelResponse(parts=[script.pop(0)])

    model = import_module("pydantic_ai.models.function").FunctionModel(answer)
    variables = {**names, "chat_model": model}
    assert run(EXAMPLES["catalog.pydantic_ai"], variables) == f"{TEXT}\n"


@pytest.mark.parametrize(
    "section",
    [
        "What all targets share",
        "Facts about tools, without a network",
        "Approval",
        "Functions of your own",
        "An executor",
        "Several servers",  # at its end, the toolbox closes the clients
    ],
)
def test_an_example_of_the_docs_runs(names: dict[str, Any], section: str) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    call = {"id": "1", "type": "function", "function": CALL}
    variables = {**names, "message": {"tool_calls": [call]}}
    printed = [run(example, variables) for example in examples(PAGE, section)]
    assert section != "Several servers" or "catalog_search_metadata" in printed[0]
    assert section != "Functions of your own" or "hits" in printed[0]
    assert section != "An executor" or "{'result': {" in printed[0]
