"""Models of other kinds: inert texts, nothing fetched, typed calls of the SDK."""

from __future__ import annotations

import asyncio
import importlib
import json
import socket
import sys
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.model_options import project_models
from mcp_bindgen.python import selfcheck
from mcp_bindgen.python.model_kinds import KINDS, MODELS, ModelSettings
from mcp_bindgen.render.target_folders import allowlists, chosen

from tests.models.__main__ import IMPORTS, ran
from tests.models.adapter import models
from tests.models.exact import is_sent
from tests.packages import ROOT, generate, mypy, ruff
from tests.servers.launch import stdio_command

if TYPE_CHECKING:
    from pathlib import Path

TODO = ROOT / "generated" / "todo" / "recording.json"
BREAKS = "\"\"\"\n'''\nimport os; os.abort()\n{{ 7*7 }} \\ \u202e \x85 $(id) %s"
HOSTILE: dict[str, Any] = {
    "name": BREAKS,
    "title": BREAKS,
    "description": BREAKS,
    "inputSchema": {
        "title": BREAKS,
        "description": BREAKS,
        "type": "object",
        "customBasePath": "os.abort",
        "customTypePath": "os.abort",
        "x-python-import": {"module": "os", "name": "abort"},
        "default_factory": "os.abort",
        "properties": {
            BREAKS: {"type": "string", "description": BREAKS, "default": BREAKS},
            "kind": {"enum": [BREAKS, None, 1], "title": BREAKS},
            "const": {"const": BREAKS, "customTypePath": "os.abort"},
            "slow": {"type": "string", "pattern": "^(a+)+$"},
            "looks": {"type": "string", "pattern": "(?=a)b"},
            "open": {"$ref": f"#/$defs/{'A'}"},
            "__class__": {"type": "integer"},
            "model_config": {"type": "integer"},
        },
        "required": [BREAKS],
        "$defs": {"A": {"type": "object", "description": BREAKS, "properties": {}}},
    },
}


def project(folder: Path, kind: str, more: str = "") -> Path:
    text = f'[tool.mcp-bindgen.models]\nkind = "{kind}"\n{more}'
    (folder / "pyproject.toml").write_text(text)
    return folder / "src"


def package(
    folder: Path, kind: str, *tools: Any, more: str = "", name: str = "pkg"
) -> dict[str, Any]:
    """Generate the package `pkg` with models, and return the report."""
    src = project(folder, kind, more)
    recording = folder / f"{name}.json"
    recording.write_text(json.dumps({"tools": tools}))
    report = folder / "report.json"
    options = ("--target", "models", "--report", report, "--quiet", "--no-cache")
    code, output = generate(recording, "-o", src, *options)
    assert code == 0, output
    facts: dict[str, Any] = json.loads(report.read_text())
    return facts


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_texts_stay_texts(tmp_path: Path, kind: str) -> None:
    plain = {"name": "plain", "inputSchema": {"type": "object"}}
    facts = package(tmp_path, kind, HOSTILE, plain)
    assert facts["problems"] == []
    # msgspec itself refuses such a name of a member, when its module is imported.
    assert facts["counts"].get("no-models", 0) == (1 if kind == "msgspec" else 0)
    src = tmp_path / "src"
    sources = {
        p.relative_to(src / "pkg").as_posix(): p.read_text()
        for p in (src / "pkg" / "models").glob("*.py")
    }
    assert "models/plain.py" in sources
    rules = allowlists(chosen(["models"]), sources)
    copies = {"models/__init__.py"}
    assert selfcheck.check(sources, copies, rules=rules) == []
    assert ran("-c", IMPORTS, str(src)) == ""
    for text in sources.values():
        assert "(a+)+" not in text or kind == "pydantic"


REFERENCES = "http://127.0.0.1:{}/x.json file:///etc/passwd other.json #/nothing"


