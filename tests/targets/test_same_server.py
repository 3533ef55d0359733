"""Another spelling of an address or of a program is the same server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from mcp_bindgen.cli.call_target import target_of
from mcp_bindgen.errors import BindgenError

from tests.commands import run

FILE = "policies/todo.toml"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty project."""
    monkeypatch.chdir(tmp_path)


def program(command: list[str]) -> None:
    written(fw_todo=f'command = {json.dumps(command)}\npolicy = "{FILE}"')


def written(**servers: str) -> None:
    Path("pyproject.toml").write_text(
        "".join(
            f"[tool.mcp-bindgen.servers.{name}]\n{keys}\n"
            for name, keys in servers.items()
        )
    )


@pytest.mark.parametrize(
    "address",
    [
        *("https://SHOP.example/mcp", "https://shop.example:443/mcp/"),
        *("https://shop.example./mcp?key=k-1", "https://me@shop.example/mc%70#a"),
    ],
)
def test_another_spelling_of_an_address_has_the_policy(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_HOST", "shop.example")
    keys = f'policy = "{FILE}"\nurl = "https://${{SHOP_HOST}}/mcp'
    for url in (f'{keys}"', f'{keys}?key=${{NOT_SET:-x}}"'):
        written(bare='url = "https://shop.example/mcp"', shop=url)
        assert target_of([address, "delete_task"], ()).policy == Path.cwd() / FILE
    for other in ("https://shop.example/mcp2", "https://shop.example:444/mcp"):
        assert target_of([other, "delete_task"], ()).policy is None


def test_another_spelling_of_a_program_has_the_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("server.py").touch()
    Path("sub").mkdir()
    program(["python3", "server.py", "--all"])
    python = shutil.which("python3") or ""
    monkeypatch.chdir("sub")
    for words in (
        ["python3", "server.py", "--all"],
        ["python3", "../server.py", "--all"],
        [python, str(tmp_path / "server.py"), "--all"],
    ):
        assert target_of(["delete_task"], words).policy == tmp_path / FILE
    assert target_of(["delete_task"], ["python3", "server.py"]).policy is None


def test_two_policies_of_one_address_are_refused() -> None:
    url = "http://127.0.0.1:9/mcp"
    other = f'url = "{url}/"\npolicy = "open.toml"'
    written(shop=f'url = "{url}"\npolicy = "{FILE}"', other=other)
    refused = run("call", url, "delete_task")
    assert refused.exit_code == 2
    assert "the settings have several: other, shop" in refused.stderr
    assert "hint: name the server: mcp-bindgen call other TOOL" in refused.stderr
    assert target_of(["shop", "delete_task"], ()).policy == Path.cwd() / FILE


def test_a_query_tells_servers_apart() -> None:
    url = "https://shop.example/mcp"
    for name in ("one", "two"):
        Path(f"{name}.toml").touch()
    tables = {
        name: f'url = "{url}?tenant={name}"\npolicy = "{name}.toml"'
        for name in ("one", "two")
    }
    written(**tables)
    for name in ("one", "two"):
        target = target_of([f"{url}?tenant={name}", "delete_task"], ())
        assert target.policy == Path.cwd() / f"{name}.toml"
    with pytest.raises(BindgenError, match="several: one, two"):
        target_of([f"{url}?tenant=three", "delete_task"], ())
