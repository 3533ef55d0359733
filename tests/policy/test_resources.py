"""One resource, one template and one prompt may be allowed, as one tool may."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.content import ResourceLink
from mcp_bindgen.runtime.errors import TransportError

from tests.commands import run
from tests.policy.counting import CountingServer, policy_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENTRIES = """
[methods."resources/read".arguments]
uri = { pattern = "shop://(guide|items/[^/]*)" }
[methods."prompts/get".arguments]
name = { allowed = ["ask"] }
[[methods."prompts/get".when]]
arguments."/arguments/style" = ["rude"]
absent = false
deny = true
"""
ITEM = "shop://items/{id}"
CALLS: list[tuple[bool, str, Callable[[FullClient], object]]] = [
    (True, "resources/read", lambda c: c.read_resource("shop://guide")),
    (False, "resources/read", lambda c: c.read_resource("shop://guide/x")),
    (True, "resources/read", lambda c: c.read_template(ITEM, {"id": "a/../b"})),
    (False, "resources/read", lambda c: c.read_template("a://{+b}", {"b": "/"})),
    (False, "resources/read", lambda c: c.follow(ResourceLink("a://b", "", None, {}))),
    (True, "prompts/get", lambda c: c.get_prompt("ask", {"style": "kind"})),
    (False, "prompts/get", lambda c: c.get_prompt("ask", {"style": "rude"})),
    (False, "prompts/get", lambda c: c.get_prompt("tell")),
]


@pytest.mark.parametrize(("allowed", "method", "call"), CALLS)
def test_an_entry_of_a_method_decides_by_its_params(
    allowed: Any, method: str, call: Any, shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    client = server.client(FullClient).with_options(policy=load(ENTRIES))
    with pytest.raises((shop.PolicyError, TransportError)) as caught:
        call(client)  # an empty answer is no resource and no prompt
    assert isinstance(caught.value, shop.PolicyError) is not allowed
    assert (method in server.methods) is allowed


@pytest.mark.parametrize(
    ("method", "params", "rule"),
    [
        ("resources/read", {"uri": "shop://guide"}, 'methods."resources/read"'),
        ("prompts/get", {"name": "x"}, 'methods."prompts/get".arguments.name'),
        ("completion/complete", {}, "default.completion"),
        ("resources", {}, "default.tools"),
    ],
)
def test_such_a_decision_is_explained(
    method: str, params: Any, rule: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(policy_text(ENTRIES))
    arguments = ("--args", json.dumps(params), "-p", str(file), "--format", "json")
    page = run("policy", "explain", method, *arguments)
    assert json.loads(page.stdout)["rule"] == rule
