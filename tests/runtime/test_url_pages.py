"""How often a call that waits for a page (error -32042) is sent again, and how long."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.errors import DeadlineError, ProtocolError
from mcp_bindgen.runtime.protocol.steps import Sleep
from mcp_bindgen.runtime.protocol.url_elicitation import UrlWait

from tests.runtime.asking import PAGE, AskingServer

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tests.runtime.conftest import Driver


class NeverIn(AskingServer):
    """A server whose page is never done.

    Attributes:
        anew: Whether it names another page each time.
    """

    def __init__(self, *, reports: bool, anew: bool = False) -> None:
        super().__init__()
        self.reports, self.anew = reports, anew

    @property
    def deliveries(self) -> int:
        """How often the call arrived."""
        return self.methods().count("tools/call")

    def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        """Return what answers a request."""
        if message["method"] != "tools/call":
            return super().result(message, send)
        identity = f"page-{self.deliveries if self.anew else 1}"
        if self.reports:
            params = {"elicitationId": identity}
            method = "notifications/elicitation/complete"
            send({"jsonrpc": "2.0", "method": method, "params": params})
        page = {**PAGE, "elicitationId": identity}
        data = {"elicitations": [page]}
        return {"error": {"code": -32042, "message": "log in", "data": data}}


def agree(_: object) -> bool:
    """Agree to open any page."""
    return True


@pytest.fixture(autouse=True)
def shorter_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a call be sent again after 0.4 and 0.8 seconds, in place of 1 and 2."""
    monkeypatch.setattr(limits, "URL_PAUSE", 0.4)


@pytest.fixture
def server() -> Iterator[NeverIn]:
    with NeverIn(reports=False) as running:
        yield running


def refused(driver: Driver, server: NeverIn, **options: Any) -> ProtocolError:
    """Call the tool with a user who agrees, and return the error."""

    async def work(client: Any) -> Any:
        await client.call_tool("login", {})

    with pytest.raises(ProtocolError) as caught:
        driver.http(server.url, work, on_url=agree, **options)
    assert caught.value.code == -32042
    assert caught.value.outcome == "refused"
    return caught.value


def test_the_deadline_of_the_call_ends_the_wait(
    driver: Driver, server: NeverIn
) -> None:
    error = refused(driver, server, timeout=1.0)
    assert "finish at login.example, then make the call again" in str(error)
    assert 1 <= server.deliveries <= 3  # at once, after a pause of 0.4, and one of 0.8


def test_a_call_without_a_deadline_does_not_wait_for_ever(
    driver: Driver, server: NeverIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PAUSE_MOST", 1.0)
    assert "finish at" in str(refused(driver, server, timeout=None))
    assert server.deliveries == 2


def test_a_report_counts_once(driver: Driver) -> None:
    with NeverIn(reports=True) as server:
        refused(driver, server, timeout=1.0)
        assert 2 <= server.deliveries <= 4


def test_no_page_after_page_without_end(driver: Driver) -> None:
    with NeverIn(reports=True, anew=True) as server:
        refused(driver, server, timeout=20)
        assert server.deliveries == limits.INPUT_ROUNDS + 1


def test_a_long_deadline_rules_too() -> None:
    def ask(_method: str, _params: object) -> Generator[Any, Any, dict[str, str]]:
        yield from ()
        return {"action": "accept"}

    error = ProtocolError(-32042, "log in", {"elicitations": [PAGE]})
    wait, waited, in_time = UrlWait(), 0.0, True
    while waited < 7200:
        flow = wait.after(error, ask, set)
        step = next(flow)
        with suppress(StopIteration):
            while True:
                assert isinstance(step, Sleep)
                waited += step.seconds
                step = flow.send(in_time)


def test_a_call_that_breaks_is_not_sent_again(driver: Driver) -> None:
    class Breaking(NeverIn):
        def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
            if message["method"] == "tools/call" and self.deliveries == 2:
                raise BrokenPipeError
            return super().result(message, send)

    async def work(client: Any) -> Any:
        with pytest.raises(Exception, match="may have run") as caught:
            await client.call_tool("login", {})
        assert not isinstance(caught.value, DeadlineError)

    with Breaking(reports=True) as server:
        driver.http(server.url, work, on_url=agree, timeout=9)
        assert server.deliveries == 2
