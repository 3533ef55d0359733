"""Changes that an outsider's attack hid, or that broke the comparison."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.contract.bounds import read

from tests.contract.changes import CLOSED, fields, report, tool

S: dict[str, Any] = {"type": "string"}


def defined(**schemas: dict[str, Any]) -> dict[str, Any]:
    return {"$defs": schemas}


def pair_of(first: int, second: int) -> dict[str, Any]:
    """Return a union of two objects, each with a text of so many characters."""
    members = [
        {
            "type": "object",
            "properties": {"k": {"const": k}, "v": {**S, "maxLength": length}},
            "required": ["k"],
        }
        for k, length in (("a", first), ("b", second))
    ]
    return tool({"x": {"anyOf": members}})


def test_two_changes_of_a_union_are_two_findings() -> None:
    one, other = (
        {c.fingerprint for c in report(pair_of(9, 9), pair_of(*new)).changes}
        for new in ((5, 9), (9, 3))
    )
    both = {c.fingerprint for c in report(pair_of(9, 9), pair_of(5, 3)).changes}
    assert both == one | other
    assert len(both) == 2


@pytest.mark.parametrize("names", [("userId", "user_id"), ("user", "user_name")])
def test_another_name_beside_typed_names_breaks(names: tuple[str, str]) -> None:
    others: dict[str, Any] = {"additionalProperties": {"type": "integer"}}
    old, new = (tool({name: S}, **others) for name in names)
    assert report(old, new).wire == "breaking"


def test_a_name_with_ref_in_it_is_no_dynamic_reference() -> None:
    """A new field beside a union of such definitions changes nothing in the union."""
    kinds = {"UserReference": {"id": S}, "TeamReference": {"name": S}}
    definitions = defined(
        **{name: {"type": "object", "properties": p} for name, p in kinds.items()}
    )
    union = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in kinds]}
    old, new = (
        fields({"result": union, **more}, ("result",), **definitions)
        for more in ({}, {"size": S})
    )
    assert report(old, new).wire == "compatible"


def test_a_listed_value_that_another_member_takes_is_not_gone() -> None:
    word = {**S, "minLength": 2}
    old, new = (
        tool({"x": {"anyOf": [word, {"enum": values}]}})
        for values in (["all", "a"], ["open", "a"])
    )
    assert report(old, new).wire == "none"


def test_a_dynamic_reference_may_lead_elsewhere() -> None:
    old, new = (
        tool(
            {"x": {"$ref": "#/$defs/L"}},
            **defined(
                L={"type": "array", "items": {"$dynamicRef": "#n"}},
                N={"$dynamicAnchor": "n", "type": kind},
            ),
        )
        for kind in ("string", "integer")
    )
    assert report(old, new).wire == "breaking"


def test_a_union_that_leads_to_itself_is_compared() -> None:
    old, new = (
        tool(
            {"x": {"$ref": "#/$defs/D"}},
            **defined(D={"oneOf": [{"$ref": "#/$defs/D"}, {"type": kind}]}),
        )
        for kind in ("string", "integer")
    )
    assert report(old, new).changes


def test_names_that_are_no_texts_end_no_comparison() -> None:
    old, new = tool({"a": S}), tool({"a": S, "b": S})
    new["inputSchema"]["required"] = [[]]
    assert report(old, new).problems or report(old, new).changes


def test_the_order_of_names_changes_no_fingerprint() -> None:
    ways: list[list[str]] = []
    for names in (["b", "c"], ["c", "b"]):
        new = tool({"a": S, "b": S, "c": S})
        new["inputSchema"]["dependentRequired"] = {"a": names}
        changes = report(tool({"a": S, "b": S, "c": S}), new).changes
        ways.append([change.fingerprint for change in changes])
        again = tool({"a": S, "b": S, "c": S})
        again["inputSchema"]["dependentRequired"] = {"a": names[::-1]}
        assert not report(new, again).changes
    assert ways[0] == ways[1] != []


@pytest.mark.parametrize("key", ["type", "anyOf"])
def test_the_order_of_types_changes_no_fingerprint(key: str) -> None:
    kinds = ["string", "integer"]
    members = [{"type": kind} for kind in kinds] if key == "anyOf" else kinds
    ways = [
        report(
            tool({"x": {key: each}}, **CLOSED),
            tool({"x": {"type": "boolean"}}, **CLOSED),
        )
        for each in (members, members[::-1])
    ]
    assert [c.fingerprint for c in ways[0].changes] == [
        c.fingerprint for c in ways[1].changes
    ]


@pytest.mark.parametrize("step", [0, 0.0, -2])
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_step_that_no_number_fits_is_compared(kind: str, step: float) -> None:
    """Such a tool is left out of packages, so that the step says nothing."""
    assert not read(kind, {"multipleOf": step})
    one, other = (tool({"a": {"type": kind, "multipleOf": n}}) for n in (step, 2))
    assert report(one, other).wire
    assert report(other, one).wire


def doubled(levels: int, last: dict[str, Any]) -> dict[str, Any]:
    """Return definitions of which each refers to the next one twice."""
    chain = {
        f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)
    }
    return fields(
        {"a": {"$ref": "#/$defs/d0"}}, **defined(**chain, **{f"d{levels}": last})
    )


@pytest.mark.parametrize("last", [{**S, "maxLength": 3}, {"type": "integer"}])
def test_references_that_multiply_one_another_are_compared(
    last: dict[str, Any],
) -> None:
    """Each way through them once would take 2**40 steps."""
    assert not report(doubled(40, S), doubled(40, S)).changes
    assert report(doubled(40, S), doubled(40, last)).changes


def test_texts_within_texts_are_hashed() -> None:
    """Unions too large to be taken apart, in one another: escapes would double."""

    def one_of(keyword: str, start: int) -> dict[str, Any]:
        return {"anyOf": [{**S, keyword: start + n} for n in range(15)]}

    def nested(maximum: int) -> dict[str, Any]:
        chain: dict[str, Any] = {}
        for n in range(40):
            both = [one_of("minLength", n * 15), one_of("maxLength", 900 + n * 15)]
            chain[f"d{n}"] = {"allOf": [*both, {"$ref": f"#/$defs/d{n + 1}"}]}
        last = {"d40": {**S, "maxLength": maximum}}
        return fields({"a": {"$ref": "#/$defs/d0"}}, **defined(**chain, **last))

    assert not report(nested(7), nested(7)).changes
    assert report(nested(7), nested(8)).changes
