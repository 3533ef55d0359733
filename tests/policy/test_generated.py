"""`generate --policy`: models are offered no tool that the policy denies."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.policy.counting import RECORDING, CountingServer

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

POLICY = """
unreviewed = "allow"
[tools.delete_item]
deny = true
[tools.list_items]
risk = "low"
[[tools.list_items.when]]
arguments.query = ["all"]
approval = ["NORMAL", "DEGRADED"]
[[tools.list_items.when]]
arguments.size = [999]
deny = true
[tools.send_mail]
risk = "high"
approval = ["NORMAL", "ALERT"]
[tools.manage_item]
deny = true
enforce = "log"
"""
TARGETS = "python,openai,langchain,anthropic,gemini,agents,pydantic_ai,agent_skill"


def run(*words: str) -> Any:
    """Run a command."""
    return CliRunner().invoke(app, [*words])


def test_a_package_knows_the_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "marked_shop.json").write_bytes(RECORDING)
    (tmp_path / "p.toml").write_text(POLICY, encoding="utf-8")
    words = ("generate", "marked_shop.json", "-o", ".", "--target", TARGETS)
    for more in ((), ("--no-cache", "--check"), ("--check",)):
        assert run(*words, "--policy", "p.toml", *more).exit_code == 0
    assert run(*words, "--check").exit_code == 1
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    shop: Any = import_module("marked_shop")
    offered = ["list_items", "manage_item", "send_mail"]
    folder = tmp_path / "marked_shop"
    listed = json.loads((folder / "openai.json").read_text(encoding="utf-8"))
    assert [tool["function"]["name"] for tool in listed] == offered
    for module in ("openai", "anthropic", "gemini"):
        assert "delete_item" not in str(import_module(f"marked_shop.{module}").TOOLS)
    for path in ("langchain.py", "openai_strict.json", "skill/SKILL.md"):
        text = (folder / path).read_text(encoding="utf-8")
        assert "delete_item" not in text
        assert "send_mail" in text
    references = {path.stem for path in (folder / "skill" / "references").glob("*.md")}
    assert references == {*offered}
    client = CountingServer().client(shop.Client)
    assert [tool.name for tool in shop.toolset(client)] == offered
    infos = {str(tool): info for tool, info in shop.TOOLS.items()}
    assert infos["delete_item"].denied
    assert infos["fetch_page"].denied  # it has no entry
    assert (infos["send_mail"].risk, [*infos["send_mail"].approval]) == (
        "high",
        ["NORMAL", "ALERT"],
    )
    doc = shop.send_mail.__doc__
    assert "Policy: high risk; a person approves each call in NORMAL, ALERT." in doc
    assert "Policy: each call is denied." in shop.delete_item.__doc__
    flat = " ".join(shop.list_items.__doc__.split())
    some = "a person approves some calls in NORMAL, DEGRADED; some calls are denied."
    assert f"Policy: low risk; {some}" in flat
    for name in [name for name in sys.modules if name.startswith("marked_shop")]:
        del sys.modules[name]


def test_the_policy_of_the_settings_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "shop.json").write_bytes(RECORDING)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mcp-bindgen]\ntargets = ["openai"]\n[tool.mcp-bindgen.servers.shop]\n'
        'recording = "shop.json"\npolicy = "p.toml"\noutput = "out"\n',
        encoding="utf-8",
    )
    missing = run("generate")
    assert missing.exit_code == 2
    assert "mcp-bindgen policy" in missing.output
    (tmp_path / "p.toml").write_text(POLICY, encoding="utf-8")
    assert run("generate").exit_code == 0
    text = (tmp_path / "out" / "shop" / "openai.json").read_text(encoding="utf-8")
    assert '"send_mail"' in text
    assert '"delete_item"' not in text
    # A change of the policy is a change of the package.
    changed = POLICY.replace('risk = "low"', "deny = true")
    (tmp_path / "p.toml").write_text(changed, encoding="utf-8")
    assert run("generate", "--check").exit_code == 1
    assert run("generate").exit_code == 0
    text = (tmp_path / "out" / "shop" / "openai.json").read_text(encoding="utf-8")
    assert '"list_items"' not in text


def test_a_policy_that_does_not_fit_the_recording_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mcp-bindgen]\ntargets = ["openai"]\noutput = "out"\n'
        '[tool.mcp-bindgen.servers.plain]\nrecording = "shop.json"\n'
        '[tool.mcp-bindgen.servers.shop]\nrecording = "shop.json"\npolicy = "p.toml"\n',
        encoding="utf-8",
    )
    (tmp_path / "shop.json").write_bytes(RECORDING)
    (tmp_path / "p.toml").write_text(POLICY, encoding="utf-8")
    assert run("generate").exit_code == 0
    before = (tmp_path / "out" / "shop" / "openai.json").read_bytes()
    wrong = f"{POLICY}[tools.fetch_page.arguments]\nurll = {{ fixed = 'a' }}\n"
    wrong += "[tools.no_such]\nrisk = 'low'\n[tools.list]\nremoved = true\n"
    (tmp_path / "p.toml").write_text(wrong, encoding="utf-8")
    for words in (
        ("generate",),
        ("generate", "--check"),
        ("sync", "--offline"),
        ("generate", "shop.json", "-o", "other", "--policy", "p.toml"),
    ):
        refused = run(*words)
        assert refused.exit_code == 2, words
        fault = "p.toml: tools.fetch_page.arguments.urll: the schema of the tool has no"
        assert fault in refused.stderr
        assert "p.toml: tools.no_such: there is no such tool" in refused.stderr
        assert "marks tools that are gone" in refused.stderr
        assert "tools.list" not in refused.stderr
    assert not (tmp_path / "other").exists()
    assert (tmp_path / "out" / "shop" / "openai.json").read_bytes() == before
    # The package without a policy is made nevertheless.
    (tmp_path / "out" / "plain" / "openai.json").unlink()
    assert run("generate").exit_code == 2
    assert (tmp_path / "out" / "plain" / "openai.json").is_file()


FEATURES = """
unreviewed = "allow"
[default]
tools = "allow"
[resources."shop://guide"]
risk = "low"
[resources."shop://keys"]
deny = true
[resources."shop://items/{id}"]
approval = ["ALERT"]
[resources."shop://files/{path}"]
deny = true
[resources."shop://one/5"]
[prompts.ask]
risk = "high"
[prompts.danger]
deny = true
"""


def test_models_are_offered_no_resource_and_no_prompt_that_is_denied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    templates = ("items/{id}", "files/{path}", "one/{n}", "other/{n}")
    lists: dict[str, Any] = {
        "tools": [],
        "resources": [
            {"uri": f"shop://{n}", "name": n} for n in ("guide", "keys", "unknown")
        ],
        "resourceTemplates": [
            {"uriTemplate": f"shop://{t}", "name": t.partition("/")[0]}
            for t in templates
        ],
        "prompts": [{"name": name} for name in ("ask", "danger")],
    }
    (tmp_path / "marked_feature_shop.json").write_text(json.dumps(lists))
    (tmp_path / "p.toml").write_text(FEATURES, encoding="utf-8")
    words = ("generate", "marked_feature_shop.json", "-o", ".", "--policy", "p.toml")
    made = run(*words)
    assert made.exit_code == 0, made.stderr
    assert run(*words, "--check").exit_code == 0
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    shop: Any = import_module("marked_feature_shop")

    resource, template, prompt = shop.Resource, shop.ResourceTemplate, shop.Prompt
    denied = {member for member, info in shop.RESOURCES.items() if info.denied}
    assert denied == {resource.KEYS, resource.UNKNOWN}
    assert shop.RESOURCES[resource.GUIDE].risk == "low"
    assert shop.RESOURCE_TEMPLATES[template.ITEMS].approval == ("ALERT",)
    denied = {t for t, info in shop.RESOURCE_TEMPLATES.items() if info.denied}
    assert denied == {template.FILES, template.OTHER}
    assert "Policy: a person approves" not in shop.one.__doc__
    assert "some requests are denied" in shop.one.__doc__
    assert "a person approves each request in ALERT" in shop.items.__doc__
    assert "Policy: each request is denied." in shop.danger.__doc__
    assert "Policy: high risk." in shop.ask_async.__doc__
    assert [p.denied for p in shop.PROMPTS.values()] == [False, True]
    assert prompt.DANGER in shop.PROMPTS

    server = CountingServer()
    client = server.client(shop.Client)
    client.list_resources = lambda: [*shop.RESOURCES.values()]
    client.list_prompts = lambda: [*shop.PROMPTS.values()]
    tools = {tool.name: tool for tool in shop.resources_as_tools(client)}
    assert [*tools] == ["list_resources", "read_resource", "items", "one"]
    listed = tools["list_resources"].answer({}).result.structured
    assert [entry["uri"] for entry in listed] == ["shop://guide"]
    get = {tool.name: tool for tool in shop.prompts_as_tools(client)}
    listed = get["list_prompts"].answer({}).result.structured
    assert [entry["name"] for entry in listed] == ["ask"]
