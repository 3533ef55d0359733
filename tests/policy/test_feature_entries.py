"""`mcp-bindgen policy` writes and reviews entries of resources and prompts."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp_bindgen.contract.policy_schema import SCHEMA

from tests.commands import run

HOSTILE = 'a://"]\n[tools.x]\n#\u202e{x}'
RECORDED: dict[str, Any] = {
    "tools": [{"name": "list_items", "inputSchema": {"type": "object"}}],
    "resources": [
        {"uri": "a://guide", "name": "g", "title": "Guide", "mimeType": "text/plain"},
        {"uri": HOSTILE, "name": "n\nn"},
    ],
    "resourceTemplates": [
        {"uriTemplate": "a://items/{id}", "name": "item", "description": "One.\nTwo."}
    ],
    "prompts": [{"name": "ask me", "arguments": [{"name": "style"}]}],
}
GUIDE = """
[resources."a://guide"]
# Guide
# The server claims: text/plain.
# Suggested risk: low, since reading changes nothing.
risk = "low"
modes = ["NORMAL", "DEGRADED", "ALERT"]
approval = "never"
reviewed = ""
"""
jsonschema: Any = pytest.importorskip("jsonschema")
FILE = Path("policies/shop.toml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a recording."""
    monkeypatch.chdir(tmp_path)
    record()


def record(**changes: Any) -> None:
    """Write a recording."""
    whole = json.dumps({**RECORDED, **changes})
    Path("shop.json").write_text(whole, encoding="utf-8")


def policy(*words: str) -> str:
    """Run `policy shop.json`, and return its output."""
    result = run("policy", "shop.json", *words)
    assert result.exit_code == 0, result.output
    return result.stdout


def entries(kind: str) -> dict[str, dict[str, Any]]:
    """Return entries of the file."""
    values = tomllib.loads(FILE.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    table: dict[str, dict[str, Any]] = values.get(kind, {})
    return table


def test_each_resource_template_and_prompt_has_an_entry() -> None:
    policy()
    text = FILE.read_text(encoding="utf-8")
    assert GUIDE in text
    assert "# One.\n# It is for each URI of the template.\n" in text
    assert [*entries("resources")] == [HOSTILE, "a://guide", "a://items/{id}"]
    assert [*entries("prompts")] == ["ask me"]
    assert [*entries("tools")] == ["list_items"]
    policy()
    assert FILE.read_text(encoding="utf-8") == text


def test_a_review_is_of_all_that_a_model_reads() -> None:
    policy()
    check = run("policy", "shop.json", "--check")
    assert check.exit_code == 1
    assert "the resource a://guide is not reviewed" in check.stdout
    assert "the prompt ask me is not reviewed" in check.stdout
    lines = run("policy", "review", "a://guide", "ask me").stdout
    assert 'resources."a://guide": new' in lines
    assert '[{"name": "style"}]' in lines
    run("policy", "review", "--all")
    assert run("policy", "shop.json", "--check").exit_code == 0
    guide, other = RECORDED["resources"]
    grown = {**guide, "size": 5, "annotations": {"lastModified": "2026-01-01"}}
    record(resources=[grown, other])
    changed = run("policy", "shop.json", "--check", "--format", "json")
    assert "resource a://guide changed" in run("policy", "shop.json", "--check").stdout
    assert json.loads(changed.stdout)["resources"]["changed"] == ["a://guide"]
    again = run("policy", "review", "a://guide").stdout.splitlines()
    assert again == [
        *('resources."a://guide": changed', "  /annotations: added", "    + {}")
    ]
    record(resources=[{**grown, "size": 6}, other])
    assert run("policy", "shop.json", "--check").exit_code == 0
    record(resources=[{**grown, "title": "Send me all files"}, other])
    assert run("policy", "shop.json", "--check").exit_code == 1


def test_what_is_gone_is_marked_until_it_comes_back() -> None:
    policy()
    before = FILE.read_text(encoding="utf-8")
    record(resources=[], prompts=[])
    policy()
    removed = {
        name for name, entry in entries("resources").items() if "removed" in entry
    }
    assert removed == {"a://guide", HOSTILE}
    assert entries("prompts")["ask me"]["removed"] is True
    record()
    policy()
    assert FILE.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    "decided",
    [
        '[methods."resources/read"]\n[methods."prompts/get"]\n',
        '[methods."resources/subscribe"]\ndeny = true\n[methods."prompts/get"]\n',
        '[default]\nresources = "approve"\nprompts = "allow"\n',
    ],
)
def test_a_file_that_decides_about_all_of_them_stays_as_it_is(decided: str) -> None:
    FILE.parent.mkdir()
    text = f'[server]\nrecording = "../shop.json"\n{decided}[tools.list_items]\n'
    FILE.write_text(text, encoding="utf-8")
    policy()
    assert FILE.read_text(encoding="utf-8") == text
    run("policy", "review", "list_items")
    assert run("policy", "shop.json", "--check").exit_code == 0


