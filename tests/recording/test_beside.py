"""A recording that is read beside another one is read as it is alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.json_scan import count
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.document import dump, load, load_beside

if TYPE_CHECKING:
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.document import Recording

NAMES = ("add", "list", "move", "send")


def _tool(name: str, **members: object) -> dict[str, object]:
    properties = {"b": {"type": "string"}, "a": {"maximum": 1.5, "title": "\n    {\n"}}
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": f"It {name}s.", "inputSchema": schema} | (
        members
    )


def _recording(*tools: dict[str, object], **members: object) -> Recording:
    return load(json.dumps({"tools": [*tools], **members}).encode())[0]


NEW = _recording(*map(_tool, NAMES), _tool("zap", title="Zap"))
TEXT = dump(_recording(*map(_tool, NAMES), _tool("zap", title="Zip")))
ADD = TEXT[TEXT.index("    {\n") : TEXT.index(',\n    {\n      "name": "list"')]


def _result(data: bytes, other: Recording | None, limits: Limits) -> object:
    try:
        recording, problems = (
            load_beside(data, other, limits) if other else load(data, limits)
        )
    except BindgenError as error:
        return error.problems
    texts = [json.dumps(tool) for tool in recording.tools]
    return recording, recording.pointers, recording.others, texts, problems


def test_equal_tools_are_not_read_again() -> None:
    recording, problems = load_beside(TEXT.encode(), NEW)
    assert not problems
    same = [one is other for one, other in zip(recording.tools, NEW.tools, strict=True)]
    assert same == [True] * len(NAMES) + [False]


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        dump(NEW),
        dump(_recording(*map(_tool, reversed(NAMES)))),
        dump(_recording(*map(_tool, NAMES[2:]), _tool("other"))),
        dump(_recording(_tool("add"), prompts=[{"name": "add"}])),
        dump(_recording()),
        json.dumps(json.loads(TEXT)),
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT[:-40],
        TEXT[: TEXT.index("    {\n") + len(ADD)],
        TEXT.replace(ADD, f"{ADD},\n{ADD}"),
        TEXT.replace(ADD, f"{ADD},\n{ADD.replace('It adds', 'It does')}"),
        TEXT.replace(ADD, f"{ADD}{ADD}"),
        TEXT.replace(ADD, f"    [\n{ADD}\n]"),
        TEXT.replace(ADD, f'    {{"name": \n{ADD}\n}}'),
        TEXT.replace(ADD, f"    {{\n{ADD}\n: 1}}"),
        TEXT.replace(ADD, f'    "\n{ADD}\n"'),
        TEXT.replace('"server": {}', f'"server": {{"name":\n{ADD}\n}}'),
        TEXT.replace('"server": {}', f'"instructions":\n{ADD}\n'),
        TEXT.replace('"server": {}', f'"prompts": [\n{ADD}\n]'),
        TEXT.replace('"server": {}', f'"calls": [\n{ADD}\n]'),
        TEXT.replace('"server": {}', f'"tools": [\n{ADD}\n]'),
        TEXT.replace('"server": {}', f'"nextCursor":\n{ADD}\n'),
        TEXT.replace('"format": "mcp-bindgen/1"', '"format": "mcp-bindgen/9"'),
        TEXT.replace('"It sends."', "NaN"),
        TEXT.replace('"It sends."', '"It s\u00e9nds."'),
        f'{{"result": {TEXT}}}',
        f'{{"result": 1, "more": {TEXT}}}',
    ],
)
def test_it_is_read_as_alone(text: str) -> None:
    data = text.encode()
    assert _result(data, NEW, DEFAULT) == _result(data, None, DEFAULT)


@pytest.mark.parametrize(
    "change",
    [
        {"bytes": len(TEXT) - 1},
        {"nodes": count(json.loads(TEXT)) + 10},
        {"tools": 4},
        {"digits": 2},
        {"depth": 6},
        {"name": 10},
        {"text": 8},
        {"tool_nodes": 9},
    ],
)
def test_limits_hold(change: dict[str, int]) -> None:
    limits = replace(DEFAULT, **change)
    wide = dump(_recording(*map(_tool, NAMES), _tool("zap", more=[*range(40)])))
    for text in (TEXT, wide, f'{{"result": {TEXT}}}'):
        try:
            other = load(dump(NEW).replace("\n", "").encode(), limits)[0]
        except BindgenError:
            other = NEW
        data = text.encode()
        assert _result(data, other, limits) == _result(data, None, limits)


def test_a_number_of_more_digits_in_our_spelling_is_refused() -> None:
    """A file may write a number with fewer characters than we do."""
    limits = replace(DEFAULT, digits=5)
    schema = '{"type": "object", "minProperties": 1E5}'
    new = f'{{"tools": [{{"name": "a", "inputSchema": {schema}}}]}}'
    other, problems = load(new.encode(), limits)
    assert not problems
    data = dump(other).encode()
    assert _result(data, other, limits) == _result(data, None, limits)
    assert load(data, limits)[1]
