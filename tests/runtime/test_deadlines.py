"""Calls that end in time, whatever the server does or does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.errors import DeadlineError

from tests.runtime.conftest import hurry

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile


@pytest.mark.parametrize(
    "act", ["silence", "drip_head", "drip_body", "comments", "old_silence"]
)
def test_the_deadline_holds(act: str, driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(DeadlineError) as caught:
        driver.http(hostile.url(act), hurry)
    assert caught.value.outcome == "unknown"
    assert isinstance(caught.value, TimeoutError)


def test_a_deadline_before_the_call_itself(driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(DeadlineError) as caught:
        driver.call(hostile.url("mute"), timeout=0.3)
    assert caught.value.outcome == "not sent"


def test_a_legacy_server_hears_of_the_deadline(
    driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url("old_silence")
    with pytest.raises(DeadlineError):
        driver.http(url, hurry)
    (cancelled,) = (
        entry["message"]["params"]
        for entry in hostile.log(url)
        if entry["method"] == "notifications/cancelled"
    )
    (call,) = (m["message"] for m in hostile.log(url) if m["method"] == "tools/call")
    assert cancelled["requestId"] == call["id"]


def test_a_server_that_cannot_hear_of_the_deadline(
    driver: Driver, hostile: Hostile
) -> None:
    with pytest.raises(DeadlineError):
        driver.http(hostile.url("deaf_to_cancel"), hurry)
