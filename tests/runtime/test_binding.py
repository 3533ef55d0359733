"""Arguments out and results in: plain JSON and types, or an error that says why not."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any

import pytest
from mcp_bindgen.runtime.client.binding import Binding, inferred, raw, structured
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.results import ToolResult, UnexpectedResultError
from mcp_bindgen.runtime.validation.checked import Checked
from mcp_bindgen.runtime.validation.models import Model, to_json
from mcp_bindgen.runtime.validation.scalars import MISSING, Boolean, Integer, String


class Location(Model):
    path: String
    line: Integer | MISSING = MISSING


class Arguments(Model):
    location: Location | MISSING = MISSING
    anything: Any | MISSING = MISSING


TOOL = Binding("find", Arguments, raw)


def test_plain_values_are_sent_as_they_are() -> None:
    arguments = {"location": {"path": "a", "line": 2.0}, "anything": [1, [True, None]]}
    assert TOOL.prepare(arguments) == arguments


def test_models_tuples_and_what_is_missing_become_json() -> None:
    arguments = {"location": Location(path="a"), "anything": MISSING}
    assert TOOL.prepare(arguments) == {"location": {"path": "a"}}
    assert TOOL.prepare(
        MappingProxyType({"anything": MappingProxyType({"a": ()})})
    ) == {"anything": {"a": []}}
    assert to_json({"a": (1, Location(path="b", line=3))}) == {
        "a": [1, {"path": "b", "line": 3}]
    }


def test_the_error_names_location_rule_and_kind_but_no_value() -> None:
    with pytest.raises(InvalidArgumentsError) as caught:
        TOOL.prepare({"location": {"path": 7, "line": "secret-word"}})
    path, line = caught.value.faults
    assert (path.path, path.rule) == ("/location/path", "string_type")
    assert (line.path, line.actual) == ("/location/line", "a string of 11 characters")
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(("count", "listed"), [(20, 20), (22, 21), (10_002, 1)])
def test_of_many_faults_the_first_are_listed(count: int, listed: int) -> None:
    read = structured(list[Integer | Boolean])  # two for each element
    result = ToolResult.from_wire({"structuredContent": ["a"] * (count // 2)})
    with pytest.raises(UnexpectedResultError) as caught:
        read("find", result)
    faults = caught.value.faults
    assert len(faults) == listed
    assert (str(faults[0]).startswith("/0: ")) is (count == 20)
    assert count == 20 or f"has at least {count:,} faults" in str(caught.value)


def test_a_value_that_holds_itself_is_an_error_of_ours() -> None:
    circle: dict[str, object] = {}
    circle["self"] = circle
    with pytest.raises(InvalidArgumentsError, match="holds itself"):
        TOOL.prepare({"anything": circle})


def result(**raw: Any) -> ToolResult:
    """Return a result as it comes off the wire."""
    return ToolResult.from_wire({"content": [], **raw})


def faults(hint: Any, value: object) -> list[tuple[str, str, str]]:
    """Return what is said of a structured result that does not fit."""
    with pytest.raises(UnexpectedResultError) as caught:
        structured(hint)("find", result(structuredContent=value))
    assert caught.value.tool == "find"
    return [(fault.path, fault.rule, fault.actual) for fault in caught.value.faults]


def test_a_tool_without_output_schema_gives_the_whole_result() -> None:
    whole = result(structuredContent={"a": 1})
    assert TOOL.parse(whole) is whole


def test_a_structured_result_is_typed() -> None:
    read = structured(list[Location])
    (location,) = read("find", result(structuredContent=[{"path": "a"}]))
    assert location == Location(path="a")
    with pytest.raises(UnexpectedResultError, match="has no structuredContent"):
        read("find", result())


def test_the_location_of_a_fault_is_a_pointer_into_the_value() -> None:
    seven = "a number"
    assert faults(list[Location], [{"path": "a"}, {"path": 7}]) == [
        ("/1/path", "string_type", seven)
    ]
    # Pydantic's names of the members of a union are no part of the value.
    assert {
        path for path, *_ in faults(dict[str, Location | Integer], {"a/~": "x"})
    } == {"/a~1~0"}
    assert faults(Location, {}) == [("/path", "missing", "an object of 0 members")]
    assert faults(tuple[Integer, Integer], [1]) == [
        ("/1", "missing", "an array of 1 element")
    ]
    twice = Annotated[Any, Checked('{"items": {"minimum": 8}}')]
    assert faults(dict[str, twice], {"a": [9, 7]}) == [("/a/1", "minimum", seven)]


def test_an_inferred_shape_is_no_promise() -> None:
    read = inferred(Location)
    text = result(content=[{"type": "text", "text": '{"path": "a"}'}])
    assert read("find", text) == Location(path="a")
    assert read("find", result(structuredContent={"path": "b"})) == Location(path="b")
    for other in (result(structuredContent={"path": 1}), result(content=[])):
        assert read("find", other) is other
