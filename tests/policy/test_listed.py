"""Entries of resources, templates and prompts decide about each request for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.policy.approvals import Approval, ApprovalRequired
from mcp_bindgen.runtime.client.policy.decide import decide
from mcp_bindgen.runtime.client.policy.errors import PolicyError
from mcp_bindgen.runtime.client.policy.features import entry_for
from mcp_bindgen.runtime.client.policy.full_policy import FullPolicy
from mcp_bindgen.runtime.client.policy.read import parse
from mcp_bindgen.runtime.client.policy.read_features import with_features
from mcp_bindgen.runtime.content import ResourceLink
from mcp_bindgen.runtime.errors import McpError

from tests.policy.counting import CountingServer, policy_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENTRIES = """
[resources."shop://guide"]
[resources."shop://items/{id}"]
[resources."shop://items/{id}".arguments]
uri = { pattern = "shop://items/[0-9a-zA-Z%._-]*" }
[resources."shop://secret"]
deny = true
[prompts.ask]
arguments.style = { allowed = ["kind", "short"] }
[[prompts.ask.when]]
arguments.topic = ["salaries"]
absent = false
deny = true
[prompts.old]
removed = true
"""
READ, GET, COMPLETE = "resources/read", "prompts/get", "completion/complete"
LISTEN = "subscriptions/listen"
ITEM = "shop://items/{id}"
KIND = {"style": "kind"}


def completion(kind: str, key: str, value: str) -> dict[str, Any]:
    """Return the params of a completion."""
    argument = {"name": "style", "value": "rude"}
    return {"ref": {"type": f"ref/{kind}", key: value}, "argument": argument}


CALLS: list[tuple[bool, Callable[[FullClient], object]]] = [
    (True, lambda c: c.read_resource("shop://guide")),
    (False, lambda c: c.read_resource("shop://guide/x")),
    (False, lambda c: c.read_resource("SHOP://guide")),
    (False, lambda c: c.read_resource("shop://secret")),
    (False, lambda c: c.read_resource("shop://other")),
    (True, lambda c: c.read_template(ITEM, {"id": "a b"})),
    (False, lambda c: c.read_template(ITEM, {"id": "a~b"})),
    (False, lambda c: c.read_template(ITEM, {"id": "../secret"})),
    (False, lambda c: c.read_template(ITEM, {"id": "%2e%2e"})),
    (False, lambda c: c.read_resource("shop://items/1/2")),
    (False, lambda c: c.read_resource(ITEM)),
    (True, lambda c: c.follow(ResourceLink("shop://items/5", "", None, {}))),
    (False, lambda c: c.follow(ResourceLink("shop://secret", "", None, {}))),
    (True, lambda c: c.request(READ, {"uri": "shop://guide"})),
    (False, lambda c: c.request(READ, {"uri": ["shop://guide"]})),
    (False, lambda c: c.request(READ, {})),
    (True, lambda c: c.request("resources/subscribe", {"uri": "shop://guide"})),
    (False, lambda c: c.request("resources/subscribe", {"uri": "shop://secret"})),
    (True, lambda c: c.get_prompt("ask", KIND)),
    (False, lambda c: c.get_prompt("ask", {"style": "rude"})),
    (False, lambda c: c.get_prompt("ask")),
    (False, lambda c: c.get_prompt("ask", {**KIND, "topic": "Salaries "})),
    (False, lambda c: c.get_prompt("old")),
    (False, lambda c: c.get_prompt("tell")),
    (True, lambda c: c.request(COMPLETE, completion("prompt", "name", "ask"))),
    (False, lambda c: c.request(COMPLETE, completion("prompt", "name", "old"))),
    (True, lambda c: c.request(COMPLETE, completion("resource", "uri", ITEM))),
    (
        False,
        lambda c: c.request(COMPLETE, completion("resource", "uri", "shop://secret")),
    ),
    (False, lambda c: c.request(COMPLETE, {})),
]


@pytest.fixture
def policy(tmp_path: Path) -> Callable[..., FullPolicy]:
    """Return what loads a policy from the text of its entries."""

    def loaded(entries: str, begin: str = "", **options: Any) -> FullPolicy:
        file = tmp_path / "policy.toml"
        file.write_text(policy_text(entries, begin), encoding="utf-8")
        return FullPolicy.load(file, **options)

    return loaded


def denied(
    server: CountingServer, client: FullClient, call: Callable[[FullClient], object]
) -> PolicyError | None:
    """Return the denial of a call; check that it is sent or denied, and not both."""
    before = len(server.methods)
    try:
        call(client)
    except PolicyError as error:
        assert len(server.methods) == before
        return error
    except McpError:  # an empty answer is no resource
        pass
    assert len(server.methods) == before + 1
    return None


@pytest.mark.parametrize(("allowed", "call"), CALLS)
def test_each_request_is_decided_by_its_entry(
    allowed: Any, call: Any, policy: Callable[..., FullPolicy]
) -> None:
    server = CountingServer()
    client = server.client(FullClient).with_options(policy=policy(ENTRIES))
    assert (denied(server, client, call) is None) is allowed


@pytest.mark.parametrize(
    "uri",
    [
        *("shop://secret", "SHOP://Secret", "shop://secret/", "shop:///secret"),
        *("shop://%73ecret", "shop://secret?x", "shop://secret#x", "shop://a/../x"),
        *("db://users", "DB://users", "db://a/b", "db://%2e%2e"),
    ],
)
def test_a_default_allows_no_other_spelling_of_what_an_entry_denies(
    uri: str, policy: Callable[..., FullPolicy]
) -> None:
    entries = '[resources."shop://secret"]\ndeny = true\n[resources."db://{t}"]\n'
    server = CountingServer()
    loaded = policy(f"{entries}deny = true", '[default]\nresources = "allow"')
    client = server.client(FullClient).with_options(policy=loaded)
    assert denied(server, client, lambda c: c.read_resource(uri))
    assert not denied(server, client, lambda c: c.read_resource("shop://other"))


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (READ, {"uri": ["shop://secret"]}),
        (READ, {}),
        (LISTEN, {"notifications": {"resourceSubscriptions": "shop://secret"}}),
        (LISTEN, {"notifications": {"resourceSubscriptions": ["shop://secret", 5]}}),
        (LISTEN, {"notifications": {"resourceSubscriptions": [["shop://secret"]]}}),
    ],
)
def test_a_default_allows_no_uri_that_is_no_text(
    method: str, params: dict[str, Any], policy: Callable[..., FullPolicy]
) -> None:
    entries = '[resources."shop://secret"]\ndeny = true\n'
    server = CountingServer()
    loaded = policy(entries, '[default]\nresources = "allow"')
    client = server.client(FullClient).with_options(policy=loaded)
    assert denied(server, client, lambda c: c.request(method, params))


def test_modes_approval_and_rate_are_those_of_the_entry(
    policy: Callable[..., FullPolicy],
) -> None:
    entries = """
    [resources."a://{x}"]
    modes = ["NORMAL"]
    approval = "always"
    [resources."a://2"]
    approval = "always"
    [resources."a://3"]
    rate = { per_minute = 1, burst = 1 }
    """
    questions: list[str] = []

    def approve(request: Any) -> Any:
        questions.append(request.arguments["uri"])
        return Approval(scope="session")

    server = CountingServer()
    loaded = policy(entries, approve=approve)
    client = server.client(FullClient).with_options(policy=loaded)

    def read(number: int) -> PolicyError | None:
        return denied(server, client, lambda c: c.read_resource(f"a://{number}"))

    # The approval of one entry is none of another.
    assert [read(1), read(4), read(2), read(2)] == [None] * 4
    assert questions == ["a://1", "a://2"]
    assert read(3) is None
    assert "too many calls" in str(read(3))
    loaded.powers.supervisor.switch("ALERT")
    assert "does not run in the mode ALERT" in str(read(1))


def test_an_approval_as_data_is_for_one_entry(
    policy: Callable[..., FullPolicy],
) -> None:
    entries = '[resources."a://1"]\napproval = "always"\n'
    loaded = policy(f'{entries}[resources."a://2"]\napproval = "always"\n')
    server = CountingServer()
    client = server.client(FullClient).with_options(policy=loaded)

    def read(number: int) -> PolicyError | None:
        return denied(server, client, lambda c: c.read_resource(f"a://{number}"))

    error = read(1)
    assert isinstance(error, ApprovalRequired)
    loaded.powers.supervisor.grant(error.pending, scope="session")
    assert isinstance(read(2), ApprovalRequired)
    assert read(1) is None


def rule(entries: str, method: str, params: dict[str, Any]) -> tuple[str, str]:
    """Return effect and rule of a decision."""
    document = parse(policy_text(entries).encode(), "policy.toml", None, with_features)
    entry = entry_for(document, method, params)
    decision = decide(document, entry, "NORMAL", params)
    return decision.effect, decision.rule


def test_several_templates_decide_together() -> None:
    same = '[resources."a://{x}"]\n[resources."a://1{y}"]\n'
    assert rule(same, READ, {"uri": "a://12"})[0] == "allow"
    assert rule(f"{same}deny = true", READ, {"uri": "a://12"}) == (
        "deny",
        'resources."a://1{y}"',
    )
    assert rule(f"{same}deny = true", READ, {"uri": "a://2"})[0] == "allow"
    assert rule(f'{same}approval = "always"', READ, {"uri": "a://12"})[0] == "deny"
    own = f'{same}approval = "always"\n[resources."a://12"]'
    assert rule(own, READ, {"uri": "a://12"}) == ("allow", 'resources."a://12"')


def test_one_subscription_is_for_resources_of_one_entry() -> None:
    entries = '[resources."a://{x}"]\n[resources."b://{x}"]\n'

    def listen(*uris: object) -> tuple[str, str]:
        params = {"notifications": {"resourceSubscriptions": [*uris]}}
        return rule(entries, LISTEN, params)

    assert listen("a://1", "a://2")[0] == "allow"
    assert listen("a://1", "b://2")[0] == "deny"
    assert listen("a://1", "c://2")[0] == "deny"
    assert listen("a://1", 5)[0] == "deny"
    assert listen() == listen("c://1") == ("deny", "default.resources")


def test_an_entry_of_a_method_decides_about_all_completions() -> None:
    own = '[methods."completion/complete"]\n[prompts.ask]\n'
    params = completion("prompt", "name", "ask")
    decided = ("allow", 'methods."completion/complete"')
    assert rule(own, COMPLETE, params) == decided
    assert rule(f"{own}deny = true", COMPLETE, params) == ("deny", "prompts.ask")
    assert rule(own, COMPLETE, completion("prompt", "name", "x")) == decided


def test_what_is_not_reviewed_is_denied_unless_the_file_allows_it() -> None:
    text = '[prompts.ask]\n[resources."a://b"]\n'
    document = parse(text.encode(), "policy.toml", None, with_features)
    reasons = [
        decide(document, entry_for(document, method, params), "NORMAL", params).reason
        for method, params in ((GET, {"name": "ask"}), (READ, {"uri": "a://b"}))
    ]
    assert reasons == ["the prompt is not reviewed", "the resource is not reviewed"]


def test_strangers_texts_in_a_resource_count(
    policy: Callable[..., FullPolicy],
) -> None:
    entries = '[resources."a://b"]\nreads_untrusted = true\n'
    entries += "[tools.send_mail]\nsends_out = true\n"
    server = CountingServer()
    client = server.client(FullClient).with_options(policy=policy(entries))
    client.call_tool("send_mail", {})
    assert denied(server, client, lambda c: c.read_resource("a://b")) is None
    with pytest.raises(PolicyError, match="strangers"):
        client.call_tool("send_mail", {})
