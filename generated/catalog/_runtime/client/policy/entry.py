# Copied by mcp-bindgen. Do not edit.
"""The entries of a policy file, ready to decide with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Check = Callable[[Mapping[str, Any]], str]

__all__ = [
    "ALWAYS",
    "DEFAULT_MODES",
    "FAMILIES",
    "LEAST_BYTES",
    "LEAST_RATE",
    "RISKS",
    "SCOPES",
    "Constraint",
    "Document",
    "Entry",
    "PathRule",
    "Rate",
    "ResultRule",
    "Server",
    "When",
    "family",
]

RISKS = ("low", "medium", "high")
SCOPES = ("client", "principal", "tool")
LEAST_RATE = 1e-6
"""Calls a minute: more than one in two years."""
LEAST_BYTES = 64
"""Bytes of the shortest result: "[cut]"."""
DEFAULT_MODES = ("NORMAL", "DEGRADED", "ALERT")

_OPENING = """
    initialize ping server/discover tools/list resources/list resources/templates/list
    prompts/list tasks/list logging/setLevel
    """
ALWAYS = frozenset(_OPENING.split())
"""Methods that only open a session or list what there is; no policy denies them."""

FAMILIES = {
    "tools/call": "tools",
    "resources/read": "resources",
    "resources/subscribe": "resources",
    "resources/unsubscribe": "resources",
    "subscriptions/listen": "resources",
    "prompts/get": "prompts",
    "completion/complete": "completion",
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}
"""Method to the key of `[default]` that decides about it."""

Effect = Literal["allow", "approve", "deny"]


def family(method: str) -> str:
    """Return the key of `[default]` for a method."""
    return FAMILIES.get(method, "methods")


@dataclass(frozen=True, slots=True)
class PathRule:
    """The files and folders that a path in the arguments may name.

    Attributes:
        allowed: The path is one of these, or below one; without any, all paths are
            allowed.
        forbidden: The path is none of these, nor below one.
        local: Whether server and client share a disk, so that links are resolved.
    """

    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    local: bool = False


@dataclass(frozen=True, slots=True)
class Constraint:
    """The values that one argument may have.

    Attributes:
        pointer: JSON pointer into the arguments; the step * is every element.
        steps: The steps of the pointer.
        values: JSON keys of the values that it may have; None for any value.
        matches: Whether the whole of a text matches the pattern.
        maximum: The largest number.
        max_length: The most characters of a text, or elements of an array.
        path: The rule for a path.
        absent: Whether the argument may be absent.
        expected: The allowed values in words, for people and models.
    """

    pointer: str
    steps: tuple[str, ...]
    values: frozenset[object] | None = None
    matches: Callable[[str], bool] | None = field(default=None, repr=False)
    maximum: float | None = None
    max_length: int | None = None
    path: PathRule | None = None
    absent: bool = False
    expected: str = ""


@dataclass(frozen=True, slots=True)
class When:
    """A rule for some calls of a tool; it only tightens.

    Attributes:
        rule: Its name in messages and logs: "tools.X.when[0]".
        tests: Steps of an argument, JSON keys of its values, and whether the rule holds
            where the argument is absent.
        modes: The modes in which these calls may run; None for those of the entry.
        approval: The modes in which a person approves these calls.
        deny: Whether these calls are denied.
    """

    rule: str
    tests: tuple[tuple[tuple[str, ...], frozenset[object], bool], ...]
    modes: frozenset[str] | None = None
    approval: frozenset[str] = frozenset()
    deny: bool = False


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a tool may run in this process.

    Attributes:
        per_minute: Calls a minute, on average.
        burst: Calls at once.
        scope: Who shares them: the calls of one "client", of one "principal", or all
            calls of the "tool".
    """

    per_minute: float
    burst: int
    scope: str = "client"


