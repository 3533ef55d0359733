"""Servers that want more than a login: each threat, and what it gets."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from mcp_bindgen.runtime.errors import (
    McpError,
    OAuthError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.urls import checked_endpoint

from tests.oauth.fake import browse, serve
from tests.oauth.logins import logged_in, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.oauth.fake import Fake


def test_the_whole_way_says_what_the_rules_ask_for(fake: Fake) -> None:
    fake.resource["scopes_supported"] = ["read", "write"]
    fake.server["scopes_supported"] = ["read", "write", "offline_access"]
    logged_in(fake)
    authorized, redeemed = fake.last("/authorize"), fake.last("/token")
    digest = hashlib.sha256(redeemed["code_verifier"].encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    assert authorized["code_challenge"] == challenge
    assert authorized["code_challenge_method"] == "S256"
    assert authorized["resource"] == redeemed["resource"] == fake.url
    assert authorized["scope"] == "read write offline_access"
    assert len(authorized["state"]) > 30
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
        logged_in(fake)
    assert "LIE" not in str(caught.value)
    assert caught.value.hint


def test_an_answer_that_hides_where_it_is_from(fake: Fake) -> None:
    fake.callback["iss"] = ""
    refused(fake, "does not say which authorization server")


def test_a_declined_login_says_so(fake: Fake) -> None:
    fake.callback |= {"error": "access_denied", "error_description": "no \x1b[31m"}
    refused(fake, r"not completed: no \\x1b")


def test_metadata_of_another_issuer_needs_a_name_for_it(fake: Fake) -> None:
    fake.server["issuer"] = fake.callback["iss"] = "https://tenant.example/v2"
    refused(fake, r"(?s)names another issuer.*tenant\.example")
    logged_in(fake, issuer="https://tenant.example/v2")


def test_an_issuer_of_a_bare_host_may_end_in_a_slash(fake: Fake) -> None:
    fake.resource["authorization_servers"] = [f"{fake.origin}/"]
    logged_in(fake)
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
    logged_in(fake)


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
        logged_in(fake)
    assert "secret" not in str(caught.value)
    assert "report it to its authors" in caught.value.hint
    assert fake.count("/authorize") == fake.count("/register") == 0


def test_a_remote_server_never_leads_to_this_machine() -> None:
    for local in ("http://127.0.0.1:9/", "https://localhost/", "https://[::1]/x"):
        with pytest.raises(OAuthError, match="this machine"):
            checked_endpoint(local, "token endpoint", "https://mcp.example/mcp")
        checked_endpoint(local, "token endpoint", "http://localhost:8000/mcp")


def test_redirected_metadata_is_none(fake: Fake) -> None:
    with serve() as other:
        path = "/.well-known/oauth-protected-resource/mcp"
        fake.redirect[path] = f"{other.origin}{path}"
        refused(fake, "is a redirect")
        assert other.requests == []


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
        logged_in(fake)
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

    logged_in(fake, OAuth(store="memory", on_login=attacked))
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

    logged_in(fake, OAuth(store="memory", on_login=prefetched))
    assert fake.count("/token") == 1
    assert fake.count("/authorize") == 3


def test_the_answer_may_be_pasted_and_is_checked_like_the_other(fake: Fake) -> None:
    def pasted(url: str) -> str:
        location = httpx.get(url).headers["location"]
        return f"  {location}\n"

    logged_in(fake, OAuth(store="memory", on_login=pasted))
    wrongs = ("", "https://a/", "http://127.0.0.1/callback?code=x&state=y")
    for wrong in (*wrongs, "http://[x]/?code=a&state=b", "http://[::1/?code=1"):
        answers = iter([wrong])

        def other(_: str, answers: Iterator[str] = answers) -> str:
            return next(answers)

        with pytest.raises(OAuthError, match="pasted URL"):
            logged_in(fake, OAuth(store="memory", on_login=other))
