"""Results that were written so that a rule about texts passes them by."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.runtime.client.policy.answers import cleaned_result
from mcp_bindgen.runtime.client.policy.entry import ResultRule
from mcp_bindgen.runtime.client.policy.mask_search import (
    branches_of,
    first_match,
    matches,
)
from mcp_bindgen.runtime.client.policy.masks import masked
from mcp_bindgen.runtime.client.resources import ResourceContents
from mcp_bindgen.runtime.strict_json import dumps

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer

RULE = """
[tools.list_items]
results = { strip_hidden = true, mask = ["sk-[a-z0-9]+"] }
"""
RAW = {"note": "sk-abc123\u200b and\u202e more", "n": [1, {"a\u200b": None}]}
CLEAN = {"note": "[masked] and more", "n": [1, {"a": None}]}
ESCAPED = json.dumps(RAW).replace("sk-", "\\u0073k-")


def blocks(*texts: str) -> list[dict[str, Any]]:
    """Return blocks of text."""
    return [{"type": "text", "text": text} for text in texts]


@pytest.mark.parametrize(
    "content",
    [
        blocks(ESCAPED),
        blocks(f"\n {ESCAPED}\n"),
        blocks(*ESCAPED.split(" ", 1)),
        blocks(json.dumps(RAW, ensure_ascii=False)),
    ],
    ids=["escapes", "spaces", "two blocks", "no escapes"],
)
def test_escapes_of_json_hide_nothing(
    content: Any, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    server.result = {"content": content}
    client = server.client(shop.Client).with_options(policy=load(RULE))
    assert client.list_items().json() == CLEAN


@pytest.mark.parametrize(
    "texts", [("a \\u200b in prose",), ('"\\u0041"',), ("{", "\\u200b"), ("[1]", "{}")]
)
def test_a_text_without_anything_to_clean_stays(
    texts: tuple[str, ...], shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    server.result = {"content": blocks(*texts)}
    client = server.client(shop.Client).with_options(policy=load(RULE))
    assert client.list_items().raw == server.result


def test_a_resource_is_cut_as_a_resource() -> None:
    contents: list[dict[str, Any]] = [
        {"uri": "a://1", "text": "x" * 400},
        {"uri": "a://2", "blob": "eHg=" * 500},
        {"uri": "a://3", "text": "y" * 9_000},
    ]
    cut = cleaned_result({"contents": contents}, ResultRule(max_bytes=1_000))
    assert len(dumps(cut)) <= 1_000
    read = ResourceContents.from_wire(cut)
    assert read.text.startswith("x" * 400)
    assert "yyyy" in read.text
    assert "cut by the policy" in read.text
    assert len(read.blocks) == 3


def test_a_mask_finds_the_same_where_a_piece_is_passed_over() -> None:
    mask = ("[a-z]+@[a-z]+",)
    for begin in (0, 2_047, 2_048, 4_095, 4_096, 9_999):
        text = f"{'X' * begin} me@x {'X' * 9_000}"
        assert masked(text, mask) == text.replace("me@x", "[masked]")
    # Python's engine alone would take an hour for this.
    assert masked("x" * 8_000_000, mask) == "x" * 8_000_000


LARGE: list[dict[str, Any]] = [
    {"content": [{"type": "text", "text": "x" * 9_000}] * 3, "isError": "y" * 900},
    {"content": [{"type": "text", "text": "\u4e2d" * 900}]},
    {"contents": [{"uri": "a://" + "b" * 900, "text": "x" * 900}] * 2},
    {"contents": [{"uri": "a://b", "text": "x" * 900}, {"uri": "c" * 9_000}]},
    {"contents": []} | {"more": "x" * 900},
]


@pytest.mark.parametrize("most", [64, 100, 170, 300])
@pytest.mark.parametrize("result", LARGE)
def test_a_cut_result_is_never_larger_than_allowed(
    most: int, result: dict[str, Any]
) -> None:
    cut = cleaned_result(result, ResultRule(max_bytes=most))
    assert len(dumps(cut)) <= most
    assert "[cut" in str(cut)


PATTERNS = (
    *("a*b", "a+?b", "[ab]+c", r"\w+@\w+", "a+ba?", "[^;]*;", "a{2,}b", "a+(?:b|c)"),
    *("ba+c", "ab[ab]*c", r"\bk[a-k]+;", "(?i)A+B", "(?i)Kb+c|b+;", "a+b|b+a|c;"),
    *("b.*;", r"a\.[.a]+c", "a{2,}b|[bc]{2,}a", "a|b+c", "(a|b)c+;", r"\.[^.]*\."),
    *("k|ka+b", "a+c|a+b", r"[|a]+b|\|c+", "(?:ab|b)+c", r"\bk"),
    *("(k|a)[a-c]+;", "(?:[ab])+c", "(?P<x>a+)b", "(a|b|;)+?c", "((a)b)+c", "(a+)?b"),
    *("[ab][a-c]+;", "[ab]{2}[a-c]+;", r"\w(\.|@)+b", "(?i)(k|[a])(?i:b)+c", "(a|)b+c"),
    *("a{(2)}b+|b", "(a+)+?b|c", "([ab]+|c)k", "(a{2})+b", r"(\.|a)b+;", "a(|b)c"),
)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(st.text("abckKA@;. |\n", max_size=60))
def test_matches_are_those_of_the_engine_of_python(pattern: str, text: str) -> None:
    for begin, end in ((0, 99), (len(text) // 3, len(text) // 2), (len(text), 99)):
        ours = [match.span() for match in matches(pattern, text, begin, end)]
        pythons = re.compile(pattern).finditer(text, begin, end)
        assert ours == [match.span() for match in pythons]


class Counting:
    """A compiled pattern that counts how often it is tried."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.tries = pattern, 0

    def match(self, text: str, begin: int, end: int) -> re.Match[str] | None:
        """Try the pattern at one place."""
        self.tries += 1
        return self.pattern.match(text, begin, end)


@pytest.mark.parametrize(
    "pattern",
    [
        *("k[a-z]+!", "(?i)[a-z]+!", "k[a-z]+!|k+#", "k.*!", r"\bk\w{2,}!", "kk+!"),
        *(
            "(k|j)[a-z]+!",
            "[kj][a-z]+!",
            "([a-z])+!",
            r"\w{3}(?:[a-z]+)!",
            "(?i)(k)k+!",
        ),
    ],
)
def test_a_long_run_is_tried_once(pattern: str) -> None:
    text = f"{'k' * 2_000}\n"
    for branch in branches_of(pattern):
        counting: Any = Counting(branch.whole)
        assert first_match(branch._replace(whole=counting), text, 0, len(text)) is None
        assert 0 < counting.tries < 5
