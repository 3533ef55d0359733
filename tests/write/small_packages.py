"""Small packages to write, and what a refused write looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.write.manifest import MANIFEST, manifest_text
from mcp_bindgen.write.write import check, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["NEW", "OLD", "package", "refuse", "tree"]

OLD = {"__init__.py": "1\n", "tools/a.py": "a\n", "tools/b.py": "b\n"}
NEW = {"__init__.py": "2\n", "tools/b.py": "b\n", "_runtime/x.py": "x\n"}


def package(files: Mapping[str, str]) -> dict[str, str]:
    return {**files, MANIFEST: manifest_text(files, "0.1.0", {"tools": []})}


def tree(directory: Path) -> dict[str, str]:
    return {
        path.relative_to(directory).as_posix(): path.read_text(encoding="utf-8")
        for path in directory.rglob("*")
        if path.is_file()
    }


def refuse(files: Mapping[str, str], directory: Path, words: str) -> None:
    """Both functions refuse, say why and how to go on, and write nothing."""
    for function in (check, write):
        with pytest.raises(BindgenError, match=words) as caught:
            function(files, directory)
        assert all(problem.hint for problem in caught.value.problems)
