"""A recording to a catalogue: the only place where decisions are taken."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal, cast

from . import recording as recordings
from .classes import (
    name_drafts,
    plain,
    second_step,
    substitute,
    write_drafts,
)
from .errors import Problem
from .ir import Alias, Catalog, Field, Note, Object, Tool
from .layout import Expr, Name, name
from .naming import allocate, pascal, snake, upper
from .reserved import TOOLS
from .runtime.rpc import header_params
from .runtime.schema_check import Schema
from .schema import Document, SchemaError, child
from .source import Code, PyName, WireStr
from .state import Place, State
from .types import compile_root, compile_type

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from .recording import Recording

__all__ = ["build"]


def build(
    recording: Recording,
    *,
    package: str | None = None,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
) -> tuple[Catalog, list[Problem]]:
    """Return the catalogue of a recording, and a problem for each tool left out.

    Args:
        recording: What the server said.
        package: Name of the package; made from the server's name if not given.
        include: Globs of wire names to keep, all if empty.
        exclude: Globs of wire names to leave out.
    """
    server = str(recording.server.get("name") or "server")
    chosen = [
        (tool, pointer)
        for tool, pointer in zip(recording.tools, recording.pointers, strict=True)
        if _is_chosen(str(tool["name"]), include, exclude)
    ]
    wires = [str(tool["name"]) for tool, _ in chosen]
    functions = allocate(wires, kind="tool", reserved=TOOLS, derived=_derived)
    tools: list[Tool] = []
    problems: list[Problem] = []
    for raw, pointer in chosen:
        function = functions[str(raw["name"])]
        try:
            tools.append(_tool(cast("dict[str, Any]", raw), function, pointer))
        except SchemaError as error:
            hint = error.hint or "the tool is left out; tell the server's authors"
            problems.append(Problem(pointer + error.pointer, error.message, hint))
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


def _tool(raw: Mapping[str, Any], function: PyName, pointer: str) -> Tool:
    stem = pascal(function)
    arguments, types, notes, extra = _arguments(raw["inputSchema"], stem)
    taken = frozenset(type_.name for type_ in types)
    result, returns, return_type, more, result_notes = _result(raw, stem, taken)
    annotations = cast("Mapping[str, Any]", raw.get("annotations") or {})
    renamed = (
        [Note("renamed", "/name", f"{function}")] if function != raw["name"] else []
    )
    title = raw.get("title") or annotations.get("title") or raw["name"]
    return Tool(
        wire=WireStr(raw["name"]),
        title=WireStr(str(title)),
        description=WireStr(raw.get("description") or ""),
        function=function,
        member=upper(function),
        arguments=arguments,
        result=result,
        returns=returns,
        return_type=return_type,
        types=(*types, *more),
        extra=extra,
        read_only=_hint(annotations, "readOnlyHint"),
        destructive=_hint(annotations, "destructiveHint"),
        idempotent=_hint(annotations, "idempotentHint"),
        header_params=_headers(raw["inputSchema"]),
        raw=raw,
        pointer=pointer,
        notes=(*renamed, *notes, *result_notes),
    )


def _hint(annotations: Mapping[str, Any], key: str) -> bool | None:
    value = annotations.get(key)
    return value if isinstance(value, bool) else None


def _arguments(
    schema: Mapping[str, Any], stem: str
) -> tuple[Object, list[Object | Alias], list[Note], Expr | None]:
    with _within("/inputSchema"):
        state = State(Document.read(schema), "a")
        root = compile_root(state, Place("", (stem,)))
        _try_schema(state)
    class_ = PyName(f"{stem}Arguments")
    named = name_drafts(state, frozenset({f"{stem}Result"}), {_mark(root): class_}, "")
    types = write_drafts(state, named)
    types = [_with_step(type_, class_, second_step(state)) for type_ in types]
    arguments = next(t for t in types if t.name == class_ and isinstance(t, Object))
    return (
        arguments,
        types,
        _notes(state, "/inputSchema", types),
        _extra(schema, arguments),
    )


def _with_step(
    type_: Object | Alias, root: PyName, schema: WireStr | None
) -> Object | Alias:
    return replace(type_, second_step=schema) if type_.name == root else type_


def _mark(expr: Expr) -> str:
    return expr.code if isinstance(expr, Name) else ""


def _extra(schema: Mapping[str, Any], arguments: Object) -> Expr | None:
    """Return the type of the mapping for arguments that have no name of their own."""
    if arguments.fields or arguments.closed:
        return None
    explicit = schema.get("additionalProperties", False) is not False
    return name("Any") if explicit or "type" not in schema else None


def _try_schema(state: State) -> None:
    """Compile the second step once, so that a package never meets a bad schema.

    Raises:
        SchemaError: It refers to something outside.
    """
    if state.checked:
        try:
            Schema(state.document.root)
        except ValueError as error:
            raise SchemaError("", str(error)) from error


@contextmanager
def _within(pointer: str) -> Generator[None, None, None]:
    """Put the pointer of a schema before those of its errors."""
    try:
        yield
    except SchemaError as error:
        error.pointer = pointer + error.pointer
        raise


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


_Returns = Literal["raw", "model", "unwrapped", "inferred"]


def _result(
    raw: Mapping[str, Any], stem: str, taken: frozenset[str]
) -> tuple[PyName | None, _Returns, Expr, list[Object | Alias], list[Note]]:
    schema = raw.get("outputSchema")
    if not isinstance(schema, dict):
        return None, "raw", name("ToolResult"), [], []
    class_ = PyName(f"{stem}Result")
    with _within("/outputSchema"):
        state = State(Document.read(cast("dict[str, Any]", schema)), "r")
        expr = compile_type(state, {"$ref": "#"}, Place("", (stem,)))
        _try_schema(state)
    final = substitute(expr, state.same)
    is_class = isinstance(final, Name) and final.code in state.drafts
    roots = {_mark(final): class_} if is_class else {}
    named = name_drafts(state, taken, roots, "" if is_class else "Result")
    types = write_drafts(state, named)
    step = second_step(state)
    if is_class:
        types = [_with_step(type_, class_, step) for type_ in types]
    else:
        places: dict[str, Expr] = {m: Name(Code(n)) for m, n in named.items()}
        types.append(
            Alias(class_, substitute(final, places), recursive=False, second_step=step)
        )
    notes = _notes(state, "/outputSchema", types)
    root = next(type_ for type_ in types if type_.name == class_)
    if isinstance(root, Object) and (inner := _wrapped(raw, root)) is not None:
        notes.append(Note("unwrapped", "/outputSchema", "result"))
        return class_, "unwrapped", plain(inner.type), types, notes
    return class_, "model", name(class_), types, notes


def _wrapped(raw: Mapping[str, Any], root: Object) -> Field | None:
    """Return the only field of a result that a server's library has wrapped.

    Certain are the mark of one library and the title and shape that the other gives
    to what it wraps; a like-looking object of the tool's author stays an object.
    """
    if len(root.fields) != 1 or root.fields[0].wire.text != "result":
        return None
    field = root.fields[0]
    schema = cast("Mapping[str, Any]", raw["outputSchema"])
    inner = schema["properties"]["result"]
    by_title = (
        schema.get("title") == f"{raw['name']}Output"
        and isinstance(inner, dict)
        and cast("Mapping[str, Any]", inner).get("title") == "Result"
    )
    certain = schema.get("x-fastmcp-wrap-result") is True or by_title
    return field if certain and field.required else None


def _notes(state: State, base: str, types: list[Object | Alias]) -> list[Note]:
    notes = [
        Note("second-step", base + pointer, keyword)
        for pointer, keyword in state.checked.items()
    ]
    notes += [
        Note("not-enforced", base + pointer, reason)
        for pointer, reason in state.unenforced.items()
    ]
    notes += [
        Note("renamed", child(f"{base}:{type_.name}", field.wire.text), field.name)
        for type_ in types
        if isinstance(type_, Object)
        for field in type_.fields
        if field.name != field.wire.text
    ]
    return notes