@dataclass(frozen=True, slots=True)
class ResultRule:
    """The changes to results before the caller reads them.

    Attributes:
        max_bytes: Bytes of JSON that a result may have; longer texts are cut.
        strip_hidden: Whether texts lose their invisible characters.
        mask: Patterns whose matches are replaced.
        lint: Whether texts that attack models are marked; nothing is changed then.
    """

    max_bytes: int | None = None
    strip_hidden: bool = False
    mask: tuple[str, ...] = ()
    lint: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """The owner's decision about one tool or method.

    Attributes:
        name: The wire name of the tool, or the method.
        key: The key in the file: "tools.X".
        effect: "deny" to run nothing, "approve" if a person always decides.
        risk: "low", "medium" or "high".
        modes: The modes in which it may run.
        approval: The modes in which a person approves each call.
        timeout: The most seconds for a call.
        rate: How often it may run.
        constraints: The values that arguments may have, each with its check.
        whens: Rules for some calls, each with the test whether it applies to a call.
        twin: Returns the argument that is there in another spelling, "" for none; None
            where no rule is about an argument.
        secrets: Tests of texts that no argument may hold.
        results: The changes to results.
        reads_untrusted: Whether results hold texts of strangers.
        sends_out: Whether a call sends something to strangers.
        enforced: Whether denials count; else the log alone has them.
        reviewed: The pin of the review, "" where the tool is not reviewed.
        log_values: Whether the audit log has the values of the arguments.
        note: A remark for people.
        reason: Why it denies, where more than the file's word says so.
    """

    name: str
    key: str
    effect: Effect = "allow"
    risk: str = "medium"
    modes: frozenset[str] = frozenset()
    approval: frozenset[str] = frozenset()
    timeout: float | None = None
    rate: Rate | None = None
    constraints: tuple[tuple[Constraint, Check], ...] = ()
    whens: tuple[tuple[When, Callable[[Mapping[str, Any]], bool]], ...] = ()
    twin: Callable[[Any], str] | None = field(default=None, repr=False)
    secrets: tuple[Callable[[str], bool], ...] = field(default=(), repr=False)
    results: ResultRule | None = None
    reads_untrusted: bool = False
    sends_out: bool = False
    enforced: bool = True
    reviewed: str = ""
    log_values: bool = False
    note: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """The server that the policy is for, as far as the file says.

    Attributes:
        url: Its address, or "".
        command: The program and its arguments, or ().
    """

    url: str = ""
    command: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """The text that identifies the server in a review, "" if it is unknown."""
        return self.url or "\x00".join(self.command)


@dataclass(frozen=True, slots=True)
class Document:
    """A policy file, read and checked.

    Attributes:
        digest: SHA-256 of the file.
        modes: The names of the modes, in the order of the file.
        server: The server that it is for.
        tools: Wire name to entry.
        methods: Method to entry.
        resources: URI, or template of URIs, to entry.
        prompts: Wire name of a prompt to entry.
        defaults: The entry of each family, for tools and methods without their own.
        unreviewed: Whether tools, resources and prompts without a review may run.
    """

    digest: str
    modes: tuple[str, ...]
    server: Server
    tools: Mapping[str, Entry]
    methods: Mapping[str, Entry]
    defaults: Mapping[str, Entry]
    unreviewed: bool = False
    resources: Mapping[str, Entry] = field(default_factory=dict[str, "Entry"])
    prompts: Mapping[str, Entry] = field(default_factory=dict[str, "Entry"])

    def entry(self, method: str, name: str | None) -> Entry:
        """Return the entry of a tool or a method.

        Args:
            method: The method of the request.
            name: The wire name of the tool, for `tools/call`.
        """
        if method == "tools/call":
            return self.tools.get(name or "") or self.defaults["tools"]
        return self.methods.get(method) or self.defaults[family(method)]

    def deciding(self, method: str, params: Mapping[str, Any]) -> Entry:
        """Return the entry that decides about a request.

        Args:
            method: The method of the request.
            params: Its params.
        """
        name: object = params.get("name")
        return self.entry(method, name if isinstance(name, str) else None)
