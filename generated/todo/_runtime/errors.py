# Copied by mcp-bindgen. Do not edit.
"""Every error that this package raises on purpose; none of them holds a secret.

McpError                    tool, server, event and advice
├── ConfigError             an argument of the client itself is unusable
├── TransportError          no answer: unreachable, broken off, or not MCP
│   ├── DeadlineError       the time for the call is over (also a TimeoutError)
│   ├── LimitError          the answer is larger or longer than allowed
│   ├── ClosedError         the client was closed
│   ├── SessionLostError    in `protocol`: the session or the program has ended
│   └── EndpointError       in `protocol`: an old server names an unsafe endpoint
├── AuthError               HTTP 401 or 403, with the fields of the challenge
│   └── OAuthError          an authorization server refuses, or is not the right one
│       └── LoginRequiredError  a person has to log in
├── ProtocolError           the server answered with a JSON-RPC error
│   └── ToolNotFoundError   it knows no tool of this name
├── InputRequiredError      the server asks for input, and no function gives it
├── InvalidArgumentsError   the arguments do not fit the tool; nothing was sent
├── UnusableToolError       the tool's own module or types do not work; nothing was sent
├── in `results`, since they hold a whole result:
│   TaskCancelledError      the server has cancelled the task of the call
│   ToolError               the tool ran and reports a failure (`isError`)
│   UnexpectedResultError   the result does not fit the tool's output schema
└── in `client/approval.py` and `client/policy`:
    DeniedError             a hook or an approver denies the call; nothing was sent
    └── PolicyError         a policy denies it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from . import limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Outcome = Literal["not sent", "refused", "unknown", "ran"]
"""Whether the call ran: never left us, was turned down, may have run, has run."""

FAILURE = (Exception,)
"""Failures of other people's code: kept, and raised where a caller expects them."""

ENDING = (BaseException,)
"""Everything that may end a step, an interrupt too; who catches it passes it on."""

SERVER_FAULT = "this is a mistake of the server; report it to its authors"
"""The hint of an error that nobody but the authors of a server can mend."""


