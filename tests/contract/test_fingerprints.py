"""Fingerprints: shuffled, reformatted, and with other tools, all stay as they are."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import Any

import pytest
from mcp_bindgen.contract.as_text import title
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.entries import compare_entries
from mcp_bindgen.recording.document import load
from mcp_bindgen.runtime.client.verify.tools import compare_tools
from mcp_bindgen.schema.node import is_array, is_object

from tests.contract.changes import CLOSED, fields, recording, report, tool
from tests.contract.drift import DRIFT
from tests.shared import needs

OTHERS = [
    {"name": f"zz_other_{n}", "inputSchema": {"type": "object", "required": ["q"]}}
    for n in range(3)
]


def shuffled(value: Any, random_: random.Random) -> Any:
    """Return a JSON value with the members of its objects in another order."""
    if is_array(value):
        return [shuffled(each, random_) for each in value]
    if not is_object(value):
        return value
    items = [*value.items()]
    random_.shuffle(items)
    return {key: shuffled(each, random_) for key, each in items}


def moved(document: dict[str, Any], random_: random.Random) -> bytes:
    """Return a recording in another order and form, with tools that are new."""
    whole = shuffled(document, random_)
    # An entry of a list other than these has a place that means something.
    for key in ("tools", "resources", "resourceTemplates", "prompts"):
        if key in whole:
            random_.shuffle(whole[key])
    whole["tools"] = [*OTHERS[:1], *whole.get("tools", []), *OTHERS[1:]]
    return json.dumps(whole, indent=random_.randrange(5), ensure_ascii=False).encode()


@needs("drift/pairs.json")
def test_fingerprints_of_real_pairs_know_no_order_and_no_other_tools() -> None:
    random_ = random.Random(15)
    for pair in json.loads((DRIFT / "pairs.json").read_text()):
        files = [DRIFT / pair[side]["file"] for side in ("old", "new")]
        before, after = (file.read_bytes() for file in files)
        others = [moved(json.loads(data), random_) for data in (before, after)]
        first, second = (
            sorted((c.fingerprint, c.rule, c.wire, c.source, c.unsure) for c in changes)
            for changes in (
                compare_recordings(before, after).changes,
                compare_recordings(others[0], others[1]).changes,
            )
        )
        assert first == second, pair["id"]
        assert len({each[0] for each in first}) == len(first), pair["id"]


def test_the_title_of_an_argument_of_a_prompt_names_both() -> None:
    old, new = (
        load(recording(prompts=[{"name": "plan_day", "arguments": arguments}]))[0]
        for arguments in ([], [{"name": "new"}])
    )
    assert [title(each) for each in compare_entries(old, new)] == [
        "plan_day.arguments.new"
    ]


def test_renamed_parameters_know_no_order() -> None:
    """Two new names are like `item`: it becomes the more similar one."""
    text = {"type": "string"}
    marks, sentences = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for names in permutations(("items", "item_ids", "counts")):
        for others in permutations(("item", "item_id", "count")):
            old, new = (
                tool(dict.fromkeys(each, text), **CLOSED) for each in (others, names)
            )
            renamed = [
                (c.path, c.pointer.split("/")[-1]) for c in report(old, new).changes
            ]
            assert sorted(renamed) == [
                ("in/count", "counts"),
                ("in/item", "items"),
                ("in/item_id", "item_ids"),
            ]
            marks.add(tuple(sorted(c.fingerprint for c in report(old, new).changes)))
            sentences.add(tuple(sorted(d.message for d in compare_tools([old], [new]))))
    assert len(marks) == len(sentences) == 1


@pytest.mark.parametrize("make", [tool, fields])
def test_each_path_to_a_shared_schema_has_its_grades(make: Any) -> None:
    """One class is generated for both: callers of each path break."""
    for names in permutations(("a", "c")):
        sides = [
            make(
                {name: {"$ref": "#/$defs/A"} for name in names},
                names,
                **{"$defs": {"A": {"type": "object", "properties": {"b": inner}}}},
            )
            for inner in ({"type": "string"}, {"type": "integer"})
        ]
        changes = report(*sides).changes
        assert sorted(c.path[-3:] for c in changes) == ["a/b", "c/b"]
        assert {(c.wire, c.source) for c in changes} == {("breaking", "breaking")}
