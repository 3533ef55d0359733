"""`generate --policy`: no framework learns of a denied tool; its texts run nothing."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.cli.policy_marks import marks_in
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.render.target_folders import built_in

from tests.hostile.payloads import TEXTS
from tests.policy.counting import RECORDING, CountingServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLICY = """
unreviewed = "allow"
[tools.delete_item]
deny = true
[tools.list_items]
[tools.send_mail]
"""
OFFERED = ["list_items", "send_mail"]
HIDDEN = ("delete_item", "fetch_page", "manage_item")
TARGETS = tuple(target.name for target in built_in())
PROGRAMS = ("python", "models")
"""Targets for programs, which see all tools."""


def made(folder: Path, name: str, policy: str) -> dict[str, str]:
    """Write a package with all targets, and return its files."""
    (folder / "policy.toml").write_text(policy, encoding="utf-8")
    settings = Settings(
        TARGETS,
        runtime="mcp_bindgen.runtime",
        policy=marks_in(folder / "policy.toml"),
    )
    files = dict(generate(RECORDING, name, settings).files)
    for path, text in files.items():
        (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / name / path).write_text(text, encoding="utf-8")
    return files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that Python imports from."""
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        if name.startswith("offered_"):
            del sys.modules[name]


def test_no_file_of_a_framework_names_a_denied_tool(folder: Path) -> None:
    files = made(folder, "offered_files", POLICY)
    settings = Settings(PROGRAMS, runtime="mcp_bindgen.runtime")
    programs = generate(RECORDING, "offered_files", settings).files
    frameworks = {path: text for path, text in files.items() if path not in programs}
    assert {"skill/SKILL.md", "openai.json", "langchain.py"} <= frameworks.keys()
    for path, text in frameworks.items():
        assert not [name for name in HIDDEN if name in path or name in text], path
    # The functions for programs stay, and say what the policy says.
    for name in HIDDEN:
        assert "Policy: each call is denied." in files[f"tools/{name}.py"]


def offers(package: str, client: Any, later: Any) -> dict[str, list[str]]:
    """Return the names of the tools in each list that a model may get."""
    for library in ("agents", "langchain_core", "pydantic_ai"):
        pytest.importorskip(library, reason="needs the extra frameworks")

    def module(name: str) -> Any:
        return import_module(f"{package}.{name}")

    def completions(tools: list[Any]) -> list[str]:
        return [tool["function"]["name"] for tool in tools]

    def texts(tools: list[Any]) -> list[str]:
        return [tool["name"] for tool in tools]

    def names(tools: Any) -> list[str]:
        return [tool.name for tool in tools]

    root: Any = import_module(package)
    openai, gemini, anthropic = map(module, ("openai", "gemini", "anthropic"))
    return {
        "openai": completions(openai.tools(client)),
        "openai, strict": completions(openai.tools(client, strict=True)),
        "openai, alone": completions(openai.tools()),
        "openai.TOOLS": completions(openai.TOOLS),
        "openai.RESPONSES_TOOLS": texts(openai.RESPONSES_TOOLS),
        "openai, responses": texts(openai.responses_tools(client)),
        "openai, executor": completions(openai.executor(client).tools),
        "gemini": texts(gemini.declarations(client)),
        "gemini, executor": texts(
            gemini.executor(client).tools[0]["function_declarations"]
        ),
        "anthropic": texts(anthropic.tools(client)),
        "anthropic.TOOLS": texts(anthropic.TOOLS),
        "anthropic, executor": texts(anthropic.executor(client).tools),
        "langchain": names(module("langchain").langchain_tools(client)),
        "agents": names(module("agents").agents_tools(client)),
        "pydantic_ai": [
            *module("pydantic_ai").pydantic_ai_toolset(later).tools,
        ],
        "toolset": names(root.toolset(client)),
        "toolbox": names(root.Toolbox(root.toolset(client)).tools),
    }


def test_no_model_is_offered_a_denied_tool(folder: Path) -> None:
    made(folder, "offered_names", POLICY)
    package: Any = import_module("offered_names")
    server = CountingServer()
    client = server.client(package.Client)
    later = server.client(package.AsyncClient)
    for framework, names in offers("offered_names", client, later).items():
        assert names == OFFERED, framework
    openai: Any = import_module("offered_names.openai")
    assert not {*map(str, openai.not_strict())} & {*HIDDEN}
    for include in (HIDDEN[0], "delete_*"):
        with pytest.raises(package.ConfigError):
            openai.executor(client, include=include)
    # A model that calls it nevertheless learns that there is no such tool.
    run = openai.executor(client)
    assert "delete_item" in run("delete_item", {"id": 1})["error"]
    with package.Toolbox(package.toolset(client)) as box:
        assert box.run("delete_item", {"id": 1}).is_error
    assert server.calls == []
    assert "result" in run("list_items", {"size": 1}) or run("list_items", {})
    assert {name for name, _ in server.calls} == {"list_items"}


def test_texts_of_the_policy_run_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fired: list[str] = []
    canary = ModuleType("hostile_canary")
    monkeypatch.setattr(canary, "fire", lambda: fired.append("!"), raising=False)
    monkeypatch.setitem(sys.modules, "hostile_canary", canary)
    texts = [text for text in dict.fromkeys(TEXTS.values()) if "\x7f" not in text]
    texts = [text for text in texts if text]
    quoted = [json.dumps(text, ensure_ascii=False) for text in texts]
    modes = ", ".join(quoted)
    entries = "\n".join(
        f'[tools.{name}]\napproval = [{modes}]\nnote = "remark-4711"\n'
        for name in OFFERED
    )
    policy = f'unreviewed = "allow"\nmodes = [{modes}]\n# {TEXTS["jinja"]}\n{entries}'
    files = made(folder, "offered_texts", policy)
    package: Any = import_module("offered_texts")
    server = CountingServer()
    clients = server.client(package.Client), server.client(package.AsyncClient)
    offers("offered_texts", *clients)
    infos = {str(tool): info for tool, info in package.TOOLS.items()}
    assert [*infos["send_mail"].approval] == texts
    doc = package.send_mail.__doc__
    assert "Policy: medium risk; a person approves each call in" in doc
    assert "H0ST49" not in doc
    assert not any(ord(char) < 32 and char != "\n" for char in doc)
    assert not fired
    # The notes are for people who approve, and stay in the policy.
    assert not [path for path, text in files.items() if "remark-4711" in text]
