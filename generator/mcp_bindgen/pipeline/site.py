"""One recording to the pages of the catalogue."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.errors import Problem
from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.described_features import described_features
from mcp_bindgen.pipeline.plan import plan
from mcp_bindgen.pipeline.settings import DEFAULTS, Settings
from mcp_bindgen.pipeline.site_examples import examples
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.python.expressions import flat
from mcp_bindgen.python.literals import PyName, WireStr, clean
from mcp_bindgen.recording.document import load
from mcp_bindgen.render.class_paths import class_paths
from mcp_bindgen.render.docstrings import field_text
from mcp_bindgen.render.site_pages import Listed, Model, Row, ServerPage, ToolPage
from mcp_bindgen.schema.classes import plain
from mcp_bindgen.schema.ir import Object
from mcp_bindgen.schema.node import SchemaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mcp_bindgen.pipeline.described import Described
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.schema.ir import Alias, Field, Tool

__all__ = ["server_page"]

_SENTENCE = re.compile(r"(.{1,160}?[.!?])(?:\s|$)|(.{1,160})", re.DOTALL)
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|\w+|[^\w"]+')
_SCHEMAS = (("Input schema", "inputSchema"), ("Output schema", "outputSchema"))


def server_page(
    data: bytes,
    package: str,
    settings: Settings = DEFAULTS,
    arguments: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[ServerPage, list[Problem]]:
    """Return the pages of one server, and a problem for each part they leave out.

    Example: `server_page(Path("catalog.json").read_bytes(), "catalog")`.

    Args:
        data: The recording.
        package: The import name of the package.
        settings: Their `include` and `exclude` choose the tools.
        arguments: Wire name of a tool to arguments for the example calls.

    Raises:
        BindgenError: It is no recording, or over a limit of the whole file.
    """
    recording, refused = load(data, settings.limits)
    plans = plan(recording, settings)
    tools, problems = _tool_pages(plans, package, settings, arguments or {})
    functions = [str(tool.function) for tool in tools]
    others = described_features(recording, functions, settings.limits)
    page = ServerPage(
        package=PyName(package),
        name=_text(recording.server.get("title") or recording.server.get("name"))
        or package,
        version=_text(recording.server.get("version")),
        instructions=_text(recording.instructions),
        tools=tuple(tools),
        others=tuple(map(_listed, others)),
    )
    return page, [*refused, *problems]


def _tool_pages(
    plans: Iterable[ToolPlan],
    package: str,
    settings: Settings,
    arguments: Mapping[str, Mapping[str, Any]],
) -> tuple[list[ToolPage], list[Problem]]:
    """Return the page of each tool, and a problem for each tool without one."""
    tools: list[ToolPage] = []
    problems: list[Problem] = []
    deadline = Deadline(settings.limits.seconds)
    for each in plans:
        try:
            tool = build(each, Budget(settings.limits, deadline))
        except SchemaError as error:
            pointer = each.pointer + error.pointer
            problems.append(Problem(pointer, error.message, "the tool has no page"))
        else:
            sent = arguments.get(tool.wire.text)
            tools.append(_tool_page(each, tool, package, sent))
    return tools, problems


def _tool_page(
    plan_: ToolPlan, tool: Tool, package: str, arguments: Mapping[str, Any] | None
) -> ToolPage:
    description = clean(tool.description)
    title = clean(tool.title)
    models = {str(type_.name) for type_ in tool.types}
    roots = {str(tool.arguments.name), str(tool.result)}
    paths = class_paths(tool)
    result = next((t for t in tool.types if str(t.name) == str(tool.result)), None)
    return ToolPage(
        function=tool.function,
        wire=clean(tool.wire),
        title="" if title == tool.wire.text else title,
        summary=_summary(description or title),
        description=description,
        read_only=bool(tool.read_only),
        destructive=not tool.read_only and tool.destructive is not False,
        idempotent=bool(tool.idempotent),
        signature=_signature(tool),
        parameters=tuple(_row(field, models) for field in tool.parameters),
        returns=_pieces(tool.return_type, models - roots),
        fields=_rows(result, models) if isinstance(result, Object) else (),
        models=tuple(
            _model(type_, paths[str(type_.name)], models)
            for type_ in tool.types
            if str(type_.name) not in roots
        ),
        examples=tuple(examples(tool, package, arguments)),
        schemas=tuple(_schemas(plan_.raw)),
    )


def _summary(text: str) -> str:
    """Return the first sentence of a text, on one line."""
    match = _SENTENCE.match(" ".join(text.split("\n\n", maxsplit=1)[0].split()))
    return match[1] or match[2] if match else ""


def _signature(tool: Tool) -> str:
    """Return the signature as a person reads it: `...` means "not sent"."""
    lines = [f"client.{tool.function}("]
    if tool.parameters:
        lines += ["    *,"]
    for field in tool.parameters:
        default = "" if field.required else " = ..."
        lines.append(f"    {field.name}: {flat(plain(field.type))}{default},")
    if tool.extra:
        lines += ["    *,", "    extra: Mapping[str, Any] = {},"]
    end = f") -> {flat(tool.return_type)}"
    return "\n".join([*lines, end]) if len(lines) > 1 else lines[0] + end


def _model(type_: Object | Alias, where: tuple[str, str], models: set[str]) -> Model:
    path, role = where
    location = f"{path} in the {role}" if path else ""
    if isinstance(type_, Object):
        return Model(type_.name, location, clean(type_.doc), _rows(type_, models))
    pieces = _pieces(plain(type_.type), models - {str(type_.name)})
    return Model(type_.name, location, "", (), pieces)


def _rows(type_: Object, models: set[str]) -> tuple[Row, ...]:
    return tuple(_row(field, models) for field in type_.fields)


def _row(field: Field, models: set[str]) -> Row:
    wire = clean(field.wire)
    return Row(
        name=field.name,
        wire="" if wire == field.name else wire or json.dumps(field.wire.text),
        type=_pieces(plain(field.type), models),
        required=field.required,
        doc=field_text(field),
    )


def _pieces(expr: Expr, models: set[str]) -> tuple[tuple[str, str], ...]:
    """Return a type as texts; the names of models link to them."""
    words = _WORD.findall(flat(expr))
    return tuple((word, word if word in models else "") for word in words)


def _schemas(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for title, key in _SCHEMAS:
        if isinstance(raw.get(key), dict):
            yield title, json.dumps(raw[key], indent=2, ensure_ascii=True)


def _listed(each: Described) -> Listed:
    """Return a resource, a resource template or a prompt."""
    address = clean(WireStr(each.name))
    return Listed(each.kind, f"client.{each.whole}", address, each.description)


def _text(value: object) -> str:
    return clean(WireStr(value)) if isinstance(value, str) else ""
