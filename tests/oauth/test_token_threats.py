"""Tokens that leak, are stolen, or are refreshed by many at once."""

from __future__ import annotations

import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import anyio
import anyio.to_thread
import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    ConfigError,
    LoginRequiredError,
    OAuthError,
    TransportError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.stores import FileStore, MemoryStore

from tests.oauth.fake import browse, serve
from tests.oauth.logins import each_in, logged_in

if TYPE_CHECKING:
    from pathlib import Path

    from tests.oauth.fake import Fake


def test_endless_step_ups_end(fake: Fake) -> None:
    scopes = iter(range(100))
    fake.issued["scope"] = "none"

    def more(params: dict[str, str]) -> tuple[int, Any]:
        fake.needed = f"scope-{next(scopes)}"
        return fake.tokens(params)

    fake.needed = "first"
    fake.answers["/token"] = more
    with pytest.raises(AuthError) as caught:
        logged_in(fake)
    assert caught.value.status == 403
    assert fake.count("/authorize") <= 4


def test_the_same_scopes_are_not_requested_twice(fake: Fake) -> None:
    fake.needed = "admin"
    fake.issued["scope"] = "less"
    with pytest.raises(AuthError):
        logged_in(fake)
    assert fake.count("/authorize") == 2
    assert fake.last("/authorize")["scope"] == "less admin"


def test_a_token_goes_to_one_origin_only(fake: Fake) -> None:
    auth = logged_in(fake)
    with serve() as other:
        with pytest.raises(ConfigError, match="make one OAuth for each client"):
            logged_in(other, auth)
        assert other.requests == []


def test_tokens_stand_nowhere_else(
    fake: Fake, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def quiet(url: str) -> None:
        with urlopen(url) as page:
            page.read()

    caplog.set_level(logging.DEBUG)
    store = FileStore(tmp_path / "credentials")
    auth = logged_in(
        fake,
        OAuth(
            store=store,
            on_login=quiet,
            client_id="me",
            client_secret="s3cr3t-of-client",
        ),
    )
    (file,) = store.folder.glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    assert store.folder.stat().st_mode & 0o777 == 0o700
    hidden = [*fake.good, *fake.refresh, "s3cr3t-of-client", "the-code"]
    texts = caplog.text + repr(auth) + repr(store) + repr(vars(auth))
    texts += repr(vars(auth)["_session"].record)
    assert [secret for secret in hidden if secret in texts] == []
    assert "s3cr3t-of-client" not in file.read_text()
    tokens = json.loads(file.read_text())["tokens"]

    def echo(params: dict[str, str]) -> tuple[int, Any]:
        return 400, {"error": "weird", "error_description": f"bad {params}"}

    fake.answers["/token"] = echo
    fake.good.clear()
    with pytest.raises(OAuthError) as caught:
        logged_in(fake, OAuth(store=store, on_login=None, client_id="me"))
    assert tokens["refresh"] not in str(caught.value) + repr(caught.value)


def test_a_file_that_others_may_read_is_refused(fake: Fake, tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    logged_in(fake, OAuth(store=store, on_login=browse))
    (file,) = tmp_path.glob("*.json")
    file.chmod(0o644)
    with pytest.raises(ConfigError, match="others may read"):
        logged_in(fake, OAuth(store=store, on_login=None))


def test_passing_errors_keep_the_tokens(fake: Fake) -> None:
    store = MemoryStore()
    logged_in(fake, OAuth(store=store, on_login=browse))
    before = store.__dict__["_texts"].copy()
    fake.good.clear()
    fake.answers["/token"] = lambda _: (503, {})
    with pytest.raises(TransportError):
        logged_in(fake, OAuth(store=store, on_login=None))
    assert store.__dict__["_texts"] == before
    del fake.answers["/token"]
    logged_in(fake, OAuth(store=store, on_login=None))


def test_dead_tokens_need_a_login_and_no_new_client(fake: Fake) -> None:
    store = MemoryStore()
    logged_in(fake, OAuth(store=store, on_login=browse))
    fake.good.clear()
    fake.refresh.clear()
    with pytest.raises(LoginRequiredError, match="mcp-bindgen login"):
        logged_in(fake, OAuth(store=store, on_login=None))
    logged_in(fake, OAuth(store=store, on_login=browse))
    assert fake.count("/register") == 1


def test_a_configured_client_belongs_to_one_issuer(fake: Fake) -> None:
    store = MemoryStore()
    logged_in(fake, OAuth(store=store, on_login=browse, client_id="mine"))
    assert fake.count("/register") == 0
    fake.good.clear()
    fake.refresh.clear()
    with serve() as other:
        fake.resource["authorization_servers"] = [other.origin]
        auth = OAuth(store=store, on_login=browse, client_id="mine")
        with pytest.raises(OAuthError, match="was given for"):
            logged_in(fake, auth)
        assert other.count("/authorize") == other.count("/token") == 0


def test_many_threads_log_in_once_and_refresh_once(fake: Fake) -> None:
    auth = OAuth(store="memory", on_login=browse)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        with ThreadPoolExecutor(8) as pool:
            assert each_in(pool, client.list_tools) == [[]] * 16
            assert (fake.count("/authorize"), fake.count("/token")) == (1, 1)
            fake.good.clear()
            assert each_in(pool, client.list_tools) == [[]] * 16
        assert (fake.count("/authorize"), fake.count("/token")) == (1, 2)


async def _cancelled_while_it_refreshes(fake: Fake) -> None:
    auth = OAuth(store="memory", on_login=browse)
    begun, release = threading.Event(), threading.Event()

    def slow(params: dict[str, str]) -> tuple[int, Any]:
        begun.set()
        release.wait(10)
        return fake.tokens(params)

    async with AsyncBaseClient.http(fake.url, auth=auth, era="modern") as client:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(client.list_tools)
        assert fake.count("/authorize") == 1
        fake.good.clear()
        fake.answers["/token"] = slow
        async with anyio.create_task_group() as group:
            group.start_soon(client.list_tools)
            await anyio.to_thread.run_sync(begun.wait)
            group.cancel_scope.cancel()
        release.set()
        assert await client.list_tools() == []


def test_a_cancelled_refresh_is_not_lost(fake: Fake) -> None:
    anyio.run(_cancelled_while_it_refreshes, fake)
    assert fake.count("/authorize") == 1
    assert fake.count("/token") == 2
    assert len(fake.refresh) == 1