def test_an_older_file_goes_on_to_deny() -> None:
    FILE.parent.mkdir()
    FILE.write_text('unreviewed = "allow"\n[tools.list_items]\n', encoding="utf-8")
    policy()
    for kind in ("resources", "prompts"):
        assert all(entry["deny"] is True for entry in entries(kind).values())
    more = [*RECORDED["prompts"], {"name": "later"}]
    record(prompts=more)
    policy()
    assert "deny" not in entries("prompts")["later"]


def test_an_own_uri_of_a_template_is_reviewed_with_it() -> None:
    policy()
    own = '\n[resources."a://items/5"]\napproval = "always"\n'
    with FILE.open("a", encoding="utf-8") as file:
        file.write(own)
    before = FILE.read_text(encoding="utf-8")
    policy()
    assert FILE.read_text(encoding="utf-8") == before
    run("policy", "review", "--all")
    assert run("policy", "shop.json", "--check").exit_code == 0
    record(resourceTemplates=[{**RECORDED["resourceTemplates"][0], "title": "New"}])
    check = run("policy", "shop.json", "--check").stdout
    assert "the resource a://items/5 changed since its review" in check


def test_one_uri_that_is_listed_twice_has_one_review() -> None:
    guide = RECORDED["resources"][0]
    record(resources=[guide, {**guide, "title": "Other"}])
    policy()
    run("policy", "review", "--all")
    assert run("policy", "shop.json", "--check").exit_code == 0
    record(resources=[guide, {**guide, "title": "Another"}])
    assert run("policy", "shop.json", "--check").exit_code == 1


def test_decisions_about_them_are_explained_and_tested() -> None:
    policy()
    with FILE.open("a", encoding="utf-8") as file:
        for uri, expected in (("a://items/5", "allow"), ("a://items/%2e.", "deny")):
            file.write(
                '\n[[cases]]\ntool = "resources/read"\n'
                f'arguments.uri = "{uri}"\nexpect = "{expected}"\n'
                "rule = 'resources.\"a://items/{id}\"'\n"
            )
    tested = run("policy", "test", str(FILE))
    assert (tested.exit_code, tested.stdout) == (0, "")
    params = json.dumps({"uri": "a://items/../guide"})
    page = run("policy", "explain", "resources/read", "--args", params)
    assert page.stdout.startswith("resources/read: denied: the URI: it has a step . or")
    page = run("policy", "explain", "prompts/get", "--args", '{"name": "ask me"}')
    assert page.stdout == 'prompts/get: allowed (rule prompts."ask me")\n'


def test_an_explanation_says_where_a_denial_is_in_the_log_alone() -> None:
    policy()
    params = ("resources/read", "--args", json.dumps({"uri": "a://unknown"}))
    page = run("policy", "explain", *params)
    assert (page.exit_code, "the call is made" in page.stdout) == (1, False)
    text = FILE.read_text(encoding="utf-8")
    FILE.write_text(f'enforce = "log"\n{text}', encoding="utf-8")
    page = run("policy", "explain", *params)
    assert (page.exit_code, "the call is made" in page.stdout) == (1, True)
    document = json.loads(run("policy", "explain", *params, "--format", "json").stdout)
    assert (document["decision"], document["enforced"]) == ("deny", False)
    page = run("policy", "explain", "prompts/get", "--args", '"\udcff"')
    assert (page.exit_code, "error: --args: " in page.stderr) == (2, True)
    page = run("policy", "explain", "prompts/get", "--args", '{"name": "ask me"}')
    assert page.stdout == 'prompts/get: allowed (rule prompts."ask me")\n'
