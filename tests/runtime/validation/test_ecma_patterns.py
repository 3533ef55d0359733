"""Patterns mean the same as for ajv, look-around and back-references included.

`ecma_patterns.jsonl` has a pattern, texts that it matches and texts that it does not,
as ajv 8 with its defaults (flag `u`, Node 20) says. Half is written by hand for the
letters that languages read apart, half is random.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp_bindgen.runtime.validation import backtracking
from mcp_bindgen.runtime.validation.backtracking import (
    Matcher,
    pattern_matcher,
    pattern_states,
)
from mcp_bindgen.runtime.validation.schema import SchemaChecker
from mcp_bindgen.schema.compile import compile_arguments

TABLE = Path(__file__).with_name("ecma_patterns.jsonl")
ROWS: list[tuple[str, list[str], list[str]]] = [
    json.loads(line) for line in TABLE.read_text("utf-8").splitlines()
]


class Steps:
    """Counts steps, and stops where there are too many for a text of a few letters."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __call__(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise ValueError("too many steps")


def wrong(matcher: Matcher, fits: list[str], fails: list[str]) -> list[str]:
    """Return the texts for which a matcher says something else than ajv."""
    verdicts = {
        text: matcher(text, Steps(20_000 + 100 * len(text))) for text in [*fits, *fails]
    }
    return [text for text in verdicts if verdicts[text] is not (text in fits)]


def test_the_engine_that_is_chosen_agrees_with_ajv() -> None:
    assert {
        pattern: texts
        for pattern, fits, fails in ROWS
        if (texts := wrong(pattern_matcher(pattern), fits, fails))
    } == {}
    assert len(ROWS) > 500


def test_the_backtracking_engine_agrees_with_ajv(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_pattern: str) -> None:
        raise ValueError

    monkeypatch.setattr(backtracking, "compile_pattern", refuse)
    own = pattern_matcher.__wrapped__  # without what is cached of the other engine
    assert {
        pattern: texts
        for pattern, fits, fails in ROWS
        if (texts := wrong(own(pattern), fits, fails))
    } == {}


@pytest.mark.parametrize(
    ("schema", "fits", "fails"),
    [
        ({"patternProperties": {"^(?!x-)": {"type": "null"}}}, {"x-a": 1}, {"a": 1}),
        ({"not": {"pattern": r"^(.)\1$"}}, "ab", "aa"),
        (
            {"if": {"pattern": "^(?=a)"}, "then": {"maxLength": 1}},
            "bb",
            "ab",
        ),
        ({"properties": {"k": {"pattern": "(?<!a)b$"}}}, {"k": "cb"}, {"k": "ab"}),
        ({"propertyNames": {"pattern": "^(?!_)"}}, {"a": 1}, {"_a": 1}),
        (
            {
                "patternProperties": {"^(?!x-)a": True},
                "unevaluatedProperties": False,
            },
            {"ab": 1},
            {"x-a": 1},
        ),
    ],
)
def test_such_patterns_are_enforced_wherever_they_stand(
    schema: object, fits: object, fails: object
) -> None:
    assert list(SchemaChecker(schema).faults(fits)) == []
    assert list(SchemaChecker(schema).faults(fails)) != []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^(x+x+)+(?=y)\1y", "x" * 300),
        (r"(x*)*(x*)*(x*)*(?!x)\1y", "x" * 60),
        (r"(?=.*b)" * 20, "a" * 100_000),
    ],
)
def test_steps_are_bounded(pattern: str, text: str) -> None:
    (fault,) = SchemaChecker({"pattern": pattern}).faults(text)
    assert (fault.rule, fault.message) == (
        "limits",
        "the schema is too costly to check",
    )


@pytest.mark.parametrize(
    "pattern",
    [r"^(?:(a|b|ab)*)*(?=c)c$", r"^(?=(?:x*)*y)", r"^(?!(?:a?){30}a{30}b)"],
)
def test_without_back_references_steps_grow_with_the_text_only(pattern: str) -> None:
    used: list[int] = []
    for length in (100, 200):
        steps = Steps(1_000_000)
        pattern_matcher(pattern)("a" * length, steps)
        used.append(1_000_000 - steps.left)
    assert used[1] <= 2.1 * used[0]


def test_a_pattern_that_nothing_reads_is_named_wherever_it_stands() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "(?>a)"}},
        "patternProperties": {"(?>b)": {"type": "null"}},
        "not": {"required": ["c"], "properties": {"c": {"pattern": "a(?i)b"}}},
        "if": {"propertyNames": {"pattern": "[z-a]"}},
    }
    notes = compile_arguments(schema, "Tool").notes
    assert {note.pointer for note in notes if note.kind == "not-enforced"} == {
        "/inputSchema/properties/a/pattern",
        "/inputSchema/patternProperties/(?>b)",
        "/inputSchema/not/properties/c/pattern",
        "/inputSchema/if/propertyNames/pattern",
    }


def test_a_bounded_repeat_is_counted() -> None:
    used: dict[int, int] = {}
    for most in (2_044, 200_000):
        steps = Steps(1_000_000)
        pattern = f"^arn:.{{16,{most}}}$"
        assert pattern_matcher(pattern)("arn:" + "x" * 1_000, steps)
        assert not pattern_matcher(pattern)("arn:" + "x" * 15, steps)
        used[most] = steps.left
    assert len({*used.values()}) == 1
    assert pattern_states("^arn:.{16,2044}$") < 20
    with pytest.raises(ValueError, match="repeats too often"):
        pattern_matcher("^(?:){1000000000}$")
