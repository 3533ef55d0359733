"""The step * of a pointer is every value, whatever names the arguments have."""

from __future__ import annotations

from mcp_bindgen.runtime.client.policy.constraints import compiled
from mcp_bindgen.runtime.client.policy.entry import Constraint
from mcp_bindgen.runtime.json_values import json_key

ONLY_A = Constraint("/labels/*", ("labels", "*"), frozenset({json_key("a")}))


def test_a_member_called_star_hides_no_other() -> None:
    assert compiled(ONLY_A)({"labels": {"x": "a", "*": "a"}}) == ""
    assert compiled(ONLY_A)({"labels": {"*": "a", "x": "b"}})
    assert compiled(ONLY_A)({"labels": {"*": "b", "x": "a"}})
    assert compiled(ONLY_A)({"labels": ["a", "b"]})
