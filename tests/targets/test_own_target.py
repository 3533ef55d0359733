"""A reader's own target is one folder; the one that the docs show is tried here."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.render.targets import Settings

from tests.targets.conftest import ROOT, TARGETS, write
from tests.targets.fakes import Fake

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PAGE = ROOT / "templates" / "README.md"
RECORDING = ROOT / "generated" / "todo" / "recording.json"


def shown_target(folder: Path) -> str:
    """Write the target that the page shows, and return its path."""
    text = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"`my-target/([^`]+)`:\n\n```\w*\n(.*?)```", text, re.DOTALL)
    assert len(shown) == 2
    target = folder / "my-target"
    write(dict(shown), target)
    return str(target)


def test_the_target_that_the_page_shows_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = shown_target(tmp_path)
    made = generate(RECORDING.read_bytes(), "fw_own", Settings(("python", target)))
    write(dict(made.files), tmp_path / "fw_own")
    listed = json.loads(made.files["menu.json"])
    assert listed["add_task"] == "Add a task to a user's list."
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    package = import_module("fw_own")
    menu = import_module("fw_own.menu")
    fake = Fake(
        "fw_own", {"content": [{"type": "text", "text": "no"}], "isError": True}
    )
    assert menu.choose(package.Client(fake), "list_tasks", {"user_id": "u"}) == "no"


def rendered(tmp_path: Path, files: Mapping[str, str]) -> Mapping[str, str]:
    """Return the files of a package with a target of these files."""
    write(dict(files), tmp_path / "t")
    return generate(RECORDING.read_bytes(), "x", Settings((str(tmp_path / "t"),))).files


def test_a_template_cannot_print_server_text_raw(tmp_path: Path) -> None:
    files = {"a.json.jinja": "{% for t in tools %}{{ t.description }}{% endfor %}"}
    with pytest.raises(TypeError, match="use lit or doc"):
        rendered(tmp_path, files)


def test_rendered_python_runs_nothing_at_import(tmp_path: Path) -> None:
    with pytest.raises(BindgenError, match="a call of print at import"):
        rendered(tmp_path, {"a.py.jinja": "SAID = print('hello')\n"})


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_needs_no_other(tmp_path: Path, target: str) -> None:
    files = generate(RECORDING.read_bytes(), "alone", Settings((target,))).files
    assert "info.json" in files
    assert target == "python" or f"{target}.py" in files
    assert ("openai_strict.json" in files) == (target in ("openai", "agents"))


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(BindgenError, match="no target"):
        generate(RECORDING.read_bytes(), "x", Settings(("nope",)))
