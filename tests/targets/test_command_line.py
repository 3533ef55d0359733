"""`python -m PACKAGE`: its tools from a shell, with flags made of their parameters."""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.agents.argparse_words import plain

from tests.servers.launch import CATALOG_TOKEN, stdio_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GENERATED = Path(__file__).parents[2] / "generated"
ME = ("--user-id", "8a0f4a1e-1111-4222-8333-123456789abc")
SEARCH = ("search_metadata", "--query", "sales")


SILENT = """
import pathlib, sys
sys.stdin.readline()
pathlib.Path("asked").touch()
sys.stdin.read()
"""


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Iterator[Callable[..., tuple[int, str, str]]]:
    """Run the command of a package in this process: exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)  # The todo server makes its database there.
    monkeypatch.setattr(sys, "path", [str(GENERATED), *sys.path])
    # Other tests import other packages of these names.
    others = {name: sys.modules.pop(name) for name in [*sys.modules] if _is_ours(name)}
    for name in ("catalog", "todo"):
        words = shlex.join(stdio_command(name))
        monkeypatch.setenv(f"{name.upper()}_MCP_COMMAND", words)

    def run(package: str, *arguments: str) -> tuple[int, str, str]:
        module = __import__(f"{package}.__main__", fromlist=["main"])
        code: int = module.main(module.Client, [*arguments])
        out, err = capsys.readouterr()
        return code, out, err

    yield run
    for name in [name for name in sys.modules if _is_ours(name)]:
        del sys.modules[name]
    sys.modules.update(others)


def _is_ours(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] in {"catalog", "todo"}


def test_a_process_lists_and_calls() -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(GENERATED),
        "CATALOG_MCP_COMMAND": shlex.join(stdio_command("catalog")),
    }
    program = [sys.executable, "-m", "catalog"]
    results = [
        subprocess.run(
            [*program, *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        for words in ((), (*SEARCH, "--size", "1"))
    ]
    assert [result.returncode for result in results] == [0, 0]
    assert len(results[0].stdout.splitlines()) == 6
    assert "search_metadata  Find data assets" in results[0].stdout
    assert len(json.loads(results[1].stdout)["hits"]) == 1


def test_a_reader_that_leaves_and_an_interrupt_show_no_traceback(
    tmp_path: Path,
) -> None:
    (tmp_path / "server.py").write_text(SILENT, "utf-8")
    program = [sys.executable, "-m", "catalog"]
    silent = shlex.join([sys.executable, str(tmp_path / "server.py")])
    environment = {
        **os.environ,
        "PYTHONPATH": str(GENERATED),
        "CATALOG_MCP_COMMAND": silent,
    }
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        program, stdout=write, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(write)
    assert (ran.returncode, ran.stderr) == (0, b"")
    # Tests in the background of a shell ignore the signal, and so would the program.
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [*program, *SEARCH],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as calling:
        signal.signal(signal.SIGINT, heeded)
        while not (tmp_path / "asked").exists():
            time.sleep(0.05)
        calling.send_signal(signal.SIGINT)
        out, errors = calling.communicate()
    assert (calling.returncode, out) == (130, "")
    assert errors == "error: interrupted\nsearch_metadata may have run\n"
    assert "Traceback" not in errors


def test_flags_json_and_standard_input_are_arguments(
    command: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = command(
        "catalog", *SEARCH, "--include-deleted", "--entityType", "table"
    )
    assert (code, json.loads(out)["total"]) == (0, 2)
    text = '{"query": "sales", "size": 1}'
    assert command("catalog", "search_metadata", "--json", text)[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    _, out, _ = command("catalog", "search_metadata", "--json", "-", "--size", "2")
    assert len(json.loads(out)["hits"]) == 2
    details = ("--entity-type", "table", "--fqn", "warehouse.sales.orders")
    _, out, _ = command("catalog", "get_entity_details", *details)
    assert json.loads(out)["name"] == "orders"  # the JSON of a text
    tags = ("--tags", "a", "--tags", "b")
    _, out, _ = command("todo", "add_task", *ME, "--title", "12", *tags)
    assert (json.loads(out)["title"], json.loads(out)["tags"]) == ("12", ["a", "b"])
    three = ("--tags", "a", "b", "--tags", "c")
    _, out, _ = command("todo", "add_task", *ME, "--title", "12", *three)
    assert json.loads(out)["tags"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--frob",), 2, "unrecognized arguments: --frob"),
        (("serch_metadata",), 2, "did you mean search_metadata?"),
        (("serch_metadata", "--query", "a"), 2, "did you mean search_metadata?"),
        (("zzz",), 2, "without a tool, all are listed"),
        (("search_metadata",), 2, "/query"),
        (("search_metadata",), 2, "hint: see python -m catalog search_metadata --help"),
        ((*SEARCH, "--size", "x"), 2, "size: expected an integer, got 'x'"),
        ((*SEARCH, "--size", "99"), 2, "/size: "),
        ((*SEARCH, "--query", "b"), 2, "query: expected one value, got 2"),
        (("search_metadata", "--json", "["), 2, "--json: "),
        (("search_metadata", "--json", "[]"), 2, "--json: expected an object"),
        (("--header", "A: b", *SEARCH), 2, "--header needs --url"),
        (("--url", "http://127.0.0.1:9/mcp", *SEARCH), 2, "cannot connect"),
        (("--timeout", "-1", *SEARCH), 2, "timeout"),
        (("get_entity_details", "--entity-type", "table", "--fqn", "no"), 1, "error: "),
    ],
)
def test_mistakes_are_reported(
    command: Callable[..., tuple[int, str, str]],
    words: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    result, out, errors = command("catalog", *words)
    assert (result, out) == (code, "")
    assert message in errors


def test_a_destructive_tool_needs_yes(
    command: Callable[..., tuple[int, str, str]],
) -> None:
    code, _, errors = command("todo", "delete_task", *ME, "--task-id", "1")
    assert (code, "add --yes" in errors) == (2, True)
    assert command("todo", "delete_task", *ME, "--task-id", "1", "--yes")[0] == 1


def test_a_url_with_a_header_is_a_server(
    command: Callable[..., tuple[int, str, str]], catalog_url: str
) -> None:
    header = f"Authorization: Bearer {CATALOG_TOKEN}"
    words = ("--url", catalog_url, "--header", header, "--timeout", "30", *SEARCH)
    assert command("catalog", *words)[0] == 0


def test_the_nearest_settings_say_where_the_server_is(
    command: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.delenv("CATALOG_MCP_COMMAND")
    settings = tmp_path / "pyproject.toml"
    for text in ("", '[tool.mcp-bindgen.servers.other]\ncommand = ["x"]\n'):
        settings.write_text(text, "utf-8")
        assert "CATALOG_MCP_COMMAND" in command("catalog", *SEARCH)[2]
    words = [*stdio_command("catalog")]
    table = f"[tool.mcp-bindgen.servers.catalog]\ncommand = {words}\ntimeout = 300\n"
    settings.write_text(f'{table}env = {{A = "${{UNKNOWN}}"}}\n', "utf-8")
    assert "UNKNOWN is not set" in command("catalog", *SEARCH)[2]
    settings.write_text(table, "utf-8")
    assert command("catalog", *SEARCH)[0] == 0
    monkeypatch.setenv("CATALOG_MCP_URL", "http://127.0.0.1:9/mcp")  # it wins
    assert "cannot connect" in command("catalog", *SEARCH)[2]


def test_help_shows_parameters(
    command: Callable[..., tuple[int, str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        command("catalog", "search_metadata", "--help")
    assert caught.value.code == 0
    assert "--min-score NUMBER" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["-1", "-1.5", "-1e5", "-1.5E-3"])
def test_a_negative_number_is_no_flag(
    command: Callable[..., tuple[int, str, str]], text: str
) -> None:
    code, _, errors = command("catalog", *SEARCH, "--min-score", text)
    assert code == 2
    assert "/minScore: Input should be greater than or equal to 0" in errors


@pytest.mark.parametrize("text", ["100% of %s", "5% of %(prog)s"])
def test_a_description_is_printed_as_it_is(text: str) -> None:
    parser = argparse.ArgumentParser(description=plain(text), epilog=plain(text))
    assert parser.format_help().count(text) == 2
