"""What the keys of a policy file mean, for values that are not what they seem."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from tests.policy.arrivals import arrives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.policy.counting import CountingServer

NAN = float("nan")
MAXIMUM = "[tools.list_items.arguments]\nsize = { maximum = 100 }\n"
ABSENT = "[tools.list_items.arguments]\nsize = { maximum = 100, absent = true }\n"


@pytest.mark.parametrize(
    ("value", "fine"),
    [
        *((1, True), (100, True), (1e2, True), (-5, True), (101, False), (1e3, False)),
        *(("99", False), ("999", False), (True, False), (None, False), (NAN, False)),
        *(([1], False), ({}, False), (float("inf"), False), (10**30, False)),
    ],
)
def test_a_number_is_a_number(
    value: Any, fine: Any, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client).with_options(policy=load(MAXIMUM))
    call = partial(client.call_tool, "list_items", {"size": value})
    assert arrives(server, call, shop) is fine


def test_an_absent_argument_may_have_any_default_of_the_server(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client)
    strict = client.with_options(policy=load(MAXIMUM))
    with pytest.raises(shop.PolicyError, match="a number up to 100") as caught:
        strict.list_items()
    assert caught.value.rule == "tools.list_items.arguments.size"
    assert arrives(server, client.with_options(policy=load(ABSENT)).list_items, shop)
    # Other arguments than those of the schema change nothing.
    many = {"size": 1, "sizes": 999, "size ": 999}
    assert arrives(server, partial(strict.call_tool, "list_items", many), shop)


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ('{ fixed = "a" }', (["a"], ["A", "a ", "b", None, ["a"], ""])),
        ("{ allowed = [1, 2] }", ([1, 2, 1.0], [True, "1", 3, None])),
        ('{ pattern = "(?i)[a-z]+" }', (["abC"], ["abc1", "abc\n"])),
        ('{ pattern = "[a-z]+" }', (["abc"], ["abc1", "abc\n", "\nabc", "", 5])),
        ("{ max_length = 3 }", (["abc", [1, 2]], ["abcd", 5, None, [1, 2, 3, 4]])),
    ],
)
def test_constraints(
    rule: str,
    values: tuple[list[Any], list[Any]],
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
) -> None:
    policy = load(f"[tools.list_items.arguments]\nlike = {rule}\n")
    client = server.client(shop.Client).with_options(policy=policy)
    for listed, expected in zip(values, (True, False), strict=True):
        for value in listed:
            call = partial(client.call_tool, "list_items", {"like": value})
            assert arrives(server, call, shop) is expected, value


GOOD = ["/data", "/data/", "/data/a", "/data/a b/c.txt", "/data/.hidden", "/data/..a"]
BAD: list[Any] = [
    *("/data/../etc", "/data/./a", "/data/a/..", "..", "../data", "data/a", ""),
    *("/data/%2e%2e/etc", "/data/%2E", "/data/a%2fb", "file:///data/a", "FILE:/data"),
    *("~/data", "~root", "/data/a\\..\\b", "\\\\host\\data", "//host/data", "C:/data"),
    *("/data/a\x00", "/data/a\n", "/data/a.", "/data/a ", "/data/ a", "/data//a"),
    *("/DATA/a", "/Data", "/database", "/dat", "/", "/etc", "/data/secret/a"),
    *("/data/SECRET", "/data/\uff0e\uff0e/etc", "/data\uff0f..", "/data/e\u0301"),
    *("/data/a:b", "/data/con", "/data/NUL.txt", "/dev/null", "/data/COM1"),
    *("/data/SECRET~1", "/data/secret~12.tx/a", "/data/a~1."),
    *("/data/\u2025/x", "/data/a\u200b", "/data/\u202ea", None, 5, ["/data/a"], {}),
]


@pytest.mark.parametrize("path", [*GOOD, *BAD], ids=ascii)
def test_paths(
    path: Any, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    rule = '{ allowed = ["/data"], forbidden = ["/data/secret"] }'
    policy = load(f"[tools.list_items.paths]\npath = {rule}\n")
    client = server.client(shop.Client).with_options(policy=policy)
    call = partial(client.call_tool, "list_items", {"path": path})
    assert arrives(server, call, shop) is (path in GOOD)


@pytest.fixture
def plain_folder() -> Iterator[Path]:
    """A folder outside of /dev, where a policy allows no path."""
    home = Path("/var/tmp")
    with TemporaryDirectory(dir=home if home.is_dir() else None) as folder:
        yield Path(folder).resolve()


def test_links_count_on_a_shared_disk(
    shop: Any, server: CountingServer, load: Callable[..., Any], plain_folder: Path
) -> None:
    data, other = plain_folder / "data", plain_folder / "other"
    data.mkdir()
    other.mkdir()
    (data / "link").symlink_to(other)
    (data / "loop").symlink_to(data / "loop")
    rule = f'path = {{ allowed = ["{data}"], filesystem = "%s" }}'
    entry = f"[tools.list_items.paths]\n{rule}\n"
    for disk, fine in (("remote", True), ("local", False)):
        client = server.client(shop.Client).with_options(policy=load(entry % disk))
        for name in ("link/a", "loop"):
            call = partial(client.list_items, path=f"{data}/{name}")
            assert arrives(server, call, shop) is fine
        assert arrives(server, partial(client.list_items, path=f"{data}/new"), shop)


SWITCH = """
[[tools.manage_item.when]]
arguments.action = ["delete"]
modes = ["NORMAL"]
approval = "always"
"""


@pytest.mark.parametrize(
    ("action", "asks"),
    [
        *(("show", False), ("delete", True), ("Delete", True), (" delete", True)),
        *((["delete"], True), ({"a": 1}, True), (..., True), (None, True)),
        *(("\uff44elete", True), (5, False)),
    ],
)
def test_a_switch_is_decided_by_its_action(
    action: Any, asks: Any, shop: Any, server: CountingServer, load: Any
) -> None:
    supervisor = shop.Supervisor()
    client = server.client(shop.Client)
    client = client.with_options(policy=load(SWITCH, supervisor=supervisor))
    arguments = {} if action is ... else {"action": action}
    call = partial(client.call_tool, "manage_item", arguments)
    if asks:
        with pytest.raises(shop.ApprovalRequired):
            call()
    supervisor.switch("ALERT")
    assert arrives(server, call, shop) is not asks


@pytest.mark.parametrize(
    ("listed", "values"),
    [
        ("[3]", ([3, 3.0, "3", " 3 ", "3.0", "+3", "0x3", None], [4, "4", "x", True])),
        ("[1]", ([1, True, "1", "true", "Yes", "on"], [0, False, "no", 10, "11"])),
        ("[true]", ([True, 1, 1.0, "true", "ON", "1"], [False, 0, "false", "x", 2])),
        ('["3"]', ([3, 3.0, "3"], [30, "33"])),
        ('["all"]', (["all", "All ", None], ["", "al", 5, True, "9" * 5000])),
    ],
)
def test_a_switch_is_decided_by_all_that_a_server_may_read(
    listed: str,
    values: tuple[list[Any], list[Any]],
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
) -> None:
    entry = f"[[tools.list_items.when]]\narguments.like = {listed}\ndeny = true\n"
    client = server.client(shop.Client).with_options(policy=load(entry))
    for fine, each in zip((False, True), values, strict=True):
        for value in each:
            call = partial(client.call_tool, "list_items", {"like": value})
            assert arrives(server, call, shop) is fine, value


def test_secrets_and_labels(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    entries = """
    [tools.send_mail]
    sends_out = true
    secrets = ["sk-[a-z0-9]{8,}"]
    [tools.fetch_page]
    reads_untrusted = true
    """
    client = server.client(shop.Client).with_options(policy=load(entries))
    with pytest.raises(shop.PolicyError, match="like a secret"):
        client.send_mail(to="a", body="key: sk-abcdefgh1")
    client.send_mail(to="a", body="hello")
    client.fetch_page(url="https://a.example")
    with pytest.raises(shop.ApprovalRequired, match="texts of strangers"):
        client.send_mail(to="a", body="hello")
    # Another client on this connection has read the same.
    with pytest.raises(shop.ApprovalRequired):
        client.with_options(timeout=1).send_mail(to="a", body="hello")


def test_a_rule_that_only_logs_lets_the_call_pass(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    records: list[dict[str, Any]] = []
    policy = load(
        '[tools.list_items]\ndeny = true\nenforce = "log"\n', audit=records.append
    )
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()
    assert len(server.calls) == 1
    facts = [(r["event"], r.get("decision"), r.get("enforce")) for r in records]
    assert facts == [("decided", "deny", "log"), ("ended", None, None)]


def test_a_policy_that_only_logs_still_obeys_its_owner(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    records: list[dict[str, Any]] = []
    supervisor = shop.Supervisor()
    answers: list[Any] = [True]

    def decide(_tool: str, _arguments: object) -> Any:
        return answers[-1]

    policy = load(
        "[tools.list_items]\n",
        'enforce = "log"',
        audit=records.append,
        supervisor=supervisor,
        decide=decide,
    )
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()
    client.fetch_page(url="u")  # not listed, and so no more than a line in the log
    supervisor.revoke("list_items")
    with pytest.raises(shop.PolicyError, match="revoked"):
        client.list_items()
    supervisor.restore("list_items")
    for answer, error in (
        (False, shop.PolicyError),
        ("approve", shop.ApprovalRequired),
    ):
        answers.append(answer)
        with pytest.raises(error):
            client.list_items()
    assert [name for name, _ in server.calls] == ["list_items", "fetch_page"]
    decided = [record["enforce"] for record in records if "enforce" in record]
    assert decided == ["log", "log", "deny", "deny", "deny"]


def test_results_are_cleaned(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    text = "key sk-abc12345 and\u200b\u202e hidden\U000e0041"
    server.result = {"content": [{"type": "text", "text": text}]}
    rule = 'results = { strip_hidden = true, mask = ["sk-[a-z0-9]+"] }'
    policy = load(f"[tools.list_items]\n{rule}\n[tools.fetch_page]\n")
    client = server.client(shop.Client).with_options(policy=policy)
    assert client.list_items().text == "key [masked] and hidden"
    assert client.fetch_page(url="u").text == text
    server.result = {"content": [{"type": "text", "text": "x" * 9000}]}
    cut = client.with_options(
        policy=load("[tools.list_items]\nresults = { max_bytes = 1000 }\n")
    ).list_items()
    assert len(cut.text) < 1000
    assert "cut by the policy" in cut.text
