"""ECMA-262 patterns keep their meaning on the Rust engine, or are refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.runtime.validation.patterns import compile_pattern, states, translate

# fmt: off
MEANING: list[tuple[str, list[str], list[str]]] = [
    (r"^\d$", ["1"], ["\u0664", "a"]), (r"^\D$", ["\u0664"], ["1"]),
    (r"^\w$", ["a", "_", "9"], ["é", "-"]), (r"^\W$", ["é", "-"], ["a"]),
    (r"^\s$", ["\t", "\v", "\u00a0", "\ufeff", "\u2028"], ["\u0085", "\u180e", "\x1c"]),
    (r"^\S$", ["\u0085", "a"], [" ", "\u3000"]), (r"^[\s\S]$", ["\n", "a"], ["", "ab"]),
    (r"\bb", ["b", "éb"], ["ab"]), (r"a\B", ["ab"], ["a", "aé"]),
    ("^.$", ["a", "😀"], ["\n", "\r", "\u2028", ""]), ("a$", ["a"], ["a\n"]),
    (r"^\p{Letter}+$", ["aé中"], ["a1"]), (r"^\P{L}$", ["1"], ["a"]),
    (r"^\p{Script=Greek}$", ["Ω"], ["a"]), (r"^[\p{Lu}_]$", ["Ä", "_"], ["ä"]),
    (r"^\u0041\x42\cJ\0$", ["AB\n\0"], ["AB"]), (r"^\u{1F600}$", ["😀"], ["a"]),
    (r"^\ud83d\ude00$", ["😀"], ["a"]), (r"^\/\-\_\.\#$", ["/-_.#"], ["/-_x#"]),
    ("^[[a]$", ["[", "a"], ["b"]), ("^[a&&b]$", ["a", "b", "&"], ["c"]),
    ("^[a~~]$", ["~", "a"], ["b"]),
    ("^[[:alpha:]]$", ["[]", "a]", ":]"], ["b"]),
    (r"^[\]\\^]$", ["]", "\\", "^"], ["a"]),
    (r"^[\w-.]$", ["-", ".", "a"], [","]), (r"^[a-\d]$", ["-", "a", "5"], ["b"]),
    ("^[a-]$", ["-", "a"], ["b"]), ("^[-a]$", ["-", "a"], ["b"]),
    ("^[+--]$", [","], ["."]),
    (r"^[^\d,]$", ["a"], ["1", ","]), (r"^[\b]$", ["\b"], ["b"]), ("[]", [], ["", "a"]),
    ("^[^]$", ["\n", "a"], [""]), ("^[^^]$", ["a"], ["^"]), (r"^[.*+]$", ["."], ["a"]),
    ("^{a}$", ["{a}"], ["a"]), ("^a{b$", ["a{b"], ["ab"]), ("^]}$", ["]}"], []),
    ("^a{2}b{1,}c{0,1}$", ["aab", "aabbc"], ["ab"]), ("^(?:a|b)*?$", ["abba"], ["c"]),
    ("^(?<x>a)(?P<y>b)(c)$", ["abc"], ["ab"]), ("(?i)^ab$", ["AB"], ["a"]),
    ("^(?i:a)b$", ["Ab"], ["AB"]), ("", ["", "a"], []), ("^(|a)$", ["", "a"], ["b"]),
    ("^é$", ["é"], ["e"]), ("^ #$", [" #"], ["#"]),
    ("^(a+)+$", ["a" * 9], ["a" * 9 + "!"]),
    ("^((a{10}){10}){10}$", ["a" * 1000], ["a" * 999]), ("^a{0}$", [""], ["a"]),
]
# fmt: on
REFUSED = r"""(?=a) (?!a) (?<=a) (?<!a) (a)\1 (?<n>a)\k<n> (?P<n>a)(?P=n) (?>a) a(?i)b
    (?s)a (?x: a *a a** a{2}{3} a+++ ^* | \b+ a{,3} ( ) (a [a [^] a] (?) \Z \A \z \e \Q
    \01
    \pL \p{Nope} \u{110000} \ud83d \c1 \x4 \u12 [z-a] [a--b] a{2,1} a{1025} (a{33}){32}
    a{99999999999999999999} \p{L}{26} (((a{99}){99}){99}){99} \ """


@pytest.mark.parametrize(("pattern", "fits", "fails"), MEANING)
def test_the_meaning_stays_the_same(
    pattern: str, fits: list[str], fails: list[str]
) -> None:
    test = compile_pattern(pattern)
    assert [text for text in fits if not test(text)] == []
    assert [text for text in fails if test(text)] == []
    assert translate(pattern).isascii()


@pytest.mark.parametrize(
    "pattern",
    [
        *[part for part in REFUSED.split() if part not in ("|", "a]", "a", "[^]")],
        "\ud800",
        "a" * 4097,
        "(" * 65 + ")" * 65,
        "a" * 1025,
    ],
)
def test_what_the_engine_cannot_do_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"^[a-z{(].* ") as caught:
        compile_pattern(pattern)
    assert type(caught.value) is ValueError


def test_what_is_common_stays_as_it_is() -> None:
    for pattern in (
        "^[a-zA-Z0-9_-]+$",
        "^#[0-9A-Fa-f]{6}$",
        r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]$",
        "^[^,]+(,[^,]+)*$",
    ):
        assert translate(pattern) == pattern


def test_repetition_costs_states() -> None:
    assert states("(?:ab){3}c?") == 7
    assert states(r"\p{L}") > 1


ATOMS = st.sampled_from(
    ["a", "b", ".", r"\d", r"\w", r"\S", "[ab]", "[^a]", "[a-c]", r"[\d_-]", r"\.", "é"]
)
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(
    pattern=PATTERNS,
    anchored=st.booleans(),
    texts=st.lists(st.text("abc1_-.é \n", max_size=6), min_size=3, max_size=6),
)
def test_pythons_engine_agrees(
    pattern: str, anchored: bool, texts: list[str]  # noqa: FBT001
) -> None:
    ours = f"^(?:{pattern})$" if anchored else pattern
    theirs = f"^(?:{pattern})\\Z" if anchored else pattern
    test = compile_pattern(ours)
    expected = [bool(re.search(theirs, text, re.ASCII)) for text in texts]
    assert [test(text) for text in texts] == expected
