"""Source text for the types of `client.complete`: the arguments of each reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.python.docstring_safety import value_parts
from mcp_bindgen.python.expressions import (
    Name,
    literal,
    name,
    statement,
    sub,
    union,
)
from mcp_bindgen.python.literals import Code
from mcp_bindgen.render.tool_module import import_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.schema.ir import Catalog, Feature

__all__ = ["FILTERS"]

_TEXT = name("str")


class Kind(NamedTuple):
    """Prompts or templates, to which a completion refers.

    Attributes:
        parameter: The parameter of `client.complete` that takes the reference.
        enum: The enumeration of the members, and the module that defines it.
        info: The class of the descriptions, and its module.
        features: The prompts or templates that have arguments.
    """

    parameter: str
    enum: tuple[str, str]
    info: tuple[str, str]
    features: Sequence[Feature]


def _kinds(catalog: Catalog) -> list[Kind]:
    """Return the kinds of references that a package has."""
    client = "._runtime.client"
    infos = (f"{client}.prompts", f"{client}.resources")
    kinds = [
        Kind(
            *("prompt", ("Prompt", ".prompts"), ("PromptInfo", infos[0])),
            [prompt for prompt in catalog.prompts if prompt.parameters],
        ),
        Kind(
            *("template", ("ResourceTemplate", ".resources")),
            ("ResourceTemplateInfo", infos[1]),
            [template for template in catalog.templates if template.parameters],
        ),
    ]
    return [kind for kind in kinds if kind.features]


def completes(catalog: Catalog) -> bool:
    """Return whether the package has arguments that a server may complete."""
    return bool(_kinds(catalog))


def completion_imports(catalog: Catalog) -> list[Code]:
    """Return the import statements of the package's own names, sorted."""
    modules = {"._runtime.client.prompts": ["Completion"]}
    for kind in _kinds(catalog):
        for member, module in (kind.info, kind.enum):
            modules.setdefault(module, []).append(member)
    return [import_from(module, modules[module]) for module in sorted(modules)]


def completion_overloads(catalog: Catalog) -> Iterator[list[Code]]:
    """Yield the parameters of each overload that depend on the reference.

    A description in place of a member takes any argument: a program that does not know
    the server passes `PROMPTS[prompt]`, or an entry of `client.list_prompts()`.
    """
    for kind in _kinds(catalog):
        enum, _ = kind.enum
        for feature in kind.features:
            member = sub("Literal", name(f"{enum}.{feature.member}"))
            yield _parameters(_argument(feature), kind.parameter, member)
        yield _parameters(_TEXT, kind.parameter, name(kind.info[0]))


def _argument(feature: Feature) -> Expr:
    """Return the type of the names on the wire of a feature's arguments."""
    wires = [parameter.wire.text for parameter in feature.parameters]
    if any(len(value_parts(wire)) > 1 for wire in wires):
        return _TEXT  # a documentation tool would obey one of them
    return sub("Literal", *map(literal, wires))


def _parameters(argument: Expr, parameter: str, reference: Expr) -> list[Code]:
    """Return the parameters of an overload, each with its comma."""
    others = union([sub("Mapping", argument, _TEXT), Name(Code("None"))])
    return [
        statement("argument: ", argument, ",", 8),
        statement(f"{parameter}: ", reference, ",", 8),
        statement("others: ", others, " = None,", 8),
    ]


FILTERS: dict[str, Any] = {
    "completes": completes,
    "completion_imports": completion_imports,
    "completion_overloads": completion_overloads,
}
