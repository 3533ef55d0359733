# Copied by mcp-bindgen. Do not edit.
"""Makes tools of the program's own functions, for use beside tools of servers."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, get_type_hints

from .. import limits
from ..client.approval import approved, approved_async
from ..client.bridge import finish
from ..client.faults import faults_of
from ..errors import (
    FAILURE,
    ConfigError,
    InvalidArgumentsError,
    McpError,
    printable,
)
from ..results import ToolError, ToolResult
from ..strict_json import dumps, loads
from .answers import MODEL_ERRORS, Answer, Part, accepted, failed, refused
from .toolinfo import short_name

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..client.approval import BeforeCall

__all__ = ["OwnInfo", "OwnTool", "own"]

Function: TypeAlias = Callable[..., Any]

_ONE_BY_ONE = (
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)
_log = logging.getLogger(__name__)
_PACKAGE = "own"


@dataclass(frozen=True, slots=True)
class OwnInfo:
    """The facts of an own function, with the members of `ToolInfo`.

    Attributes:
        tool: The name of the function.
        description: Its docstring.
        schema: The JSON Schema of its parameters, made by pydantic.
    """

    tool: str
    description: str = field(repr=False)
    schema: Mapping[str, Any] = field(repr=False)
    package: str = _PACKAGE
    strict_schema: None = None
    output_schema: None = None

    @property
    def export_name(self) -> str:
        """Its name for models."""
        return short_name(self.tool)

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.tool

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """The JSON Schema of its parameters."""
        return self.schema

    @property
    def hints(self) -> Mapping[str, bool]:
        """No hints: only servers give them."""
        return {}

    @property
    def annotations(self) -> Mapping[str, Any]:
        """No annotations."""
        return {}

    @property
    def server(self) -> Mapping[str, Any]:
        """The facts of a server: the name alone."""
        return {"name": self.package}

    @property
    def raw(self) -> Mapping[str, Any]:
        """The function as a server would list it."""
        return {
            "name": self.tool,
            "description": self.description,
            "inputSchema": self.schema,
        }


def own(*functions: Function) -> list[OwnTool]:
    """Make tools of functions, for a `Toolbox` or the loop of a framework.

    The name of a tool is the function's name, its description is the docstring, and
    pydantic makes the input schema of the signature. Describe a parameter by
    `Annotated[int, Field(description="...")]`. Functions may be async.

    Example:
        `Toolbox(catalog.toolset(client), own(send_mail))`

    Args:
        functions: Functions whose parameters have names: no `*args`, no `**kwargs`.

    Raises:
        ConfigError: A function has no name, or pydantic makes no schema of it.
    """
    return [_made(function) for function in functions]


def _made(function: Function) -> OwnTool:
    from .own_schema import input_schema

    name = str(getattr(function, "__name__", ""))
    if not name.isidentifier():
        text = printable(function, limits.NAME_TEXT)
        raise ConfigError(
            f"own() expects functions with a name, and got {text}",
            hint="write a function with def that calls it",
        )
    try:
        arguments = _model(function)
        schema = input_schema(arguments)
    except FAILURE as error:
        raise ConfigError(
            f"no JSON Schema describes the parameters of {printable(name)}:"
            f" {type(error).__name__}: {printable(error, limits.ERROR_PIECE)}",
            hint="give each parameter a name and a type that pydantic knows",
        ) from error
    info = OwnInfo(name, inspect.getdoc(function) or "", schema)
    return OwnTool(info.export_name, info, function, arguments)


def _model(function: Function) -> type[BaseModel]:
    """Return a model with a field for each parameter, which is its alias."""
    from pydantic import ConfigDict, Field, create_model

    types = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for number, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.kind not in _ONE_BY_ONE:
            raise TypeError(f"{parameter} takes arguments without a name of their own")
        has_default = parameter.default is not parameter.empty
        default = parameter.default if has_default else ...
        # A field may not be called like a method of the model; an alias may.
        fields[f"p{number}"] = (
            types.get(parameter.name, Any),
            Field(default, alias=parameter.name),
        )
    config = ConfigDict(extra="forbid", hide_input_in_errors=True)
    return create_model("Arguments", __config__=config, **fields)


@dataclass(frozen=True, slots=True)
class OwnTool:
    """A function of the program's own, with the members of a tool.

    Attributes:
        name: Its name for models.
        info: Its name, texts and schema.
        client: None: no server runs it.
    """

    name: str
    info: OwnInfo
    _function: Function = field(repr=False)
    _arguments: type[BaseModel] = field(repr=False)
    _hooks: tuple[BeforeCall, ...] = field(default=(), repr=False)
    client: None = None

    def __repr__(self) -> str:
        return f"<own tool {printable(self.name, 80)}>"

    def renamed(self, name: str, /) -> OwnTool:
        """Return the same tool under another name."""
        return replace(self, name=short_name(name))

    def asking(self, before_call: BeforeCall, /) -> OwnTool:
        """Return the same tool with one more hook, which runs before each call."""
        return replace(self, _hooks=(*self._hooks, before_call))

    def answer(self, arguments: Mapping[str, Any], /) -> Answer:
        """Call the function and return its answer for a model.

        An exception of the function is an answer, too. The log has its traceback, but
        for an error of a server that the function calls.

        Args:
            arguments: Name of the parameter to JSON value.
        """
        try:
            allowed = approved(self._hooks, self.info.tool, arguments)
            ready = self._parsed(allowed)
        except MODEL_ERRORS as error:
            return refused(error)
        try:
            result = self._function(**ready)
            if inspect.isawaitable(result):
                result = finish(result)
            return _answer(self.info.tool, result)
        except FAILURE as error:
            return self._failed(error)

    async def answer_async(self, arguments: Mapping[str, Any], /) -> Answer:
        """Call the function in a task, or in a thread if it blocks; see `answer`."""
        try:
            allowed = await approved_async(self._hooks, self.info.tool, arguments)
            ready = self._parsed(allowed)
        except MODEL_ERRORS as error:
            return refused(error)
        try:
            result = await _awaited(self._function, ready)
            return _answer(self.info.tool, result)
        except FAILURE as error:
            return self._failed(error)

    def connect(self) -> None:
        """Do nothing: there is no server."""

    async def connect_async(self) -> None:
        """Do nothing: there is no server."""

    def close(self) -> None:
        """Do nothing: there is no server."""

    async def close_async(self) -> None:
        """Do nothing: there is no server."""

    def _parsed(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the function, without those that have defaults.

        Raises:
            InvalidArgumentsError: The arguments do not fit the parameters.
        """
        from pydantic import ValidationError

        try:
            model = self._arguments.model_validate_json(dumps(dict(arguments)))
        except ValidationError as error:
            faults = faults_of(error, dict(arguments))
            raise InvalidArgumentsError(self.info.tool, faults) from None
        fields = type(model).model_fields
        return {
            str(fields[name].alias): getattr(model, name)
            for name in model.model_fields_set
        }

    def _failed(self, error: Exception) -> Answer:
        if isinstance(error, McpError):  # of a server that the function calls
            return failed(error)
        _log.warning("the function %s raised", self.info.tool, exc_info=error)
        text = f"{type(error).__name__}: {error}"
        return Answer((Part("text", text),), None, None, error)


async def _awaited(function: Function, arguments: Mapping[str, Any]) -> Any:
    """Return the result of a function; one that blocks runs in a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(**arguments)
    from anyio import to_thread

    result = await to_thread.run_sync(partial(function, **arguments))
    return await result if inspect.isawaitable(result) else result


def _answer(tool: str, value: object) -> Answer:
    """Return the answer of a function that returned: a text, or a value as JSON.

    The result of a tool that failed is the failure of the function, too.
    """
    from pydantic_core import to_json

    if isinstance(value, ToolResult):
        failure = value.is_error
        return refused(ToolError(tool, value)) if failure else accepted(value, value)
    if isinstance(value, str):
        return accepted(_result({}, value), value)
    text = to_json(value, fallback=str, inf_nan_mode="strings").decode()
    return accepted(_result({"structuredContent": loads(text.encode())}, text), value)


def _result(members: Mapping[str, Any], text: str) -> ToolResult:
    content = [{"type": "text", "text": text}]
    return ToolResult.from_wire({"content": content, **members})
