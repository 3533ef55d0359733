"""Writing a package: what is ours is replaced, what is not stays."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.write.manifest import MANIFEST, fingerprint
from mcp_bindgen.write.write import check, write

from tests.write.small_packages import NEW, OLD, package, refuse, tree

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_package_is_written(tmp_path: Path) -> None:
    directory = tmp_path / "deep" / "generated" / "x"
    changes = write(package(OLD), directory)
    assert tree(directory) == package(OLD)
    assert changes.added == ("__init__.py", MANIFEST, "tools/a.py", "tools/b.py")
    assert changes.changed == changes.removed == changes.unchanged == ()


def test_text_is_written_as_utf_8_with_line_feeds(tmp_path: Path) -> None:
    write(package({"a.py": "\u00e9\n\u4e16\n"}), tmp_path)
    assert (tmp_path / "a.py").read_bytes() == b"\xc3\xa9\n\xe4\xb8\x96\n"
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a.py").stat().st_mode) == 0o666 & ~mask


def test_a_second_package_replaces_the_first(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    changes = write(package(NEW), tmp_path)
    assert tree(tmp_path) == package(NEW)
    assert changes.added == ("_runtime/x.py",)
    assert changes.changed == ("__init__.py", MANIFEST)
    assert changes.removed == ("tools/a.py",)
    assert changes.unchanged == ("tools/b.py",)
    assert changes.edited == ()


def test_unchanged_files_keep_their_time_stamp(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    for path in (tmp_path, *tmp_path.rglob("*.*")):
        os.utime(path, ns=(1, 1))
    changes = write(package(OLD), tmp_path)
    assert len(changes.unchanged) == 4
    assert tmp_path.stat().st_mtime_ns == 1
    write(package(NEW), tmp_path)
    untouched = {
        path.name for path in tmp_path.rglob("*.*") if path.stat().st_mtime_ns == 1
    }
    assert untouched == {"b.py"}


def test_an_unlisted_change_leaves_the_manifest_alone(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    os.utime(tmp_path / MANIFEST, ns=(1, 1))
    (tmp_path / "tools/a.py").unlink()
    assert write(package(OLD), tmp_path).added == ("tools/a.py",)
    assert (tmp_path / MANIFEST).stat().st_mtime_ns == 1


def test_folders_that_were_emptied_go_and_others_stay(tmp_path: Path) -> None:
    write(package({"a.py": "", "x/y/z.py": "", "t/a.py": ""}), tmp_path)
    (tmp_path / "t" / "mine.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    write(package({"a.py": ""}), tmp_path)
    assert not (tmp_path / "x").exists()
    assert (tmp_path / "empty").is_dir()
    assert tree(tmp_path / "t") == {"mine.txt": "mine"}


def test_an_edited_file_is_restored_and_named(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / "tools/a.py").write_text("edited")
    (tmp_path / "tools/b.py").write_text("edited")
    (tmp_path / "__init__.py").write_text("2\n")  # by chance what it is to be
    changes = write(package({**OLD, "__init__.py": "2\n"}), tmp_path)
    assert changes.edited == ("tools/a.py", "tools/b.py")
    assert changes.changed == (MANIFEST, "tools/a.py", "tools/b.py")
    assert changes.unchanged == ("__init__.py",)
    assert (tmp_path / "tools/a.py").read_text() == "a\n"


def test_an_edited_stale_file_stays_and_becomes_foreign(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / "tools/a.py").write_text("edited")
    changes = write(package(NEW), tmp_path)
    assert [str(tmp_path / "tools/a.py") in p.message for p in changes.problems] == [1]
    assert not changes.removed
    assert write(package(NEW), tmp_path).problems == ()
    refuse(package(OLD), tmp_path, "a.py is in the way: mcp-bindgen did not write it")
    assert (tmp_path / "tools/a.py").read_text() == "edited"


def test_a_stale_file_replaced_by_a_folder_stays(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / "tools/a.py").unlink()
    (tmp_path / "tools/a.py").mkdir()
    assert len(write(package(NEW), tmp_path).problems) == 1
    assert (tmp_path / "tools/a.py").is_dir()


def test_a_stale_file_that_is_gone_is_no_matter(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / "tools/a.py").unlink()
    changes = write(package(NEW), tmp_path)
    assert changes.removed == ()
    assert changes.problems == ()


def test_foreign_files_stay(tmp_path: Path) -> None:
    foreign = {"notes.md": "n", "tools/mine.py": "m", "x/manifest.json": "{}"}
    for path, text in foreign.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    write(package(OLD), tmp_path)
    write(package({"a.py": ""}), tmp_path)
    assert tree(tmp_path) == {**package({"a.py": ""}), **foreign}


def test_all_foreign_files_in_the_way_are_named_and_stay(tmp_path: Path) -> None:
    foreign = {"__init__.py": "mine", "tools/a.py": "a"}
    (tmp_path / "tools").mkdir()
    for path, text in foreign.items():
        (tmp_path / path).write_text(text)
    refuse(package(OLD), tmp_path, "__init__.py is in the way.*a.py is in the way")
    assert tree(tmp_path) == foreign


def test_an_identical_foreign_file_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("1\n")
    assert write(package(OLD), tmp_path).unchanged == ("__init__.py",)
    write(package({"a.py": ""}), tmp_path)
    assert tree(tmp_path) == package({"a.py": ""})


def test_a_foreign_manifest_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"manifest_version": 3}')
    refuse(package(OLD), tmp_path, "damaged, or mcp-bindgen did not write it")
    assert tree(tmp_path) == {MANIFEST: '{"manifest_version": 3}'}


@pytest.mark.parametrize(
    "path",
    ["../../victim.txt", "/etc/passwd", "victim.txt", "tools/../../victim.txt"],
)
def test_a_hostile_manifest_removes_nothing_outside(tmp_path: Path, path: str) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("v")
    directory = tmp_path / "out" / "x"
    directory.mkdir(parents=True)
    listed = {path: fingerprint(b"v"), str(victim): fingerprint(b"v")}
    hostile = {"generator": {"name": "mcp-bindgen"}, "files": listed}
    (directory / MANIFEST).write_text(json.dumps(hostile))
    refuse(package(OLD), directory, "lists the path")
    assert victim.read_text() == "v"


def test_names_that_differ_in_case_only_are_renamed(tmp_path: Path) -> None:
    write(package({"Foo.py": "1"}), tmp_path)
    write(package({"foo.py": "1"}), tmp_path)
    assert tree(tmp_path) == package({"foo.py": "1"})


@pytest.mark.parametrize("content", ["1", "2", "edited"])
def test_a_file_known_under_another_case_is_ours(tmp_path: Path, content: str) -> None:
    # A hard link stands for a file system that does not tell case.
    write(package({"Foo.py": "1"}), tmp_path)
    (tmp_path / "Foo.py").write_text(content)
    os.link(tmp_path / "Foo.py", tmp_path / "foo.py")
    changes = write(package({"foo.py": "2"}), tmp_path)
    assert tree(tmp_path) == package({"foo.py": "2"})
    assert changes.changed == ("foo.py", MANIFEST)
    assert changes.edited == (() if content == "1" else ("foo.py",))
    assert changes.removed == ()
    assert changes.problems == ()


def test_a_foreign_file_in_another_case_stays(tmp_path: Path) -> None:
    write(package({"Foo.py": "1"}), tmp_path)
    (tmp_path / "foo.py").write_text("mine")
    refuse(package({"foo.py": "2"}), tmp_path, "foo.py is in the way")
    assert (tmp_path / "foo.py").read_text() == "mine"


def test_a_foreign_file_in_another_case_than_one_that_is_gone(tmp_path: Path) -> None:
    write(package({"Foo.py": "1"}), tmp_path)
    (tmp_path / "Foo.py").rename(tmp_path / "foo.py")
    refuse(package({"foo.py": "2"}), tmp_path, "foo.py is in the way")


def test_line_ends_that_git_changes_are_no_edit(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    for path in tmp_path.rglob("*.*"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert check(package(OLD), tmp_path) == ""
    changes = write(package(OLD), tmp_path)
    assert (changes.number, len(changes.unchanged)) == (0, 4)
    assert (tmp_path / "tools" / "a.py").read_bytes() == b"a\r\n"
    changes = write(package(NEW), tmp_path)
    assert (changes.edited, changes.problems) == ((), ())
    assert changes.unchanged == ("tools/b.py",)
