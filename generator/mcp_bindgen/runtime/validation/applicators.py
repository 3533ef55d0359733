"""What the keywords that combine schemas ask, references and leftovers included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .node import EVERY, Node, Run, refusal, under
from .references import Resource, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..errors import Fault
    from .node import Maker, Test, Words

__all__ = ["COMBINERS"]

# Alternatives that fail so were not meant: the others tell what is wrong.
_NOT_MEANT = ("type", "const", "enum")


def _all_of(_word: str, node: Node, _words: Words) -> Test:
    kids: list[Node] = node.kids["allOf"]

    def test(value: object, run: Run) -> Iterator[Fault]:
        for kid in kids:
            yield from kid.faults(value, run)

    return test


def _some(word: str, node: Node, _words: Words) -> Test:
    """Make the test of `anyOf` and `oneOf`."""
    kids: list[Node] = node.kids[word]
    none = refusal(word, f"fits none of the {len(kids)} alternatives")
    many = refusal(word, "fits more than one of the alternatives")

    def test(value: object, run: Run) -> Iterable[Fault]:
        faults: list[Fault] = []
        sure = 0
        for kid in kids:
            doubts = run.doubts
            fault = kid.first(value, run)
            if fault:
                faults.append(fault)
            elif word == "anyOf":
                return ()
            else:
                sure += run.doubts == doubts
        if len(faults) < len(kids):
            return many(value, run) if sure > 1 else ()
        near = [fault for fault in faults if fault.path or fault.rule not in _NOT_MEANT]
        return near if len(near) == 1 else none(value, run)

    return test


def _not(_word: str, node: Node, _words: Words) -> Test:
    kid: Node = node.kids["not"]
    refuse = refusal("not", "fits what the schema rules out")
    return lambda value, run: refuse(value, run) if kid.holds(value, run) else ()


def _if(_word: str, node: Node, _words: Words) -> Test:
    kids = node.kids
    nodes: dict[bool | None, Node | None]
    nodes = {True: kids.get("then"), False: kids.get("else"), None: None}

    def test(value: object, run: Run) -> Iterable[Fault]:
        kid = nodes[kids["if"].holds(value, run)]
        return kid.faults(value, run) if kid else ()

    return test


def _ref(word: str, node: Node, _words: Words) -> Test:
    kids: Mapping[Resource | None, Node] = node.kids[word]

    return lambda value, run: _target(kids, run).faults(value, run)


def _target(kids: Mapping[Resource | None, Node], run: Run) -> Node:
    """Return what a reference means here: `$dynamicRef` asks the outermost first."""
    return next((kids[home] for home in run.scope if home in kids), kids[None])


def _unevaluated(word: str, node: Node, _words: Words) -> Test:
    kid: Node = node.kids[word]

    def test(value: Any, run: Run) -> Iterator[Fault]:
        run.spend(len(value) // 4)
        seen = _evaluated(node, value, run, word)
        for step, item in value.items() if is_object(value) else enumerate(value):
            for fault in () if step in seen else kid.faults(item, run):
                yield under(step, fault)

    return test


def _evaluated(node: Node, value: Any, run: Run, word: str) -> set[object]:
    """Return the names or positions that the schema, references included, looks at."""
    seen: set[object] = set()
    done: set[int] = set()
    scope = run.scope
    todo = [(node, scope)]
    while todo:
        at, run.scope = todo.pop()
        if id(at) in done:
            continue
        done.add(id(at))
        run.spend(at.cost + len(value) // 4)
        if at is not node and word in at.kids:
            seen.update(value if is_object(value) else range(len(value)))
        seen.update(_seen(at.kids, value, run))
        if at.home not in run.scope:
            run.scope = (*run.scope, at.home)
        todo += [(kid, run.scope) for kid in _applied(at.kids, value, run)]
    run.scope = scope
    return seen


def _seen(kids: dict[str, Any], value: Any, run: Run) -> Iterator[object]:
    """Yield what the keywords of one schema look at by themselves."""
    if not is_object(value):
        yield from range(len(value if "items" in kids else kids.get("prefixItems", ())))
        found = kids.get("contains")
        yield from (i for i, v in enumerate(value) if found and not found.first(v, run))
    elif "additionalProperties" in kids:
        yield from value
    else:
        named, patterns = kids.get("properties", ()), kids.get("patternProperties", ())
        for name in value:
            if name in named or any(
                matches(name, run.spend) for matches, _ in patterns
            ):
                yield name


def _applied(kids: dict[str, Any], value: Any, run: Run) -> Iterator[Node]:
    """Yield the schemas that apply to the same value, and that it fits."""
    yield from kids.get("allOf", ())
    for word in ("$ref", "$dynamicRef"):
        if word in kids:
            yield _target(kids[word], run)
    for word in ("anyOf", "oneOf"):
        yield from (kid for kid in kids.get(word, ()) if not kid.first(value, run))
    for word in ("dependentSchemas", "dependencies") if is_object(value) else ():
        yield from (kid for name, kid in kids.get(word, {}).items() if name in value)
    if "if" in kids:
        fits = kids["if"].holds(value, run)
        words = (("if", fits is not False), ("then", fits is not False))
        for word, counts in (*words, ("else", fits is not True)):
            if counts and word in kids:
                yield kids[word]


COMBINERS: dict[str, tuple[tuple[type, ...], Maker]] = {
    **dict.fromkeys(("$ref", "$dynamicRef"), (EVERY, _ref)),
    **dict.fromkeys(("anyOf", "oneOf"), (EVERY, _some)),
    "allOf": (EVERY, _all_of),
    "not": (EVERY, _not),
    "if": (EVERY, _if),
    "unevaluatedProperties": ((dict,), _unevaluated),
    "unevaluatedItems": ((list,), _unevaluated),
}
