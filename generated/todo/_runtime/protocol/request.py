# Copied by mcp-bindgen. Do not edit.
"""A request, the settings of a session, and the agreement of both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self

from ..json_values import members
from .gates import Gates
from .messages import META, MODERN
from .wire import Reading, StepT, Wire

if TYPE_CHECKING:
    from ..errors import ProtocolError
    from .steps import Flow

Handler = Callable[..., Any]


READS = frozenset(
    {
        *("tools/list", "resources/list", "resources/templates/list", "prompts/list"),
        *("resources/read", "prompts/get", "completion/complete"),
        *("ping", "server/discover", "tasks/get", "tasks/list", "tasks/result"),
    }
)
"""Methods that change nothing at the server, so that they may be sent again."""


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """The settings of all requests of a session.

    Attributes:
        client: Name and version that the server sees.
        version: The protocol version to speak, or None to negotiate one.
        retries: How often a request is sent again, if that is safe.
        handlers: Method of a request of the server to the function that takes its
            params and gives its result.
        offers: The capabilities that we declare for the handlers.
        on_change: Gives the flow to run when the server's tools, prompts or resources
            change; None if one runs already.
        declared: Capabilities that are declared without a handler: requests for them
            are refused.
        gates: All must let a request of the server pass, before it is answered.
    """

    client: Mapping[str, str]
    version: str | None = None
    retries: int = 2
    handlers: Mapping[str, Handler] = field(default_factory=dict[str, Handler])
    offers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    on_change: Callable[[], Flow[Any, None] | None] | None = None
    declared: tuple[str, ...] = ()
    gates: Gates = field(default_factory=Gates, repr=False, compare=False)

    @property
    def capabilities(self) -> dict[str, Any]:
        """The capabilities that we declare: requests that the server may make."""
        declared: dict[str, Any] = {name: {} for name in self.declared}
        if "elicitation" in declared:  # {} would mean forms alone
            declared["elicitation"] = {"form": {}, "url": {}}
        return declared | dict(self.offers)

    @property
    def opens_urls(self) -> bool:
        """Whether a person can be led to a URL."""
        return "url" in members(self.offers.get("elicitation"))

    @property
    def listens(self) -> bool:
        """Whether the user has a function for messages outside of our requests."""
        return bool(self.handlers or self.on_change)


class Permit(Protocol):
    """Decides whether one request may be sent, just before it is sent."""

    def met(self, session: Negotiated[Any], /) -> None:
        """Note the session that carries the request."""
        ...

    def needs_tools(self, session: Negotiated[Any], /) -> bool:
        """Return whether the server must list its tools before the request is sent."""
        ...

    def take_tools(
        self, session: Negotiated[Any], changes: int, tools: list[dict[str, Any]], /
    ) -> None:
        """Compare the tools of a session with their reviews.

        Args:
            session: The session that listed them.
            changes: The value of `session.list_changes` before they were listed.
            tools: The tools as the server lists them.
        """
        ...

    def take_no_tools(self, error: ProtocolError, /) -> None:
        """Take the server's refusal to list its tools; raise if that is a denial."""
        ...

    def check(
        self, params: Mapping[str, Any] | None, /, *, pinned: bool = True
    ) -> None:
        """Raise if the request must not be sent now."""
        ...

    def use(self) -> None:
        """Use up what one sending needs, once; raise where it is gone."""
        ...

    def seconds(self, seconds: float | None, /) -> float | None:
        """Return the seconds for the request: those that are passed, or fewer."""
        ...

    def failed(self, error: BaseException, /) -> None:
        """Note that the request failed."""
        ...

    def began(self, result: dict[str, Any], /) -> dict[str, Any]:
        """Note that a task replaces the result; return the task without content."""
        ...

    def ended(self, result: dict[str, Any], /) -> dict[str, Any]:
        """Note the result, and return it as the caller may see it."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One request to make.

    Attributes:
        on_progress: Takes progress, total, message while the request runs.
        on_log: Takes level, logger, data of each log message meanwhile.
        retryable: Whether running twice does no more than running once.
        header_params: Header token to the path of the argument it repeats.
        on_notice: Takes method and params of each other notification meanwhile.
        permits: All must let it pass, each time that it is sent.
        log_level: The lowest level of log messages; "" for all.
        submitted: Whether a task may replace the result.
    """

    method: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    on_progress: Handler | None = None
    on_log: Handler | None = None
    retryable: bool = False
    header_params: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    on_notice: Handler | None = None
    permits: tuple[Permit, ...] = field(default=(), repr=False)
    submitted: bool = False
    log_level: str = ""

    def heard(self, level: str | None, on_notice: Handler | None) -> Request:
        """Return the same request with a level of logs, and with a listener."""
        return replace(self, log_level=level or "", on_notice=on_notice)

    def as_submitted(self) -> Request:
        """Return the same request; a task may replace its result."""
        return replace(self, submitted=True)

    @classmethod
    def plain(
        cls,
        method: str,
        params: Mapping[str, Any],
        on_progress: Handler | None,
        on_log: Handler | None,
    ) -> Self:
        """Return a request with a method only."""
        return cls(method, params, on_progress, on_log, method in READS)


