"""Wrong arguments of the Python API: each is a problem with a hint."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import mcp_bindgen
import pytest
from mcp_bindgen import BindgenError, Limits

from tests.packages import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

TODO = ROOT / "generated" / "todo" / "recording.json"

record: Any = mcp_bindgen.record  # a script that no type checker has seen
generate: Any = mcp_bindgen.generate


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: record(None), "^server: expected a URL, or a command as a list of"),
        (lambda: record(b"http://a.example"), "list of texts, got bytes"),
        (lambda: record(""), "^server: expected a URL, or .* got an empty text"),
        (lambda: record(["a", 1]), "server: expected a list of texts, got int"),
        (lambda: record(["a"], timeout="5"), "timeout: expected a number of seconds"),
        (lambda: record(["a"], timeout=True), "timeout: expected a number of seconds"),
        (lambda: record(["a"], limits=None), "limits: expected Limits"),
        (lambda: record(["a"], calls=["b"]), "calls: expected a tool and its arg"),
        (lambda: record(["a"], calls=None), "calls: expected a list of tools with"),
        (lambda: record(["a"], calls=5), "calls: expected a list of tools with"),
        (
            lambda: record(["a"], calls=[("add", {"a": [float("nan")]})]),
            "^calls: 'add': expected arguments of JSON, got .*\n  hint: pass texts",
        ),
        (
            lambda: record(["a"], calls=[("add", {1: 2})]),
            "expected arguments of JSON, got an object key that is no string",
        ),
        (lambda: record(["a"], env={"": "c"}), "env: expected a name, got ''"),
        (
            lambda: record("https://a.example", headers={"": "d"}),
            "headers: expected a name, got ''\n  hint: write {name: value}",
        ),
        (
            lambda: record("https://a.example", headers={"A b": "d"}),
            'headers: expected Name: value\n  hint: write headers={"Name": "',
        ),
        (lambda: record(["a"], timeout=0), "timeout: expected more than 0 and at"),
        (lambda: record(["a"], timeout=1e12), "at most 1,000,000,000 seconds, got 1"),
        (lambda: record(["a"], timeout=10**400), "seconds, got a larger number"),
        (lambda: record(["a"], timeout=float("nan")), "seconds, got nan"),
        (lambda: record([]), "expected a command as a list of texts"),
        (lambda: record(["/"]), "is a folder"),
        (lambda: record("http://localhost:70000/mcp"), "port from 1 to 65535"),
        (lambda: record("http://localhost:0/mcp"), "port from 1 to 65535, got 0"),
        (lambda: generate(TODO, http=[]), "http: expected a text, got list"),
        (lambda: generate(TODO, targets=["./" + "a" * 5_000]), "no target"),
        (lambda: record(["a"], env=["A=b"]), "env: expected a dict of texts, got list"),
        (lambda: record(["a"], env={"A": 1}), "env: expected a dict of texts, got int"),
        (lambda: record(["a"], env={"A=B": "c"}), "env: expected names without '='"),
        (
            lambda: record("https://a.example", headers={"A: b, C": "d"}),
            "headers: expected names without ':', got 'A: b, C'",
        ),
        (lambda: generate(None), "recording: expected a path, the bytes"),
        (lambda: generate({"tools": []}, "a"), "recording: expected a path, the bytes"),
        (lambda: generate('{"tools": []}'), "No such file or directory"),
        (lambda: generate(ROOT), "Is a directory\n  hint: pass the path of one"),
        (lambda: record("https://a.example/${NO_SUCH}"), "^server: the environment"),
        (lambda: generate(TODO, 3), "name: expected a text, got int"),
        (lambda: generate(TODO, targets=None), "targets: expected a list of texts"),
        (lambda: generate(TODO, include=[1]), "include: expected a list of texts"),
        (lambda: generate(TODO, include=["nope_*"]), "no tool matches 'nope_\\*'"),
        (lambda: generate(TODO, exclude="nope"), "no tool matches 'nope'"),
        (lambda: generate(TODO, limits=None), "limits: expected Limits"),
        (lambda: generate(TODO, style_of=3), "style_of: expected a path, got int"),
        (
            lambda: generate(TODO, limits=Limits(depth=101)),
            "depth: expected a whole number from 0 to 100",
        ),
        (
            lambda: generate(TODO, limits=Limits(tools=-1)),
            "tools: expected a whole number from 0",
        ),
        (
            lambda: generate(TODO, limits=Limits(steps=True)),
            "steps: expected a whole number from 0",
        ),
    ],
)
def test_a_wrong_argument_is_a_problem(call: Callable[[], Any], fault: str) -> None:
    with pytest.raises(BindgenError, match=fault) as caught:
        call()
    for problem in caught.value.problems:
        assert problem.hint
        assert f"  hint: {problem.hint}" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (
            lambda: generate(TODO, limits=Limits(steps=0)),
            (
                "choose tools with include=, or raise the limit: "
                "limits=Limits(steps=NUMBER)"
            ),
        ),
        (lambda: generate(TODO, "a.b"), 'choose another: name="a_b"'),
        (
            lambda: record([sys.executable, "-c", ""]),
            "is it an MCP server?",
        ),
    ],
)
def test_hints_name_arguments_and_no_options(
    call: Callable[[], Any], hint: str
) -> None:
    with pytest.raises(BindgenError) as caught:
        call()
    assert [problem.hint for problem in caught.value.problems] == [hint]
