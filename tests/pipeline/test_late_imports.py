"""black and datamodel-code-generator are imported only for their own work."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_style import WIDE
from tests.packages import ROOT

if TYPE_CHECKING:
    from pathlib import Path

RECORDING = ROOT / "generated" / "catalog" / "recording.json"
PROGRAM = """
import sys
from mcp_bindgen.cli import app
app(sys.argv[1:], standalone_mode=False)
print(sorted({"black", "datamodel_code_generator"} & {*sys.modules}))
if "models" not in sys.argv:
    assert "pydantic" not in sys.modules  # datamodel-code-generator needs it, we do not
"""


@pytest.mark.parametrize(
    ("targets", "style", "imported"),
    [
        ("python,langchain,openai", "", "[]"),
        pytest.param(  # the cache has the runtime in this style, of another test
            *("python,langchain", WIDE, "['black']"),
            marks=pytest.mark.xdist_group("style"),
        ),
        ("models", "", "['black', 'datamodel_code_generator']"),
    ],
)
def test_a_library_is_imported_when_its_work_is_wanted(
    tmp_path: Path, targets: str, style: str, imported: str
) -> None:
    cache = os.environ["XDG_CACHE_HOME"] if style else str(tmp_path / "cache")
    (tmp_path / "pyproject.toml").write_text(style)
    words = ["generate", str(RECORDING), "-o", str(tmp_path / "src"), "--name", "pkg"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words, "--target", targets, "--quiet"],
        env={"XDG_CACHE_HOME": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == imported
