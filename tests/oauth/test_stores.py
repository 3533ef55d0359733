"""Where tokens are kept, and the settings of a login."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.cli.config_faults import server_faults
from mcp_bindgen.runtime.client.config_file import from_configuration
from mcp_bindgen.runtime.client.host_files import OAUTH_OPTIONS
from mcp_bindgen.runtime.errors import (
    ConfigError,
    OAuthError,
    TransportError,
)
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.configured import OPTIONS, configured
from mcp_bindgen.runtime.transport.oauth.records import from_text
from mcp_bindgen.runtime.transport.oauth.stores import (
    FileStore,
    KeyringStore,
    locked,
)

from tests.oauth.fake import browse
from tests.oauth.logins import listed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.oauth.fake import Fake


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
    with pytest.raises(OAuthError, match="client metadata that you give is http://"):
        OAuth(store="memory", client_metadata_url="http://a.example/")
    with pytest.raises(ConfigError):
        OAuth.client_credentials("a")


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
    file.write_bytes(b'{"version": 1, \xff\xfe')
    assert from_text(store.load("k") or "") is None
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


def test_the_settings_of_a_project_give_the_client_its_oauth() -> None:
    server = {"url": "https://a.example/mcp", "auth": "oauth"}
    table = {**server, "oauth": {"client-id": "me", "store": "memory"}}
    made = from_configuration({"a": table}, "a", None)["auth"]
    assert isinstance(made, OAuth)
    assert vars(made)["_settings"].client_id == "me"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"port": "x"}, "port: expected a number from 1 to 65535, got 'x'"),
        ({"port": "65536"}, "port: expected a number"),
        ({"port": "9" * 5000}, "port: expected a number"),
        ({"store": "disk"}, "store: 'disk' is unknown"),
        ({"port": "65535", "store": "keyring"}, ""),
        ({"port": "${PORT}", "store": "${STORE:-file}"}, ""),
    ],
)
def test_wrong_options_are_named_when_the_settings_are_read(
    options: dict[str, str], reason: str
) -> None:
    server = {"url": "https://a.example/mcp", "auth": "oauth", "oauth": options}
    faults = server_faults(server, "tool.mcp-bindgen.servers.a")
    assert bool(faults) is bool(reason)
    assert all(reason in wrong and hint for wrong, hint in faults)
