"""Which URIs a template covers, and which ones only look like it."""

from __future__ import annotations

from itertools import product
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_bindgen.runtime.client.policy.uris import (
    covers,
    expands,
    fault_of_uri,
    is_template,
    resembles,
)
from mcp_bindgen.runtime.client.uri_templates import TemplateValue, expand

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES: st.SearchStrategy[TemplateValue | None] = st.one_of(
    st.none(),
    TEXTS,
    st.integers(),
    st.lists(TEXTS, max_size=3),
    st.dictionaries(TEXTS, TEXTS, max_size=3),
)
TEMPLATES = [
    *("a://{x}", "a://{x}/{y}", "a://{x,y}", "{+x}", "a:{+x}/{y}", "a://b{#x,y}"),
    *("a://b{.x}", "a://b{.x,y}", "a://b{/x}", "a://b{/x,y}", "a://b{/x*}{?y}"),
    *("a://b{;x,y}", "a://b{?x,y}", "a://b?z=1{&x,y}", "a://{x:3}", "a://b{?x*,y}"),
    *("a://b{;x*}", "a://b{.x*}", "a://(b)*{x}$", "a://b{?x,y,z}c"),
]


@given(st.sampled_from(TEMPLATES), VALUES, VALUES)
@example("a://b{;x*}", "", None)
@example("a://b{?x*,y}", "", ["", ""])
@example("a://b{;x*}", {"k": ""}, None)
@example("a://b{?x*,y}", {"": ""}, None)
def test_a_template_covers_all_that_it_expands_to(
    template: str, x: TemplateValue | None, y: TemplateValue | None
) -> None:
    uri = expand(template, {"x": x, "y": y})
    assert covers(template)(uri)
    assert resembles(uri, template)


SMALL = ["", "a", "=", ",;", "&/?"]
SMALL_VALUES: list[TemplateValue | None] = [
    *(None, -7, *SMALL, []),
    *([one] for one in SMALL),
    *(list(pair) for pair in product(SMALL, repeat=2)),
    *({name: value} for name, value in product(SMALL, repeat=2)),
    *({name: "", "a": value} for name, value in product(SMALL, repeat=2)),
]


@pytest.mark.parametrize("operator", ["", *"+#./;?&"])
@pytest.mark.parametrize("variables", ["x", "x*", "x:1,y", "x,y", "x*,y", "x*,y*"])
def test_a_template_covers_each_small_expansion(operator: str, variables: str) -> None:
    template = f"a://b{{{operator}{variables}}}"
    uris = (
        expand(template, {"x": x, "y": y})
        for x, y in product(SMALL_VALUES, SMALL_VALUES)
    )
    missed = [uri for uri in uris if not covers(template)(uri)]
    assert not missed


def test_an_exploded_value_has_any_number_of_steps() -> None:
    # FastMCP's {path*}; the typed function sends the same with %2F.
    covered = covers("a://files/{path*}.txt")
    assert covered("a://files/b/c.txt")
    assert covered("a://files/b%2Fc.txt")
    assert not covered("a://files/b/c.txt?d")
    assert not covered("a://other/b.txt")
    assert fault_of_uri("a://files/b/../../c.txt")


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        *(("a://{x}", "a://b/c"), ("a://{x}", "a://b?c"), ("a://{x}", "a://b c")),
        *(("a://{x}", "b://a"), ("a://{x}", "a://b\n"), ("a://{x}", "xa://b")),
        *(("a://b{/x}", "a://bc"), ("a://b{/x}", "a://b/c/d")),
        *(("a://b{?x,y}", "a://b?y=1&x=2"), ("a://b{?x,y}", "a://b?x=1&x=2")),
        *(("a://b{?x}", "a://b?z=1"), ("a://b{?x}", "a://b&x=1")),
        *(("a://{x}.txt", "a://btxt"), ("a://{x}", "a://%2")),
    ],
)
def test_a_template_covers_nothing_else(template: str, uri: str) -> None:
    assert not covers(template)(uri)


def test_a_template_of_a_server_may_be_too_large() -> None:
    large = "a://" + "{x,y,z}" * 2_000
    assert not expands(large, "a://b")
    with pytest.raises(ValueError, match="too large"):
        covers(large)


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        *((f"a://b/{step}/c", "step") for step in ("..", ".", "%2e%2E", "%252e.")),
        *((f"a://b{end}", "step") for end in ("/..", "?p=..", "#..", "%2f..", "/.. ")),
        *(("a://b/\uff0e\uff0e/c", "step"), ("a://b;p=../c", "step")),
        *(("a://b%5c..", "step"), ("a://b%5cc", "backslash"), ("a://b%00", "NUL")),
        *(("a://%c0%ae%c0%ae/b", "UTF-8"), ("a://%25252525252e", "several times")),
        *(("a://b/c.d/..e/f..", ""), ("a://b%2Fc?d=%20e", ""), ("a://...", "")),
    ],
)
def test_a_uri_that_servers_may_read_as_another(uri: str, reason: str) -> None:
    fault = fault_of_uri(uri)
    assert reason in fault
    assert bool(reason) is bool(fault)


@pytest.mark.parametrize(
    ("uri", "key", "expected"),
    [
        *(("A://B", "a://b", True), ("a://b/", "a://b", True)),
        *(("a://%62", "a://b", True), ("a://%2562", "a://b", True)),
        *(("a:///b", "a://b", True), ("a://b?c", "a://b", True)),
        *(("a://b#c", "a://b", True), ("a://\uff42", "a://b", True)),
        *(("a://b/c", "a://{x}", True), ("A://b c/", "a://{x}", True)),
        *(("a://b/x/c", "a://{x}/c", True), ("a://b/x/c", "a://{x}/d", False)),
        *(("a://b", "a://b/{x}", False), ("a://bc", "a://b", False)),
        *(("a://1/2/3", "a://{x}/2/{y}", True), ("a://1/2", "a://{x}/2/{y}", False)),
        *(("a://ab", "a://ab{x}b", False), ("b://a", "{x}://b", False)),
    ],
)
def test_another_spelling(uri: str, key: str, *, expected: bool) -> None:
    assert resembles(uri, key) is expected


@given(TEXTS)
def test_a_value_that_is_encoded_twice_is_like_the_key(text: str) -> None:
    assert resembles("a://" + quote(quote(text, safe=""), safe=""), f"a://{text}")


def test_what_is_no_template_stands_for_itself() -> None:
    assert [is_template(key) for key in ("a://{x}", "a://b", "a://{", "a://{!}")] == [
        True,
        False,
        False,
        False,
    ]
