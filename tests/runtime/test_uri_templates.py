"""URI templates expand as RFC 6570 says, and as the library `uritemplate` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import uritemplate  # type: ignore[import-untyped, unused-ignore]
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.runtime.client.uri_templates import expand, expanded, parse
from mcp_bindgen.runtime.errors import InvalidArgumentsError

if TYPE_CHECKING:
    from collections.abc import Mapping

VALUES: Mapping[str, Any] = {
    "var": "value",
    "hello": "Hello World!",
    "half": "50%",
    "path": "/foo/bar",
    "x": "1024",
    "y": 768,
    "empty": "",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "none": [],
    "undef": None,
}
# RFC 6570, section 3.2: template and URI.
RFC = """
{var} value | {hello} Hello%20World%21 | {half} 50%25 | O{empty}X OX | O{undef}X OX
{x,y} 1024,768 | {x,hello,y} 1024,Hello%20World%21,768 | ?{x,empty} ?1024,
?{x,undef} ?1024 | ?{undef,y} ?768 | {var:3} val | {var:30} value
{list} red,green,blue | {list*} red,green,blue
{keys} semi,%3B,dot,.,comma,%2C | {keys*} semi=%3B,dot=.,comma=%2C
{+var} value | {+hello} Hello%20World! | {+half} 50%25 | {+path}/here /foo/bar/here
{+path:6}/here /foo/b/here | {+list*} red,green,blue | {+keys*} semi=;,dot=.,comma=,
{#path,x}/here #/foo/bar,1024/here | {#list*} #red,green,blue | X{.var:3} X.val
X{.x,y} X.1024.768 | X{.list} X.red,green,blue | X{.list*} X.red.green.blue
X{.none} X | X{.none*} X | {/var,x}/here /value/1024/here | {/var:1,var} /v/value
{/list} /red,green,blue | {/list*} /red/green/blue | {/keys*} /semi=%3B/dot=./comma=%2C
{;x,y} ;x=1024;y=768 | {;x,y,empty} ;x=1024;y=768;empty
{;list*} ;list=red;list=green;list=blue
{;keys} ;keys=semi,%3B,dot,.,comma,%2C | {;keys*} ;semi=%3B;dot=.;comma=%2C
{?x,y} ?x=1024&y=768 | {?x,y,empty} ?x=1024&y=768&empty= | {?x,y,undef} ?x=1024&y=768
{?var:3} ?var=val | {?list} ?list=red,green,blue
{?list*} ?list=red&list=green&list=blue | {?keys*} ?semi=%3B&dot=.&comma=%2C
?fixed=yes{&x} ?fixed=yes&x=1024 | {&x,y,empty} &x=1024&y=768&empty=
{&keys} &keys=semi,%3B,dot,.,comma,%2C | {/var,empty} /value/ | {/var,undef} /value
"""
EXAMPLES = [
    tuple(pair.split())
    for line in RFC.strip().splitlines()
    for pair in line.split(" | ")
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example[0]))
def test_the_examples_of_the_standard(example: tuple[str, str]) -> None:
    template, uri = example

    assert expand(template, VALUES) == uri


@given(
    st.text(st.sampled_from("abcxyz:/?&={}+#.;,*3 "), max_size=24),
    st.dictionaries(
        st.sampled_from("abcxyz"),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="%"))
        | st.lists(st.text("a/ é"), max_size=3)
        | st.dictionaries(st.text("k;", min_size=1), st.text("v/"), max_size=2),
    ),
)
def test_every_template_expands_as_the_library_does(
    template: str, values: dict[str, Any]
) -> None:
    try:
        parse(template)
    except ValueError:
        return  # the library takes everything
    assert expand(template, values) == uritemplate.expand(template, values)


def test_what_is_percent_encoded_stays_so_where_anything_may_stand() -> None:
    assert expand("{+a}", {"a": "a%2Fb%zz/c"}) == "a%2Fb%25zz/c"
    assert expand("{a}", {"a": "a%2Fb"}) == "a%252Fb"


@pytest.mark.parametrize(
    "template",
    ["{", "}", "{}", "{a", "{a}}", "{{a}}", "{a b}", "{=a}", "{a:0}", "{a,}"],
)
def test_what_is_no_template_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match=r"brace|expression"):
        parse(template)


@pytest.mark.parametrize("value", [True, 1.5, b"x", ["a", 1], {"a": None}, "\ud800"])
def test_a_value_that_no_uri_holds_is_an_argument_error(value: Any) -> None:
    with pytest.raises(InvalidArgumentsError, match="the arguments do not fit"):
        expanded("todo://{a}", {"a": value})


def test_each_wrong_argument_is_named() -> None:
    wrong: Any = {"a": "x", "b": True, "c": [1.5], "d": None}
    more: Any = {"e": [1], "f": b"x"}
    with pytest.raises(InvalidArgumentsError) as caught:
        expanded("todo://{a}/{b}/{c}/{e}/{f}{?d}", wrong | more)
    lines = str(caught.value).splitlines()[1:]
    assert [line.strip() for line in lines] == [
        "/b: expected a string or an integer, got a bool",
        "/c: expected a string or an integer, got a float",
        "/e: expected a string or an integer, got an int",
        "/f: expected a string or an integer, got bytes",
    ]
    with pytest.raises(InvalidArgumentsError, match="the value: a brace without"):
        expanded("todo://{a", wrong)


def test_a_template_says_which_values_it_needs() -> None:
    path_and_query = "todo://{user}{/year}{?done}"
    assert expanded(path_and_query, {"user": "a"}) == "todo://a"
    for without in ({}, {"user": None, "done": "x"}):
        with pytest.raises(InvalidArgumentsError, match="fit the template") as caught:
            expanded(path_and_query, without)
        assert [str(fault) for fault in caught.value.faults] == [
            "/user: expected a value, got none"
        ]
    nothing: list[Any] = [[], (), {}]  # without a value: RFC 6570, 2.3
    for empty in nothing:
        with pytest.raises(InvalidArgumentsError, match="got an empty list"):
            expanded("todo://{user*}", {"user": empty})
        assert expanded("todo://a{/year*}{?done*}", {"year": empty}) == "todo://a"
    assert expanded("todo://{user}", {"user": ""}) == "todo://"
    with pytest.raises(InvalidArgumentsError) as caught:
        expanded(path_and_query, {"user": "a", "Done": "x"})
    wrong = "/Done: the template has the variables user, year, done"
    assert str(caught.value.faults[0]) == wrong


def test_a_text_that_is_not_ascii_is_percent_encoded() -> None:
    assert expand("note://caf\u00e9%20|/{a}", {"a": "\u00e9"}) == (
        "note://caf%C3%A9%20|/%C3%A9"
    )
    with pytest.raises(ValueError, match="half a character"):
        parse("note://\ud800/{a}")
