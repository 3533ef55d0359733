"""A server of a recording, on the official SDK's low-level server.

The SDK speaks both eras, checks requests and makes the envelope of each result. What
was recorded replaces its own lists, word for word: its models know fewer members.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import anyio
import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from mcp_bindgen.contract.replay.answers import RefusedError
from mcp_bindgen.contract.replay.choice import choice_of
from mcp_bindgen.contract.replay.listed import contents, prompt
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Mapping

    from mcp_bindgen.contract.replay.answers import Answers
    from mcp_bindgen.contract.replay.through import Through
    from mcp_bindgen.recording.document import Recording

    Result: TypeAlias = dict[str, Any]
    Calls: TypeAlias = Callable[[str, Result, Result], Awaitable[Result]]

__all__ = [
    "bound",
    "calls_of",
    "calls_through",
    "over_http",
    "over_stdio",
    "running",
    "url_of",
]

_HOST = "127.0.0.1"
_PATH = "/mcp"
_INFO = "io.modelcontextprotocol/serverInfo"
_LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}


def calls_of(answers: Answers) -> Calls:
    """Return the function that answers calls from a recording."""

    async def call(tool: str, arguments: Result, choice: Result) -> Result:
        # A first answer may take a while to make: other calls go on.
        return await anyio.to_thread.run_sync(answers.result, tool, arguments, choice)

    return call


def calls_through(through: Through) -> Calls:
    """Return the function that passes calls on to a real server."""

    async def call(tool: str, arguments: Result, _choice: Result) -> Result:
        return await anyio.to_thread.run_sync(through.result, tool, arguments)

    return call


def over_stdio(answers: Answers, calls: Calls) -> None:
    """Serve on standard input and output, until the input ends.

    The thread that waits for input cannot be woken up, so that Ctrl-C ends the process
    itself; each recorded call is in its file by then.
    """
    signal.signal(signal.SIGINT, _leave)

    async def work() -> None:
        server = _server(answers, calls)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    asyncio.run(work())


def _leave(_number: int, _frame: object) -> None:
    os._exit(0)


def bound(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine, 0 for any free one.

    The first connection may come before the server accepts it.

    Raises:
        OSError: Another program has the port.
    """
    # The protocol is named: asyncio sends small answers at once on such sockets only.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((_HOST, port))
        sock.listen()
    except BaseException:
        sock.close()
        raise
    return sock


def url_of(sock: socket.socket) -> str:
    """Return the endpoint of the server on a socket."""
    return f"http://{_HOST}:{sock.getsockname()[1]}{_PATH}"


def over_http(answers: Answers, calls: Calls, sock: socket.socket) -> None:
    """Serve on a socket, until the process gets a signal to end."""
    _web(answers, calls).run(sockets=[sock])


@contextmanager
def running(answers: Answers) -> Generator[str]:
    """Serve over HTTP in a thread, and give the URL of the endpoint."""
    with bound(0) as sock:
        web = _web(answers, calls_of(answers))
        thread = threading.Thread(target=partial(web.run, sockets=[sock]), daemon=True)
        thread.start()
        try:
            yield url_of(sock)
        finally:
            web.should_exit = True
            thread.join(5)


def _web(answers: Answers, calls: Calls) -> uvicorn.Server:
    app = _server(answers, calls).streamable_http_app(streamable_http_path=_PATH)
    config = uvicorn.Config(
        app, log_level="error", lifespan="on", timeout_graceful_shutdown=1
    )
    return uvicorn.Server(config)


def _server(answers: Answers, calls: Calls) -> Server[Any]:
    """Return the server; its lists come from `_recorded`."""
    recording = answers.recording
    texts = {
        key: value for key, value in recording.server.items() if isinstance(value, str)
    }
    server = Server[Any](
        texts.get("name", "recording"),
        version=texts.get("version", ""),
        instructions=recording.instructions,
        get_tool_input_schema=partial(_input_schema, answers),
        **_handlers(recording),
    )

    async def recorded(ctx: Any, call_next: Any) -> Result:
        return await _recorded(answers, calls, ctx, call_next)

    server.middleware.append(recorded)
    return server


