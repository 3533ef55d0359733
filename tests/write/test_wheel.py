"""A generated package as a wheel: its bytes, its metadata, and installed elsewhere."""

from __future__ import annotations

import ast
import csv
import json
import os
import shlex
import subprocess
import sys
import zipfile
from contextlib import suppress
from dataclasses import replace
from email.parser import Parser
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen import runtime
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.recording.recorder import Program, over_stdio
from mcp_bindgen.render.target_folders import built_in
from mcp_bindgen.write.existing import with_existing_version
from mcp_bindgen.write.manifest import with_version
from mcp_bindgen.write.wheel import NEEDS, build
from mcp_bindgen.write.write import write
from packaging.requirements import Requirement

from tests.servers.launch import stdio_command
from tests.write import wheelhouse

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_bindgen.json_reader import JSON

PING: dict[str, JSON] = {"name": "ping", "inputSchema": {"type": "object"}}

PROGRAM = """
import importlib.util, sys, uuid
import todo

assert importlib.util.find_spec("mcp_bindgen") is None
assert importlib.util.find_spec("mcp") is None
user = str(uuid.uuid4())
with todo.Client.stdio(sys.argv[1:]) as client:
    task = client.add_task(user_id=user, title="Buy bread")
    listed = client.list_tasks(user_id=user)
assert task.title == "Buy bread" and task.status == "open", task
assert "Buy bread" in repr(listed), listed
print("called", todo.__file__)
"""


@pytest.fixture
def package(tmp_path: Path) -> Callable[..., Path]:
    def make(server: JSON = None, name: str = "demo") -> Path:
        data = json.dumps({"server": server, "tools": [PING]}).encode()
        write(generate(data, name).files, tmp_path / name)
        return tmp_path / name

    return make


def opened(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_same_package_gives_the_same_bytes(package: Callable[..., Path]) -> None:
    folder = package({"name": "demo", "version": "1.2.3"})
    first = build(folder, "1.0")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"")
    (folder / "foreign.txt").write_text("not ours")
    for path in folder.rglob("*"):
        os.utime(path, (0, 0))
    assert build(folder, "1.0") == first
    for path in folder.rglob("*.*"):  # as Git may check them out
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(folder, "1.0") == first
    assert first.filename == "demo-1.0.0-py3-none-any.whl"


def test_what_is_inside(package: Callable[..., Path]) -> None:
    folder = package({"name": "demo", "version": "1.2.3"})
    files = opened(build(folder, "1.0").data)
    info = "demo-1.0.0.dist-info"
    for name, data in files.items():
        if not name.startswith(info):
            assert data == (folder.parent / name).read_bytes()
    assert "demo/py.typed" in files
    assert "demo/recording.json" in files
    meta = Parser().parsestr(files[f"{info}/METADATA"].decode())
    assert (meta["Name"], meta["Version"]) == ("demo", "1.0.0")
    assert meta["Requires-Python"] == ">=3.11"
    assert set(NEEDS) <= set(meta.get_all("Requires-Dist", []))
    assert "Tag: py3-none-any" in files[f"{info}/WHEEL"].decode()
    rows = csv.reader(files[f"{info}/RECORD"].decode().splitlines())
    recorded = {row[0]: row[2] for row in rows}
    assert recorded.pop(f"{info}/RECORD") == ""
    sizes = {k: str(len(v)) for k, v in files.items() if not k.endswith("/RECORD")}
    assert recorded == sizes


def test_the_version_is_that_of_the_package(package: Callable[..., Path]) -> None:
    files = generate(b'{"tools": []}', "demo").files
    folder = package({"name": "demo", "version": "9.9"})
    assert build(folder, "1").filename == "demo-1.0.0-py3-none-any.whl"
    write(with_version(files, "2.1.0"), folder)
    assert build(folder, "1").filename == "demo-2.1.0-py3-none-any.whl"
    write(with_existing_version(files, folder), folder)
    assert build(folder, "1").filename == "demo-2.1.0-py3-none-any.whl"


