"""Variables in headers and URLs: expanded, told when missing, shown nowhere."""

from __future__ import annotations

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.recording.secrets import address, expand, header, mask

ENVIRONMENT = {"TOKEN": "s3cret-token", "EMPTY": "", "NEWLINE": "abc\n", "ODD": "a\rb"}


@pytest.mark.parametrize(
    ("text", "expanded", "secrets"),
    [
        ("plain", "plain", ()),
        ("Bearer ${TOKEN}", "Bearer s3cret-token", ("s3cret-token",)),
        ("${TOKEN}${TOKEN}", "s3cret-token" * 2, ("s3cret-token",) * 2),
        ("${NOT_SET:-other}", "other", ()),
        ("${EMPTY:-other}", "other", ()),
        ("${TOKEN:-other}", "s3cret-token", ("s3cret-token",)),
        ("${NOT_SET:-}x", "x", ()),
        ("x${EMPTY}y", "xy", ("",)),
        ("$TOKEN $$ {TOKEN} $", "$TOKEN $$ {TOKEN} $", ()),
    ],
)
def test_expand(text: str, expanded: str, secrets: tuple[str, ...]) -> None:
    result = expand(text, ENVIRONMENT, "--url")
    assert (result.text, result.secrets) == (expanded, secrets)
    assert "s3cret" not in repr(result)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("${NOT_SET}", "--url: the environment variable NOT_SET is not set"),
        ("${}", "--url: expected a name and } after ${"),
        ("${1x}", "--url: expected a name and } after ${"),
        ("${TOKEN", "--url: expected a name and } after ${"),
        ("${A:-${TOKEN}}", "--url: expected a name and } after ${"),
    ],
)
def test_what_cannot_be_expanded(text: str, message: str) -> None:
    with pytest.raises(BindgenError) as caught:
        expand(text, ENVIRONMENT, "--url")
    (problem,) = caught.value.problems
    assert problem.message == message
    assert problem.hint


@pytest.mark.parametrize(
    ("line", "name", "value", "secrets"),
    [
        ("Accept-Language: de", "Accept-Language", "de", ()),
        ("X-Empty:", "X-Empty", "", ()),
        ("X-Colon: a:b", "X-Colon", "a:b", ()),
        ("X-Region: ${NEWLINE}", "X-Region", "abc", ("abc\n",)),
        ("X-Api-Key: k-1", "X-Api-Key", "k-1", ("k-1", "k-1")),
        (
            "Authorization: Bearer abc",
            "Authorization",
            "Bearer abc",
            ("Bearer abc", "abc"),
        ),
    ],
)
def test_header(line: str, name: str, value: str, secrets: tuple[str, ...]) -> None:
    field, expanded = header(line, ENVIRONMENT)
    assert (field, expanded.text, expanded.secrets) == (name, value, secrets)


@pytest.mark.parametrize(
    "line",
    [
        "s3cret-token",
        ": s3cret-token",
        "a b: s3cret-token",
        "X-Odd: ${ODD}",
        "X: \N{BULLET}",
    ],
)
def test_a_bad_header_is_reported_without_its_value(line: str) -> None:
    with pytest.raises(BindgenError) as caught:
        header(line, ENVIRONMENT)
    assert "s3cret" not in str(caught.value.problems)
    assert "\r" not in str(caught.value.problems)


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("https://a.example/mcp?page=tools", ()),
        ("https://a.example/mcp?api_key=l1teral&page=2", ("l1teral",)),
        ("https://a.example/mcp?access%5Ftoken=a%20b", ("a b",)),
        ("https://a.example/${TOKEN}?sessionId=77777", ("s3cret-token", "77777")),
        ("https://[::1", ()),
    ],
)
def test_address(text: str, secrets: tuple[str, ...]) -> None:
    assert address(text, ENVIRONMENT).secrets == secrets


def test_mask() -> None:
    assert mask("say s3cret-token and s3cret", ["s3cret", "s3cret-token"]) == (
        "say *** and ***"
    )
    assert mask("a b c", ["", "b"]) == "a b c"


@pytest.mark.parametrize(
    "form",
    [
        'p\u00e4"ss w\\rd/1234',
        'p\\u00e4\\"ss w\\\\rd/1234',
        'p\u00e4\\"ss w\\\\rd/1234',
        "p%C3%A4%22ss%20w%5Crd/1234",
        "p%C3%A4%22ss+w%5Crd%2F1234",
    ],
)
def test_a_secret_is_masked_in_each_spelling(form: str) -> None:
    assert mask(f"a {form}!", ['p\u00e4"ss w\\rd/1234']) == "a ***!"


@pytest.mark.parametrize(
    "text",
    [
        "split-\n   secret-value",
        "split\\n-secret\\n-value",
        "s p l i t-secret-\r\nvalue",
    ],
)
def test_a_secret_over_several_lines_is_masked(text: str) -> None:
    assert mask(f"[{text}]", ["split-secret-value"]) == "[***]"
    assert mask("a\nbcd", ["abcd"]) == "a\nbcd", "a short one may be there by chance"


def test_the_search_for_secrets_is_linear() -> None:
    assert len(mask("n\\n" * 100_000 + "x", ["nnnnnnnnnnnnnnnz"])) == 300_001
