"""What a failure is: the outcomes of `try_tool`, and the hints of HTTP statuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.protocol.http_errors import refusal
from mcp_bindgen.runtime.protocol.steps import Head

from tests.runtime.test_client import fake

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.runtime.conftest import Driver


def test_outcomes_and_approval(driver: Driver) -> None:
    def no(_name: str, _arguments: Mapping[str, Any]) -> bool:
        return False

    async def work(client: Any) -> Any:
        done = await client.try_tool("double", {})
        guarded = client.with_options(before_call=no)
        return done, await guarded.try_tool("double", {})

    done, denied = driver.run(
        work, lambda: driver.client(fake(driver, structuredContent=1))
    )
    assert (done.success, done.data) == (True, 1)
    assert not denied.success
    assert denied.result is None
    assert denied.error.outcome == "not sent"


@pytest.mark.parametrize("arguments", [None, [], "x", 5])
def test_arguments_that_are_no_object_are_an_outcome(
    driver: Driver, arguments: Any
) -> None:
    transport = fake(driver, structuredContent=1)

    async def work(client: Any) -> Any:
        with pytest.raises(InvalidArgumentsError, match="expected an object"):
            await client.call_tool("double", arguments)
        outcome = await client.try_tool("double", arguments)
        return outcome, await client.try_tool("double", {})

    outcome, after = driver.run(work, lambda: driver.client(transport))
    assert (outcome.success, outcome.error.outcome) == (False, "not sent")
    assert after.success


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (404, "is this the URL of an MCP endpoint?"),
        (418, "the server refuses such a request: read its log"),
        (429, "the server takes no more requests now: try again later"),
        (500, "the fault is the server's: read its log, or try again later"),
    ],
)
def test_a_status_has_a_hint(status: int, hint: str) -> None:
    assert refusal(Head(status, {}), "").hint == hint
