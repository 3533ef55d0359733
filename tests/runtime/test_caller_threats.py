"""Arguments, headers, URLs and credentials that a caller must not send."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.errors import (
    AuthError,
    ConfigError,
    InvalidArgumentsError,
)

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile


CYCLE: list[object] = []
CYCLE.append(CYCLE)


def nested(depth: int) -> list[object]:
    """Return a list in a list in a list."""
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": b"bytes"},
        {"a": "\ud800"},
        {"a": 10**5000},
        {"a": {1: 2}},
        {"a": object()},
        {"a": CYCLE},
        {"a": nested(300)},
        {"a": nested(100_000)},
    ],
    ids=range(10),
)
def test_arguments_that_are_not_json(
    arguments: dict[str, object], driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url("good")
    with pytest.raises(InvalidArgumentsError) as caught:
        driver.call(url, arguments=arguments)
    assert caught.value.faults[0].rule == "json"
    assert hostile.methods(url) == ["server/discover"]


@pytest.mark.parametrize(
    "headers",
    [
        {"x-a": "line\r\nx-b: 1"},
        {"x-a": "nul\0"},
        {"x-a": "\u00e9"},
        {"x a": "1"},
        {"": "1"},
        {"Content-Type": "text/plain"},
        {"ACCEPT": "*/*"},
        {"Mcp-Session-Id": "x"},
        {"Host": "other"},
    ],
)
def test_headers_that_the_caller_must_not_send(
    headers: dict[str, str], driver: Driver
) -> None:
    with pytest.raises(ConfigError) as caught:
        driver.client.http("http://127.0.0.1:9/", headers=headers)
    assert next(iter(headers.values())) not in str(caught.value) or headers == {
        "": "1",
        **headers,
    }


@pytest.mark.parametrize(
    "url",
    [
        *("", "ftp://h/x", "file:///etc/passwd", "//h/x", "h/mcp", "http://"),
        *("https://user:pass@h/", "http://example.com/mcp", "http://[::2]/", None),
        *("https://h/\ud800", "https://h/?q=\udcff"),
    ],
)
def test_urls_that_are_refused(url: str, driver: Driver) -> None:
    with pytest.raises(ConfigError) as caught:
        driver.client.http(url)
    assert "pass@" not in str(caught.value)


def test_http_to_other_machines_only_when_allowed(driver: Driver) -> None:
    client = driver.client.http("http://example.com/mcp?key=SECRET", allow_http=True)
    assert repr(client).endswith("('http://example.com')")


@pytest.mark.parametrize("act", ["wants_token", "forbidden"])
def test_refused_credentials(act: str, driver: Driver, hostile: Hostile) -> None:
    url = hostile.url(act)
    with pytest.raises(AuthError) as caught:
        driver.call(url, token="stale")
    assert hostile.methods(url) == ["server/discover"]  # no other era is tried
    if act == "wants_token":
        assert caught.value.status == 401
        assert caught.value.challenge["error"] == "invalid_token"
        assert caught.value.challenge["error_description"] == 'say "please"'
        assert "'read'" in str(caught.value)


def test_a_token_is_fetched_anew_once(driver: Driver, hostile: Hostile) -> None:
    tokens = iter(["stale", "fresh"])
    url = hostile.url("wants_token")
    assert driver.call(url, token=lambda: next(tokens)).text == "done"
    assert hostile.methods(url) == ["server/discover", "server/discover", "tools/call"]
    with pytest.raises(AuthError):
        driver.call(hostile.url("wants_token"), token=lambda: "stale")
    for bad in (lambda: 1, lambda: "a\nb", lambda: ""):
        with pytest.raises(ConfigError):
            driver.call(hostile.url("wants_token"), token=bad)
