"""A policy in the settings: `call`, `from_config` and toolboxes obey it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.cli.call_target import target_of
from mcp_bindgen.runtime.agents.command_policy import policy_for
from mcp_bindgen.runtime.client.config_file import settings_policy
from mcp_bindgen.runtime.errors import ConfigError

from tests.commands import run
from tests.servers.launch import stdio_command

if TYPE_CHECKING:
    from click.testing import Result

ROOT = Path(__file__).resolve().parents[2]
RECORDING = str(ROOT / "generated" / "todo" / "recording.json")
FILE = "policies/todo.toml"
NOWHERE = ["mcp-bindgen-no-such-program"]
LIST = {"user_id": "4b6f1f8e-1111-4222-8333-123456789abc"}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose policy allows to list tasks in its first mode, and no more."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert run("policy", RECORDING, "-o", FILE).exit_code == 0
    file = Path(FILE)
    lines = file.read_text("utf-8").replace('modes = ["NORMAL"]', 'modes = ["ALERT"]')
    file.write_text(lines, "utf-8")
    settings([*stdio_command("todo")])
    return tmp_path


def settings(command: list[str], name: str = "fw_todo") -> None:
    Path("pyproject.toml").write_text(
        f"[tool.mcp-bindgen.servers.{name}]\ncommand = {json.dumps(command)}\n"
        f'recording = {json.dumps(RECORDING)}\npolicy = "{FILE}"\n'
    )


def call(tool: str, *more: str) -> Result:
    words = [f"{name}={text}" for name, text in LIST.items()]
    return run("call", "fw_todo", tool, *words, *more)


def test_a_call_obeys_the_policy_of_the_settings() -> None:
    listed = call("list_tasks")
    assert listed.exit_code == 0, listed.stderr
    settings(NOWHERE)  # A denied call does not even start the server.
    denied = call("delete_task", "task_id=1", "--yes", "--format", "json")
    assert denied.exit_code == 2
    assert json.loads(denied.stdout)["error"]["kind"] == "denied"
    assert "the policy" in denied.stderr
    allowed = call("delete_task", "task_id=1", "--yes", "--mode", "ALERT")
    assert "mcp-bindgen-no-such-program" in allowed.stderr


def test_calls_of_a_recording_obey_the_policy_of_the_settings() -> None:
    def record(tool: str) -> Result:
        words = ["--call", tool, json.dumps(LIST), "-o", "made.json"]
        return run("record", *words, "--", *stdio_command("todo"))

    denied = record("delete_task")
    assert (denied.exit_code, Path("made.json").exists()) == (2, False)
    assert f"--call delete_task: {FILE} does not allow it" in denied.stderr
    listed = record("list_tasks")
    assert listed.exit_code == 0, listed.stderr
    assert json.loads(Path("made.json").read_text())["calls"]
    Path(FILE).unlink()
    missing = record("list_tasks")
    assert missing.exit_code == 2
    assert f"{FILE}" in missing.stderr


def test_mistakes_of_a_policy_come_before_the_call(todo: Any) -> None:
    Path(FILE).write_text('format = "mcp-bindgen-policy/1"\nmode = 1\n')
    wrong = call("list_tasks")
    assert (wrong.exit_code, "mode" in wrong.stderr) == (2, True)
    Path(FILE).unlink()
    missing = call("list_tasks")
    assert (missing.exit_code, FILE in missing.stderr) == (2, True)
    with pytest.raises(ConfigError, match="No such file"):
        todo.Client.from_config()


def test_a_call_reads_the_policy_with_the_schemas_of_the_recording() -> None:
    file = Path(FILE)
    right = file.read_text("utf-8")
    file.write_text(
        f'{right}[tools.list_tasks.arguments]\nuser = {{ fixed = "a" }}\n'
        "[tools.no_such_tool]\n",
        "utf-8",
    )
    command = [*stdio_command("todo")]
    words = ("list_tasks", *(f"{name}={text}" for name, text in LIST.items()))
    for wrong in (
        call("list_tasks"),
        run("call", "--policy", FILE, *words, "--", *command),
    ):
        assert wrong.exit_code == 2
        assert "tools.list_tasks.arguments.user: the schema" in wrong.stderr
        assert "tools.no_such_tool: there is no such tool" in wrong.stderr
    # Where a policy is without its recording, only a server knows the schemas.
    file.write_text(right.replace("recording.json", "elsewhere.json"), "utf-8")
    alone = run("call", "--policy", FILE, *words, "--", *command)
    assert alone.exit_code == 0, alone.stderr
    text = file.read_text("utf-8")
    file.write_text(f"{text}[tools.list_tasks.paths]\nusr = {{ allowed = ['/'] }}\n")
    wrong = run("call", "--policy", FILE, *words, "--", *command)
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "tools.list_tasks.paths.usr: the schema" in wrong.stderr


def test_a_call_that_shows_messages_is_for_the_same_server() -> None:
    other = Path(FILE).read_text("utf-8")
    command = [*stdio_command("todo")]
    listed = json.dumps([command[0], "elsewhere"])
    Path(FILE).write_text(
        other.replace("[server]\n", f"[server]\ncommand = {listed}\n"), "utf-8"
    )
    for option in ("--quiet", "--verbose"):
        denied = call("list_tasks", option)
        assert denied.exit_code == 2, denied.stdout
        assert "with other arguments" in denied.stderr


def test_a_client_of_the_settings_obeys_unless_another_is_passed(todo: Any) -> None:
    settings(NOWHERE, "other")
    file = "pyproject.toml"
    with pytest.raises(todo.PolicyError):
        todo.Client.from_config(file, "other", policy=None).call_tool("add_task", {})
    own = todo.Policy.load(FILE, mode="ALERT")
    client = todo.Client.from_config(file, "other", policy=own)
    with pytest.raises(todo.McpError, match="mcp-bindgen-no-such-program"):
        client.call_tool("add_task", {})


def test_a_toolbox_of_the_settings_obeys(todo: Any) -> None:
    box = todo.Toolbox.from_config("pyproject.toml", packages=[todo])
    with box:
        assert not box.run("list_tasks", LIST).is_error
        answer: Any = box.run("delete_task", {**LIST, "task_id": 1})
        assert answer.is_error
        assert "policy" in str(answer)


def package(
    folder: Path, *words: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fw_todo", *words],
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_of_a_package_obeys_a_policy(packages: Path) -> None:
    words = ["delete_task", "--user-id", LIST["user_id"], "--task-id", "1", "--yes"]
    url = ["--url", "http://127.0.0.1:9/mcp"]
    denied = package(packages, "--policy", FILE, *url, *words)
    assert (denied.returncode, "the policy" in denied.stderr) == (2, True)
    allowed = package(packages, "--policy", FILE, "--mode", "ALERT", *url, *words)
    assert "nothing listens there" in allowed.stderr
    alone = package(packages, "--mode", "ALERT", *url, *words)
    assert "nothing listens there" in alone.stderr  # the policy of the settings
    Path("pyproject.toml").unlink()
    alone = package(packages, "--mode", "ALERT", *url, *words)
    assert "--mode needs --policy" in alone.stderr


ASK = '[tools.delete_task]\napproval = "always"\n'
OPEN = 'format = "mcp-bindgen-policy/1"\nunreviewed = "allow"\n'


def test_the_command_of_a_package_obeys_the_settings_wherever_the_server_is(
    packages: Path,
) -> None:
    words = ["delete_task", "--user-id", LIST["user_id"], "--task-id", "1", "--yes"]
    url = "http://127.0.0.1:9/mcp"
    for more, variables in (
        ((), {}),
        (("--url", url), {}),
        ((), {"FW_TODO_MCP_URL": url}),
        ((), {"FW_TODO_MCP_COMMAND": NOWHERE[0]}),
    ):
        denied = package(packages, *more, *words, **variables)
        assert denied.returncode == 2
        assert "the policy does not allow the call" in denied.stderr
        assert "note:" not in denied.stderr
    Path("open.toml").write_text(OPEN + "[tools.delete_task]\n")
    other = package(packages, "--policy", "open.toml", "--url", url, *words)
    assert "nothing listens there" in other.stderr
    assert f"note: this call does not obey {Path.cwd() / FILE} of" in other.stderr
    same = package(packages, "--policy", FILE, "--url", url, *words)
    assert "note:" not in same.stderr
    Path(FILE).write_text(OPEN + ASK)
    alone = package(packages, *words)
    assert "there is no terminal to ask at" in alone.stderr
    Path("pyproject.toml").write_text("[")
    wrong = package(packages, "--url", url, *words)
    assert (wrong.returncode, "expected TOML" in wrong.stderr) == (2, True)


def test_a_call_by_address_obeys_the_policy_of_that_server() -> None:
    words = ("delete_task", "user_id=a", "task_id=1", "--yes")
    denied = run("call", *words, "--", *stdio_command("todo"))
    assert (denied.exit_code, "the policy does not" in denied.stderr) == (2, True)
    settings(NOWHERE)
    other = run("call", *words, "--", *NOWHERE, "more")
    assert NOWHERE[0] in other.stderr  # another program has no policy
    Path("open.toml").write_text(OPEN + "[tools.delete_task]\n")
    replaced = run("call", *words, "--policy", "open.toml", "--", *NOWHERE)
    assert NOWHERE[0] in replaced.stderr
    assert f"note: this call does not obey {Path.cwd() / FILE} of" in replaced.stderr
    same = run("call", *words, "--policy", FILE, "--quiet", "--", *NOWHERE)
    assert "note:" not in same.stderr
    url = "http://127.0.0.1:9/mcp"
    Path("pyproject.toml").write_text(
        f'[tool.mcp-bindgen.servers.shop]\nurl = "{url}"\npolicy = "{FILE}"\n'
    )
    own = ("http://localhost:9/mcp", "http://[::1]:9/mcp")
    for address in (url, f"{url}/", *own):
        assert target_of([address, "delete_task"], ()).policy == Path.cwd() / FILE
    assert target_of([f"{url}2", "delete_task"], ()).policy is None


def written(**servers: str) -> None:
    Path("pyproject.toml").write_text(
        "".join(
            f"[tool.mcp-bindgen.servers.{name}]\n{keys}\n"
            for name, keys in servers.items()
        )
    )


def test_the_policy_of_a_package_is_above_a_file_with_other_servers(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(key=f'name = "fw_todo"\ncommand = ["a"]\npolicy = "{FILE}"')
    Path("sub").mkdir()
    Path("sub/.mcp.json").write_text(
        '{"mcpServers": {"fw_todo": {"command": "a"}, "more": {"command": "b"}}}'
    )
    monkeypatch.chdir("sub")
    assert settings_policy("fw_todo") == project / FILE
    assert settings_policy("more") is None


@pytest.mark.parametrize("policy", ['""', "false", "[]", '"${NOT_SET:-}"'])
def test_an_empty_policy_is_a_mistake_and_no_policy(policy: str, todo: Any) -> None:
    written(fw_todo=f'command = ["{NOWHERE[0]}"]\npolicy = {policy}')
    with pytest.raises(ConfigError, match=r"expected a text|directory|Permission"):
        todo.Client.from_config()
    with pytest.raises(ConfigError, match=r"expected a text|directory|Permission"):
        policy_for("fw_todo", None, None)
