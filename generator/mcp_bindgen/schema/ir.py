"""The catalogue of tools as templates see it, with every decision taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.python.literals import PyName, WireStr

__all__ = ["Alias", "Catalog", "Feature", "Field", "Note", "Object", "Tool"]


@dataclass(frozen=True, slots=True)
class Field:
    """One property of an object, and one parameter where the object is the root.

    Attributes:
        name: Its name in Python.
        wire: Its name in JSON.
        type: Its type, without `MISSING`.
        required: Whether the object must have it.
        doc: Its description in the schema.
        default: The schema's default as JSON, for the docs alone; None for none.
        format: Its `format`, if Python has a class for such texts.
        regular: Whether the base of its class derives the name in JSON.
    """

    name: PyName
    wire: WireStr
    type: Expr
    required: bool
    doc: WireStr
    default: str | None = None
    format: str = ""
    regular: bool = False


@dataclass(frozen=True, slots=True)
class Object:
    """A model to be written.

    Attributes:
        name: The name of its class.
        doc: Its description in the schema.
        fields: Its properties, in the schema's order.
        closed: Whether other properties are forbidden.
        residual: The schema as canonical JSON, where types do not say all of it.
        base: Its base class in the runtime, which derives names by a rule if all fields
            follow it.
    """

    name: PyName
    doc: WireStr
    fields: tuple[Field, ...]
    closed: bool
    residual: WireStr | None = None
    base: str = "Model"


@dataclass(frozen=True, slots=True)
class Alias:
    """A named type to be written."""

    name: PyName
    type: Expr
    recursive: bool
    residual: WireStr | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a reader of the bindings should know of a tool.

    Attributes:
        kind: `renamed`, `residual`, `not-enforced`, `no-models`, `inferred`,
            `unwrapped` or `ambiguous`.
        pointer: JSON pointer into the tool.
        detail: The details, as text for people.
    """

    kind: str
    pointer: str
    detail: str


@dataclass(frozen=True, slots=True)
class PolicyMark:
    """The decision of a policy about a tool, a resource or a prompt.

    Attributes:
        risk: "low", "medium" or "high".
        approval: The modes in which a person approves each call.
        denied: Whether no call of it is ever allowed.
        sometimes: The other modes in which a person approves calls with some arguments.
        denies: Whether calls with some arguments are denied.
    """

    risk: str
    approval: tuple[str, ...] = ()
    denied: bool = False
    sometimes: tuple[str, ...] = ()
    denies: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool with its names, its types and its raw JSON.

    Attributes:
        returns: The kind of result of the function: the raw result, the result class,
            its only field, or the class if an answer fits it.
        extra: Whether the schema names no argument and allows any.
        checked: Whether types do not say all, so that residual validation runs.
        line: The first line of its text, which stands beside its name.
        entries: Kind of file to the JSON that the tool adds to it.
        signature: How a program calls it, in one line; "" where no target lists it.
        policy: The decision of the owner's policy, None without a policy.
    """

    wire: WireStr
    title: WireStr
    description: WireStr
    function: PyName
    member: PyName
    arguments: Object
    result: PyName | None
    returns: Literal["raw", "model", "unwrapped", "inferred"]
    return_type: Expr
    types: tuple[Object | Alias, ...]
    extra: bool
    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    header_params: tuple[tuple[WireStr, tuple[WireStr, ...]], ...]
    raw: Mapping[str, Any]
    pointer: str
    checked: bool = False
    notes: tuple[Note, ...] = ()
    line: str = ""
    entries: Mapping[str, str] = field(default_factory=dict[str, str])
    signature: str = ""
    policy: PolicyMark | None = None

    @property
    def parameters(self) -> tuple[Field, ...]:
        """The parameters of the tool's functions: required ones first."""
        fields = self.arguments.fields
        required = [field for field in fields if field.required]
        return (*required, *[field for field in fields if not field.required])


@dataclass(frozen=True, slots=True)
class Feature:
    """A resource, a resource template or a prompt, with its names.

    Attributes:
        wire: Its URI, its URI template, or its name on the wire.
        function: The name of its function; a resource has none of its own.
        member: Its member of the enumeration.
        parameters: The parameters of its functions: required ones first.
        info: Its wire form with cleaned texts, for programs.
        notes: Notes for a reader.
        policy: The decision of the owner's policy, None without a policy.
    """

    wire: WireStr
    title: WireStr
    description: WireStr
    function: PyName
    member: PyName
    info: Mapping[str, object]
    parameters: tuple[Field, ...] = ()
    notes: tuple[Note, ...] = ()
    policy: PolicyMark | None = None


@dataclass(frozen=True, slots=True)
class Catalog:
    """All that one server lists, sorted by wire name."""

    package: PyName
    server: WireStr
    server_title: WireStr
    version: WireStr
    digest: str
    tools: tuple[Tool, ...]
    recording: WireStr
    resources: tuple[Feature, ...] = ()
    templates: tuple[Feature, ...] = ()
    prompts: tuple[Feature, ...] = ()

    @property
    def features(self) -> tuple[Feature, ...]:
        """The resources, templates and prompts."""
        return (*self.resources, *self.templates, *self.prompts)

    @property
    def feature_counts(self) -> dict[str, int]:
        """The numbers of resources, resource templates and prompts, if any."""
        numbers = {
            "resources": len(self.resources),
            "resource_templates": len(self.templates),
            "prompts": len(self.prompts),
        }
        return {key: number for key, number in numbers.items() if number}

    @property
    def functions(self) -> tuple[Feature, ...]:
        """The features that have functions of their own."""
        return (*self.templates, *self.prompts)
