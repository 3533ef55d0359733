"""A file that was read before is not read again, unless it may be another now."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.up_to_date import unedited
from mcp_bindgen.write import plan
from mcp_bindgen.write.write import write

from tests.write.small_packages import package

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = package({"a.py": "1\n", "b/c.py": "2\n"})


def _edit(path: Path) -> None:
    status = path.stat()
    path.write_text("9\n", "utf-8")  # as many characters as before
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _replace(path: Path) -> None:
    status = path.stat()
    other = path.with_name("other")
    other.write_text("9\n", "utf-8")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def _link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def test_a_file_that_was_read_before_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(FILES, tmp_path)
    known = unedited(tmp_path)
    read: list[str] = []
    current = vars(plan)["_current"]

    def watched(path: Path, limit: int) -> object:
        read.append(path.name)
        return current(path, limit)

    monkeypatch.setattr(plan, "_current", watched)
    changed = package({"a.py": "3\n", "b/c.py": "2\n"})
    changes = write(changed, tmp_path, known)
    assert (changes.unchanged, changes.edited) == (("b/c.py",), ())
    assert sorted({*read}) == ["a.py", "manifest.json"]


@pytest.mark.parametrize("change", [_edit, _replace])
def test_a_file_that_was_changed_since_is_made_right(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    write(FILES, tmp_path)
    known = unedited(tmp_path)
    change(tmp_path / "a.py")
    assert write(FILES, tmp_path, known).edited == ("a.py",)
    assert (tmp_path / "a.py").read_text("utf-8") == "1\n"


def test_a_file_that_was_removed_since_is_made_again(tmp_path: Path) -> None:
    write(FILES, tmp_path)
    known = unedited(tmp_path)
    (tmp_path / "a.py").unlink()
    assert write(FILES, tmp_path, known).added == ("a.py",)


def test_a_file_that_became_a_link_is_refused(tmp_path: Path) -> None:
    write(FILES, tmp_path)
    known = unedited(tmp_path)
    _link(tmp_path / "a.py")
    with pytest.raises(BindgenError, match="links are not followed"):
        write(FILES, tmp_path, known)
