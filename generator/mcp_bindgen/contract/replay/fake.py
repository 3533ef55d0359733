"""A client for tests, whose answers the test chooses."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.replay.answers import fits, result_of
from mcp_bindgen.contract.replay.matching import mismatch
from mcp_bindgen.contract.replay.packages import client_of, package_of
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["Call", "Fake", "When"]

ClientT = TypeVar("ClientT")
R = TypeVar("R")
# With one of these keywords, a tool takes arguments that it does not name.
_MORE = "additionalProperties"
_OPEN = {_MORE, "patternProperties", "$ref", "allOf", "anyOf", "oneOf"}


class Call(NamedTuple):
    """One call that was made.

    Attributes:
        tool: The tool's name at the server.
        arguments: The arguments, as they would be sent.
    """

    tool: str
    arguments: dict[str, Any]


class Fake(Generic[ClientT]):
    """Answers the calls of a client as a test says.

    Example:
        fake = Fake(catalog.Client)
        fake.when(catalog.search_metadata).returns(SearchMetadataResult(...))
        assert fake.client.search_metadata(query="sales").total == 1

    Attributes:
        client: The client to give to the program under test.
        calls: The calls that it made, in their order.
    """

    def __init__(self, client: type[ClientT]) -> None:
        self._package = package_of(client)
        self._rules: list[tuple[Call, Any]] = []
        self._tools: dict[str, dict[str, Any]] = {}
        if self._package.recording.exists():
            listed = json.loads(self._package.recording.read_text("utf-8"))["tools"]
            self._tools = {tool["name"]: tool for tool in listed}
        self.client: ClientT = client_of(client, self._answer)
        self.calls: list[Call] = []

    def when(self, tool: Callable[..., R | Awaitable[R]], **arguments: Any) -> When[R]:
        """Select the calls that the next answer is for.

        Args:
            tool: The tool's function, of the package.
            arguments: Arguments that a call has to have, by their wire names.

        Raises:
            ValueError: The package has no such tool, or the tool no such argument.
        """
        function = getattr(tool, "__name__", repr(tool)).removesuffix("_async")
        name = self._package.tools.get(function)
        if name is None:
            raise ValueError(
                f"expected a function of the package, as catalog.search, got {function}"
            )
        schema = members(self._tools.get(name, {}).get("inputSchema"))
        known = members(schema.get("properties"))
        unknown = arguments.keys() - known.keys()
        if unknown and (not _OPEN & schema.keys() or schema.get(_MORE) is False):
            raise ValueError(
                f"{name}: expected wire names of arguments ({', '.join(known)}),"
                f" got {', '.join(sorted(unknown))}"
            )
        return When(self, Call(name, arguments))

    def add(self, call: Call, value: Any) -> None:
        """Answer calls that have these arguments with a value, or by an exception.

        Raises:
            ValueError: The value does not fit the output schema of the tool.
        """
        if not isinstance(value, BaseException):
            value = self._result(value)
            if faults := fits(self._tools.get(call.tool, {}), value):
                listed = "; ".join(map(str, faults[:5]))
                raise ValueError(
                    f"{call.tool}: no value of its output schema: {listed}"
                )
        self._rules.append((call, value))

    def add_result(self, call: Call, result: dict[str, Any]) -> None:
        """Answer calls that have these arguments with a whole result."""
        self._rules.append((call, result))

    def _result(self, value: Any) -> dict[str, Any]:
        if isinstance(value, str):
            return result_of(ABSENT, value)
        models: Any = import_module(f"{self._package.runtime}.validation.models")
        return result_of(models.to_json(value), "")

    def _answer(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        __tracebackhide__ = True
        self.calls.append(Call(tool, arguments))
        for call, value in reversed(self._rules):
            if call.tool == tool and call.arguments.items() <= arguments.items():
                if isinstance(value, BaseException):
                    raise value
                return dict(value)
        known = [{"name": c.tool, "arguments": c.arguments} for c, _ in self._rules]
        hint = f"fake.when({tool}).returns(...)"
        raise AssertionError(mismatch(known, tool, arguments, hint))


class When(Generic[R]):
    """The selected calls, which need an answer."""

    def __init__(self, fake: Fake[Any], call: Call) -> None:
        self._fake = fake
        self._call = call

    def returns(self, value: R | dict[str, Any] | str) -> None:
        """Answer with a model of the package, a JSON value, or a text."""
        self._fake.add(self._call, value)

    def fails(self, error: BaseException | str) -> None:
        """Raise an error, or let the tool report a failure with this text."""
        if isinstance(error, str):
            content = [{"type": "text", "text": error}]
            self._fake.add_result(self._call, {"content": content, "isError": True})
        else:
            self._fake.add(self._call, error)