def printable(text: object, cap: int = limits.TEXT) -> str:
    """Return foreign text safe for a terminal and a log: ASCII, one line, capped."""
    raw = str(text)
    cut = raw[:cap].replace("\\", "\\\\")
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)
    more = f"... [{len(raw) - cap} more characters]" if len(raw) > cap else ""
    return plain.encode("ascii", "backslashreplace").decode("ascii") + more


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which a value does not fit its schema; never the value itself.

    Attributes:
        path: JSON pointer into the value.
        rule: The schema keyword, or pydantic's error type.
        message: The fault.
        actual: The kind and the size of the value: "a string of 12 characters".
    """

    path: str
    rule: str
    message: str
    actual: str = ""

    def __str__(self) -> str:
        path = printable(self.path, 200) or "the value"
        actual = f" (got: {printable(self.actual, 200)})" if self.actual else ""
        return f"{path}: {printable(self.message, 300)}{actual}"


def _rebuild(kind: type[McpError], state: dict[str, Any]) -> McpError:
    error = kind.__new__(kind)
    error.__dict__.update(state)
    return error


class McpError(Exception):
    """Base of everything this package raises on purpose.

    Attributes:
        message: The fault; foreign text in it is escaped and capped.
        hint: A step to mend it, or "".
        outcome: Whether the call ran.
        tool: Wire name of the tool that was called, or None.
        server: Scheme and host of the server, or the name of its program, or None.
        advice: The hint of errors that are raised without one.
    """

    advice: ClassVar[str] = ""
    outcome: Outcome = "not sent"
    tool: str | None = None
    server: str | None = None

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__()
        self.message = message
        self.hint = hint or self.advice

    def __str__(self) -> str:
        tool = "" if self.tool is None else f"{printable(self.tool, 200)}: "
        server = "" if self.server is None else f" ({self.server})"
        doubt = "; the call may have run" * bool(tool and self.outcome == "unknown")
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{tool}{self.message}{doubt}{server}{hint}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.__dict__)


class ConfigError(McpError, ValueError):
    """An argument of the client itself is unusable: a URL, a header, a command."""


class TransportError(McpError):
    """The server could not be reached, broke off, or did not speak MCP.

    Attributes:
        status: HTTP status, where one arrived.
        retry_after: Seconds that the server asked to wait, where it did.
        transient: Whether trying again later may help.
        is_legacy_server: Whether the answer shows that the server is an older one.
    """

    def __init__(
        self,
        message: str,
        *,
        outcome: Outcome = "unknown",
        hint: str = "",
        status: int | None = None,
        retry_after: float | None = None,
        transient: bool = False,
        is_legacy_server: bool = False,
    ) -> None:
        super().__init__(message, hint=hint)
        self.outcome = outcome
        self.status = status
        self.retry_after = retry_after
        self.transient = transient
        self.is_legacy_server = is_legacy_server


class DeadlineError(TransportError, TimeoutError):
    """The time for the call is over."""


class LimitError(TransportError):
    """The answer is larger, longer or deeper than the client allows."""

    advice = "ask the server for less, or report it to its authors"


class ClosedError(TransportError):
    """The client was closed."""

    advice = "make a new client"


class AuthError(McpError):
    """The server wants other credentials (HTTP 401 or 403).

    Attributes:
        status: 401 or 403.
        challenge: Fields of WWW-Authenticate: error, error_description, scope,
            resource_metadata (RFC 6750, RFC 9728) ... as the server sent them.
    """

    outcome = "refused"

    def __init__(
        self, status: int, challenge: Mapping[str, str], detail: str = ""
    ) -> None:
        reason = challenge.get("error_description") or challenge.get("error") or ""
        text = f": {printable(reason, 300)}" if reason else detail
        scope = printable(challenge.get("scope", ""), 200)
        super().__init__(
            f"the server refused the credentials (HTTP {status}){text}",
            hint=(
                f"a token with the scope {scope!r} is needed"
                if scope
                else "check the token; a callable as token is asked again on 401"
            ),
        )
        self.status = status
        self.challenge = dict(challenge)


class OAuthError(AuthError):
    """There is no token: a server refuses, or does not follow the rules of OAuth.

    Attributes:
        error: The code of the authorization server (RFC 6749, 5.2), or "".
    """

    def __init__(self, message: str, *, hint: str = "", error: str = "") -> None:
        super().__init__(401, {})
        self.message, self.hint, self.error = message, hint, error


class LoginRequiredError(OAuthError):
    """A person has to log in, and cannot here."""


_READ_LOG = "the message is the server's own; its log may say more"
_CHANGED = (
    "the server may have changed: client.verify(), or mcp-bindgen check, tells how"
)
_AFTER_ERROR = {-32601: _CHANGED, -32602: _CHANGED}


class ProtocolError(McpError):
    """The server answered with a JSON-RPC error.

    Attributes:
        code: JSON-RPC error code.
        text: The server's own message, unchanged.
        data: Further data of the server, or None.
    """

    outcome = "refused"

    def __init__(self, code: int, message: str, data: object = None) -> None:
        text = f"the server answered with error {code}: {printable(message)}"
        super().__init__(text, hint=_AFTER_ERROR.get(code, _READ_LOG))
        self.code = code
        self.text = message
        self.data = data


class ToolNotFoundError(ProtocolError):
    """The server knows no tool of this name."""


class InputRequiredError(McpError):
    """The server asks for input, and the client has no handler that gives it.

    Attributes:
        requests: Key to the server's request, unchanged.
    """

    outcome = "refused"

    def __init__(self, requests: Mapping[str, Any]) -> None:
        super().__init__(
            "the server asks for input that this client does not give",
            hint="pass on_elicit=, a function that answers an elicitation",
        )
        self.requests = dict(requests)


def listed(faults: Sequence[Fault]) -> str:
    """Return the first faults, a line for each, and the number of the others."""
    lines = [f"\n  {fault}" for fault in faults[: limits.FAULTS_IN_TEXT]]
    more = len(faults) - len(lines)
    return "".join(lines) + (f"\n  and {more} more" if more else "")


class InvalidArgumentsError(McpError, ValueError):
    """The arguments do not fit the tool; nothing was sent.

    Attributes:
        faults: The faults, without the values.
    """

    def __init__(self, tool: str, faults: Sequence[Fault], kind: str = "tool") -> None:
        super().__init__(f"the arguments do not fit the {kind}:{listed(faults)}")
        self.tool = tool
        self.faults = tuple(faults)


class UnusableToolError(McpError):
    """The module of one tool does not import, or its types cannot be built.

    Nothing was sent, and the other tools of the package work.
    """

    def __init__(self, tool: str, cause: Exception) -> None:
        reason = printable(f"{type(cause).__name__}: {cause}", 300)
        super().__init__(
            f"the generated code of the tool does not work: {reason}",
            hint="generate the package again; call_tool() needs no generated code",
        )
        self.tool = tool
