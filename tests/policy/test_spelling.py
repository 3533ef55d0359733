"""One argument in two spellings: for servers in Go and in C#, the second one counts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.policy.read import parse
from mcp_bindgen.runtime.client.policy.read_features import listed_in, with_features
from mcp_bindgen.runtime.client.policy.spelling import twin_test

from tests.policy.arrivals import arrives
from tests.policy.counting import CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = """
[tools.list_items]
arguments.size = { maximum = 5, absent = true }
[tools.manage_item]
arguments."/nested/paths/0" = { max_length = 3, absent = true }
[[tools.manage_item.when]]
arguments.action = ["delete"]
deny = true
[tools.fetch_page]
"""


RULES_OF_PAIRS = b"""
unreviewed = "allow"
[tools.t]
arguments.id = { maximum = 5 }
arguments."/part/id" = { maximum = 5 }
[prompts.p]
arguments.id = { allowed = ["5"] }
"""


@pytest.mark.parametrize(
    ("tool", "arguments", "fine"),
    [
        *(
            ("list_items", {"size": 1}, True),
            ("list_items", {"size": 1, "Size": 999}, False),
        ),
        *(
            ("list_items", {"SIZE": 1}, False),
            ("list_items", {"\u017fize": 1}, False),
        ),
        *(
            ("list_items", {"sizes": 9}, True),
            ("list_items", {"query": "Size"}, True),
        ),
        ("list_items", {"Query": "a", "query": "b"}, True),  # no rule is about it
        ("manage_item", {"action": "show", "Action": "delete"}, False),
        ("manage_item", {"action": "show", "nested": {"Paths": ["long"]}}, False),
        ("manage_item", {"action": "show", "Nested": {}}, False),
        ("manage_item", {"action": "show", "nested": {"more": 1}}, True),
        ("fetch_page", {"url": "a", "URL": "b"}, True),
    ],
)
def test_another_spelling_of_an_argument_with_a_rule_is_denied(
    tool: str, arguments: dict[str, Any], fine: Any, shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    client = server.client(shop.Client).with_options(policy=load(RULES))
    assert arrives(server, lambda: client.call_tool(tool, arguments), shop) is fine


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "list_items", "Name": "delete_item", "arguments": {}}),
        ("tools/call", {"name": "list_items", "arguments": {}, "ARGUMENTS": {"a": 1}}),
        ("resources/read", {"uri": "shop://guide", "Uri": "shop://secret"}),
        ("prompts/get", {"name": "ask", "Name": "other"}),
    ],
)
def test_another_spelling_of_a_param_is_denied(
    method: str,
    params: dict[str, Any],
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
) -> None:
    default = '[default]\nresources = "allow"\nprompts = "allow"\n'
    client = server.client(shop.Client).with_options(policy=load(RULES, default))
    with pytest.raises(shop.DeniedError, match="expected a name and an object"):
        client.request(method, params)
    plain = {key: value for key, value in params.items() if key.islower()}
    client.request(method, plain)
    assert (len(server.calls), len(server.methods)) in {(1, 0), (0, 1)}


def test_params_of_other_methods_are_spelled_as_their_entries_say(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    rules = '[methods."shop.example/refund"]\narguments.id = { maximum = 5 }\n'
    client = server.client(shop.Client).with_options(policy=load(rules))
    client.request("shop.example/refund", {"id": 1, "URI": "a", "Name": "b"})
    with pytest.raises(shop.DeniedError, match="upper and lower case"):
        client.request("shop.example/refund", {"id": 1, "ID": 9})
    assert server.methods == ["shop.example/refund"]


def test_names_that_the_tool_has_are_names_of_their_own() -> None:
    names: dict[tuple[str, ...], list[str]] = {
        (): ["n", "N"],
        ("o", "*"): ["d", "D"],
    }
    rules: list[tuple[str, ...]] = [("n",), ("o", "*", "b"), ("o", "*", "d")]
    test: Any = twin_test([*rules, ("o", "1", "c")], lambda at: names.get(at, ()))
    assert test({"n": 1, "N": 2, "x": {}}) == ""
    assert test({"n": 1, "O": {}}) == "o"
    assert test({"o": [{"b": 1}, {"B": 2}]}) == "b"
    assert test({"o": {"k": {"B": 2}}}) == "b"
    assert test({"o": [{"d": 1, "D": 2}]}) == ""
    assert test({"o": [{}, {"C": 2}]}) == "c"
    assert test({"o": [{"C": 2}, 5, None]}) == ""
    assert test({"o": 5}) == test([]) == ""
    assert twin_test([], lambda _: ["n"]) is None
    assert twin_test([("*",)], lambda _: []) is None


def test_a_capital_letter_whose_lower_case_is_longer_is_a_spelling() -> None:
    test: Any = twin_test([("stra\xdfe",)], lambda _: [])
    assert test({"STRA\u1e9eE": 1}) == "stra\xdfe"
    assert test({"stra\xdfe": 1}) == ""


def test_names_below_references_and_in_objects_are_names_of_their_own() -> None:
    pair: Any = {"type": "object", "properties": {"id": {}, "ID": {}}}
    part = {"properties": {"part": pair}}
    schema: Any = {"type": "object", "allOf": [{"$ref": "#/$defs/a"}, part]}
    tool = {**schema, "$defs": {"a": pair}}
    prompt = {"name": "p", "arguments": [{"name": "id"}, {"name": "ID"}]}
    listed = listed_in({"prompts": [prompt]})
    reader = partial(with_features, listed=listed)
    document = parse(RULES_OF_PAIRS, "p.toml", {"t": tool}, reader)
    twin: Any = document.tools["t"].twin
    assert twin({"id": 1, "ID": 2, "part": {"id": 1, "ID": 2}}) == ""
    assert twin({"id": 1, "Id": 2}) == twin({"part": {"iD": 1}}) == "id"
    assert twin({"Part": {}}) == "part"
    twin = document.prompts["p"].twin
    assert twin({"arguments": {"id": "5", "ID": "6"}}) == ""
    assert twin({"arguments": {"id": "5", "iD": "6"}}) == "id"
    assert twin({"Arguments": {}}) == "arguments"
