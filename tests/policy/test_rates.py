"""How often a tool may run: who shares a rate, and which calls use it up."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any
from weakref import ref

from tests.policy.arrivals import arrives
from tests.policy.counting import CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable


def test_rates_are_shared_as_the_policy_says(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    rate = "[tools.list_items.rate]\nper_minute = 1\nburst = 2\nscope = "
    for scope, of_another in (("client", True), ("tool", False)):
        server.calls.clear()
        policy = load(f'{rate}"{scope}"\n', f'[server]\ncommand = ["{scope}"]')
        client = server.client(shop.Client, scope).with_options(policy=policy)
        assert [arrives(server, client.list_items, shop) for _ in range(3)] == [
            *(True, True, False)
        ]
        other = server.client(shop.Client, scope).with_options(policy=policy)
        assert arrives(server, other.list_items, shop) is of_another


def test_no_rate_is_used_up_by_a_call_that_another_policy_denies(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    rate = "[tools.list_items]\nrate = {{ per_minute = 1, burst = {} }}\n"
    first = server.client(shop.Client).with_options(policy=load(rate.format(3)))
    both = first.with_options(policy=load(rate.format(1)))
    fine = [arrives(server, both.list_items, shop) for _ in range(3)]
    assert fine == [True, False, False]
    fine = [arrives(server, first.list_items, shop) for _ in range(3)]
    assert fine == [True, True, False]


def test_the_rate_of_a_client_ends_with_it(shop: Any, load: Callable[..., Any]) -> None:
    policy = load("[tools.list_items]\nrate = { per_minute = 1 }\n")
    gone: list[Any] = []
    for _ in range(3):
        client = CountingServer().client(shop.Client).with_options(policy=policy)
        client.list_items()
        (guard,) = client._options.guards
        (bucket,) = guard.state.buckets.values()
        gone.append(ref(guard.state))
        del client, guard
        assert bucket.calls == 0
    gc.collect()
    assert [state() for state in gone] == [None] * 3
