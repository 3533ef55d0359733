"""A recording to a catalogue: the only place where decisions are taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from . import recording as recordings
from .classes import plain
from .errors import Problem
from .infer import answer_of, infer
from .ir import Alias, Catalog, Field, Note, Object, Tool
from .layout import Expr, name, union
from .naming import allocate, pascal, snake, upper
from .reserved import TOOLS
from .roots import UNBOUND, Work, compile_arguments, compile_result
from .runtime.rpc import header_params
from .schema import SchemaError, mapped
from .source import PyName, WireStr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .recording import Recording

__all__ = ["build"]


def build(
    recording: Recording,
    *,
    package: str | None = None,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    work: Work = UNBOUND,
) -> tuple[Catalog, list[Problem]]:
    """Return the catalogue of a recording, and a problem for each tool left out.

    Args:
        recording: What the server said.
        package: Name of the package; made from the server's name if not given.
        include: Globs of wire names to keep, all if empty.
        exclude: Globs of wire names to leave out.
        work: How much may be done for each tool.

    Raises:
        BindgenError: It takes too long.
    """
    server = str(recording.server.get("name") or "server")
    chosen = [
        (tool, pointer)
        for tool, pointer in zip(recording.tools, recording.pointers, strict=True)
        if _is_chosen(str(tool["name"]), include, exclude)
    ]
    wires = [str(tool["name"]) for tool, _ in chosen]
    functions = allocate(wires, kind="tool", reserved=TOOLS, derived=_derived)
    answers = _answers(recording)
    tools: list[Tool] = []
    problems: list[Problem] = []
    for raw, pointer in chosen:
        wire = str(raw["name"])
        try:
            part = _Part(raw, functions[wire], pointer, answers.get(wire, []), work)
            tools.append(_tool(part))
        except SchemaError as error:
            hint = error.hint or "the tool is left out; tell the server's authors"
            problems.append(Problem(pointer + error.pointer, error.message, hint))
        except RecursionError:
            hint = "the tool is left out; tell the server's authors"
            problems.append(Problem(pointer, "nested too deeply", hint))
    catalog = Catalog(
        package=PyName(package or snake(server, "server")),
        server=WireStr(server),
        server_title=WireStr(str(recording.server.get("title") or server)),
        version=WireStr(str(recording.server.get("version") or "")),
        digest=recordings.digest(recording),
        tools=tuple(tools),
        recording=WireStr(
            recordings.dump(replace(recording, tools=tuple(t for t, _ in chosen)))
        ),
    )
    return catalog, problems


class _Part(NamedTuple):
    """One tool of a recording, and what is needed to read it."""

    raw: Mapping[str, Any]
    function: PyName
    pointer: str
    samples: list[object]
    work: Work


def _answers(recording: Recording) -> dict[str, list[object]]:
    """Return for each tool its recorded answers that are one JSON value."""
    found: dict[str, list[object]] = {}
    for call in recording.calls:
        is_value, value = answer_of(cast("dict[str, Any]", call["result"]))
        if is_value:
            found.setdefault(str(call["name"]), []).append(value)
    return found


def _is_chosen(wire: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    if include and not any(fnmatchcase(wire, glob) for glob in include):
        return False
    return not any(fnmatchcase(wire, glob) for glob in exclude)


def _derived(function: str) -> tuple[str, ...]:
    stem = pascal(function)
    return (
        function,
        f"{function}_async",
        f"{function}_tool",
        f"{stem}Arguments",
        f"{stem}Result",
        function.upper().rstrip("_"),
    )


def _tool(part: _Part) -> Tool:
    raw, function, pointer, _, work = part
    stem = pascal(function)
    arguments = compile_arguments(raw["inputSchema"], stem, work)
    root = cast("Object", arguments.root)
    taken = frozenset(type_.name for type_ in arguments.types)
    outcome = _outcome(part, stem, taken)
    annotations = mapped(raw.get("annotations"))
    title = raw.get("title") or annotations.get("title") or raw["name"]
    renamed = (Note("renamed", "/name", function),) if function != raw["name"] else ()
    return Tool(
        wire=WireStr(raw["name"]),
        title=WireStr(str(title)),
        description=WireStr(raw.get("description") or ""),
        function=function,
        member=upper(function),
        arguments=root,
        result=outcome.result,
        returns=outcome.returns,
        return_type=outcome.type,
        types=(*arguments.types, *outcome.types),
        extra=_extra(raw["inputSchema"], root),
        read_only=_hint(annotations, "readOnlyHint"),
        destructive=_hint(annotations, "destructiveHint"),
        idempotent=_hint(annotations, "idempotentHint"),
        header_params=_headers(raw["inputSchema"]),
        raw=raw,
        pointer=pointer,
        notes=(*renamed, *arguments.notes, *outcome.notes),
    )


def _hint(annotations: Mapping[str, Any], key: str) -> bool | None:
    value = annotations.get(key)
    return value if isinstance(value, bool) else None


def _extra(schema: Mapping[str, Any], arguments: Object) -> Expr | None:
    """Return the type of the mapping for arguments that have no name of their own."""
    if arguments.fields or arguments.closed:
        return None
    explicit = schema.get("additionalProperties", False) is not False
    return name("Any") if explicit or "type" not in schema else None


def _headers(
    schema: Mapping[str, Any],
) -> tuple[tuple[WireStr, tuple[WireStr, ...]], ...]:
    """Return the header parameters of a tool (MCP 2026-07-28, custom headers).

    Raises:
        SchemaError: An annotation breaks the rules; clients must drop such a tool.
    """
    try:
        found = header_params(schema)
    except ValueError as error:
        raise SchemaError("/inputSchema", str(error)) from error
    return tuple(
        (WireStr(token), tuple(map(WireStr, path)))
        for token, path in sorted(found.items())
    )


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a tool's function gives back."""

    result: PyName | None
    returns: Literal["raw", "model", "unwrapped", "inferred"]
    type: Expr
    types: tuple[Object | Alias, ...] = ()
    notes: tuple[Note, ...] = ()


