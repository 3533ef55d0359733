"""A union of schemas to one type, with the tag of its members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Union,
    annotated,
    call,
    literal,
    sub,
    union,
)
from mcp_bindgen.python.names import class_words
from mcp_bindgen.schema.all_of import merge
from mcp_bindgen.schema.branch_words import words_apart
from mcp_bindgen.schema.branches import (
    are_disjoint,
    field_of,
    is_class_like,
    is_object,
    tag_of,
    types_in,
)
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import EFFECTIVE, LISTS, MAPS, RESIDUAL, SINGLE
from mcp_bindgen.schema.node import Node, mapped, types_of
from mcp_bindgen.schema.order import fixed_order, text_length
from mcp_bindgen.schema.spelling import spelled

if TYPE_CHECKING:
    from mcp_bindgen.schema.context import Compile, CompileContext, Location
    from mcp_bindgen.schema.document import Forms

__all__ = ["compile_alternatives"]

_COMPOSED = frozenset({"$ref", "allOf", "anyOf", "oneOf", "$id"})
# Keywords of branches that may become, or hold, a type with a name.
_NAMED = SINGLE | LISTS | MAPS | {"$ref", "enum", "required"}


class _Union(NamedTuple):
    """An `anyOf` or `oneOf` with its branches, and the schema around them.

    Attributes:
        keyword: `anyOf` or `oneOf`.
        branches: Its branches, unchanged.
        resolved: The same, each `$ref` replaced by the schema that it leads to.
        rest: The schema without the keyword.
        types: The types that the schema names besides, where branches do not.
        cost: How often the union multiplies the attempts of pydantic.
        order: The numbers of the branches in an order that their list does not change.
    """

    keyword: str
    branches: list[Node]
    resolved: list[Node]
    rest: dict[str, Any]
    types: tuple[str, ...]
    cost: int
    order: list[int]

    @property
    def objects(self) -> list[Node]:
        """The branches that are objects."""
        return [node for node in self.resolved if is_object(node)]


def compile_alternatives(
    context: CompileContext, node: Mapping[str, Any], location: Location, inner: Compile
) -> Expr:
    """Return the type of an `anyOf` or a `oneOf`."""
    either = _read(context, node, location)
    if _is_beyond_types(context, either):
        context.check(location, either.keyword)
        return inner(context, _without_branches(either), location)
    if either.types:
        either = _with_types_in_branches(context, either, location)
    if either.keyword == "oneOf" and not are_disjoint(either.resolved):
        context.check(location, either.keyword)
    tagged = either.objects if either.cost else either.resolved
    tag = tag_of(tagged, context.limits.enum)
    words = _words(either, tag)
    by_number = {
        number: inner(
            context,
            either.branches[number],
            location.at(either.keyword, number, word=words[number]),
        )
        for number in either.order
    }
    exprs = [by_number[number] for number in sorted(by_number)]
    if tag:
        exprs = _tagged_union(context, exprs, either.resolved, tag)
    return context.either(location, either.keyword, _joined(exprs))


def _read(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> _Union:
    keyword = "anyOf" if "anyOf" in node else "oneOf"
    branches: list[Node] = node[keyword]
    forms = context.document.forms
    if keyword == "anyOf":
        branches = _without_repeated(branches, forms)
    resolved = [context.resolve(branch) for branch in branches]
    rest = {key: value for key, value in node.items() if key != keyword}
    types = () if _name_allowed_types(resolved, node) else types_of(node)
    cost = context.cost(location, keyword)
    has_names = sum(map(_may_have_names, branches)) > 1
    order = fixed_order(branches, forms) if has_names else [*range(len(branches))]
    return _Union(keyword, branches, resolved, rest, types, cost, order)


def _may_have_names(branch: Node) -> bool:
    return isinstance(branch, Mapping) and not _NAMED.isdisjoint(branch)


def _without_repeated(branches: list[Node], forms: Forms) -> list[Node]:
    """Return branches, each of which is there once, in its shortest spelling."""
    by_text: dict[str, Node] = {}
    for branch in branches:
        text = canonical(spelled(branch, forms))
        by_text[text] = min(by_text.get(text, branch), branch, key=text_length)
    return [*by_text.values()]


def _name_allowed_types(branches: list[Node], node: Mapping[str, Any]) -> bool:
    """Return whether all branches name types, and only such as the schema allows."""
    allowed = types_in(node)
    types = [types_in(b) for b in branches if not isinstance(b, bool)]
    return len(types) == len(branches) and all(t and t <= allowed for t in types)


def _is_beyond_types(context: CompileContext, either: _Union) -> bool:
    """Return whether only residual validation can check the union."""
    siblings = either.rest.keys() & EFFECTIVE - set(RESIDUAL) - {"type"}
    count = len(either.branches)
    if siblings or not count or count > context.limits.branches:
        return True
    # Types beside the union are pushed into its branches, if these are no unions.
    if either.types and not all(map(_is_plain, either.branches)):
        return True
    # A union that costs pydantic too much stays if a tag decides at once, unless that
    # costs too much, too.
    has_tag = tag_of(either.objects, context.limits.enum) is not None
    return either.cost > 1 or (either.cost == 1 and not has_tag)


def _is_plain(branch: Node) -> bool:
    return isinstance(branch, Mapping) and not _COMPOSED & branch.keys()


def _without_branches(either: _Union) -> dict[str, Any]:
    """Return the schema without its union; a costly one of objects stays an object."""
    if either.cost and len(either.objects) == len(either.branches):
        return {"type": "object", **either.rest}
    return either.rest


def _with_types_in_branches(
    context: CompileContext, either: _Union, location: Location
) -> _Union:
    """Return the union, with the types beside it moved into each branch."""
    branches: list[Node] = []
    for branch in either.branches:
        own = mapped(branch)
        merged, exact = merge({"type": list(either.types)}, own)
        if not exact:
            context.check(location, either.keyword)
        branches.append(merged)
    context.alive += branches
    return either._replace(branches=branches, resolved=branches)


def _tagged_union(
    context: CompileContext, exprs: list[Expr], nodes: list[Node], tag: str
) -> list[Expr]:
    """Make one member of all classes that a tag distinguishes, if types can do so."""
    pairs = list(zip(exprs, nodes, strict=True))
    objects = {expr: node for expr, node in pairs if is_object(node)}
    others = [expr for expr, node in pairs if not is_object(node)]
    if len(objects) + len(others) < len(pairs):
        return exprs  # Two branches are the same class.
    if not all(_has_literal_tag(context, *pair, tag) for pair in objects.items()):
        return exprs
    first = next(node for node in objects.values() if isinstance(node, Mapping))
    field = literal(field_of(first, tag))
    tagged = annotated(union(list(objects)), call("Field", discriminator=field))
    return [tagged, *others]


def _has_literal_tag(context: CompileContext, expr: Expr, node: Node, tag: str) -> bool:
    """Return whether a branch became a class whose tag is a list of strings."""
    draft = context.class_of(expr)
    if draft is None or isinstance(node, bool):
        return False
    types = [field.type for field in draft.fields if field.wire == tag]
    if not types:
        # A class that is being compiled: only its schema has the tag yet.
        return "allOf" not in node
    return _is_literal(context.named_type(types[0]))


def _words(either: _Union, tag: str | None) -> list[str]:
    """Return the word that each branch adds to the name of the union.

    The union's name is enough where only one branch is a class, or has no word.
    """
    are_classes = [*map(is_class_like, either.resolved)]
    if sum(are_classes) == 1:
        return [""] * len(are_classes)
    apart = words_apart(either.resolved, tag)
    words = [
        class_words(str(mapped(node).get("title", ""))) or word
        for node, word in zip(either.resolved, apart, strict=True)
    ]
    nameless = [n for n in either.order if are_classes[n] and not words[n]]
    if len(nameless) > 1:
        for rank, number in enumerate(nameless, 1):
            words[number] = f"Variant{rank}"
    return [
        word if is_class else ""
        for word, is_class in zip(words, are_classes, strict=True)
    ]


def _joined(exprs: list[Expr]) -> list[Expr]:
    """Return the members of a union, with one list of literals instead of several."""
    parts = [
        part
        for expr in exprs
        for part in (expr.members if isinstance(expr, Union) else (expr,))
    ]
    values = [item.expr for part in parts if _is_literal(part) for item in part.items]
    joined = sub("Literal", *dict.fromkeys(values))
    return [joined if _is_literal(part) else part for part in parts]


def _is_literal(expr: Expr) -> TypeGuard[Bracket]:
    return isinstance(expr, Bracket) and expr.head == "Literal"
