"""The ways to a token, its renewal, and the stores."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from joserfc import jwk, jwt
from mcp_bindgen.cli.config_faults import OAUTH_OPTIONS
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.client.config_file import from_configuration
from mcp_bindgen.runtime.errors import (
    AuthError,
    ConfigError,
    DeadlineError,
    LoginRequiredError,
    OAuthError,
    TransportError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.configured import OPTIONS, configured
from mcp_bindgen.runtime.transport.oauth.records import from_text
from mcp_bindgen.runtime.transport.oauth.stores import (
    FileStore,
    KeyringStore,
    MemoryStore,
    locked,
)

from tests.oauth.fake import browse, serve

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from tests.oauth.fake import Fake


@pytest.fixture
def fake() -> Generator[Fake]:
    with serve() as made:
        yield made


def listed(fake: Fake, auth: OAuth, **more: Any) -> None:
    """Connect, and list the tools."""
    with BaseClient.http(fake.url, auth=auth, era="modern", **more) as client:
        assert client.list_tools() == []


def test_client_credentials_prove_themselves_in_each_way(fake: Fake) -> None:
    given = {"client_id": "a b", "client_secret": "x:y"}
    listed(fake, OAuth.client_credentials("a b", client_secret="x:y"))
    assert fake.last("/token").keys() == {"grant_type", "resource"}
    fake.server["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    fake.good.clear()
    listed(fake, OAuth.client_credentials(**given))
    assert given.items() <= fake.last("/token").items()
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


def test_a_renewal_of_client_credentials_asks_again(fake: Fake) -> None:
    auth = OAuth.client_credentials("job", client_secret="s")
    fake.issued["expires_in"] = 0
    listed(fake, auth)
    fake.good.clear()
    listed(fake, auth)
    assert [p["grant_type"] for _, path, p in fake.seen if path == "/token"] == [
        "client_credentials"
    ] * 2


def test_an_identity_provider_vouches(fake: Fake) -> None:
    asked: list[tuple[str, str]] = []

    def vouch(issuer: str, resource: str) -> str:
        asked.append((issuer, resource))
        return "the-assertion"

    for issuer in ("", fake.origin):
        fake.good.clear()
        auth = OAuth.enterprise("me", client_secret="s", assertion=vouch, issuer=issuer)
        listed(fake, auth)
        assert fake.last("/token")["assertion"] == "the-assertion"
    assert asked == [(fake.origin, fake.url)] * 2
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
    with pytest.raises(OAuthError, match=r"(?s)not registered.*client_id="):
        listed(fake, OAuth(store="memory", on_login=browse))
    del fake.server["registration_endpoint"]
    with pytest.raises(OAuthError, match=r"(?s)registers no clients.*client_id="):
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


def test_a_token_is_renewed_before_it_ends(fake: Fake) -> None:
    store = MemoryStore()
    fake.issued["expires_in"] = "0"
    listed(fake, OAuth(store=store, on_login=browse))
    fake.issued.clear()
    calls = fake.count("/mcp")
    listed(fake, OAuth(store=store, on_login=None))
    assert fake.last("/token")["grant_type"] == "refresh_token"
    assert [p["token"] in fake.good for _, path, p in fake.seen if path == "/mcp"][
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


def test_login_and_logout_without_a_call(fake: Fake) -> None:
    auth = OAuth(store="memory", on_login=browse)
    assert auth.login(fake.url) == fake.origin
    assert set(auth.secrets(fake.url)) == {*fake.good, *fake.refresh}
    assert fake.count("/mcp") == 0
    assert auth.logout(fake.url)
    assert not auth.logout(fake.url)
    assert auth.secrets(fake.url) == ()


def test_settings_make_the_same_object(tmp_path: Path) -> None:
    assert OPTIONS == OAUTH_OPTIONS
    made = configured(
        {"port": "8765", "scopes": "a b", "client-id": "c"}, store=FileStore(tmp_path)
    )
    settings = vars(made)["_settings"]
    assert settings.redirect_uri == "http://127.0.0.1:8765/callback"
    assert settings.scopes == ("a", "b")
    for wrong in ({"port": "x"}, {"prot": "1"}, {"store": "shelf"}):
        with pytest.raises(ConfigError):
            configured(wrong)
    with pytest.raises(ConfigError):
        OAuth(store="memory", client_secret="x")
    with pytest.raises(OAuthError):
        OAuth(store="memory", client_metadata_url="http://a.example/")
    with pytest.raises(ConfigError):
        OAuth.client_credentials("a")


@pytest.mark.parametrize("uri", ["https://127.0.0.1/x", "http://a.example/x"])
def test_a_redirect_leads_to_this_machine(fake: Fake, uri: str) -> None:
    with pytest.raises(ConfigError, match="of this machine"):
        listed(fake, OAuth(store="memory", on_login=browse, redirect_uri=uri))


def test_a_fixed_port_is_used_and_a_taken_one_is_named(fake: Fake) -> None:
    port = int(fake.origin.rpartition(":")[2])
    with pytest.raises(ConfigError, match=f"port {port} is in use"):
        listed(fake, OAuth(store="memory", on_login=browse, port=port))


def test_a_lock_holds_between_processes_and_ends_with_them(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    program = (
        "import sys; from mcp_bindgen.runtime.transport.oauth.stores import FileStore;"
        "print(bool(FileStore(sys.argv[1]).try_lock('k')), flush=True); input()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "True\n"
        assert store.try_lock("k") is None
        fault = pytest.raises(TransportError, match="another process")
        with fault, locked(store, "k", 0.05):
            pass
        with locked(store, "other", 0.05):
            pass
        process.kill()
    fault = pytest.raises(TransportError)
    with locked(store, "k", 5.0), fault, locked(store, "k", 0.02):
        pass


def test_files_that_cannot_be_used_say_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = FileStore(tmp_path / "file" / "folder")
    with pytest.raises(ConfigError, match="unusable"):
        store.save("k", "x")
    with pytest.raises(ConfigError, match="unusable"):
        store.try_lock("k")
    store = FileStore(tmp_path)
    store.save("k", "not JSON")
    assert store.load("k") == "not JSON"
    assert from_text("not JSON") is None
    assert from_text('{"version": 1, "resource": "a", "server": {"issuer": 1}}') is None
    (file,) = tmp_path.glob("*.json")
    file.unlink()
    file.symlink_to(tmp_path / "file")
    with pytest.raises(ConfigError, match="unusable"):
        store.load("k")
    store.delete("k")
    assert store.load("k") is None


def test_a_keyring_keeps_the_same_texts(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MCP_BINDGEN_CREDENTIALS", str(tmp_path))
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ConfigError, match="pip install keyring"):
        KeyringStore()
    texts: dict[tuple[str, str], str] = {}

    class Keyring:
        def get_password(self, service: str, name: str) -> str | None:
            return texts.get((service, name))

        def set_password(self, service: str, name: str, text: str) -> None:
            texts[service, name] = text

        def delete_password(self, service: str, name: str) -> None:
            del texts[service, name]

    module: Any = Keyring()
    monkeypatch.setitem(sys.modules, "keyring", module)
    auth = OAuth(store="keyring", on_login=browse)
    listed(fake, auth)
    assert json.loads(*texts.values())["tokens"]["access"] in fake.good
    assert [*tmp_path.glob("*.json")] == []
    assert auth.logout(fake.url)
    assert texts == {}
    module.get_password = None
    with pytest.raises(ConfigError, match="keyring of the system fails"):
        auth.secrets(fake.url)


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


def test_the_settings_of_a_project_give_the_client_its_oauth() -> None:
    server = {"url": "https://a.example/mcp", "auth": "oauth"}
    table = {**server, "oauth": {"client-id": "me", "store": "memory"}}
    made = from_configuration({"a": table}, "a", None)["auth"]
    assert isinstance(made, OAuth)
    assert vars(made)["_settings"].client_id == "me"
