"""docs/images.ipynb: its cells run, and its outputs are what a notebook shows."""

from __future__ import annotations

import ast
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.launch import serve_http

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("bindings")

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "images.ipynb"


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Return the variables of a notebook beside the generated packages."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "generated"), *sys.path])
    forget()
    with serve_http("todo", cwd=tmp_path) as url:
        monkeypatch.setenv("TODO_MCP_URL", url)
        names: dict[str, Any] = {}
        yield names
        names["client"].close()
    forget()


def forget() -> None:
    """Let the next import of the package read its files."""
    for name in [name for name in sys.modules if name.split(".")[0] == "todo"]:
        del sys.modules[name]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; return the value of its last expression, as Jupyter does."""
    *first, last = ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(first, []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def bundle_of(value: Any) -> dict[str, str]:
    """Return the forms of a value, media type to text or base64."""
    method = getattr(value, "_repr_mimebundle_", None)
    return method() if method else {"text/plain": repr(value)}


def test_the_outputs_are_what_a_notebook_shows(
    names: dict[str, Any], pytestconfig: pytest.Config
) -> None:
    notebook = json.loads(NOTEBOOK.read_text())
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(codes, 1):
        result = {
            "data": bundle_of(run("".join(cell["source"]), names)),
            "metadata": {},
        }
        output = {"output_type": "execute_result", "execution_count": number, **result}
        if pytestconfig.getoption("--update"):
            cell["outputs"] = [output]
        assert cell["outputs"] == [output]
    if pytestconfig.getoption("--update"):
        NOTEBOOK.write_text(json.dumps(notebook, indent=1) + "\n")
    assert import_module("todo").Resource.LOGO == names["todo"].Resource.LOGO
    data = [cell["outputs"][0]["data"] for cell in codes]
    assert "data:image/png;base64," in data[1]["text/html"]
    assert data[2]["image/png"].startswith("iVBORw0KGgo")
    assert [*data[3]] == ["text/plain"]
