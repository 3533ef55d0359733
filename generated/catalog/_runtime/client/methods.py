# Copied by mcp-bindgen. Do not edit.
"""Tools as methods of a client: the call that one makes, and the result that it gives.

A generated method makes one call, and may return a part of its result. Here both are
apart, as the call of a task and its result are, with a fake client in each.
"""

from __future__ import annotations

from inspect import Parameter, isawaitable, iscoroutinefunction, signature
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .binding import Binding

__all__ = ["call_of", "no_method", "result_of"]


def no_method() -> ConfigError:
    """Return the error for anything but a tool as a method of a client."""
    return ConfigError(
        "expected a tool as a method of the client",
        hint="pass client.tool, and the arguments of the call behind it",
    )


class _CaughtError(Exception):
    """Carries the call that a generated function makes."""

    def __init__(self, binding: Any, arguments: Mapping[str, object]) -> None:
        super().__init__()
        self.binding = binding
        self.arguments = arguments


class _Catcher:
    """A fake client that only catches calls."""

    def call(self, binding: Any, arguments: Mapping[str, object]) -> Any:
        """Raise the call."""
        raise _CaughtError(binding, arguments)


def call_of(
    method: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Binding[Any], Mapping[str, object]]:
    """Return the tool and the arguments that a method of a client calls.

    Args:
        method: A tool as a method: `client.report`.
        args: The arguments of the call ...
        kwargs: ... by name.

    Raises:
        ConfigError: It is no such method.
    """
    function = getattr(method, "__func__", None)
    try:
        if function is not None:
            pending = function(_Catcher(), *args, **kwargs)
            if isawaitable(pending):
                getattr(pending, "send", bool)(None)
    except _CaughtError as caught:
        return caught.binding, caught.arguments
    except AttributeError:
        pass
    raise no_method()


class _Giver:
    """A fake client whose call has a result at once."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def call(self, _binding: object, _arguments: object) -> Any:
        """Return the result."""
        return self._result


class _AsyncGiver(_Giver):
    """A fake async client whose call has a result at once."""

    async def call(self, binding: object, arguments: object) -> Any:
        """Return the result."""
        return super().call(binding, arguments)


def result_of(method: Callable[..., Any], result: Any) -> Any:
    """Return the value that a method returns if its call has this result.

    Args:
        method: A tool as a method: `client.report`.
        result: The result of its call.
    """
    function = getattr(method, "__func__", method)
    needed = {
        parameter.name: None  # the call is made already, so that no value matters
        for parameter in signature(function).parameters.values()
        if parameter.kind is Parameter.KEYWORD_ONLY
        and parameter.default is Parameter.empty
    }
    if not iscoroutinefunction(function):
        return function(_Giver(result), **needed)
    pending = function(_AsyncGiver(result), **needed)
    try:
        pending.send(None)
    except StopIteration as done:
        return done.value
    pending.close()
    raise no_method()
