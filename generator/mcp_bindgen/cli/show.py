"""`mcp-bindgen show`: the tools of a server, or one of them, for a reader."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import servers
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.schema.ir import Field, Tool

__all__ = ["show"]


@click.command(epilog="Example: mcp-bindgen show catalog search_metadata")
@click.argument("name")
@click.argument("tool", required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Show optional parameters, too."
)
@format_option
@screen.options
def show(name: str, tool: str | None, form: str, *, everything: bool) -> int:
    """Show the tools of a server of the settings, one line for each.

    With TOOL, show its signature, its docs, its parameters, and two lines to copy: a
    call for a shell, and one for Python. The tools are those of the recording; no
    server is reached.
    """
    (server,) = servers([name])
    tools = _tools(server)
    listed = [_found(tools, tool, name)] if tool else tools
    facts = [_facts(server, each) for each in listed]
    if form == "json":
        show_json(facts[0] if tool else facts)
    elif tool:
        for line in _page(listed[0], facts[0]):
            screen.result(line)
    else:
        for each in listed:
            screen.result(_line(each, everything=everything))
    if not tool:
        counted = screen.count(len(listed), "tool")
        screen.summary(f"{name}: {counted}; see one with mcp-bindgen show {name} TOOL")
    return 0


def _tools(server: Server) -> list[Tool]:
    """Return the tools of a server's recording, as its package has them.

    Raises:
        BindgenError: There is no recording, or it is none.
    """
    from mcp_bindgen.cli.jobs import in_file, shortest
    from mcp_bindgen.pipeline.described import described
    from mcp_bindgen.recording.document import load

    file = shortest(server.recording)
    try:
        recording, _ = load(file.read_bytes())
    except OSError as error:
        hint = f"record it with mcp-bindgen sync {server.key}"
        message = f"{server.key} has no recording: {file}: {error.strerror}"
        raise BindgenError(Problem("", message, hint)) from error
    except BindgenError as error:
        raise in_file(file, error) from error
    return described(
        recording, Settings(include=server.include, exclude=server.exclude)
    )


def _found(tools: Sequence[Tool], name: str, server: str) -> Tool:
    """Return the tool of a name, which is the server's name or the function's.

    Raises:
        BindgenError: There is none.
    """
    wires = [tool.wire.text for tool in tools]
    for names in (wires, [str(tool.function) for tool in tools]):
        if name in names:
            return tools[names.index(name)]
    near = get_close_matches(name, wires, 1)
    hint = f"see all with mcp-bindgen show {server}"
    hint = f"did you mean {near[0]}?" if near else hint
    raise BindgenError(Problem("", f"{server} has no tool {name[:80]!a}", hint))


def _line(tool: Tool, *, everything: bool) -> str:
    from mcp_bindgen.render.one_line import call_signature, first_sentence

    words = first_sentence(tool)
    signature = call_signature(tool, everything=everything)
    return f"{signature}  # {words}" if words else signature


def _facts(server: Server, tool: Tool) -> dict[str, Any]:
    """Return a tool as JSON: names, texts, parameters, hints, calls to copy."""
    from mcp_bindgen.python.literals import clean
    from mcp_bindgen.recording.call_arguments import example
    from mcp_bindgen.render.one_line import call_signature
    from mcp_bindgen.render.sample_call import sample_call

    schema = tool.raw["inputSchema"]
    prefix = f"mcp-bindgen call {server.key}"
    return {
        "name": tool.wire.text,
        "function": tool.function,
        "signature": call_signature(tool, everything=True),
        "description": clean(tool.description),
        "parameters": [_parameter(field) for field in tool.parameters],
        "hints": [*_hints(tool)],
        "shell": example(prefix, tool.wire.text, schema).partition(", as in: ")[2],
        "python": str(sample_call(tool)),
    }


def _parameter(field: Field) -> dict[str, Any]:
    from mcp_bindgen.python.expressions import flat
    from mcp_bindgen.render.docstrings import field_text
    from mcp_bindgen.render.tool_module import accepted_type

    return {
        "name": str(field.name),
        "wire": field.wire.text,
        "type": str(flat(accepted_type(field))),
        "required": field.required,
        "description": field_text(field),
    }


def _hints(tool: Tool) -> Iterator[str]:
    """Yield what the server claims of a tool."""
    for claim, word in (
        (tool.read_only, "read-only"),
        (tool.destructive and not tool.read_only, "destructive"),
        (tool.idempotent, "idempotent"),
    ):
        if claim:
            yield word


def _page(tool: Tool, facts: dict[str, Any]) -> Iterator[str]:
    from mcp_bindgen.render.one_line import call_signature

    yield call_signature(tool)
    if facts["description"]:
        yield ""
        yield facts["description"]
    if facts["hints"]:
        yield ""
        yield f"The server says: {', '.join(facts['hints'])}."
    if facts["parameters"]:
        yield ""
    for each in facts["parameters"]:
        optional = "" if each["required"] else " (optional)"
        yield f"  {each['name']}: {each['type']}{optional}"
        for line in each["description"].splitlines():
            yield f"      {line}"
    yield ""
    yield f"shell:   {facts['shell']}"
    yield f"python:  {facts['python']}"
