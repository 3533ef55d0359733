"""A cache in a folder of its own, and a list of what is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline import tool_files

from tests.pipeline.runs import record

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, in an empty working folder with a recording."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    record()
    return tmp_path / "cache" / "mcp-bindgen"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tools that were not found in the cache."""
    names: list[str] = []
    make = tool_files.make_tool

    def noted(plan: Any, *rest: Any) -> tool_files.ToolFiles:
        names.append(plan.function)
        return make(plan, *rest)

    monkeypatch.setattr(tool_files, "make_tool", noted)
    return names
