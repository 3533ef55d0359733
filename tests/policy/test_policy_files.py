"""Mistakes in a policy file, and what a function of the program may decide."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.policy.arrivals import arrives

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.policy.counting import CountingServer


def test_all_mistakes_of_a_file_are_reported_at_once(
    shop: Any, load: Callable[..., Any]
) -> None:
    text = """
    [tools.list_itms]
    [tools.list_items]
    risc = "low"
    modes = ["NORMAL", "PANIC"]
    approval = "sometimes"
    timeout = -1
    [tools.list_items.arguments]
    siez = { maximum = 5 }
    query = { pattern = "(" }
    [tools.list_items.paths]
    path = { allowed = ["/data/../etc"] }
    [tools.manage_item.arguments]
    action = { allowed = ["destroy"] }
    [[tools.manage_item.when]]
    arguments.action = ["destroy"]
    deny = true
    [tools.fetch_page]
    modes = []
    results = { mask = ["(a+)+", ""] }
    [tools.fetch_page.rate]
    per_minute = 0
    """
    with pytest.raises(shop.ConfigError) as caught:
        load(text, 'polcy = 1\n[default]\ntools = "maybe"')
    places = [path for path, _ in caught.value.faults]
    assert places == [
        *("polcy", "tools.list_itms", "tools.list_items.risc"),
        *("tools.list_items.modes", "tools.list_items.approval"),
        "tools.list_items.timeout",
        "tools.list_items.arguments.siez",
        "tools.list_items.arguments.query.pattern",
        "tools.list_items.paths.path.allowed",
        "tools.manage_item.arguments.action.allowed",
        "tools.manage_item.when[0].arguments.action",
        *("tools.fetch_page.modes", "tools.fetch_page.rate.per_minute"),
        *("tools.fetch_page.results.mask",) * 2,
        "default.tools",
    ]
    assert "did you mean list_items" in str(caught.value)


@pytest.mark.parametrize(
    ("tool", "rule"),
    [
        *(
            ("list_items", 'size = { pattern = "1" }'),
            ("list_items", "query = {maximum = 1}"),
        ),
        ("list_items", "size = { max_length = 1 }"),
        ("list_items", 'size = { allowed = ["1", 1.5, true] }'),
        ("list_items", "query = { fixed = 1 }"),
        ("list_items", "like = { fixed = 2020-01-01 }"),
        ("list_items", "like = { fixed = nan }"),
        ("manage_item", "nested = { fixed = 1 }"),
        ("list_items", "page = { maximum = 0 }"),
    ],
)
def test_a_rule_that_no_value_passes_is_a_mistake(
    tool: str, rule: str, shop: Any, load: Callable[..., Any]
) -> None:
    key, _, test = rule.partition(" = ")
    with pytest.raises(shop.ConfigError) as caught:
        load(f"[tools.{tool}.arguments]\n{rule}\n")
    ((path, _),) = caught.value.faults
    assert path == f"tools.{tool}.arguments.{key}.{test.strip('{ ').split()[0]}"


def test_a_rule_that_is_never_for_a_call_is_a_mistake(
    shop: Any, load: Callable[..., Any]
) -> None:
    text = """
    [tools.list_items.paths]
    size = { allowed = ["/data"] }
    [[tools.manage_item.when]]
    arguments.action = [1]
    deny = true
    [[tools.list_items.when]]
    arguments.size = [1, "1", 1.5]
    deny = true
    [methods."tools/call"]
    deny = true
    [methods."tools/list"]
    deny = true
    [methods."prompts/get"]
    results = { max_bytes = 5_000 }
    """
    with pytest.raises(shop.ConfigError) as caught:
        load(text)
    assert [path for path, _ in caught.value.faults] == [
        "tools.list_items.paths.size.allowed",
        "tools.list_items.when[0].arguments.size",
        "tools.manage_item.when[0].arguments.action",
        'methods."tools/call"',
        'methods."tools/list"',
        'methods."prompts/get"',
    ]


@pytest.mark.parametrize(
    "text", ["[tools", "tools = 5", "[tools]\nlist_items = 5", "\x00"]
)
def test_a_malformed_file_is_no_policy(
    text: str, shop: Any, load: Callable[..., Any]
) -> None:
    with pytest.raises(shop.ConfigError):
        load(text)
    with pytest.raises(shop.ConfigError, match="no mode"):
        load("", mode="PANIC")


def test_decide_may_only_tighten(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    def broken(_tool: str, _arguments: object) -> bool:
        raise ZeroDivisionError

    def says(answer: object) -> Callable[[str, object], object]:
        return lambda _tool, _arguments: answer

    for decide, fine in (
        *(
            (says(answer=True), True),
            (says(answer=False), False),
            (says(answer=None), False),
        ),
        *((says(answer="approve"), False), (broken, False)),
    ):
        policy = load("[tools.list_items]\n", decide=decide)
        client = server.client(shop.Client).with_options(policy=policy)
        assert arrives(server, client.list_items, shop) is fine
        assert not arrives(server, partial(client.delete_item, id=1), shop)


@pytest.mark.parametrize(
    ("begin", "entry", "path"),
    [
        ("modes = []", "", "modes"),
        ("cases = 3", "", "cases"),
        (
            "",
            '[tools.list_items]\nreviewed = "sha256:TODO"',
            "tools.list_items.reviewed",
        ),
        (
            "",
            "[tools.list_items]\nrate = { per_minute = 1e-323 }",
            "tools.list_items.rate.per_minute",
        ),
        ("", '[methods."resource/read"]\ndeny = true', 'methods."resource/read"'),
        (
            "",
            '[methods."notifications/cancelled"]\ndeny = true',
            'methods."notifications/cancelled"',
        ),
        (
            "",
            (
                '[tools.fetch_page]\narguments.url = { fixed = "/etc" }\n'
                'paths.url = { allowed = ["/data"] }'
            ),
            "tools.fetch_page.paths.url",
        ),
    ],
)
def test_a_file_that_says_nothing_that_can_be_meant_is_refused(
    begin: str, entry: str, path: str, shop: Any, load: Callable[..., Any]
) -> None:
    with pytest.raises(shop.ConfigError) as caught:
        load(entry, begin)
    assert [at for at, _ in caught.value.faults] == [path]


def test_a_policy_refuses_a_mode_that_its_supervisor_does_not_have(
    shop: Any, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor("ALERT")
    with pytest.raises(shop.ConfigError, match="expected mode ALERT, which the super"):
        load("", mode="NORMAL", supervisor=supervisor)
    assert load("", mode="ALERT", supervisor=supervisor).mode == "ALERT"
    assert load("", supervisor=supervisor).mode == "ALERT"


def test_an_empty_mode_is_none_of_the_file(shop: Any, load: Callable[..., Any]) -> None:
    for options in ({"mode": ""}, {"supervisor": shop.Supervisor("")}):
        with pytest.raises(shop.ConfigError, match="the policy has no mode"):
            load("", **options)


@pytest.mark.parametrize("seconds", [0, -1, 1e300, float("nan"), True, None, "5"])
def test_the_time_of_an_approval_is_a_number_of_seconds(
    seconds: Any, shop: Any, load: Callable[..., Any]
) -> None:
    with pytest.raises(shop.ConfigError, match="approval_seconds: expected"):
        load("", approval_seconds=seconds)


def test_methods_of_a_vendor_may_have_entries(load: Callable[..., Any]) -> None:
    assert load('[methods."shop.example/refund"]\ndeny = true').mode == "NORMAL"


@pytest.mark.parametrize("kind", ["tools", "prompts"])
def test_a_table_that_takes_no_entry_is_named(kind: str, tmp_path: Path) -> None:
    recording, file = tmp_path / "r.json", tmp_path / "p.toml"
    listed: dict[str, Any] = {"tools": [], "prompts": []}
    listed[kind] = [{"name": "a"}, {"name": "b"}]
    for tool in listed["tools"]:
        tool["inputSchema"] = {"type": "object"}
    recording.write_text(json.dumps(listed), encoding="utf-8")
    file.write_text(before := f"{kind} = {{ a = {{ deny = true }} }}\n")
    made = CliRunner().invoke(app, ["policy", str(recording), "-o", str(file)])
    assert (made.exit_code, file.read_text()) == (2, before)
    assert f"{kind} = ... is one value of TOML, which takes no new" in made.stderr
    assert f"write its entries as [{kind}.NAME]; nothing was written" in made.stderr