def test_the_server_does_not_name_the_distribution(
    package: Callable[..., Path],
) -> None:
    folder = package({"name": "httpx", "version": "9"}, "my_demo")
    assert build(folder, "1").filename == "my_demo-1.0.0-py3-none-any.whl"
    chosen = build(folder, "1", name="Our.Demo", version="3.0rc1")
    assert chosen.filename == "our_demo-3.0rc1-py3-none-any.whl"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"name": "../x"}, "'../x' is no name of a distribution"),
        ({"version": "new"}, "'new' is no version"),
    ],
)
def test_a_bad_name_or_version_is_refused(
    package: Callable[..., Path], choices: dict[str, str], message: str
) -> None:
    with pytest.raises(BindgenError, match=message):
        build(package(), "1", **choices)


def test_only_what_was_generated_is_packed(package: Callable[..., Path]) -> None:
    folder = package()
    with pytest.raises(BindgenError, match="is no generated package"):
        build(folder.parent, "1")
    (folder / "client.py").write_text("import os\n")
    with pytest.raises(BindgenError, match=r"client\.py is not as it was generated"):
        build(folder, "1")
    (folder / "client.py").unlink()
    with pytest.raises(BindgenError, match=r"client\.py is missing"):
        build(folder, "1")


def test_a_package_beyond_the_limits_is_packed(tmp_path: Path) -> None:
    tools: list[JSON] = [{**PING, "description": "d" * 100_001}]
    data = json.dumps({"server": {"name": "x", "version": "3.1"}, "tools": tools})
    raised = replace(DEFAULT, text=200_000)
    write(
        generate(data.encode(), "demo", Settings(limits=raised)).files,
        tmp_path / "demo",
    )
    assert build(tmp_path / "demo", "1.0").filename == "demo-1.0.0-py3-none-any.whl"


def test_the_needs_are_what_the_runtime_imports() -> None:
    folder = Path(runtime.__path__[0])
    imported = {
        name.partition(".")[0]
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imported(node)
    }
    # pydantic brings its core, and telemetry is used only where it is installed.
    others = {"opentelemetry", "pydantic_core"}
    third_party = imported - sys.stdlib_module_names - others
    assert third_party == {Requirement(need).name for need in NEEDS}
    frameworks = filter(None, (target.requirement for target in built_in()))
    for need in (*NEEDS, *frameworks):
        requirement = Requirement(need)
        with suppress(PackageNotFoundError):  # a framework may be absent
            assert version(requirement.name) in requirement.specifier


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [node.module or ""]
    return []


@pytest.mark.slow
def test_it_installs_without_a_network_and_calls_a_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = stdio_command("todo")
    recorded = over_stdio(Program(command), 60)
    write(generate(recorded.text.encode(), "todo").files, tmp_path / "todo")
    wheel = build(tmp_path / "todo", "1.0")
    (tmp_path / wheel.filename).write_bytes(wheel.data)
    pins = wheelhouse.fill(tmp_path, NEEDS)
    (tmp_path / "pins.txt").write_text(
        "".join(f"{name}=={number}\n" for name, number in pins.items())
    )
    home = tmp_path / "venv"
    python = home / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    clean = {
        k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "PYTHON"))
    }
    clean["PIP_CONFIG_FILE"] = os.devnull
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-index",
    ]
    pip += ["--no-compile", "--quiet", "--find-links", ".", "-c", "pins.txt", "todo"]
    subprocess.run(pip, check=True, env=clean, cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ran = subprocess.run(
        [python, "-I", "-c", PROGRAM, *command],
        capture_output=True,
        text=True,
        env=clean,
        cwd=elsewhere,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"called {home}")
    used = {**clean, "TODO_MCP_COMMAND": shlex.join(command)}
    user = "6f1c2b5e-3d7a-4a89-9c55-0d6a1b2c3d4e"
    task = json.dumps({"user_id": user, "title": "Buy oil"})
    for words, expected in (
        ([], "list_tasks"),
        (["list_tasks", "--help"], "--user-id"),
        (["add_task", "--user-id", user, "--title", "Buy bread"], "Buy bread"),
        (["add_task", "--json", task], "Buy oil"),
        (["list_tasks", "--user-id", user], "Buy oil"),
    ):
        printed = subprocess.run(
            [python, "-I", "-m", "todo", *words],
            capture_output=True,
            text=True,
            env=used,
            cwd=elsewhere,
            check=False,
        )
        assert (printed.returncode, printed.stderr) == (0, ""), words
        assert expected in printed.stdout
        if words and "--help" not in words:
            json.loads(printed.stdout)
