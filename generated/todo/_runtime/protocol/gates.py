# Copied by mcp-bindgen. Do not edit.
"""The gates of a session: all must let a request of the server pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import ref

from ..errors import ENDING
from ..strict_json import loads
from .messages import encode
from .steps import Ask

if TYPE_CHECKING:
    from ..errors import McpError
    from .steps import Flow

__all__ = ["Gates", "Passage", "permit"]

T = TypeVar("T")


class Passage(Protocol):
    """One request of the server on its way to the handler, at one gate."""

    def begin(self) -> McpError | Ask | None:
        """Return the reason to deny it, or the question to a person, or None."""
        ...

    def answered(self, answer: object, /) -> McpError | None:
        """Take the answer of the person; return why the request is denied."""
        ...

    def ended(self, result: object, /) -> McpError | None:
        """Take the handler's result; return why it must not be sent."""
        ...

    def failed(self, error: BaseException, /) -> None:
        """Note that the handler failed."""
        ...


class Gates:
    """The gates of one session; each leaves with the object that it belongs to.

    Attributes:
        compares: Whether a change of the server's tools must be known before a call.
    """

    def __init__(self) -> None:
        self.compares = False
        self._gates = dict[ref[Any], Callable[..., Passage]]()

    def add(
        self, holder: T, gate: Callable[[T, str, Mapping[str, Any]], Passage]
    ) -> None:
        """Add a gate.

        Args:
            holder: The gate leaves with it.
            gate: Takes the holder, the method and the params of a request.
        """
        gates = self._gates
        gates[ref(holder, lambda gone: gates.pop(gone, None))] = gate

    def passages(self, method: str, params: Mapping[str, Any]) -> list[Passage]:
        """Return the passages of one request through all gates."""
        # The list is made in one step: other threads may add gates meanwhile.
        gates = [(reference(), gate) for reference, gate in list(self._gates.items())]
        return [
            gate(holder, method, params) for holder, gate in gates if holder is not None
        ]


def permit(
    gates: Gates, method: str, params: Mapping[str, Any], handler: Callable[..., Any]
) -> Flow[Any, Any]:
    """Have a handler answer a request of the server, if all gates let it pass.

    Every handler of server requests is called here and nowhere else.

    Example: `result = yield from permit(settings.gates, method, params, handler)`.

    Args:
        gates: The gates of the session.
        method: The method of the request.
        params: Its params, as the server sent them.
        handler: Takes the params and gives the result; it may be async.

    Returns:
        The handler's result; an `McpError` where a gate denies the request.

    Raises:
        InvalidArgumentsError: The result has no JSON form.
    """
    passed: list[Passage] = []
    for passage in gates.passages(method, params):
        denial = passage.begin()
        if isinstance(denial, Ask):
            denial = passage.answered((yield from denial))
        if denial is not None:
            _leave(passed, denial)
            return denial
        passed.append(passage)
    try:
        result = yield from Ask(handler, (params,))
    except ENDING as error:
        _leave(passed, error)
        raise
    if passed:  # a later change of the result does not count
        result = loads(encode({"result": result}))["result"]
    for number, passage in enumerate(passed, 1):
        denial = passage.ended(result)
        if denial is not None:
            _leave(passed[number:], denial)
            return denial
    return result


def _leave(passages: list[Passage], error: BaseException) -> None:
    for passage in passages:
        passage.failed(error)
