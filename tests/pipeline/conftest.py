"""A cache in a folder of its own, and a list of what is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline import chunks
from mcp_bindgen.pipeline import tool_files as part

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
    found: list[str] = []
    make = part.make

    def noted(order: Any, *rest: Any) -> part.Part:
        found.append(order.function)
        return make(order, *rest)

    monkeypatch.setattr(chunks, "make", noted)
    return found
