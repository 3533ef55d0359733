"""Ways round a policy that an outsider's attack showed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.policy.masks import masked

from tests.policy.counting import CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable

STAR = '[tools.list_items.paths]\n"/like/*/path" = { allowed = ["/data"] }\n'


@pytest.mark.parametrize(
    "files",
    [
        "/etc/passwd",
        ["/etc/passwd"],
        {"path": "/etc/passwd"},
        [[{"path": "/etc"}]],
        5,
        None,
        [{}],
        [{"path": "/data/a"}, {}],
        [{"path": "/data/a"}, "/etc/passwd"],
    ],
)
def test_a_value_of_another_type_passes_no_pointer(
    files: Any, shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    policy = load(STAR)
    client = server.client(shop.Client, "one").with_options(policy=policy)
    with pytest.raises(shop.DeniedError):
        client.call_tool("list_items", {"like": files})
    assert server.calls == []


def never(_tool: str, _arguments: object) -> bool:
    return False


def test_decide_denies_where_a_log_would_only_note(
    shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    policy = load(
        '[tools.list_items]\nenforce = "log"\ndeny = true\n',
        decide=never,
    )
    client = server.client(shop.Client, "one").with_options(policy=policy)
    with pytest.raises(shop.DeniedError):
        client.call_tool("list_items", {})
    assert server.calls == []


@pytest.mark.parametrize("before", [4000, 4041, 4090, 4095, 4096, 6143, 8190])
def test_a_secret_at_the_edge_of_a_piece_is_masked(before: int) -> None:
    text = "y" * before + " sk-" + "1234567890" * 3
    assert "123456" not in masked(text, ("sk-[0-9]+",))
