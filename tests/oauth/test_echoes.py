"""Servers that repeat our secrets: no error and no recording has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from mcp_bindgen.recording.live import LiveClient
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import McpError, OAuthError
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.stores import MemoryStore

from tests.oauth.fake import browse
from tests.oauth.logins import listed

if TYPE_CHECKING:
    from tests.oauth.fake import Fake

SECRET = "s3:cr/et +of=client\u00e9"


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_an_authorization_server_that_repeats_a_secret(fake: Fake, method: str) -> None:
    fake.server["token_endpoint_auth_methods_supported"] = [method]
    proofs: list[str] = []

    def echo(params: dict[str, str]) -> tuple[int, Any]:
        proofs.append(fake.authorization.partition(" ")[2])
        forms = [SECRET, quote(SECRET), quote(SECRET, safe=""), quote_plus(SECRET)]
        forms += [json.dumps(SECRET), *proofs, *params.values()]
        return 401, {"error": "invalid_client", "error_description": " ".join(forms)}

    fake.answers["/token"] = echo
    with pytest.raises(OAuthError) as caught:
        listed(fake, OAuth.client_credentials("job", client_secret=SECRET))
    text = str(caught.value) + repr(caught.value)
    assert "s3" not in text
    assert [proof for proof in proofs if proof and proof in text] == []
    assert any(proofs) is (method == "client_secret_basic")


@pytest.mark.parametrize("how", ["message", "description", "scope", "body"])
def test_a_server_that_repeats_a_token(fake: Fake, how: str) -> None:
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    auth = OAuth(store=store, on_login=None)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        assert client.list_tools() == []
        (token,) = fake.good
        error = {"code": -32000, "message": f"bad {token}"}
        description = f'Bearer error="invalid", error_description="bad {token}"'
        scope = f'Bearer error="insufficient_scope", scope="{token}"'
        fake.refusal = {
            "message": (200, {"jsonrpc": "2.0", "id": 2, "error": error}, ""),
            "description": (403, {}, description),
            "scope": (403, {}, scope),
            "body": (400, {"error": f"bad {token}"}, ""),
        }[how]
        with pytest.raises(McpError) as caught:
            client.list_tools()
    assert token not in str(caught.value) + repr(caught.value)


def test_all_tokens_of_a_recording_are_secrets(fake: Fake) -> None:
    """Also one that was replaced while the server was recorded."""
    auth = OAuth(store="memory", on_login=browse)
    with BaseClient.http(fake.url, auth=auth, era="modern") as client:
        client.list_tools()
        first = {*fake.good, *fake.refresh}
        fake.good.clear()
        client.list_tools()
    assert set(auth.secrets(fake.url)) == first | {*fake.good, *fake.refresh}
    assert not first & {*fake.good, *fake.refresh}


def test_a_token_in_a_message_is_hidden(fake: Fake) -> None:
    store, lines = MemoryStore(), list[str]()
    listed(fake, OAuth(store=store, on_login=browse))
    (token,) = fake.good
    error = {"code": -32000, "message": f"{' ' * 880}bad {token}"}
    fake.refusal = (200, {"jsonrpc": "2.0", "id": 2, "error": error}, "")
    auth = OAuth(store=store, on_login=None)
    with LiveClient.http(fake.url, auth=auth, era="modern") as client:
        client.trace(lines.append, auth.hide)
        with pytest.raises(McpError):
            client.list_tools()
    text = "".join(lines)
    assert "bad ..." in text
    assert token[:4] not in text, "not even the part before the end of the line"
