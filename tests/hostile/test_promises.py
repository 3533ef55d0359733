"""What must hold of texts, patterns, values, headers and digests, line by line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.pipeline import report
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.python.literals import TEXT_LIMIT, Code, PyName, WireStr, finalize
from mcp_bindgen.render.exports import OPENAI_TEXT_LIMIT
from mcp_bindgen.schema.node import listed, mapped

from tests.hostile.positions import Json, document, tool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_bindgen.pipeline.package import Package


def made(*tools: Json, **members: Any) -> Package:
    return generate(json.dumps(document(*tools, **members)).encode(), "made")


def one(schema: object = None, **members: object) -> Package:
    return made(tool(schema, **members))


def fields(**properties: object) -> Json:
    return {"type": "object", "properties": properties}


def openai(package: Package, number: int = 0) -> Any:
    return json.loads(package.files["openai.json"])[number]["function"]


# --- texts


@pytest.mark.parametrize(
    "text",
    [
        "Ищет книги.",
        "本を探す。",
        "يبحث عن الكتب",
        "מחפש ספרים",
        "หาหนังสือ",
        "किताबें खोजता है",
    ],
)
def test_every_script_stays_readable(text: str) -> None:
    package = one(description=text)
    assert text in package.files["tools/bad.py"]
    assert openai(package)["description"] == text


def test_what_was_removed_is_said_everywhere_in_the_same_words() -> None:
    hostile = "a\u202eb\x1b[31mc\u200bd"
    cleaned = "ab[31mcd [3 hidden characters removed]"
    package = one(
        fields(p={"type": "string", "description": hostile}), description=hostile
    )
    assert cleaned in package.files["tools/bad.py"]
    assert openai(package)["description"] == cleaned
    assert openai(package)["parameters"]["properties"]["p"]["description"] == cleaned
    # LangChain's tools take their texts from here.
    info = json.loads(package.files["info.json"])["bad"]
    assert info["description"] == info["parameters"][0]["description"] == cleaned
    assert info["schema"]["properties"]["p"]["description"] == cleaned


def test_texts_are_cut_and_say_so() -> None:
    package = one(description="word " * 5_000)
    info = json.loads(package.files["info.json"])["bad"]
    cut = f"[{len('word ' * 5_000) - TEXT_LIMIT} characters cut]"
    assert info["description"].endswith(cut)
    assert len(info["description"]) <= TEXT_LIMIT + len(cut) + 1
    assert cut in " ".join(package.files["tools/bad.py"].split())
    assert len(openai(package)["description"]) <= OPENAI_TEXT_LIMIT


def test_blank_lines_hide_nothing() -> None:
    package = one(description="Adds." + "\n \t" * 500 + "And sends.")
    assert openai(package)["description"] == "Adds.\n\n\nAnd sends."


def test_models_see_no_hidden_text_beside_descriptions() -> None:
    hidden = "a\u202e\U000e0041b"
    schema = fields(p={"type": "string", "format": hidden, "examples": [hidden]})
    parameter = openai(one(schema))["parameters"]["properties"]["p"]
    for text in (parameter["format"], *parameter["examples"]):
        assert first_hidden(text) is None


def test_keywords_that_we_do_not_know_reach_nobody() -> None:
    inner = {"type": "string", "x-python-import": "os", "customTypePath": "os.path"}
    schema = {**fields(p=inner), "not": {"required": ["q"]}, "x-order": ["os"]}
    files = one(schema).files
    for path in ("tools/bad.py", "openai.json", "info.json"):
        for word in ("x-python-import", "customTypePath", "x-order"):
            assert word not in files[path]


def test_a_template_prints_no_text_of_a_server() -> None:
    assert finalize(Code("x")) == finalize(PyName("x")) == "x"
    for text in ("x", WireStr("x"), 1, None):
        with pytest.raises(TypeError, match="the output of lit"):
            finalize(text)


@pytest.mark.parametrize("text", ["import os\n", "x = open('y')\n", "# a comment\n"])
def test_a_package_with_a_file_that_fails_the_self_check_is_not_made(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "target.toml").write_text('description = "a test"\n', "utf-8")
    (tmp_path / "extra.py.jinja").write_text(text, "utf-8")
    data = json.dumps(document()).encode()
    with pytest.raises(BindgenError, match=r"extra\.py") as caught:
        generate(data, "made", Settings(("python", str(tmp_path))))
    assert caught.value.problems[0].hint.startswith("correct the ")


# --- patterns and values


@pytest.mark.parametrize("pattern", ["(?>a)b", r"\1", "(", "x" * 2_000, "x" * 5_000])
def test_a_pattern_that_is_not_used_is_reported(pattern: str) -> None:
    package = one(fields(p={"type": "string", "pattern": pattern}))
    assert "pattern=" not in package.files["tools/bad.py"]
    facts = json.loads(report.as_json(package.catalog, package.problems))
    (note,) = facts["tools"]["bad"]["notes"]
    assert (note["kind"], note["pointer"]) == (
        "not-enforced",
        "/inputSchema/properties/p/pattern",
    )
    assert note["detail"]


KINDS: list[object] = [
    *(None, True, False, 0, -0.0, 1, 1.5, 10**390, 1e300, "", "é", "\u202e", "\x00"),
    *([], {}, [None, [1]], {"a": {"b": [True]}}, "\U0001f600", "null", "1"),
]


@pytest.mark.parametrize("value", KINDS, ids=ascii)
def test_a_default_survives(value: object) -> None:
    package = one(fields(p={"default": value}))
    default = openai(package)["parameters"]["properties"]["p"]["default"]
    info = json.loads(package.files["info.json"])["bad"]["parameters"][0]["default"]
    assert repr(default) == repr(info) == repr(value)


@pytest.mark.parametrize("value", KINDS, ids=ascii)
def test_an_enum_value_survives(value: object) -> None:
    package = one(fields(p={"enum": [value, "other"]}))
    choices = openai(package)["parameters"]["properties"]["p"]["enum"]
    assert repr(choices) == repr([value, "other"])


@pytest.mark.parametrize("raw", ["NaN", "-Infinity", "1e999", '"\\ud800"', "9" * 500])
def test_what_is_no_value_costs_its_tool_and_is_reported(raw: str) -> None:
    text = json.dumps(document(tool(fields(p={"default": "@"})))).replace('"@"', raw)
    package = generate(text.encode(), "made")
    (problem,) = package.problems
    assert problem.pointer == "/tools/1/inputSchema/properties/p/default"
    assert problem.message
    assert problem.hint
    assert "good_one" in package.files["openai.json"]


# --- headers


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (fields(p={"type": "string", "x-mcp-header": "X\r\nY"}), "token"),
        (fields(p={"type": "string", "x-mcp-header": "X Y"}), "token"),
        (fields(p={"type": "string", "x-mcp-header": "X:"}), "token"),
        (fields(p={"type": "string", "x-mcp-header": "Ä"}), "token"),
        (fields(p={"type": "string", "x-mcp-header": ""}), "token"),
        (fields(p={"type": "string", "x-mcp-header": 1}), "token"),
        (fields(p={"type": "number", "x-mcp-header": "X"}), "other than"),
        (fields(p={"type": "array", "x-mcp-header": "X"}), "other than"),
        (fields(p={"x-mcp-header": "X"}), "other than"),
        (
            fields(
                p={"type": "string", "x-mcp-header": "Region"},
                q={"type": "string", "x-mcp-header": "REGION"},
            ),
            "twice",
        ),
        (
            fields(
                p={"type": "array", "items": {"type": "string", "x-mcp-header": "X"}}
            ),
            "chain",
        ),
        (
            {**fields(), "anyOf": [fields(p={"type": "string", "x-mcp-header": "X"})]},
            "chain",
        ),
        ({**fields(), "x-mcp-header": "X"}, "chain"),
    ],
)
def test_a_tool_that_breaks_the_rules_of_headers_is_left_out(
    schema: Json, reason: str
) -> None:
    package = one(schema)
    (problem,) = package.problems
    assert problem.pointer.startswith("/tools/1/inputSchema")
    assert reason in problem.message
    assert [t.wire.text for t in package.catalog.tools] == ["good_one"]


def test_header_parameters_stand_in_the_binding() -> None:
    inner = fields(region={"type": "string", "x-mcp-header": "Region"})
    schema = fields(n={"type": "integer", "x-mcp-header": "N"}, place=inner)
    source = one(schema).files["tools/bad.py"]
    assert 'header_params={"N": ("n",), "Region": ("place", "region")}' in " ".join(
        source.split()
    )


def test_no_name_of_a_server_is_a_path(tmp_path: Path) -> None:
    for name in ("../x", "/etc/x", "C:\\x", "a\x00b", "CON", "__init__", "x" * 900):
        package = made({**tool(), "name": name}, server={"name": name})
        assert package.name == "made"
        for path in package.files:
            assert (tmp_path / path).resolve().is_relative_to(tmp_path)
        (own,) = (set(package.files) - set(made().files)) or {"tools/x.py"}
        assert re.fullmatch(r"tools/[a-z][a-z0-9_]{0,59}\.py", own)


# --- digests and outputs


def _leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members: dict[Any, object] = {**mapped(value), **dict(enumerate(listed(value)))}
    if not members:
        yield path
    for key, item in members.items():
        yield from _leaves(item, (*path, key))


def test_the_manifest_covers_every_leaf_of_a_recording() -> None:
    recording = document(
        tool(
            fields(p={"type": "string", "description": "d", "default": "x"}),
            title="t",
            annotations={"readOnlyHint": False},
            _meta={"k": 1},
        ),
        server={"name": "n", "version": "1"},
        instructions="i",
        resources=[{"uri": "x:y", "name": "r"}],
        prompts=[{"name": "p"}],
        calls=[
            {"name": "bad", "arguments": {}, "result": {"structuredContent": {"a": 1}}}
        ],
    )
    texts = {generate(json.dumps(recording).encode(), "m").files["manifest.json"]}
    leaves = list(_leaves(recording))
    for path in leaves:
        copy = json.loads(json.dumps(recording))
        parent = copy
        for step in path[:-1]:
            parent = parent[step]
        old = parent[path[-1]]
        parent[path[-1]] = (not old) if isinstance(old, bool) else f"{old}x"
        if path[-1] in ("type", "structuredContent"):
            parent[path[-1]] = "integer"
        changed = generate(json.dumps(copy).encode(), "m").files["manifest.json"]
        assert changed not in texts, path
        texts.add(changed)
    assert len(leaves) > 15


def test_every_output_is_canonical_ascii_json() -> None:
    odd = "é\u202e\ud83d\ude00\x7f"
    package = made(
        {**tool(fields(**{odd: {"const": odd}}), description=odd), "name": odd},
        server={"name": odd, "title": odd, odd: odd},
        instructions=odd,
    )
    paths = [path for path in package.files if path.endswith(".json")]
    assert len(paths) >= 5
    for path in paths:
        text = package.files[path]
        assert text.isascii()
        value = json.loads(text)
        assert json.dumps(value, indent=2, allow_nan=False) == text.rstrip("\n")
