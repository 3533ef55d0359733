"""The ways to a token, its renewal, and the stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from joserfc import jwk, jwt
from mcp_bindgen.runtime.errors import (
    ConfigError,
    LoginRequiredError,
    OAuthError,
    TransportError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth

from tests.oauth.fake import browse
from tests.oauth.logins import listed

if TYPE_CHECKING:

    from tests.oauth.fake import Fake


def test_client_credentials_prove_themselves_in_each_way(fake: Fake) -> None:
    credentials = {"client_id": "a b", "client_secret": "x:y"}
    listed(fake, OAuth.client_credentials("a b", client_secret="x:y"))
    assert fake.last("/token").keys() == {"grant_type", "resource"}
    fake.server["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    fake.good.clear()
    listed(fake, OAuth.client_credentials(**credentials))
    assert credentials.items() <= fake.last("/token").items()
    assert fake.count("/authorize") == fake.count("/register") == 0


def test_client_credentials_with_a_private_key(fake: Fake) -> None:
    key = jwk.generate_key("EC", "P-256")
    pem = key.as_pem(private=True).decode()
    listed(fake, OAuth.client_credentials("job", private_key=pem, scopes="read write"))
    sent = fake.last("/token")
    claims = jwt.decode(sent["client_assertion"], key).claims
    assert (claims["iss"], claims["sub"], claims["aud"]) == ("job", "job", fake.origin)
    assert (sent["client_id"], sent["scope"]) == ("job", "read write")
    fake.good.clear()
    with pytest.raises(ConfigError, match="cannot sign") as caught:
        listed(fake, OAuth.client_credentials("job", private_key="SECRET-KEY"))
    assert "SECRET" not in str(caught.value)


def test_an_identity_provider_vouches(fake: Fake) -> None:
    requests: list[tuple[str, str]] = []

    def vouch(issuer: str, resource: str) -> str:
        requests.append((issuer, resource))
        return "the-assertion"

    for issuer in ("", fake.origin):
        fake.good.clear()
        auth = OAuth.enterprise("me", client_secret="s", assertion=vouch, issuer=issuer)
        listed(fake, auth)
        assert fake.last("/token")["assertion"] == "the-assertion"
    assert requests == [(fake.origin, fake.url)] * 2
    fake.good.clear()
    fake.server.clear()
    with pytest.raises(OAuthError, match="has no metadata"):
        listed(
            fake,
            OAuth.enterprise(
                "me", client_secret="s", assertion=vouch, issuer=fake.origin
            ),
        )


def test_a_server_of_2025_03_26_has_default_endpoints(fake: Fake) -> None:
    fake.resource.clear()
    fake.server.clear()
    listed(fake, OAuth(store="memory", on_login=browse))
    assert fake.last("/token")["resource"] == fake.url


def test_a_modern_request_never_falls_back(fake: Fake) -> None:
    fake.resource.clear()
    auth = OAuth(store="memory", on_login=browse)
    headers = {"mcp-method": "tools/call"}
    with httpx.Client(auth=auth) as http, pytest.raises(OAuthError, match="say where"):
        http.post(fake.url, headers=headers, content=b"{}")


def test_a_document_names_the_client(fake: Fake) -> None:
    fake.server["client_id_metadata_document_supported"] = True
    document = "https://me.example/client.json"
    listed(fake, OAuth(store="memory", on_login=browse, client_metadata_url=document))
    assert fake.last("/authorize")["client_id"] == document
    assert fake.count("/register") == 0


@pytest.mark.parametrize("answer", [(400, {"error": "no"}), (201, {}), (201, b"x")])
def test_a_registration_that_fails_says_what_to_do(fake: Fake, answer: Any) -> None:
    fake.answers["/register"] = lambda _: answer
    with pytest.raises(OAuthError, match=r"(?s)not registered.*its client id"):
        listed(fake, OAuth(store="memory", on_login=browse))
    del fake.server["registration_endpoint"]
    with pytest.raises(OAuthError, match=r"(?s)registers no clients.*its client id"):
        listed(fake, OAuth(store="memory", on_login=browse))


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"access_token": "a b", "token_type": "Bearer"},
        {"access_token": "a\r\nb", "token_type": "Bearer"},
        {"access_token": "abc", "token_type": "DPoP"},
        {"access_token": ["abc"], "token_type": "Bearer"},
    ],
)
def test_answers_without_a_usable_token(fake: Fake, answer: Any) -> None:
    fake.answers["/token"] = lambda _: (200, answer)
    with pytest.raises(OAuthError, match="token endpoint gave"):
        listed(fake, OAuth(store="memory", on_login=browse))


@pytest.mark.parametrize("uri", ["https://127.0.0.1/x", "http://a.example/x"])
def test_a_redirect_leads_to_this_machine(fake: Fake, uri: str) -> None:
    with pytest.raises(ConfigError, match="of this machine"):
        listed(fake, OAuth(store="memory", on_login=browse, redirect_uri=uri))


def test_a_fixed_port_is_used_and_a_taken_one_is_named(fake: Fake) -> None:
    port = int(fake.origin.rpartition(":")[2])
    with pytest.raises(ConfigError, match=f"port {port} is in use"):
        listed(fake, OAuth(store="memory", on_login=browse, port=port))


def nowhere(url: str) -> bool:
    """Open no browser."""
    return not url


def test_nobody_at_the_browser(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", nowhere)
    with pytest.raises(LoginRequiredError, match="no browser"):
        listed(fake, OAuth(store="memory"))
    monkeypatch.setattr("webbrowser.open", bool)
    monkeypatch.setattr("mcp_bindgen.runtime.limits.OAUTH_LOGIN", 0.2)
    with pytest.raises(LoginRequiredError, match="nobody logged in"):
        listed(fake, OAuth(store="memory"))


def test_an_authorization_server_that_does_not_answer(fake: Fake) -> None:
    fake.resource["authorization_servers"] = ["http://127.0.0.1:1"]
    with pytest.raises(TransportError, match=r"127\.0\.0\.1:1/\.well-known"):
        listed(fake, OAuth(store="memory", on_login=browse))


def test_a_server_may_take_no_such_client(fake: Fake) -> None:
    fake.answers["/register"] = lambda _: (
        201,
        {"client_id": "a", "token_endpoint_auth_method": "tls_client_auth"},
    )
    with pytest.raises(OAuthError, match="tls_client_auth"):
        listed(fake, OAuth(store="memory", on_login=browse))
    fake.callback["code"] = ""
    with pytest.raises(OAuthError, match="has no code"):
        listed(fake, OAuth(store="memory", on_login=browse))
    del fake.server["authorization_endpoint"]
    with pytest.raises(OAuthError, match="no authorization endpoint"):
        listed(fake, OAuth(store="memory", on_login=browse))
    fake.resource["authorization_servers"] = []
    with pytest.raises(OAuthError, match="names no authorization server"):
        listed(fake, OAuth(store="memory", on_login=browse))
