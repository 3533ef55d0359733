"""Paths of the usual kind are decided upon quickly, and as all others are."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from mcp_bindgen.runtime.client.policy import paths
from mcp_bindgen.runtime.client.policy.entry import PathRule

STEPS = st.sampled_from(
    [
        *("a", "A.b", "con", "Con.x", "dev", "..", ".", "", " ", "x.", ".x", "x y"),
        *("~", "%2e", "a:b", "\\", "\u212a", "com1 .x", "lpt9.", "proc", "null"),
    ]
)


@given(steps=st.lists(STEPS, max_size=4), absolute=st.booleans())
@example(steps=["", "a"], absolute=False)
@example(steps=["", "A.b"], absolute=False)
@example(steps=["", "a", "null"], absolute=False)
def test_a_plain_path_has_no_fault(steps: list[str], absolute: Any) -> None:
    path = "/" * absolute + "/".join(steps)
    if paths.is_plain(path):
        assert paths.fault_of_text(path) == ""
    rule = PathRule(("/a", "A.b"), ("/a/null",))
    expected = paths.fault_of_text(path)
    if not expected:
        real = [step for step in path.split("/") if step]
        below_root = path.startswith("/")  # as an empty first step makes it, too
        inside = real[:1] == (["a"] if below_root else ["A.b"])
        forbidden = below_root and real[1:2] == ["null"]
        expected = "" if inside and not forbidden else "out"
    assert bool(paths.path_test(rule)(path)) is bool(expected)
