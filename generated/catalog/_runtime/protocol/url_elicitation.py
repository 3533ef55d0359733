# Copied by mcp-bindgen. Do not edit.
"""Calls that wait until a person has done something at a URL (error -32042).

MCP 2025-11-25, elicitation, "URL Elicitation Required Error".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import ProtocolError, printable
from ..json_values import elements, members
from .steps import Sleep

if TYPE_CHECKING:
    from collections.abc import Callable

    from .steps import Flow

__all__ = ["UrlWait"]

_METHOD = "elicitation/create"


class UrlWait:
    """The URLs that a person must open for one call.

    The rule: the call is sent again only after the server turned it down, and after a
    report that came since, or a pause. Its deadline ends that.

    Attributes:
        agreed: The ids of the elicitations that the user has agreed to.
    """

    def __init__(self) -> None:
        self.agreed = set[str]()
        self._reported = set[str]()
        self._rounds = 0
        self._waited = 0.0
        self._pause = limits.URL_PAUSE

    def after(
        self,
        error: ProtocolError,
        ask: Callable[[str, dict[str, Any]], Flow[Any, Any]],
        completed: Callable[[], set[str]],
    ) -> Flow[Any, None]:
        """Ask the user about the URLs of an error, and wait before the next attempt.

        The attempt comes at once if the server reports that all is done, else after a
        pause: the report is optional.

        Args:
            error: It holds `elicitations`.
            ask: Asks about one elicitation; returns the result.
            completed: Returns the ids that the server has reported as done.

        Raises:
            ProtocolError: The same error: the user has not agreed, the server names
                no URL, or the time is over.
        """
        named = [
            members(each) for each in elements(members(error.data).get("elicitations"))
        ]
        ids = {str(each.get("elicitationId")) for each in named}
        self._rounds += not ids <= self.agreed
        endless = self._rounds > limits.INPUT_ROUNDS
        if not named or endless or len(named) > limits.URLS_AT_ONCE:
            raise error
        for each in named:
            if str(each.get("elicitationId")) in self.agreed:
                continue
            answer = yield from ask(_METHOD, {**each, "mode": "url"})
            if members(answer).get("action") != "accept":
                error.hint = f"nobody agreed to open {_host(each)}"
                raise error
        self.agreed |= ids
        if not (yield from self._done(ids, completed)):
            error.hint = f"finish at {_host(named[-1])}, then make the call again"
            raise error

    def _done(
        self, ids: set[str], completed: Callable[[], set[str]]
    ) -> Flow[Any, bool]:
        """Wait for a pause, or for the reports; False where the time is over."""
        end = self._waited + self._pause
        self._pause = min(self._pause * 2, limits.URL_PAUSE_MOST)
        while self._waited < end and not ids <= completed() - self._reported:
            if not (yield from Sleep(limits.URL_POLL, self._waited)):
                return False
            self._waited += limits.URL_POLL
        self._reported |= ids & completed()
        return True


def _host(elicitation: dict[str, Any]) -> str:
    from urllib.parse import urlsplit

    try:
        host = urlsplit(str(elicitation.get("url"))).hostname or ""
    except ValueError:
        host = ""
    return printable(host, 200) or "the URL"
