# Copied by mcp-bindgen. Do not edit.
"""Answers the requests of a server with the functions and values of the user.

MCP 2025-11-25 and 2026-07-28: client, "Elicitation", "Sampling", "Roots".
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import ConfigError, printable
from ..json_values import members
from .url_request import UrlRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .server_options import ServerOptions

    Handler = Callable[[dict[str, Any]], Any]
    Convert = Callable[[dict[str, Any], Any], dict[str, Any]]

__all__ = ["Questions", "root"]

_ACTIONS = ("accept", "decline", "cancel")
_DECLINED = {"action": "decline"}

_log = logging.getLogger(__name__.partition("._runtime")[0])


class Questions:
    """The answers of one client.

    Args:
        options: The functions and values of the user.

    Attributes:
        server: Who asks, for people: scheme and host, or the name of a program.
        handlers: Method of a request to the function that answers it.
        offers: The capabilities that are declared for these.

    Raises:
        ConfigError: A root is none.
    """

    def __init__(self, options: ServerOptions) -> None:
        self.server = "the server"
        self.handlers: dict[str, Handler] = {}
        self.offers: dict[str, Any] = {}
        self._form = options.get("on_elicit")
        self._url = options.get("on_url")
        modes = {"form": self._form, "url": self._url}
        if any(modes.values()):
            self.handlers["elicitation/create"] = self._elicit
            self.offers["elicitation"] = {m: {} for m, asks in modes.items() if asks}
        if on_sample := options.get("on_sample"):
            self.handlers["sampling/createMessage"] = _converting(on_sample, _message)
            tools: dict[str, Any] = {"tools": {}} if options.get("sample_tools") else {}
            self.offers["sampling"] = tools
        if "roots" in options:
            listed = [root(each) for each in options["roots"]]
            self.handlers["roots/list"] = lambda _: {"roots": listed}
            self.offers["roots"] = {}

    def _elicit(self, params: dict[str, Any]) -> Any:
        if params.get("mode", "form") != "url":
            return _converting(cast("Handler", self._form), _form_result)(params)
        try:
            request = UrlRequest.of(self.server, params)
        except ConfigError as error:
            _log.warning("%s asks for a page: %s", self.server, error.message)
            return _DECLINED
        agreed: Any = cast("Callable[[UrlRequest], Any]", self._url)(request)
        return _then(agreed, _url_result)


def _converting(function: Handler, convert: Convert) -> Handler:
    def handler(params: dict[str, Any]) -> Any:
        return _then(function(params), lambda value: convert(params, value))

    return handler


def _then(value: Any, convert: Callable[[Any], dict[str, Any]]) -> Any:
    """Convert a value, or the result of a coroutine."""
    return _awaited(value, convert) if isawaitable(value) else convert(value)


async def _awaited(
    value: Awaitable[Any], convert: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    return convert(await value)


def _url_result(agreed: object) -> dict[str, Any]:
    # A function that returns nothing has not agreed.
    return {"action": "accept"} if agreed is True else dict(_DECLINED)


def _form_result(params: dict[str, Any], value: object) -> dict[str, Any]:
    """Return the result of a form from the answer of the user's function.

    Raises:
        ConfigError: It is no answer, or does not fit the form.
    """
    if value is None:
        return {"action": "cancel"}
    if value is False:
        return dict(_DECLINED)
    if members(value).get("action") in _ACTIONS:
        return members(value)
    if value is True:
        return {"action": "accept", "content": _completed(params, {})}
    dump: Any = getattr(value, "model_dump", None)
    if dump is not None:
        content = dump(mode="json", by_alias=True, exclude_unset=True)
        return {"action": "accept", "content": _completed(params, content)}
    kind = type(cast("Any", value)).__name__
    raise ConfigError(
        f"on_elicit returned {kind}, which is no answer to a form",
        hint="return a Pydantic model, True, False, None, or a dict with an action",
    )


def _completed(params: Mapping[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a form: the user's, else the form's defaults.

    Raises:
        ConfigError: The values do not fit the form.
    """
    from ..validation.schema import SchemaChecker

    schema = members(params.get("requestedSchema"))
    properties = members(schema.get("properties"))
    defaults = {
        name: members(field)["default"]
        for name, field in properties.items()
        if "default" in members(field)
    }
    whole = {**defaults, **content}
    faults = [*SchemaChecker(schema).faults(whole)]
    if faults:
        raise ConfigError(
            f"the answer does not fit the server's form: {faults[0]}",
            hint="return a model that has the fields of requestedSchema",
        )
    return whole


def _message(params: dict[str, Any], value: object) -> dict[str, Any]:
    """Return the result of sampling from the answer of the user's function.

    Raises:
        ConfigError: It is no message.
    """
    del params
    if isinstance(value, str):
        content = {"type": "text", "text": value}
        return {"role": "assistant", "content": content, "model": "unknown"}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise ConfigError(
        f"on_sample returned {type(value).__name__}, which is no message",
        hint="return a text, or a dict with role, content and model",
    )


def root(value: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Return a root as it is sent.

    Example: `root("/srv/data")` gives `{"uri": "file:///srv/data", "name": "data"}`.

    Args:
        value: A path, a file:// URI, or a whole root.

    Raises:
        ConfigError: It is none of them.
    """
    if isinstance(value, Mapping):
        whole = dict(value)
        uri = whole.get("uri")
    elif str(value).startswith("file://"):
        whole, uri = {"uri": str(value)}, str(value)
    else:
        path = Path(value).expanduser().resolve()
        uri = path.as_uri()
        whole = {"uri": uri, "name": path.name or uri}
    if not isinstance(uri, str) or not uri.startswith("file://"):
        raise ConfigError(
            f"expected a root that begins with file://, got {printable(uri, 100)}",
            hint='pass a path, or {"uri": "file:///folder", "name": "..."}',
        )
    return whole
