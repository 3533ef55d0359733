"""Servers with odd values, other spellings, and changes between two calls."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import (
    LoginRequiredError,
    McpError,
    OAuthError,
    TransportError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.records import from_text, seconds
from mcp_bindgen.runtime.transport.oauth.session import Session
from mcp_bindgen.runtime.transport.oauth.settings import Settings
from mcp_bindgen.runtime.transport.oauth.stores import MemoryStore
from mcp_bindgen.runtime.transport.oauth.urls import checked_endpoint, covers

from tests.oauth.fake import browse, serve
from tests.oauth.logins import listed, logged_in, refused

if TYPE_CHECKING:
    from mcp_bindgen.runtime.transport.oauth.settings import Assertion

    from tests.oauth.fake import Answering, Fake

AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"


@pytest.mark.parametrize("end", [10**400, -1, True, "soon", [], 1e300, None])
def test_the_end_of_a_registration_is_a_time_or_nothing(fake: Fake, end: Any) -> None:
    answer = {"client_id": "a", "client_secret": "s", "client_secret_expires_at": end}
    fake.answers["/register"] = lambda _: (201, answer)
    store = MemoryStore()
    for _ in range(2):
        listed(fake, OAuth(store=store, on_login=browse))
        fake.good.clear()
        fake.refresh.clear()
    assert fake.count("/register") == 1


def test_times_of_a_stored_record_that_no_clock_shows() -> None:
    record = {
        "version": 1,
        "resource": "a",
        "server": {"issuer": "i", "token_endpoint": "t"},
        "tokens": {"access": "a", "expires_at": 10**400, "lifetime": 10**400},
    }
    made = from_text(json.dumps(record))
    assert made is not None
    assert made.tokens is not None
    assert made.tokens.is_over()
    assert [seconds(v) for v in (10**400, True, -1, "x")] == [None] * 4
    assert seconds("5") == 5.0


@pytest.mark.parametrize("issuer", [["https://a.example"], {"a": 1}, None, 1])
def test_metadata_whose_issuer_is_no_text(fake: Fake, issuer: Any) -> None:
    fake.server["issuer"] = issuer
    refused(fake, "names no issuer")


def test_redirected_metadata_of_an_authorization_server(fake: Fake) -> None:
    with serve() as other:
        fake.redirect[AUTHORIZATION_SERVER] = f"{other.origin}{AUTHORIZATION_SERVER}"
        refused(fake, "is a redirect")
        assert other.requests == []


@pytest.mark.parametrize(
    "host",
    [
        *("127.1", "2130706433", "0x7f000001", "017700000001", "0.0.0.0"),
        *("[::ffff:127.0.0.1]", "[::]", "localhost.", "LOCALHOST", "a.localhost."),
    ],
)
def test_no_spelling_leads_from_a_remote_server_to_this_machine(host: str) -> None:
    with pytest.raises(OAuthError, match="this machine"):
        checked_endpoint(f"https://{host}/", "token endpoint", "https://a.example/mcp")
    with pytest.raises(OAuthError):
        checked_endpoint(f"http://{host}/", "token endpoint", "https://a.example/mcp")


@pytest.mark.parametrize(
    ("resource", "url", "whether"),
    [
        ("https://a.example/mcp", "https://a.example/mcp/", True),
        ("https://A.example:443/mcp/", "https://a.example/mcp", True),
        ("https://a.example", "https://a.example/mcp", True),
        ("https://a.example/mcp", "https://a.example/mcp?project=1", True),
        ("https://a.example/mcp?project=1", "https://a.example/mcp", False),
        ("https://a.example/mc", "https://a.example/mcp", False),
        ("https://a.example/mcp/sub", "https://a.example/mcp", False),
        ("http://a.example/mcp", "https://a.example/mcp", False),
        ("https://a.example:444/mcp", "https://a.example/mcp", False),
        ("https://a.example/mcp#part", "https://a.example/mcp", False),
        ("https://me@a.example/mcp", "https://a.example/mcp", False),
        ("https://a.example\\@b.example/mcp", "https://b.example/mcp", False),
        (" https://a.example/mcp", "https://a.example/mcp", False),
        ("https://a.example/m\tcp", "https://a.example/mcp", False),
    ],
)
def test_which_resource_is_ours(resource: str, url: str, *, whether: bool) -> None:
    assert covers(resource, url) is whether


def vouch(issuer: str, resource: str) -> str:
    return f"{issuer} {resource}"


@pytest.mark.parametrize("assertion", [None, vouch])
def test_a_secret_goes_to_no_other_authorization_server(
    fake: Fake, assertion: Assertion | None
) -> None:
    auth = OAuth.client_credentials("job", client_secret="s3cret-of-job")
    if assertion is not None:
        secret = "s3cret-of-job"
        auth = OAuth.enterprise("job", client_secret=secret, assertion=assertion)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client, serve() as evil:
        assert client.list_tools() == []
        fake.good.clear()
        fake.resource["authorization_servers"] = [evil.origin]
        with pytest.raises(OAuthError, match="was given for") as caught:
            client.list_tools()
        assert caught.value.outcome == "refused"
        assert evil.count("/token") == 0
        assert auth.logout(fake.url)
        evil.good = fake.good
        assert client.list_tools() == []


@pytest.mark.parametrize(
    "answer",
    [
        (404, b"<html>"),
        (302, {}),
        (200, b"<html>"),
        (200, {"access_token": "a b", "token_type": "bearer"}),
        (400, {"error": "temporarily_unavailable"}),
        (400, {"error": "server_error"}),
        (401, {"error": "invalid_client"}),
    ],
)
def test_a_failing_renewal_costs_nothing_while_the_token_is_good(
    fake: Fake, answer: Any
) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse, client_id="mine"))
    (key,) = vars(store)["_texts"]
    record = json.loads(store.load(key) or "")
    record["tokens"]["expires_at"] -= 3590  # ten seconds are left
    store.save(key, json.dumps(record))
    before = store.load(key)
    fake.answers["/token"] = lambda _: answer
    listed(fake, OAuth(store=store, on_login=None, client_id="mine"))
    assert fake.count("/token") >= 2
    assert store.load(key) == before


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("https://bücher.example/mcp", "https://xn--bcher-kva.example/mcp"),
        ("https://a.example/ü", "https://a.example/%C3%BC"),
        ("https://a.example/a b", "https://a.example/a%20b"),
        ("https://a.example/x/../mcp", "https://a.example/mcp"),
        ("HTTPS://A.example:443/mcp", "https://a.example/mcp"),
    ],
)
def test_a_login_is_for_the_url_that_requests_have(written: str, sent: str) -> None:
    store = MemoryStore()
    text = '{"version":1,"resource":"a","server":{"issuer":"i","token_endpoint":"t"}}'
    store.save(Session(sent, Settings(), store).key, text)
    assert OAuth(store=store, on_login=None).logout(written)


def test_a_call_that_was_turned_away_did_not_run(fake: Fake) -> None:
    """Neither where a person has to log in, nor where no token can be renewed."""
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    auth = OAuth(store=store, on_login=None)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        client.list_tools()
        fake.good.clear()
        fake.refresh.clear()
        with pytest.raises(LoginRequiredError) as caught:
            client.list_tools()
        assert caught.value.outcome == "refused"
    listed(fake, OAuth(store=store, on_login=browse))
    with BaseClient.http(fake.url, auth=auth, era="modern", retries=0) as client:
        client.list_tools()
        (key,) = vars(store)["_texts"]
        record = json.loads(store.load(key) or "")
        record["tokens"]["expires_at"] = 1
        store.save(key, json.dumps(record))
        vars(auth)["_session"].record  # noqa: B018
        fake.answers["/token"] = lambda _: (503, {})
        with pytest.raises(TransportError) as failed:
            client.list_tools()
        assert failed.value.outcome == "not sent"


@pytest.mark.parametrize("name", ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"])
def test_no_browser_answers_by_fetching_ahead(fake: Fake, name: str) -> None:
    def ahead(url: str) -> None:
        parameters = dict(parse_qsl(urlsplit(url).query))
        early = f"{parameters['redirect_uri']}?code=early&state={parameters['state']}"
        assert httpx.get(early, headers={name: "prefetch"}).status_code == 503
        browse(url)

    logged_in(fake, OAuth(store="memory", on_login=ahead))
    assert fake.last("/token")["code"] == "the-code"


def test_a_redirect_without_a_port_gets_a_free_one(fake: Fake) -> None:
    for written in ("http://127.0.0.1/back", "http://localhost", "http://127.0.0.1:0/"):
        logged_in(fake, client_id="mine", redirect_uri=written)
        sent = fake.last("/authorize")["redirect_uri"]
        assert sent == fake.last("/token")["redirect_uri"]
        assert int(sent.split(":")[2].partition("/")[0]) > 0


ODD: list[object] = [None, 10**400, "\ud800", "a\r\nb", [1], {"a": []}]
MEMBERS = {"scopes_supported", "scope", "refresh_token", "error", "error_description"}


def always(status: int, body: bytes) -> Answering:
    """Return a function that answers each request alike."""
    return lambda _: (status, body)


def test_no_wrong_value_of_a_server_ends_in_another_error(fake: Fake) -> None:
    """Each member of each answer takes each odd value once."""
    answers: dict[str, dict[str, Any]] = {
        "/.well-known/oauth-protected-resource/mcp": fake.resource,
        AUTHORIZATION_SERVER: fake.server,
        "/register": {"client_id": "a", "token_endpoint_auth_method": "none"},
        "/token": {"access_token": "a", "token_type": "bearer", "expires_in": 5},
    }
    tried = 0
    for path, answer in answers.items():
        for key in sorted({*answer, *MEMBERS}):
            for value in ODD:
                changed = json.dumps({**answer, key: value}).encode()
                status = 400 if key.startswith("error") else 200
                fake.answers = {path: always(status, changed)}
                tried += 1
                with suppress(McpError):  # any other exception fails the test
                    logged_in(fake)
    assert tried > 150
