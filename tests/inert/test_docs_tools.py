"""What the real tools run and read of a raw text, and never of ours."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from tests.inert.lures import Trap
from tests.inert.packages import LEADS, write_control, write_package
from tests.inert.sites import SITES
from tests.inert.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

RST = ("doctest", "include", "literal-include", "role", "role-after")
MYST = (
    *("auto-link", "colon-fence", "eval-rst", "image-defined", "image-html"),
    *("image-site", "include-in-fence", "jinja", "jinja-tight", "link", "link-defined"),
    *("link-entity", "link-folded", "link-scheme", "link-title", "link-up"),
    "myst-role",
)
# The lures that work in a raw docstring, by tool: a tool that obeys none is no test.
OBEYED = {
    "pytest": {"doctest"},
    "IPython": {"doctest", "ipython"},
    "xdoctest": {"doctest"},
    "sybil": {"code-block", "comment", "doctest", "fence", "invisible", "percent"},
    "pytest_examples": {"fence"},
    "cogapp": {"cog", "cog-1"},
    "jinja2": {"jinja", "jinja-block", "jinja-include", "jinja-tight"},
    "sphinx": {*RST, "testcode"},
    "autodoc2": {*RST, "testcode"},
    "myst_parser": {*MYST},
    "autodoc2.render.myst_": {*MYST},
    "autoapi": {*RST, "testcode"},
    "lazydocs": {"jinja", "jinja-block", "jinja-tight"},
    "docformatter": {"cog", "cog-1", "doctest", "ipython", "jinja-block"},
    "blackdoc": {"code-block", "cog", "doctest", "fence", "ipython", "jinja-block"},
    "mkdocstrings": {"fence-exec", "markdown-include", "snippet"},
    "pdoc": {"image", "image-html-file", "source"},
}
# The site of the project needs mkdocstrings without these.
ALSO = {
    "mkdocstrings": ("mkdocs", "mkdocs_macros", "markdown_include", "markdown_exec")
}
RUNS = {**TOOLS, **SITES}
# Each text behind another lead, or behind each of them.
LED = len(LEADS) if "MCP_BINDGEN_ALL" in os.environ else 1


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder with a short name: docformatter breaks long words of a lure."""
    with TemporaryDirectory(prefix="") as name:
        yield Path(name)


@pytest.mark.slow
@pytest.mark.parametrize("tool", OBEYED)
def test_a_tool_obeys_a_raw_text_and_nothing_of_a_package(
    tool: str, folder: Path
) -> None:
    for needed in (tool.partition(".")[0], *ALSO.get(tool, ())):
        if not importlib.util.find_spec(needed):
            pytest.skip(f"no {needed}: pip install '.[docs-tools]'")
    for module in ("control", "made"):
        trap = Trap(folder / module)
        trap.lay()
        if module == "made":
            write_package(trap.folder, trap.texts(), LED)
        else:
            texts = trap.texts()
            obeyed = {name: texts[name] for name in OBEYED[tool]}
            write_control(trap.folder, obeyed)
        built = trap.folder / "built"
        built.mkdir()
        said = RUNS[tool](trap.folder, module, built)
        if module == "made":
            assert not trap.sprung(built), said
        else:
            assert trap.sprung(built) >= OBEYED[tool], said