def _handlers(recording: Recording) -> dict[str, Any]:
    """Return a handler for each capability that the SDK has to announce."""
    resources = recording.resources or recording.resource_templates
    completed = recording.prompts or recording.resource_templates
    handlers: dict[str, Any] = {
        "on_list_tools": _returns(types.ListToolsResult(tools=[])),
        "on_call_tool": _returns(types.CallToolResult(content=[])),
    }
    if resources:
        handlers |= {
            "on_list_resources": _returns(types.ListResourcesResult(resources=[])),
            "on_list_resource_templates": _returns(
                types.ListResourceTemplatesResult(resource_templates=[])
            ),
            "on_read_resource": _returns(types.ReadResourceResult(contents=[])),
        }
    if recording.prompts:
        handlers |= {
            "on_list_prompts": _returns(types.ListPromptsResult(prompts=[])),
            "on_get_prompt": _returns(types.GetPromptResult(messages=[])),
        }
    if completed:
        nothing = types.CompleteResult(completion=types.Completion(values=[]))
        handlers["on_completion"] = _returns(nothing)
    return handlers


def _input_schema(answers: Answers, name: str) -> Mapping[str, Any] | None:
    tool = answers.tools.get(name)
    return None if tool is None else members(tool.get("inputSchema"))


def _returns(result: object) -> Callable[[Any, Any], Awaitable[object]]:
    """Return a handler of the SDK's, whose result the recording replaces."""

    async def handler(_context: Any, _params: Any) -> object:
        return result

    return handler


async def _recorded(answers: Answers, calls: Calls, context: Any, go_on: Any) -> Result:
    """Answer one request: the SDK's envelope, and the body of the recording."""
    envelope: Result = await go_on(context)
    if context.request_id is None:  # a notification
        return envelope
    method, params = str(context.method), members(context.params)
    body: Result = {}
    if method in _LISTS:
        listed = _lists(answers)[_LISTS[method]]
        body = {_LISTS[method]: listed}
    elif method == "tools/call":
        body = await _call(answers, calls, context, params)
    elif method == "resources/read":
        body = _made(contents, answers, str(params.get("uri")))
    elif method == "prompts/get":
        body = _made(prompt, answers, params)
    elif method == "initialize":
        body = {"serverInfo": _info(answers, members(envelope.get("serverInfo")))}
    return _with_meta(answers, envelope, body)


def _made(
    make: Callable[[Recording, Any], Result], answers: Answers, of: Any
) -> Result:
    try:
        return make(answers.recording, of)
    except RefusedError as error:
        raise MCPError(error.code, str(error)) from None


def _with_meta(answers: Answers, envelope: Result, body: Result) -> Result:
    meta = members(envelope.get("_meta"))
    if _INFO in meta:
        meta = {**meta, _INFO: _info(answers, members(meta[_INFO]))}
    meta = {**meta, **members(body.get("_meta"))}
    rest = {key: value for key, value in envelope.items() if key != "structuredContent"}
    return {**rest, **body, **({"_meta": meta} if meta else {})}


def _info(answers: Answers, ours: Result) -> Result:
    """Return the recorded description of the server, with a name and a version."""
    return {**ours, **answers.recording.server}


def _lists(answers: Answers) -> dict[str, list[Result]]:
    recording = answers.recording
    return {
        "tools": [*recording.tools],
        "resources": [*recording.resources],
        "resourceTemplates": [*recording.resource_templates],
        "prompts": [*recording.prompts],
    }


async def _call(answers: Answers, calls: Calls, context: Any, params: Result) -> Result:
    """Answer a call after its delay, with progress on the way."""
    meta = members(params.get("_meta"))
    try:
        choice = choice_of(meta)
    except ValueError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from None
    steps, token = choice.progress, meta.get("progressToken")
    delay = answers.options.latency if choice.delay is None else choice.delay
    for step in range(steps if token is not None else 0):
        await anyio.sleep(delay / steps)
        await context.session.report_progress(
            float(step + 1), float(steps), f"step {step + 1} of {steps}"
        )
    if not steps or token is None:
        await anyio.sleep(delay)
    tool = str(params.get("name"))
    try:
        return await calls(tool, members(params.get("arguments")), choice._asdict())
    except RefusedError as error:
        raise MCPError(error.code, str(error)) from None
