"""Arguments on their way out: plain JSON, or an error that says why not."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.binding import Binding, raw
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.models import Model, to_json
from mcp_bindgen.runtime.scalars import MISSING, Integer, String


class Place(Model):
    path: String
    line: Integer | MISSING = MISSING


class Arguments(Model):
    place: Place | MISSING = MISSING
    anything: Any | MISSING = MISSING


TOOL = Binding("find", Arguments, raw)


def test_plain_values_are_sent_as_they_are() -> None:
    given = {"place": {"path": "a", "line": 2.0}, "anything": [1, [True, None]]}
    assert TOOL.prepare(given) == given


def test_models_tuples_and_what_is_missing_become_json() -> None:
    given = {"place": Place(path="a"), "anything": MISSING}
    assert TOOL.prepare(given) == {"place": {"path": "a"}}
    assert to_json({"a": (1, Place(path="b", line=3))}) == {
        "a": [1, {"path": "b", "line": 3}]
    }


def test_the_error_names_place_rule_and_kind_but_no_value() -> None:
    with pytest.raises(InvalidArgumentsError) as caught:
        TOOL.prepare({"place": {"path": 7, "line": "secret-word"}})
    path, line = caught.value.faults
    assert (path.path, path.rule) == ("/place/path", "string_type")
    assert (line.path, line.given) == ("/place/line", "a string of 11 characters")
    assert "secret-word" not in str(caught.value)


def test_a_value_that_holds_itself_is_an_error_of_ours() -> None:
    circle: dict[str, object] = {}
    circle["self"] = circle
    with pytest.raises(InvalidArgumentsError, match="holds itself"):
        TOOL.prepare({"anything": circle})
