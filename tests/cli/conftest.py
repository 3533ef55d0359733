"""A folder of its own for a test, with or without the user's home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with an empty home."""
    monkeypatch.setenv("HOME", str(folder / "home"))
    return folder