@dataclass(eq=False, slots=True)
class Negotiated(Generic[StepT]):
    """One session: the version and the facts that both sides agreed on.

    Attributes:
        version: The protocol version.
        facts: Result of server/discover or initialize.
        wire: Carries the messages of this session.
        session_id: The id that the server gave the session, if it gave one.
        answered: Whether the server has answered a request in this session.
        list_changes: The number of the server's notices that its tools have changed.
        log_level: The last level of logs that was sent to the server (legacy).
        completed: The ids of elicitations that the server has reported as done.
        tasks: Whether the server may answer calls with tasks.
        task_support: Tool to its `execution.taskSupport` (legacy); None before they
            are listed.
        watchers: Take the URI of each resource that the server reports as changed;
            each with the URI that it is subscribed to.
        reading: How far messages are read that belong to no request of ours.
    """

    version: str
    facts: Mapping[str, Any]
    wire: Wire[StepT] = field(repr=False)
    session_id: str | None = field(default=None, repr=False)
    answered: bool = False
    list_changes: int = 0
    log_level: str = ""
    completed: set[str] = field(default_factory=set[str], repr=False)
    tasks: bool = False
    task_support: Mapping[str, object] | None = field(default=None, repr=False)
    watchers: dict[Callable[[str], None], str] = field(
        default_factory=dict["Callable[[str], None]", str], repr=False
    )
    reading: Reading = field(default_factory=Reading, repr=False)

    @property
    def modern(self) -> bool:
        """Whether each request carries its own facts."""
        return self.version in MODERN

    @property
    def supports_tasks(self) -> bool:
        """Whether the server may answer calls with tasks; `protocol.tasks` has both."""
        capabilities = members(self.facts.get("capabilities"))
        if self.modern:
            return META + "tasks" in members(capabilities.get("extensions"))
        requests = members(members(capabilities.get("tasks")).get("requests"))
        return "call" in members(requests.get("tools"))

    @property
    def announces_tools(self) -> bool:
        """Whether the server says when its tools change."""
        capabilities = members(self.facts.get("capabilities"))
        return members(capabilities.get("tools")).get("listChanged") is True

    @property
    def server_info(self) -> Mapping[str, Any]:
        """The server's name and version."""
        if self.modern:
            return members(members(self.facts.get("_meta")).get(META + "serverInfo"))
        return members(self.facts.get("serverInfo"))


def message_of(
    settings: SessionSettings,
    negotiated: Negotiated[Any],
    number: int,
    request: Request,
    params: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the message of a request, with the facts that its era wants in `_meta`."""
    meta = dict(members(params.get("_meta")))
    if request.on_progress:
        meta["progressToken"] = number
    if negotiated.modern:
        meta[META + "protocolVersion"] = negotiated.version
        meta[META + "clientInfo"] = dict(settings.client)
        capabilities = settings.capabilities
        if negotiated.tasks:
            capabilities["extensions"] = {META + "tasks": {}}
        meta[META + "clientCapabilities"] = capabilities
        if request.on_log:
            meta[META + "logLevel"] = request.log_level or "debug"
    whole = {**params, "_meta": meta} if meta else dict(params)
    return {"jsonrpc": "2.0", "id": number, "method": request.method, "params": whole}
