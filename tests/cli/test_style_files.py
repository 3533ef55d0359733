"""Which file says the style: as black and ruff find theirs, in a monorepo, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.model_options import project_models
from mcp_bindgen.pipeline.project import layout_notices, project_style
from mcp_bindgen.python.style import OURS, Style

from tests.cli.test_style import ran

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BLACK = "[tool.black]\nline-length = 100\n"
RUFF = "[tool.ruff]\nline-length = 110\n"
APP = "services/app/pyproject.toml"
LINT = "[tool.ruff.lint]\nselect = ['E']\n"


def repository(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a repository; return the output folder of its service."""
    for path, text in {".git/HEAD": "", APP: "[project]\n", **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder / "services" / "app" / "src"


@pytest.mark.parametrize(
    ("files", "columns"),
    [
        ({"pyproject.toml": BLACK}, 100),
        ({"pyproject.toml": RUFF}, 110),
        ({"pyproject.toml": BLACK + RUFF}, 100),
        ({"pyproject.toml": BLACK, APP: RUFF}, 110),
        ({"pyproject.toml": RUFF, APP: BLACK}, 100),
        ({"pyproject.toml": BLACK, APP: LINT}, 100),
        ({"pyproject.toml": RUFF, APP: LINT}, 88),
        ({"pyproject.toml": RUFF, "ruff.toml": "line-length = 66\n"}, 66),
        ({"ruff.toml": "line-length = 66\n"}, 66),
        ({"ruff.toml": "line-length = 66\n", APP: BLACK}, 100),
        (
            {
                "ruff.toml": "line-length = 66\n",
                ".ruff.toml": 'line-length = 77\nextend = "other.toml"\n',
                "other.toml": "line-length = 55\n",
            },
            77,
        ),
        ({"pyproject.toml": RUFF, APP: '[tool.ruff]\nextend = "../../ruff.toml"\n'}, 0),
        (
            {
                "pyproject.toml": RUFF,
                APP: '[tool.ruff]\nextend = "../../pyproject.toml"\n',
            },
            110,
        ),
        ({"pyproject.toml": "[tool.mcp-bindgen.format]\nline-length = 70\n"}, 70),
    ],
)
def test_a_file_above_says_the_style(
    tmp_path: Path, files: Mapping[str, str], columns: int
) -> None:
    output = repository(tmp_path, files)
    if columns:
        assert project_style(output).line_length == columns
        return
    with pytest.raises(BindgenError, match=r"ruff\.toml: .*No such file"):
        project_style(output)


@pytest.mark.parametrize("name", ["ruff", "black"])
def test_the_tools_read_the_same_file(tmp_path: Path, name: str) -> None:
    line = f"x = [{'1, ' * 29}1]\n"
    assert 88 < len(line) <= 100
    output = repository(tmp_path, {"pyproject.toml": f"[tool.{name}]\n{BLACK[13:]}"})
    assert project_style(output) == Style(100)
    output.mkdir()
    (output / "a.py").write_text(line)
    words = ("ruff", "format") if name == "ruff" else ("black",)
    assert ran(output, *words, "--check", "a.py") == ""
    (tmp_path / "pyproject.toml").unlink()
    assert "a.py" in ran(output, *words, "--check", "a.py")


def test_the_search_ends_with_the_repository(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        f'{BLACK}[tool.mcp-bindgen.models]\nkind = "pydantic"\n'
    )
    inner = tmp_path / "inner"
    inner.mkdir()
    output = repository(inner, {})
    assert project_style(output) == OURS
    assert project_models(output).kind == "typeddict"


def test_a_file_above_says_the_models(tmp_path: Path) -> None:
    text = '[tool.mcp-bindgen.models]\nkind = "pydantic"\n'
    options = '[tool.datamodel-codegen]\nbase-class = "app.Base"\n'
    output = repository(tmp_path, {"pyproject.toml": text + options})
    assert project_models(output).kind == "pydantic"
    assert project_models(output).values() == {"base_class": "app.Base"}


def test_what_black_cannot_do_names_its_file(tmp_path: Path) -> None:
    output = repository(tmp_path, {"ruff.toml": "indent-width = 2\n"})
    (sentence,) = layout_notices(output)
    assert sentence.startswith(f"{tmp_path / 'ruff.toml'}: black has no indent-width")
    assert sentence.endswith("exclude of [tool.ruff.format]")
    text = "[format]\ndocstring-code-format = true\n"
    output = repository(tmp_path, {"ruff.toml": text})
    (sentence,) = layout_notices(output)
    assert "black has no docstring-code-format = True of ruff" in sentence
    text = '[format]\nline-ending = "cr-lf"\nskip-magic-trailing-comma = true\n'
    output = repository(tmp_path, {"ruff.toml": text})
    (sentence,) = layout_notices(output)
    assert "black has no line-ending = 'cr-lf' of ruff" in sentence
    output = repository(tmp_path, {"ruff.toml": "line-length = 0\n"})
    with pytest.raises(BindgenError, match=r"ruff\.toml: line-length: expected"):
        project_style(output)


@pytest.mark.parametrize(
    ("versions", "notices"),
    [('["py38"]', 1), ('["py39", "py38"]', 1), ('["py39", "py310"]', 0), ("[]", 0)],
)
def test_a_black_that_reads_no_match_is_said(
    tmp_path: Path, versions: str, notices: int
) -> None:
    text = f"[tool.black]\ntarget-version = {versions}\n"
    output = repository(tmp_path, {"pyproject.toml": text})
    sentences = layout_notices(output)
    assert len(sentences) == notices
    output.mkdir(exist_ok=True)
    (output / "made.py").write_text("match a:\n    case 1:\n        pass\n")
    assert bool(ran(output, "black", "--check", "made.py")) == bool(notices)
    for sentence in sentences:
        assert sentence.startswith(f"{tmp_path / 'pyproject.toml'}: black cannot check")


def test_a_file_is_extended_as_ruff_does_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONVENTIONS", str(tmp_path / "shared"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name, text in {"shared": "line-length = 101\n", "home": BLACK}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruff.toml").write_text(text.replace("[tool.black]\n", ""))
    for start, columns in (("${CONVENTIONS}", 101), ("$CONVENTIONS", 101), ("~", 100)):
        files = {"ruff.toml": f'extend = "{start}/ruff.toml"\n'}
        output = repository(tmp_path, files)
        assert project_style(output).line_length == columns
        output.mkdir(exist_ok=True)
        (output / "a.py").write_text(f"x = [{'1, ' * 29}1]\n")
        assert ran(output, "ruff", "format", "--check", "a.py") == ""
