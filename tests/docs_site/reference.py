"""The reference pages: commands from click, settings from their schema, the API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from mcp_bindgen.cli import COMMANDS, app

from tests.docs_site.pages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["api", "commands", "settings"]

_API = {
    "In the program that generates": ["mcp_bindgen.api"],
    "Clients": ["todo.client.Client", "todo.client.AsyncClient"],
    "Results": ["todo._runtime.results", "todo._runtime.content"],
    "Resources and prompts": [
        "todo._runtime.client.resources",
        "todo._runtime.client.prompts",
    ],
    "Errors": ["todo._runtime.errors"],
    "Tools for agents": [
        "todo._runtime.agents.toolset",
        "todo._runtime.agents.toolbox",
    ],
    "Approval and policy": ["todo.approval", "todo.policy"],
}


def commands() -> str:
    """Return the page of all commands, as their `--help` says."""
    lines = [
        "# Commands",
        "",
        "Exit codes: 0 success, 1 findings or problems, 2 failure.",
    ]
    context = click.Context(app, info_name="mcp-bindgen")
    for name in COMMANDS:
        command = app.get_command(context, name)
        if command is not None:
            inner = click.Context(command, parent=context, info_name=name)
            lines += ["", *_command(command, inner)]
    return "\n".join([*lines, ""])


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {context.info_name}"
    yield ""
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"```text\n{context.command_path} {usage}\n```"
    yield ""
    for paragraph in (command.help or "").split("\n\n"):
        yield f"{_text(' '.join(paragraph.split()))}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                below = click.Context(inner, parent=context, info_name=name)
                yield from _command(inner, below)
    records = [
        record
        for parameter in command.params
        if (record := parameter.get_help_record(context)) is not None
    ]
    if records:
        yield "| option | meaning |"
        yield "|---|---|"
        for words, text in records:
            yield f"| `{_cell(words)}` | {_cell(_text(text))} |"
    if command.epilog:
        yield f"\n{_text(command.epilog)}"


def settings() -> str:
    """Return the page of `[tool.mcp-bindgen]`, from its JSON Schema."""
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text("utf-8"))
    said = (
        "Keys of `[tool.mcp-bindgen]` in `pyproject.toml`. Editors complete them with"
        " the schema `docs/settings.schema.json`."
    )
    lines = [
        "# Settings",
        "",
        said,
        "",
        "| key | value | default | meaning |",
        "|---|---|---|---|",
        *_keys(schema, schema, ""),
        "",
    ]
    return "\n".join(lines)


def _keys(schema: Any, root: Any, prefix: str) -> Iterator[str]:
    for name, member in schema.get("properties", {}).items():
        node = _resolved(member, root)
        default = f"`{json.dumps(member['default'])}`" if "default" in member else ""
        said = _cell(_text(member.get("description") or node.get("description", "")))
        yield f"| `{prefix}{name}` | {_kind(node)} | {_cell(default)} | {said} |"
        yield from _keys(node, root, f"{prefix}{name}.")
        extra = node.get("additionalProperties")
        if isinstance(extra, dict):
            yield from _keys(_resolved(extra, root), root, f"{prefix}{name}.NAME.")


def _resolved(node: Any, root: Any) -> Any:
    if "$ref" not in node:
        return node
    target = root
    for part in node["$ref"].split("/")[1:]:
        target = target[part]
    return target


def _kind(node: Any) -> str:
    if "enum" in node:
        return " or ".join(f"`{json.dumps(each)}`" for each in node["enum"])
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    for key in ("anyOf", "oneOf"):
        if key in node:
            return " or ".join(dict.fromkeys(_kind(each) for each in node[key]))
    kinds: Any = node.get("type", "any")
    names: list[str] = [kinds] if isinstance(kinds, str) else kinds
    return " or ".join({"object": "table"}.get(name, name) for name in names)


def api() -> str:
    """Return the page of the Python API, for mkdocstrings to fill from docstrings."""
    said = (
        "Each package has its own copy of the runtime; here it is that of the package"
        " `todo`. Import public names from the package: `from todo import Client`."
    )
    lines = ["# Python API", "", said]
    for title, modules in _API.items():
        lines += ["", f"## {title}", ""]
        lines += [f"::: {module}" for module in modules]
    return "\n".join([*lines, ""])


def _text(text: str) -> str:
    """Return a text of ours for Markdown: nothing in it is markup."""
    for mark in "\\`*_{}[]<>#":
        text = text.replace(mark, f"\\{mark}")
    return text


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
