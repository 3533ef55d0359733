"""A token that ends: renewed, is_slow for again, or the end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    DeadlineError,
    LoginRequiredError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.stores import (
    MemoryStore,
)

from tests.oauth.fake import browse, serve
from tests.oauth.logins import listed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.oauth.fake import Fake

SETTINGS = """
[tool.mcp-bindgen.servers.guarded]
url = "{url}"
auth = "oauth"
"""
RECORD = ("-m", "mcp_bindgen", "record")
PROGRAM = """
import os
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.transport.oauth.auth import OAuth

with BaseClient.http(os.environ["URL"], auth=OAuth(on_login=None)) as client:
    client.list_tools()
"""


def test_a_renewal_of_client_credentials_asks_again(fake: Fake) -> None:
    auth = OAuth.client_credentials("job", client_secret="s")
    fake.issued["expires_in"] = 0
    listed(fake, auth)
    fake.good.clear()
    listed(fake, auth)
    assert [p["grant_type"] for _, path, p in fake.requests if path == "/token"] == [
        "client_credentials"
    ] * 2


def test_a_token_is_renewed_before_it_ends(fake: Fake) -> None:
    store = MemoryStore()
    fake.issued["expires_in"] = "0"
    listed(fake, OAuth(store=store, on_login=browse))
    fake.issued.clear()
    calls = fake.count("/mcp")
    listed(fake, OAuth(store=store, on_login=None))
    assert fake.last("/token")["grant_type"] == "refresh_token"
    assert [p["token"] in fake.good for _, path, p in fake.requests if path == "/mcp"][
        calls:
    ] == [True] * (fake.count("/mcp") - calls)


def test_a_client_that_the_server_forgot_is_registered_anew(fake: Fake) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    fake.good.clear()
    fake.answers["/token"] = lambda _: (401, {"error": "invalid_client"})
    with pytest.raises(LoginRequiredError):
        listed(fake, OAuth(store=store, on_login=None))
    del fake.answers["/token"]
    listed(fake, OAuth(store=store, on_login=browse))
    assert fake.count("/register") == 2


def test_a_changed_server_registers_at_the_new_issuer(fake: Fake) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    first = fake.last("/authorize")["client_id"]
    fake.good.clear()
    fake.refresh.clear()
    with serve() as other:
        fake.resource["authorization_servers"] = [other.origin]
        other.good = fake.good
        listed(fake, OAuth(store=store, on_login=browse))
        assert other.count("/register") == 1
        assert other.last("/authorize")["client_id"] != first


def test_a_token_that_is_refused_after_a_login_is_the_end(fake: Fake) -> None:
    fake.answers["/token"] = lambda _: (
        200,
        {"access_token": "never-good", "token_type": "bearer"},
    )
    with pytest.raises(AuthError) as caught:
        listed(fake, OAuth(store="memory", on_login=browse))
    assert caught.value.status == 401
    assert fake.count("/authorize") == 1


def test_a_call_that_is_over_leaves_its_login_to_the_next(fake: Fake) -> None:
    release = threading.Event()

    def slow(url: str) -> None:
        release.wait(20)
        browse(url)

    auth = OAuth(store="memory", on_login=slow)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        with pytest.raises(DeadlineError):
            client.with_options(timeout=0.5).list_tools()
        release.set()
        assert client.list_tools() == []
    assert fake.count("/authorize") == 1


def test_a_passing_error_before_the_end_of_a_token_costs_nothing(fake: Fake) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    (key,) = vars(store)["_texts"]
    record = json.loads(store.load(key) or "")
    # It ends in ten seconds, and is renewed half a minute before.
    record["tokens"]["expires_at"] -= 3590
    store.save(key, json.dumps(record))
    fake.answers["/token"] = lambda _: (503, {})
    listed(fake, OAuth(store=store, on_login=None))
    assert fake.count("/token") >= 2


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send")
@pytest.mark.parametrize(
    ("words", "signals"),
    [
        (("-c", PROGRAM), ["SIGINT"]),
        (RECORD, ["SIGINT"]),
        (RECORD, ["SIGTERM"]),
        (RECORD, ["SIGHUP"]),
        (RECORD, ["SIGINT", "SIGINT", "SIGTERM"]),
        (RECORD, ["SIGTERM", "SIGTERM", "SIGHUP"]),
    ],
)
def test_a_program_that_is_interrupted_stores_the_renewed_tokens(
    fake: Fake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    signals: list[str],
) -> None:
    monkeypatch.setenv("MCP_BINDGEN_CREDENTIALS", str(tmp_path / "credentials"))
    monkeypatch.setenv("URL", fake.url)
    (tmp_path / "pyproject.toml").write_text(SETTINGS.format(url=fake.url))
    fake.issued["expires_in"] = 0
    listed(fake, OAuth(on_login=browse))
    del fake.issued["expires_in"]
    is_slow = threading.Event()

    def slow(params: dict[str, str]) -> tuple[int, object]:
        is_slow.set()
        time.sleep(0.6)
        return fake.tokens(params)

    fake.answers["/token"] = slow
    with subprocess.Popen(
        [sys.executable, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as program:
        assert is_slow.wait(20)
        for name in signals:
            program.send_signal(getattr(signal, name))
            time.sleep(0.1)
        _, errors = program.communicate()
    assert words != RECORD or errors == ""
    listed(fake, OAuth(on_login=None))
    assert fake.count("/authorize") == 1
