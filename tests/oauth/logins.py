"""Connect with OAuth, and see what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import (
    OAuthError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth

from tests.oauth.fake import browse

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ThreadPoolExecutor

    from tests.oauth.fake import Fake


def logged_in(fake: Fake, auth: OAuth | None = None, **more: Any) -> OAuth:
    """Connect, and list the tools; return the OAuth."""
    auth = auth or OAuth(store="memory", on_login=browse, **more)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        assert client.list_tools() == []
    return auth


def listed(fake: Fake, auth: OAuth, **more: Any) -> None:
    """Connect, and list the tools."""
    with BaseClient.http(fake.url, auth=auth, era="modern", **more) as client:
        assert client.list_tools() == []


def refused(fake: Fake, words: str, **more: Any) -> None:
    """Connect, and see that it fails before a token is asked for or sent."""
    with pytest.raises(OAuthError, match=words):
        logged_in(fake, **more)
    assert fake.count("/token") == 0


def each_in(pool: ThreadPoolExecutor, work: Callable[[], object]) -> list[object]:
    """Return 16 results of a function in threads."""
    futures = [pool.submit(work) for _ in range(16)]
    return [future.result() for future in futures]
