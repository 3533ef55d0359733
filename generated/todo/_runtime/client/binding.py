# Copied by mcp-bindgen. Do not edit.
"""Connects a typed function with its tool: checks arguments and reads results."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError

from ..errors import FAILURE, Fault, InvalidArgumentsError, UnusableToolError
from ..validation.models import Model, TypeBuildError, to_json
from ..validation.scalars import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..results import ToolResult

__all__ = ["Binding", "inferred", "raw", "structured"]

ResultT = TypeVar("ResultT")


# Values of these classes are sent as they are.
_TEXTS = frozenset({str, NoneType, type(MISSING)})


@dataclass(frozen=True, slots=True)
class Binding(Generic[ResultT]):
    """The facts of a tool that its generated function needs.

    Attributes:
        tool: The tool's name on the wire.
        arguments: Model of the input schema.
        read: Turns a result into the value that the function returns.
        retryable: Whether a second call changes nothing more, by the server's
            annotations.
        header_params: Header token to the path of the argument it repeats
            (`x-mcp-header`, MCP 2026-07-28).
        formats: Wire name to `format`, for parameters that take a date, a UUID or the
            like as well as its text.
    """

    tool: str
    arguments: type[Model]
    read: Callable[[str, ToolResult], ResultT]
    retryable: bool = False
    header_params: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    formats: Mapping[str, str] | None = None

    def prepare(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Return the JSON object to send.

        Args:
            arguments: Wire name to value; a value of `MISSING` is not sent.

        Raises:
            InvalidArgumentsError: The input schema forbids these arguments.
            UnusableToolError: Pydantic cannot build the model of the arguments.
        """
        formats = self.formats
        if formats and not _TEXTS.issuperset(map(type, map(arguments.get, formats))):
            arguments = self._with_texts(arguments, formats)
        wire: dict[str, Any] = {}
        try:
            wire = to_json(arguments)
            self.arguments.__pydantic_validator__.validate_python(wire)
        except ValidationError as error:
            from .faults import faults_of  # most calls have none

            faults = faults_of(error, wire)
        except RecursionError:
            faults = [Fault("", "depth", "Input holds itself, or is nested too deeply")]
        except FAILURE as error:
            from ..validation.bounded import builds

            if builds(self.arguments):
                raise  # from a value's own code, or from a signal handler
            raise UnusableToolError(self.tool, error) from error
        else:
            return wire
        raise InvalidArgumentsError(self.tool, faults)

    def _with_texts(
        self, arguments: Mapping[str, object], formats: Mapping[str, str]
    ) -> Mapping[str, object]:
        from ..validation.texts import faults_of_texts, with_texts

        if faults := [*faults_of_texts(arguments, formats)]:
            raise InvalidArgumentsError(self.tool, faults)
        return with_texts(arguments, formats)

    def parse(self, result: ToolResult) -> ResultT:
        """Return a successful result, typed.

        Raises:
            UnexpectedResultError: The output schema forbids this result.
        """
        return self.read(self.tool, result)


def raw(_tool: str, result: ToolResult) -> ToolResult:
    """Return the result unchanged, for a tool without output schema."""
    return result


def structured(type_: Any) -> Callable[[str, ToolResult], Any]:
    """Make a reader of structured results.

    Args:
        type_: The type of the output schema.
    """
    validator = _validator(type_)

    def read(tool: str, result: ToolResult) -> Any:
        try:
            if result.has_structured:
                return validator()(result.structured)
            faults = [Fault("", "required", "the result has no structuredContent")]
        except ValidationError as error:
            from .faults import faults_of  # most results have none

            faults = faults_of(error, result.structured)
        except TypeBuildError as error:
            faults = [Fault("", "type", f"its type cannot be built: {error}")]

        from ..results import UnexpectedResultError  # most programs never need it

        raise UnexpectedResultError(tool, result, faults)

    return read


def inferred(type_: Any) -> Callable[[str, ToolResult], Any]:
    """Make a reader for results whose type is inferred from recorded answers.

    The server promises nothing: a result of another type is returned unchanged.

    Args:
        type_: The type that fits all recorded answers.
    """
    validator = _validator(type_)

    def read(_tool: str, result: ToolResult) -> Any:
        try:
            value = result.structured if result.has_structured else result.json()
            return validator()(value)
        except (ValueError, TypeBuildError) as _:
            return result

    return read


def _validator(type_: Any) -> Callable[[], Callable[[object], Any]]:
    """Return a function that gives the validator of a type, and builds it late."""

    @cache
    def validator() -> Callable[[object], Any]:
        from ..validation.bounded import reader

        return reader(type_)

    return validator