def _outcome(part: _Part, stem: str, taken: frozenset[str]) -> _Outcome:
    raw, _, _, samples, work = part
    schema = raw.get("outputSchema")
    if isinstance(schema, dict):
        rooted = compile_result(cast("dict[str, Any]", schema), stem, taken, work)
        class_, notes = rooted.root.name, rooted.notes
        inner = _wrapped(raw, rooted.root)
        if inner is None:
            return _Outcome(class_, "model", name(class_), rooted.types, notes)
        notes = (*notes, Note("unwrapped", "/outputSchema", "result"))
        return _Outcome(class_, "unwrapped", plain(inner.type), rooted.types, notes)
    if not samples:
        return _Outcome(None, "raw", name("ToolResult"))
    try:
        rooted = compile_result(infer(samples), stem, taken, work, "")
    except SchemaError as error:
        reason = f"nothing is inferred from recorded answers: {error.message}"
        notes = (Note("not-enforced", "", reason),)
        return _Outcome(None, "raw", name("ToolResult"), (), notes)
    class_ = rooted.root.name
    either = union([name(class_), name("ToolResult")])
    notes = (*rooted.notes, Note("inferred", "", f"from {len(samples)} answers"))
    return _Outcome(class_, "inferred", either, rooted.types, notes)


def _wrapped(raw: Mapping[str, Any], root: Object | Alias) -> Field | None:
    """Return the only field of a result that a server's library has wrapped.

    Certain are the mark of one library and the title and shape that the other gives
    to what it wraps; a like-looking object of the tool's author stays an object.
    """
    if isinstance(root, Alias) or [f.wire.text for f in root.fields] != ["result"]:
        return None
    schema = mapped(raw["outputSchema"])
    inner = mapped(mapped(schema.get("properties")).get("result"))
    by_title = schema.get("title") == f"{raw['name']}Output" and (
        inner.get("title") == "Result"
    )
    certain = schema.get("x-fastmcp-wrap-result") is True or by_title
    return root.fields[0] if certain and root.fields[0].required else None