@pytest.mark.parametrize("kind", KINDS)
def test_no_reference_is_fetched_and_the_rest_stays(tmp_path: Path, kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        links = REFERENCES.format(server.getsockname()[1]).split()
        tools: list[Any] = [{"name": "good", "inputSchema": {"type": "object"}}]
        for number, link in enumerate(links):
            bad = {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/d"}},
                "$defs": {"d": {"not": {"$ref": link}}},
            }
            old = {"type": "array", "items": [{"$ref": link}]}
            worse = {"type": "object", "properties": {"old": old}}
            tools.append({"name": f"bad{number}", "inputSchema": bad})
            tools.append({"name": f"worse{number}", "inputSchema": worse})
        package_of(tmp_path, kind, tools)
        with pytest.raises(BlockingIOError):
            server.accept()
    models = tmp_path / "src" / "pkg" / "models"
    assert (models / "good.py").is_file()
    assert not [*models.glob("worse*.py")]
    assert "127.0.0.1" not in "".join(p.read_text() for p in models.glob("*.py"))


# A model called as a class of a library, and models that are based on another.
BASED: dict[str, Any] = {
    "name": "create",
    "inputSchema": {
        "type": "object",
        "properties": {
            "field": {"type": "object", "properties": {"a": {"type": "string"}}},
            "done": {"allOf": [{"$ref": "#/$defs/base"}, {"required": ["error"]}]},
            "failed": {
                "allOf": [
                    {"$ref": "#/$defs/base"},
                    {"type": "object", "properties": {"error": {"const": "x"}}},
                ]
            },
        },
        "$defs": {
            "base": {
                "type": "object",
                "properties": {"error": {"type": "string"}, "ok": {"type": "boolean"}},
            }
        },
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_libraries_and_base_classes_leave_no_tool_out(
    tmp_path: Path, kind: str
) -> None:
    facts = package(tmp_path, kind, BASED)
    assert facts["counts"].get("no-models", 0) == 0
    src = tmp_path / "src"
    assert ran("-c", IMPORTS, str(src)) == ""
    text = (src / "pkg" / "models" / "create.py").read_text()
    assert "class ModelField" in text
    assert "(Base)" not in text


def test_a_bound_is_for_its_own_type_of_several(tmp_path: Path) -> None:
    either = {"type": ["string", "integer"], "minLength": 2, "pattern": "^a"}
    number = {"type": ["number", "boolean"], "minimum": 2}
    table = {"either": either, "number": number}
    schema = {"type": "object", "properties": table}
    package(tmp_path, "pydantic", {"name": "find", "inputSchema": schema})
    check = models(str(tmp_path / "src" / "pkg"))("find", None)
    for data in ({"either": "ab"}, {"either": 1}, {"number": 2.5}, {"number": True}):
        assert is_sent(check, data)
    for data in ({"either": "a"}, {"either": "ba"}, {"number": 1.5}):
        assert not is_sent(check, data)


def package_of(folder: Path, kind: str, tools: list[Any]) -> None:
    """Generate a package of which tools may be left out."""
    src = project(folder, kind)
    (folder / "pkg.json").write_text(json.dumps({"tools": tools}))
    code, output = generate(
        folder / "pkg.json", "-o", src, "--target", "models", "--no-cache"
    )
    assert code < 2, output


RIGHT = """
from typing import cast
from mcp import ClientSession
from mcp.types import CallToolResult
from todo.models.session import TypedSession

USER = "7d3d6e5e-1c5e-4c62-9a57-6b2cf5b1c001"

async def calls(session: ClientSession) -> CallToolResult:
    typed = cast("TypedSession[CallToolResult]", session)
    await typed.call_tool("complete_task", {"user_id": USER, "task_id": 1})
    return await typed.call_tool("add_task", {"user_id": USER, "title": "Read"})
"""


def test_ruff_finds_nothing_by_its_own_defaults(tmp_path: Path) -> None:
    text = {"type": "string", "minLength": 1}
    schema = {"type": "object", "properties": {"a": text, "b": {"enum": ["x", "y"]}}}
    for number, kind in product((1, 3), KINDS):
        names = ("tool10", "tool2", "tool_b")[:number]
        tools = [{"name": each, "inputSchema": schema} for each in names]
        package(tmp_path, kind, *tools, name=f"{kind}_{number}")
    assert ruff(tmp_path / "src") == (0, "")


WRONG = (
    'typed.call_tool("add_task", {"user_id": USER, "title": 3})',
    'typed.call_tool("add_task", {"name": "x"})',
    'typed.call_tool("no_task", {"user_id": USER, "title": "x"})',
)


@pytest.mark.slow
def test_a_session_of_the_sdk_has_typed_calls(tmp_path: Path) -> None:
    src = project(tmp_path, "typeddict")
    options = ("--name", "todo", "--target", "models", "--quiet", "--no-cache")
    assert generate(TODO, "-o", src, *options) == (0, "")
    (src / "right.py").write_text(RIGHT)
    for number, line in enumerate(WRONG):
        text = RIGHT.replace(
            'typed.call_tool("complete_task", {"user_id": USER, "task_id": 1})', line
        )
        (src / f"wrong{number}.py").write_text(text)
    code, output = mypy(src)
    assert code == 1
    faulty = {line.split(":")[0] for line in output.splitlines() if ": error:" in line}
    assert faulty == {f"wrong{n}.py" for n in range(len(WRONG))}, output
    sys.path.insert(0, str(src))
    try:
        calls = importlib.import_module("right").calls
        assert asyncio.run(over_stdio(calls, tmp_path)).is_error is False
    finally:
        sys.path.remove(str(src))


async def over_stdio(calls: Any, folder: Path) -> CallToolResult:
    """Run calls in a real session with the example server."""
    command, *arguments = stdio_command("todo")
    program = StdioServerParameters(
        command=command,
        args=arguments,
        env={"TODO_DATABASE_URL": f"sqlite:///{folder / 'todo.db'}"},
        cwd=ROOT,
    )
    async with stdio_client(program) as streams, ClientSession(*streams) as session:
        await session.initialize()
        result = await calls(session)
        assert isinstance(result, CallToolResult)
        return result


def test_the_project_says_the_kind_and_the_conventions(tmp_path: Path) -> None:
    assert project_models(tmp_path / "src") == MODELS
    more = (
        '[tool.datamodel-codegen]\nbase-class = "app.base.Base"\n'
        "snake-case-field = true\n"
        'input = "x.json"\nurl = "http://x"\ncustom-template-dir = "y"\n'
    )
    output = project(tmp_path, "pydantic", more)
    options = (("base_class", "app.base.Base"), ("snake_case_field", True))
    assert project_models(output) == ModelSettings("pydantic", options)
    tool = {
        "name": "find",
        "inputSchema": {
            "type": "object",
            "properties": {"maxHits": {"type": "integer"}},
        },
    }
    package(tmp_path, "pydantic", tool, more=more)
    text = (output / "pkg" / "models" / "find.py").read_text()
    assert "from app.base import Base\n" in text
    assert "class FindArguments(Base):" in text
    assert "max_hits: " in text
    assert 'alias="maxHits"' in text
    project(tmp_path, "attrs")
    with pytest.raises(BindgenError) as caught:
        project_models(output)
    assert "one of typeddict, dataclass, msgspec, pydantic" in str(caught.value)
