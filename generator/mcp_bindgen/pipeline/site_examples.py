"""Calls of a tool to copy: in Python, for frameworks, and for the shell."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    call,
    literal,
    name,
    names,
    statement,
)
from mcp_bindgen.python.literals import Code
from mcp_bindgen.render.site_pages import Example
from mcp_bindgen.runtime.protocol.headers import header_text
from mcp_bindgen.schema.classes import plain
from mcp_bindgen.schema.ir import Object
from mcp_bindgen.schema.node import mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.schema.ir import Field, Tool

__all__ = ["examples"]

_VERSION = "2026-07-28"
_META = "io.modelcontextprotocol"
_CURL = "for servers of protocol 2026-07-28; older ones open a session first"


def examples(
    tool: Tool, package: str, arguments: Mapping[str, Any] | None
) -> Iterator[Example]:
    """Yield calls of a tool.

    Args:
        tool: The tool, with its types.
        package: The import name of its package.
        arguments: The arguments of the call, None where none are known; then the
            calls show `...` in their place.
    """
    yield from _of_python(tool, package, arguments)
    sent = literal(dict(arguments)) if arguments is not None else name("{...}")
    invoke = _assign("tool = ", call(f"{tool.function}_tool", name("client")), 0)
    yield Example(
        "LangChain",
        f"from {package}.langchain import {tool.function}_tool\n\n{invoke}\n"
        f"print({_assign('', call('tool.invoke', sent), 0)})",
    )
    run = call("run", literal(tool.wire.text), sent)
    yield Example(
        "OpenAI",
        f"from {package}.openai import executor\n\n"
        f"run = executor(client)  # run.tools is for the model\n"
        f"{_assign('answer = ', run, 0)}",
    )
    yield Example("curl", _curl(tool, arguments), _CURL)


def _of_python(
    tool: Tool, package: str, arguments: Mapping[str, Any] | None
) -> Iterator[Example]:
    """Yield the calls of the blocking and of the async client."""
    made, imported = _call_of(tool, arguments)
    head = f"from {package} import {{}}\n{imported.format(package=package)}\n"
    variables = f"reads {package.upper()}_MCP_URL or {package.upper()}_MCP_COMMAND"
    yield Example(
        "Python",
        head.format("Client")
        + f"with Client.from_env() as client:\n    {_assign('result = ', made)}\n"
        "    print(result)",
        variables,
    )
    yield Example(
        "Python, async",
        "import asyncio\n\n"
        + head.format("AsyncClient")
        + "async def main() -> None:\n"
        "    async with AsyncClient.from_env() as client:\n"
        f"        {_assign('result = await ', made, 8)}\n"
        "        print(result)\n\n\nasyncio.run(main())",
    )


def _assign(head: str, made: Expr, indent: int = 4) -> str:
    return statement(head, made, "", indent)


def _call_of(tool: Tool, arguments: Mapping[str, Any] | None) -> tuple[Expr, str]:
    """Return the call of a tool's method, and the import of the models in it."""
    method = f"client.{tool.function}"
    if arguments is None:
        return call(method, name("...")), ""
    if tool.extra:
        return call(method, extra=literal(dict(arguments))), ""
    types = {str(type_.name) for type_ in tool.types if isinstance(type_, Object)}
    items: list[Item] = []
    used: set[str] = set()
    for field in tool.parameters:
        if field.wire.text in arguments:
            value = _value(field, arguments[field.wire.text], types, used)
            items.append(Item(value, Code(f"{field.name}=")))
    made = Bracket(method, "()", tuple(items))
    if not used:
        return made, ""
    listed = ", ".join(sorted(used))
    return made, f"from {{package}}.tools.{tool.function} import {listed}\n"


def _value(field: Field, value: object, types: set[str], used: set[str]) -> Expr:
    """Return a value as source that type checkers accept, a model for an object."""
    models = [word for word in names(plain(field.type)) if word in types]
    if len(set(models)) != 1:
        return literal(value)
    return _modelled(value, models[0], used)


def _modelled(value: object, model: str, used: set[str]) -> Expr:
    if isinstance(value, dict):
        used.add(model)
        return call(f"{model}.model_validate", literal(cast("object", value)))
    if isinstance(value, list):
        listed = cast("list[object]", value)
        elements = (_modelled(element, model, used) for element in listed)
        return Bracket("", "[]", tuple(Item(element) for element in elements))
    return literal(value)


def _curl(tool: Tool, arguments: Mapping[str, Any] | None) -> str:
    sent: dict[str, Any] = dict(arguments or {})
    meta: dict[str, object] = {
        f"{_META}/protocolVersion": _VERSION,
        f"{_META}/clientCapabilities": {},
    }
    params: dict[str, object] = {
        "name": tool.wire.text,
        "arguments": sent,
        "_meta": meta,
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    fields = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": header_text(tool.wire.text) or "",
    }
    for token, path in tool.header_params:
        value: Any = sent
        for step in path:
            value = mapped(value).get(step.text)
        if (text := header_text(value)) is not None:
            fields[f"Mcp-Param-{token.text}"] = text
    lines = ['curl "$MCP_URL"']
    lines += [f"-H {shlex.quote(f'{key}: {text}')}" for key, text in fields.items()]
    lines += [f"-d {shlex.quote(json.dumps(message))}"]
    return " \\\n  ".join(lines)
