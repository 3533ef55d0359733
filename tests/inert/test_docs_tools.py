"""What the real tools run and read of a raw text, and never of ours."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from tests.inert.lures import Trap
from tests.inert.packages import write_control, write_package
from tests.inert.tools import TOOLS

if TYPE_CHECKING:
    from pathlib import Path

# The lures that work in a raw docstring, by tool: a tool that obeys none is no test.
OBEYED = {
    "pytest": {"doctest"},
    "IPython": {"doctest", "ipython"},
    "xdoctest": {"doctest"},
    "sybil": {"code-block", "comment", "doctest", "fence", "invisible", "percent"},
    "pytest_examples": {"fence"},
    "cogapp": {"cog", "cog-line"},
    "jinja2": {"jinja", "jinja-block", "jinja-include", "jinja-tight"},
}


@pytest.mark.slow
@pytest.mark.parametrize("tool", OBEYED)
def test_a_tool_obeys_a_raw_text_and_nothing_of_a_package(
    tool: str, tmp_path: Path
) -> None:
    if not importlib.util.find_spec(tool):
        pytest.skip(f"no {tool}: pip install '.[docs-tools]'")
    for module in ("control", "made"):
        trap = Trap(tmp_path / module)
        trap.lay()
        if module == "made":
            write_package(trap.folder, trap.texts())
        else:
            write_control(trap.folder, trap.texts())
        built = trap.folder / "built"
        built.mkdir()
        said = TOOLS[tool](trap.folder, module, built)
        if module == "made":
            assert not trap.sprung(built), said
        else:
            assert trap.sprung(built) >= OBEYED[tool], said
