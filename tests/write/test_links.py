"""Writing a package where links, pipes and folders stand in the way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import MANIFEST
from mcp_bindgen.write.write import write

from tests.write.small_packages import NEW, OLD, package, refuse, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLACES: list[tuple[str, Callable[[Path], object]]] = [
    ("the package folder", lambda directory: directory),
    ("a folder in it", lambda directory: directory / "tools"),
    ("a file", lambda directory: directory / "__init__.py"),
    ("a file in a folder", lambda directory: directory / "tools" / "b.py"),
    ("the manifest", lambda directory: directory / MANIFEST),
    ("the staging folder", lambda directory: directory / disk.STAGING),
]


@pytest.mark.parametrize("dangling", [False, True])
@pytest.mark.parametrize("link_in", [p[1] for p in PLACES], ids=[p[0] for p in PLACES])
def test_no_link_is_followed(
    tmp_path: Path, link_in: Callable[[Path], Path], *, dangling: bool
) -> None:
    directory, outside = tmp_path / "x", tmp_path / "outside"
    write(package(OLD), directory)
    link = link_in(directory)
    if link.name != disk.STAGING:
        link.rename(outside)
    elif not dangling:
        outside.mkdir()
        (outside / "0").write_text("mine")
    if dangling and outside.exists():
        outside.rename(tmp_path / "elsewhere")
    link.symlink_to(outside)
    before = tree(tmp_path)
    with pytest.raises(BindgenError, match="is a link"):
        write(package(NEW), directory)
    assert tree(tmp_path) == before
    assert link.is_symlink()


def test_a_link_in_a_folder_of_stale_files_is_not_followed(tmp_path: Path) -> None:
    directory, outside = tmp_path / "x", tmp_path / "outside"
    write(package(OLD), directory)
    (directory / "tools").rename(outside)
    (directory / "tools").symlink_to(outside)
    refuse(package({"a.py": ""}), directory, "tools is a link")
    assert tree(outside) == {"a.py": "a\n", "b.py": "b\n"}


def test_a_link_instead_of_a_stale_file_stays(tmp_path: Path) -> None:
    directory, outside = tmp_path / "x", tmp_path / "outside"
    write(package(OLD), directory)
    (directory / "tools/a.py").rename(outside)
    (directory / "tools/a.py").symlink_to(outside)
    changes = write(package(NEW), directory)
    assert len(changes.problems) == 1
    assert (directory / "tools/a.py").is_symlink()
    assert outside.read_text() == "a\n"


def test_the_output_folder_may_be_a_link_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(package(OLD), tmp_path / "link" / "x")
    assert tree(tmp_path / "real" / "x") == package(OLD)


def test_a_hard_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    directory, outside = tmp_path / "x", tmp_path / "outside"
    write(package(OLD), directory)
    os.link(directory / "__init__.py", outside)
    write(package(NEW), directory)
    assert outside.read_text() == "1\n"


@pytest.mark.parametrize("path", ["__init__.py", "tools", MANIFEST, "."])
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")
def test_what_is_no_file_or_no_folder_is_in_the_way(tmp_path: Path, path: str) -> None:
    directory = tmp_path / "x"
    (directory / path).parent.mkdir(exist_ok=True)
    os.mkfifo(directory / path if path != "." else directory)
    refuse(package(OLD), directory, "is not a f")


def test_a_folder_where_a_file_must_be_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "tools" / "a.py").mkdir(parents=True)
    refuse(package(OLD), tmp_path, "a.py is in the way: it is not a file")


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_a_manifest_that_is_no_file_is_all_that_is_named(
    tmp_path: Path, kind: str
) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / MANIFEST).unlink()
    if kind == "link":
        (tmp_path / MANIFEST).symlink_to("elsewhere")
    else:
        (tmp_path / MANIFEST).mkdir()
    with pytest.raises(BindgenError) as caught:
        write(package(NEW), tmp_path)
    (problem,) = caught.value.problems
    assert f"{MANIFEST} is in the way" in problem.message


def test_an_enormous_file_is_not_read(tmp_path: Path) -> None:
    for name in ("__init__.py", MANIFEST):
        with (tmp_path / name).open("wb") as file:
            file.truncate(1 << 40)
        refuse(
            package(OLD),
            tmp_path,
            f"{name} is in the way: .* more than mcp-bindgen writes",
        )
        (tmp_path / name).unlink()


def test_a_junction_of_windows_is_a_link(tmp_path: Path) -> None:
    real = tmp_path.lstat()

    class Junction:
        st_mode = real.st_mode
        st_reparse_tag = 0xA0000003

    class Cloud(Junction):
        st_reparse_tag = 0x9000001A  # a folder that is kept elsewhere is no link

    def as_look(junction: type[Junction]) -> Callable[[Path], object]:
        return lambda _: junction

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "look", as_look(Junction))
        assert disk.folder_fault(tmp_path) == "is a link, and links are not followed"
        patch.setattr(disk, "look", as_look(Cloud))
        assert disk.folder_fault(tmp_path) == ""


def test_a_folder_that_turned_into_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match="is a link"):
        disk.make_folder(tmp_path / "link", [])
