"""Servers that want more than a login: each threat, and what it gets."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit
from urllib.request import urlopen

import anyio
import anyio.to_thread
import httpx
import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    ConfigError,
    LoginRequiredError,
    McpError,
    OAuthError,
    TransportError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.stores import FileStore, MemoryStore
from mcp_bindgen.runtime.transport.oauth.urls import checked_endpoint

from tests.oauth.fake import browse, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from tests.oauth.fake import Fake


@pytest.fixture
def fake() -> Generator[Fake]:
    with serve() as made:
        yield made


def listed(fake: Fake, auth: OAuth | None = None, **more: Any) -> OAuth:
    """Connect, and list the tools; return the OAuth."""
    auth = auth or OAuth(store="memory", on_login=browse, **more)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        assert client.list_tools() == []
    return auth


def refused(fake: Fake, words: str, **more: Any) -> None:
    """Connect, and see that it fails before a token is asked for or sent."""
    with pytest.raises(OAuthError, match=words):
        listed(fake, **more)
    assert fake.count("/token") == 0


def test_the_whole_way_says_what_the_rules_ask_for(fake: Fake) -> None:
    fake.resource["scopes_supported"] = ["read", "write"]
    fake.server["scopes_supported"] = ["read", "write", "offline_access"]
    listed(fake)
    asked, redeemed = fake.last("/authorize"), fake.last("/token")
    digest = hashlib.sha256(redeemed["code_verifier"].encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    assert asked["code_challenge"] == challenge
    assert asked["code_challenge_method"] == "S256"
    assert asked["resource"] == redeemed["resource"] == fake.url
    assert asked["scope"] == "read write offline_access"
    assert len(asked["state"]) > 30
    assert fake.last("/register")["application_type"] == "native"
    assert redeemed["redirect_uri"].startswith("http://127.0.0.1:")


def test_an_answer_of_another_authorization_server(fake: Fake) -> None:
    fake.callback["iss"] = "https://evil.example"
    refused(fake, "another authorization server")


def test_an_error_of_another_authorization_server_is_not_believed(fake: Fake) -> None:
    fake.callback |= {
        "iss": "https://evil.example",
        "error": "x",
        "error_description": "LIE",
    }
    with pytest.raises(OAuthError) as caught:
        listed(fake)
    assert "LIE" not in str(caught.value)


def test_an_answer_that_hides_where_it_is_from(fake: Fake) -> None:
    fake.callback["iss"] = ""
    refused(fake, "does not say which authorization server")


def test_a_declined_login_says_so(fake: Fake) -> None:
    fake.callback |= {"error": "access_denied", "error_description": "no \x1b[31m"}
    refused(fake, r"not completed: no \\x1b")


def test_metadata_of_another_issuer_needs_a_name_for_it(fake: Fake) -> None:
    fake.server["issuer"] = fake.callback["iss"] = "https://tenant.example/v2"
    refused(fake, r"(?s)names another issuer.*tenant\.example")
    listed(fake, issuer="https://tenant.example/v2")


def test_an_issuer_of_a_bare_host_may_end_in_a_slash(fake: Fake) -> None:
    fake.resource["authorization_servers"] = [f"{fake.origin}/"]
    listed(fake)
    assert fake.count("/token") == 1


def test_an_issuer_with_a_path_never_asks_the_root(fake: Fake) -> None:
    fake.resource["authorization_servers"] = [f"{fake.origin}/tenant"]
    refused(fake, "no metadata")
    assert fake.count("/.well-known/oauth-authorization-server") == 0
    assert fake.count("/tenant/.well-known/openid-configuration") == 1


def test_a_resource_that_is_not_ours(fake: Fake) -> None:
    for other in ("https://bank.example/mcp", f"{fake.url}-other", f"{fake.url}/sub"):
        fake.resource["resource"] = other
        refused(fake, "of another resource")
    fake.resource["resource"] = f"{fake.origin}/"
    listed(fake)


def test_without_pkce_there_is_no_login(fake: Fake) -> None:
    for methods in (None, [], ["plain"]):
        fake.server["code_challenge_methods_supported"] = methods
        refused(fake, "PKCE")
    assert fake.count("/authorize") == 0


@pytest.mark.parametrize(
    ("key", "url", "words"),
    [
        ("token_endpoint", "http://tokens.example/token", "http://"),
        ("authorization_endpoint", "http://login.example/", "http://"),
        ("registration_endpoint", "ftp://a.example/", "not a URL"),
        ("token_endpoint", "https://user:secret@a.example/", "user name"),
        ("token_endpoint", "https://a.example/#x", "fragment"),
        ("token_endpoint", "https://a.example/\r\nX: y", "not a URL"),
        ("authorization_endpoint", "https://a.example/?state=x", "parameters"),
        ("authorization_endpoint", "javascript:alert(1)", "not a URL"),
        ("authorization_endpoint", "file:///etc/passwd", "not a URL"),
    ],
)
def test_endpoints_that_nobody_should_ask(
    fake: Fake, key: str, url: str, words: str
) -> None:
    fake.server[key] = url
    with pytest.raises(OAuthError, match=words) as caught:
        listed(fake)
    assert "secret" not in str(caught.value)
    assert fake.count("/authorize") == fake.count("/register") == 0


def test_a_remote_server_never_leads_to_this_machine() -> None:
    for local in ("http://127.0.0.1:9/", "https://localhost/", "https://[::1]/x"):
        with pytest.raises(OAuthError, match="this machine"):
            checked_endpoint(local, "token endpoint", "https://mcp.example/mcp")
        checked_endpoint(local, "token endpoint", "http://localhost:8000/mcp")


def test_redirected_metadata_is_none(fake: Fake) -> None:
    with serve() as other:
        place = "/.well-known/oauth-protected-resource/mcp"
        fake.redirect[place] = f"{other.origin}{place}"
        refused(fake, "is a redirect")
        assert other.seen == []


@pytest.mark.parametrize(
    "bomb",
    [
        b'{"a": "' + b"x" * 400_000 + b'"}',
        b"[" * 100_000,
        b'{"resource": ' + b"9" * 5000 + b"}",
        b'{"resource": "a", "resource": "b"}',
        b"<html>",
        b"\xff\xfe",
    ],
    ids=["long", "deep", "digits", "twice", "html", "bytes"],
)
def test_metadata_bombs(fake: Fake, bomb: bytes) -> None:
    fake.answers["/.well-known/oauth-authorization-server"] = lambda _: (200, bomb)
    with pytest.raises(McpError):
        listed(fake)
    assert fake.count("/authorize") == 0


def test_a_stolen_or_guessed_state_ends_nothing(fake: Fake) -> None:
    statuses: list[int] = []

    def attacked(url: str) -> None:
        redirect = dict(parse_qsl(urlsplit(url).query))["redirect_uri"]
        state = dict(parse_qsl(urlsplit(url).query))["state"]
        wrong = ("", "code=evil", "code=evil&state=guess", f"state={state}x&code=e")
        statuses.extend(httpx.get(f"{redirect}?{q}").status_code for q in wrong)
        twice = f"{redirect}?code=evil&state=x&state={state}"
        rebound = httpx.get(
            f"{redirect}?code=evil&state={state}", headers={"host": "evil"}
        )
        statuses.extend([httpx.get(twice).status_code, rebound.status_code])
        browse(url)

    listed(fake, OAuth(store="memory", on_login=attacked))
    assert statuses == [400] * 6
    assert fake.last("/token")["code"] == "the-code"


def test_a_page_that_is_fetched_ahead_is_no_answer(fake: Fake) -> None:
    def prefetched(url: str) -> None:
        for header in ({"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}):
            httpx.get(url, headers=header, follow_redirects=True)
        parts = dict(parse_qsl(urlsplit(url).query))
        answer = f"{parts['redirect_uri']}?code=early&state={parts['state']}"
        assert httpx.head(answer).status_code == 501
        browse(url)

    listed(fake, OAuth(store="memory", on_login=prefetched))
    assert fake.count("/token") == 1
    assert fake.count("/authorize") == 3


def test_the_answer_may_be_pasted_and_is_checked_like_the_other(fake: Fake) -> None:
    def pasted(url: str) -> str:
        location = httpx.get(url).headers["location"]
        return f"  {location}\n"

    listed(fake, OAuth(store="memory", on_login=pasted))
    for wrong in ("", "https://a/", "http://127.0.0.1/callback?code=x&state=y"):
        answers = iter([wrong])

        def other(_: str, answers: Iterator[str] = answers) -> str:
            return next(answers)

        with pytest.raises(OAuthError, match="pasted URL"):
            listed(fake, OAuth(store="memory", on_login=other))


def test_endless_step_ups_end(fake: Fake) -> None:
    scopes = iter(range(100))
    fake.issued["scope"] = "none"

    def more(params: dict[str, str]) -> tuple[int, Any]:
        fake.needed = f"scope-{next(scopes)}"
        return fake.tokens(params)

    fake.needed = "first"
    fake.answers["/token"] = more
    with pytest.raises(AuthError) as caught:
        listed(fake)
    assert caught.value.status == 403
    assert fake.count("/authorize") <= 4


def test_the_same_scopes_are_not_asked_for_twice(fake: Fake) -> None:
    fake.needed = "admin"
    fake.issued["scope"] = "less"
    with pytest.raises(AuthError):
        listed(fake)
    assert fake.count("/authorize") == 2
    assert fake.last("/authorize")["scope"] == "less admin"


def test_a_token_goes_to_one_origin_only(fake: Fake) -> None:
    auth = listed(fake)
    with serve() as other:
        with pytest.raises(ConfigError, match="make one OAuth for each client"):
            listed(other, auth)
        assert other.seen == []


def test_tokens_stand_nowhere_else(
    fake: Fake, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def quiet(url: str) -> None:
        with urlopen(url) as page:
            page.read()

    caplog.set_level(logging.DEBUG)
    store = FileStore(tmp_path / "credentials")
    auth = listed(
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
        listed(fake, OAuth(store=store, on_login=None, client_id="me"))
    assert tokens["refresh"] not in str(caught.value) + repr(caught.value)


def test_a_file_that_others_may_read_is_refused(fake: Fake, tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    listed(fake, OAuth(store=store, on_login=browse))
    (file,) = tmp_path.glob("*.json")
    file.chmod(0o644)
    with pytest.raises(ConfigError, match="others may read"):
        listed(fake, OAuth(store=store, on_login=None))


def test_passing_errors_keep_the_tokens(fake: Fake) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    before = store.__dict__["_texts"].copy()
    fake.good.clear()
    fake.answers["/token"] = lambda _: (503, {})
    with pytest.raises(TransportError):
        listed(fake, OAuth(store=store, on_login=None))
    assert store.__dict__["_texts"] == before
    del fake.answers["/token"]
    listed(fake, OAuth(store=store, on_login=None))


def test_dead_tokens_need_a_login_and_no_new_client(fake: Fake) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    fake.good.clear()
    fake.refresh.clear()
    with pytest.raises(LoginRequiredError, match="mcp-bindgen login"):
        listed(fake, OAuth(store=store, on_login=None))
    listed(fake, OAuth(store=store, on_login=browse))
    assert fake.count("/register") == 1


def test_a_given_client_belongs_to_one_issuer(fake: Fake) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse, client_id="mine"))
    assert fake.count("/register") == 0
    fake.good.clear()
    fake.refresh.clear()
    with serve() as other:
        fake.resource["authorization_servers"] = [other.origin]
        auth = OAuth(store=store, on_login=browse, client_id="mine")
        with pytest.raises(OAuthError, match="was given for"):
            listed(fake, auth)
        assert other.count("/authorize") == other.count("/token") == 0


def each_in(pool: ThreadPoolExecutor, work: Callable[[], object]) -> list[object]:
    """Return 16 results of a function in threads."""
    futures = [pool.submit(work) for _ in range(16)]
    return [future.result() for future in futures]


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
