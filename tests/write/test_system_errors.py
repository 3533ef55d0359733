"""What the system refuses is one problem, with a hint for its own cause."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.write.write import write

from tests.write.test_crash import NEW, Faults, package


@pytest.mark.parametrize("name", ["file/inner", "link", "link/inner"])
def test_a_path_with_a_file_or_a_link_needs_another_folder(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "missing")
    with pytest.raises(BindgenError, match=tmp_path.name) as caught:
        write(package(NEW), tmp_path / name)
    assert "another folder" in caught.value.problems[0].hint


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.EACCES, "fix the permissions, then run the same command"),
        (errno.ENOSPC, "free some space on the disk, then run the same command"),
        (errno.EROFS, "make the disk writable"),
        (errno.ENAMETOOLONG, "choose another folder"),
        (errno.EIO, "correct the cause"),
    ],
)
def test_an_error_of_the_system_has_its_own_hint(
    tmp_path: Path, number: int, remedy: str
) -> None:
    error = OSError(number, "no", "x.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", Faults(error, 1).wrap(Path.replace))
        with pytest.raises(BindgenError) as caught:
            write(package(NEW), tmp_path / "y")
    assert caught.value.problems[0].hint.startswith(remedy)
