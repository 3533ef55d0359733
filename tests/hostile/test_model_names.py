"""Names for models: a new tool takes none that an older one had."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_bindgen.python import names
from mcp_bindgen.python.names import digest
from mcp_bindgen.render.export_names import export_names

NAME = re.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}")
SPELLED = st.text("aAbB._-/x1é", max_size=5)


@pytest.mark.parametrize(
    ("older", "new"),
    [
        (["a.b"], ["a_b"]),
        (["a b", "zzz"], ["a_b"]),
        (["a!", "a?"], [f"a_x{digest('a!')}"]),
        (["x" * 65], ["x" * 57 + "_" + digest("x" * 65)]),
        (["é"], ["e"]),
        ([""], [f"tool_{digest('')}"]),
        (["1"], ["tool_1"]),
        (["a_b_dotted"], ["a.b", "a_b"]),
        (["a.b", "a_b"], ["a_b_dotted"]),
    ],
)
def test_a_new_tool_takes_no_name_that_models_know(
    older: list[str], new: list[str]
) -> None:
    before, after = export_names(older), export_names([*older, *new])
    assert not {*before.values()} & {after[wire] for wire in new}


@given(st.sets(SPELLED, min_size=1), st.sets(SPELLED, min_size=1))
@example({"a.b"}, {"a_b"})
def test_names_for_models_never_pass_to_another_tool(
    older: set[str], new: set[str]
) -> None:
    before, after = export_names(older), export_names(older | new)
    assert len({*after.values()}) == len(after)
    owners = {name: wire for wire, name in before.items()}
    assert all(owners.get(name, wire) == wire for wire, name in after.items())
    assert all(NAME.fullmatch(name) for name in after.values())


def test_names_for_models_fit_though_hashes_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def alike(text: str, size: int = 6) -> str:
        return digest(text if size > 20 else "", size)

    monkeypatch.setattr(names, "digest", alike)
    long = "y" * 59
    exported = export_names([f"{long}!", f"{long}?"])
    assert len({*exported.values()}) == 2
    assert all(NAME.fullmatch(name) for name in exported.values())
