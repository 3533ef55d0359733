"""`mcp-bindgen show`: the tools of a server, or one of them, for a reader."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import server_or_file
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.pipeline.described import Described

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

    Its resources, resource templates and prompts follow. With TOOL, which may be one of
    these, show its signature, its docs, its parameters, and lines to copy: a call of a
    tool for a shell, and one for Python. Where several have this name, all are shown.
    All comes from the recording; no server is reached.
    """
    server = server_or_file(name)
    everyone = _described(server)
    listed = _matching(everyone, tool, server.key) if tool else everyone
    facts = [_facts(server, each) for each in listed]
    if form == "json":
        show_json(facts[0] if tool and len(facts) == 1 else facts)
    elif tool:
        shells = [fact["shell"] for fact in facts]
        for line in _pages(listed, shells, everything=everything):
            screen.result(line)
    else:
        for each in listed:
            screen.result(_line(each, everything=everything))
    if not tool:
        counted = Counter(each.kind for each in listed)
        tools = screen.count(counted.pop("tool", 0), "tool")
        others = [screen.count(number, kind) for kind, number in counted.items()]
        totals = ", ".join([tools, *others])
        hint = f"see one with mcp-bindgen show {quote(server.key)} TOOL"
        screen.summary(f"{server.key}: {totals}; {hint}")
    return 0


def _described(server: Server) -> list[Described]:
    """Return the entries of a server's recording, as in its package: tools first.

    Raises:
        BindgenError: There is no recording, or it is none.
    """
    from mcp_bindgen.cli.jobs import in_file, shortest
    from mcp_bindgen.pipeline.described import described
    from mcp_bindgen.pipeline.described_features import described_features
    from mcp_bindgen.recording.document import load

    file = shortest(server.recording)
    try:
        recording, _ = load(file.read_bytes())
    except OSError as error:
        hint = f"record it with mcp-bindgen sync {quote(server.key)}"
        message = f"{server.key} has no recording: {file}: {error.strerror}"
        raise BindgenError(Problem("", message, hint)) from error
    except BindgenError as error:
        raise in_file(file, error) from error
    settings = Settings(include=server.include, exclude=server.exclude)
    tools = [*described(recording, settings)]
    functions = [tool.function for tool in tools]
    return [*tools, *described_features(recording, functions)]


def _matching(
    tools: Sequence[Described], name: str, server: str
) -> Sequence[Described]:
    """Return the entries of a name: the server's name, the function's, or a member's.

    Raises:
        BindgenError: There is none.
    """
    ways: tuple[Callable[[Described], Collection[str]], ...] = (
        lambda tool: (tool.name, tool.label),
        lambda tool: (tool.function,),
        lambda tool: (tool.function.partition(".")[2],),
    )
    for names_of in ways:
        if matching := [tool for tool in tools if name in names_of(tool)]:
            return matching
    names = [n for tool in tools for n in (tool.name, tool.label, tool.function) if n]
    near = get_close_matches(name, names, 1)
    hint = f"see all with mcp-bindgen show {quote(server)}"
    hint = f"did you mean {near[0]}?" if near else hint
    raise BindgenError(Problem("", f"{server} has nothing named {name[:80]!a}", hint))


def _signature(tool: Described, *, everything: bool) -> str:
    """Return the signature; without `everything`, a number for what is optional."""
    return tool.whole if everything else tool.signature


def _line(tool: Described, *, everything: bool) -> str:
    signature = _signature(tool, everything=everything)
    kind = "" if tool.kind == "tool" else tool.kind
    summary = ": ".join(filter(None, (kind, tool.summary)))
    return f"{signature}  # {summary}" if summary else signature


def _facts(server: Server, tool: Described) -> dict[str, Any]:
    """Return a tool as JSON: names, texts, parameters, hints, calls to copy."""
    from mcp_bindgen.recording.call_arguments import command_line

    prefix = f"mcp-bindgen call {quote(server.key)}"
    is_tool = tool.kind == "tool"
    shell = command_line(prefix, tool.name, tool.schema) if is_tool else ""
    return {
        "kind": tool.kind,
        "name": tool.name,
        "function": tool.function,
        "signature": tool.whole,
        "description": tool.description,
        "parameters": [*tool.parameters],
        "hints": [*tool.hints],
        **({"notes": [*tool.notes]} if tool.notes else {}),
        "shell": shell,
        "python": tool.call,
    }


def _pages(
    tools: Sequence[Described], shells: Sequence[str], *, everything: bool
) -> Iterator[str]:
    for number, (tool, shell) in enumerate(zip(tools, shells, strict=True)):
        if number:
            yield ""
        yield _signature(tool, everything=everything)
        yield from _page(tool, shell)


def _page(tool: Described, shell: str) -> Iterator[str]:
    """Yield the lines below the signature."""
    if tool.kind != "tool":
        yield f"{tool.kind} {tool.name}"
    if tool.description:
        yield ""
        # None of its lines may look like one of ours.
        yield from (f"  {line}".rstrip() for line in tool.description.splitlines())
    if tool.hints:
        yield ""
        yield f"The server says: {', '.join(tool.hints)}."
    for note in tool.notes:
        yield ""
        yield f"It cannot be inverted: {note}."
    if tool.parameters:
        yield ""
    for each in tool.parameters:
        optional = "" if each["required"] else " (optional)"
        yield f"  {each['name']}: {each['type']}{optional}"
        for line in str(each["description"]).splitlines():
            yield f"      {line}"
    yield ""
    if shell:
        yield f"shell:   {shell}"
    yield f"python:  {tool.call}"
