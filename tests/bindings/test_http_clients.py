"""A package on httpx2 instead of httpx: made by an option, typed, called, built."""

from __future__ import annotations

import json
import subprocess
import sys
from email.parser import Parser
from io import BytesIO
from textwrap import dedent
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from mcp_bindgen.write.wheel import build

from tests.packages import ROOT, generate, mypy
from tests.servers.launch import serve_http

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("http_clients")

CONNECTIONS = "transport/connections.py"
RECORDING = ROOT / "generated" / "todo" / "recording.json"

PROGRAM = """
    import asyncio, sys, uuid
    import todo

    user = str(uuid.uuid4())

    async def listed(url: str) -> str:
        async with todo.AsyncClient.http(url) as client:
            return repr(await client.list_tasks(user_id=user))

    def main(url: str) -> None:
        with todo.Client.http(url) as client:
            assert client.add_task(user_id=user, title="Buy bread").status == "open"
        assert "Buy bread" in asyncio.run(listed(url))
        assert "httpx" not in sys.modules

        import httpx2

        with httpx2.Client() as own, todo.Client.http(url, http=own) as client:
            assert "Buy bread" in repr(client.list_tasks(user_id=user))

    main(sys.argv[1])
    """


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate the package, with a program beside it."""
    folder = tmp_path_factory.mktemp("httpx2")
    options = ("--name", "todo", "-o", folder, "--http", "httpx2")
    assert generate(RECORDING, *options).code == 0
    (folder / "program.py").write_text(dedent(PROGRAM))
    return folder


def test_it_calls_without_httpx(folder: Path) -> None:
    with serve_http("todo", cwd=folder) as url:
        command = [sys.executable, "program.py", url]
        subprocess.run(command, cwd=folder, check=True)


def test_it_is_typed(folder: Path) -> None:
    (folder / "wrong.py").write_text(
        "import httpx, todo\ntodo.Client.http('https://x', http=httpx.Client())\n"
    )
    ran = mypy(folder)
    (folder / "wrong.py").unlink()
    assert all(line.startswith("wrong.py:2: ") for line in ran.stderr.splitlines())
    assert ran.code == 1
    assert 'expected "httpx2' in ran.stderr


def test_its_wheel_needs_httpx2_alone(folder: Path) -> None:
    with ZipFile(BytesIO(build(folder / "todo", "1.0").data)) as wheel:
        (name,) = (n for n in wheel.namelist() if n.endswith("METADATA"))
        needs = Parser().parsestr(wheel.read(name).decode()).get_all("Requires-Dist")
    assert needs is not None
    assert [need for need in needs if need.startswith("httpx")] == ["httpx2>=2,<3"]


def test_the_default_is_httpx_and_one_line_differs(
    folder: Path, tmp_path: Path
) -> None:
    assert generate(RECORDING, "--name", "todo", "-o", tmp_path).code == 0
    made = {p.relative_to(folder): p.read_text() for p in folder.glob("todo/**/*.py")}
    differ = {
        path.name: {*text.splitlines()} ^ {*(tmp_path / path).read_text().splitlines()}
        for path, text in made.items()
        if (tmp_path / path).read_text() != text
    }
    assert differ == {"connections.py": {"import httpx", "import httpx2 as httpx"}}


@pytest.mark.parametrize("level", ["top", "server"])
def test_settings_choose_it(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = 'http = "httpx2"\n'
    top, server = (line, "") if level == "top" else ("", line)
    settings = "[tool.mcp-bindgen]\n%s[tool.mcp-bindgen.servers.todo]\n%srecording = %s"
    text = settings % (top, server, json.dumps(str(RECORDING)))
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert generate().code == 0
    connections = tmp_path / "generated" / "todo" / "_runtime" / CONNECTIONS
    assert "\nimport httpx2 as httpx\n" in connections.read_text()
    (tmp_path / "pyproject.toml").write_text(text.replace("httpx2", "urllib9"))
    ran = generate()
    assert ran.code == 2
    assert ".http: 'urllib9' is unknown" in ran.stderr


def test_a_shared_runtime_is_for_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = ("--shared-runtime", "mcp_runtime")
    options = ("--name", "todo", "-o", tmp_path, "--http", "httpx2")
    assert generate(RECORDING, *options, *shared).code == 0
    connections = tmp_path / "mcp_runtime" / CONNECTIONS
    assert "\nimport httpx2 as httpx\n" in connections.read_text()
    server = "[tool.mcp-bindgen.servers.%s]\nrecording = %s\nhttp = %s\n"
    file = json.dumps(str(RECORDING))
    text = server % ("a", file, '"httpx"') + server % ("b", file, '"httpx2"')
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    ran = generate(*shared)
    assert ran.code == 2
    assert "one HTTP client" in ran.stderr
