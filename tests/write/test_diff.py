"""Showing what writing would change: a diff, and not one byte on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.hidden import HIDDEN, show
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.diff import difference
from mcp_bindgen.write.manifest import MANIFEST, manifest_text
from mcp_bindgen.write.write import check, write

from tests.commands import snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OLD = {"a.py": "1\n2\n3\n", "stale.py": "gone\n", "same.py": "same\n"}
NEW = {"a.py": "1\nzwei\n3\n", "t/new.py": "come\n", "same.py": "same\n"}


def package(files: Mapping[str, str]) -> dict[str, str]:
    return {**files, MANIFEST: manifest_text(files, "0.1.0", {})}


def test_what_is_current_has_no_diff(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    assert check(package(OLD), tmp_path) == ""
    (tmp_path / "foreign.txt").write_text("mine")
    assert check(package(OLD), tmp_path) == ""


def test_changes_additions_and_stale_files_are_listed(tmp_path: Path) -> None:
    directory = tmp_path / "x"
    write(package(OLD), directory)
    before = snapshot(tmp_path)
    diff = check(package(NEW), directory)
    assert snapshot(tmp_path) == before
    assert diff.startswith("""\
--- x/a.py
+++ x/a.py
@@ -1,3 +1,3 @@
 1
-2
+zwei
 3
--- x/manifest.json
+++ x/manifest.json
""")
    assert diff.endswith("""\
--- x/stale.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
--- /dev/null
+++ x/t/new.py
@@ -0,0 +1 @@
+come
""")
    assert "same\n" not in diff


def test_a_missing_package_is_all_additions(tmp_path: Path) -> None:
    diff = check(package({"a.py": "1\n"}), tmp_path / "deep" / "x")
    assert diff.startswith("--- /dev/null\n+++ x/a.py\n@@ -0,0 +1 @@\n+1\n")
    assert list(tmp_path.iterdir()) == []


def test_an_edited_file_is_listed(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / "a.py").write_text("edited")
    diff = check(package(OLD), tmp_path)
    assert "-edited\n\\ No newline at end of file\n+1\n" in diff
    assert diff.count("--- ") == 1


def test_a_leftover_of_a_killed_run_is_left_to_write(tmp_path: Path) -> None:
    write(package(OLD), tmp_path)
    (tmp_path / disk.STAGING).mkdir()
    (tmp_path / disk.STAGING / "0").write_text("half")
    assert check(package(OLD), tmp_path) == ""
    assert (tmp_path / disk.STAGING / "0").exists()
    write(package(OLD), tmp_path)
    assert not (tmp_path / disk.STAGING).exists()


@pytest.mark.parametrize("name", ["mine.txt", "0.txt", "sub"])
def test_a_staging_folder_with_foreign_files_is_left(tmp_path: Path, name: str) -> None:
    staging = tmp_path / disk.STAGING
    staging.mkdir()
    (staging / "0").write_text("half")
    if name == "sub":
        (staging / "1").mkdir()
    else:
        (staging / name).write_text("mine")
    with pytest.raises(
        BindgenError, match="holds files that mcp-bindgen did not write"
    ):
        write(package(OLD), tmp_path)
    assert len(list(staging.iterdir())) == 2
    assert not (tmp_path / "a.py").exists()


def test_a_link_in_the_staging_folder_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / disk.STAGING).mkdir()
    (tmp_path / disk.STAGING / "0").symlink_to(tmp_path / "victim")
    with pytest.raises(
        BindgenError, match="holds files that mcp-bindgen did not write"
    ):
        write(package(OLD), tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "diff"),
    [
        (b"a\n", b"a\n", ""),
        (None, b"", "--- /dev/null\n+++ x\n"),
        (b"", None, "--- x\n+++ /dev/null\n"),
        (b"a", b"a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        (b"a\r\n", b"a\n", "@@ -1 +1 @@\n-a\\r\n+a\n"),
        (b"\xff\n", b"a\n", "@@ -1 +1 @@\n-\\xff\n+a\n"),
        (b"\x1b[2Ja\n", b"a\n", "@@ -1 +1 @@\n-\\x1b[2Ja\n+a\n"),
        ("\u202ea\n".encode(), b"a\n", "@@ -1 +1 @@\n-\\u202ea\n+a\n"),
        ("\u00e9\n".encode(), b"e\n", "@@ -1 +1 @@\n-\u00e9\n+e\n"),
    ],
)
def test_a_diff_hides_nothing(old: bytes | None, new: bytes | None, diff: str) -> None:
    assert difference("x", old, new).endswith(diff)
    assert (difference("x", old, new) == "") == (old == new)


def test_lines_that_repeat_without_end_are_replaced() -> None:
    old = "".join(f"{number % 7}\n" for number in range(6000))
    new = "".join(f"{number % 5}\n" for number in range(6000))
    lines = difference("x", old.encode(), new.encode()).splitlines()
    assert lines[2:8] == ["@@ -3,5998 +3,5998 @@", " 2", " 3", " 4", "-5", "-6"]
    assert len(lines) == 3 + 3 + 2 * 5995


def test_small_changes_of_a_large_file_stay_small() -> None:
    old = [f"{number % 9}\n{number}\n" for number in range(30_000)]
    new = [*old[:100], "x\n", *old[100:20_000], *old[20_010:], "y\n"]
    diff = difference("x", "".join(old).encode(), "".join(new).encode())
    assert [line for line in diff.splitlines() if line[0] == "@"] == [
        "@@ -198,6 +198,7 @@",
        "@@ -39998,26 +39999,6 @@",
        "@@ -59998,3 +59979,4 @@",
    ]


def patched(old: list[str], diff: str) -> list[str]:
    """Return the new lines, made of the old ones by a diff that must fit them."""
    new: list[str] = []
    at = 0
    for line in diff.splitlines()[2:]:
        if line.startswith("@@"):
            start, _, size = line.split()[1][1:].partition(",")
            begin = int(start) - (size != "0")
            new += old[at:begin]
            at = begin
            target, _, size = line.split()[2][1:].partition(",")
            assert int(target) - (size != "0") == len(new)
        elif line[0] == "+":
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new += [old[at]] * (line[0] == " ")
            at += 1
    return new + old[at:]


LINES = st.lists(st.sampled_from("abcdefgh") | st.integers(0, 99).map(str), max_size=40)


@given(LINES, LINES, LINES, LINES)
def test_a_diff_leads_from_old_to_new(
    head: list[str], one: list[str], other: list[str], tail: list[str]
) -> None:
    old, new = head + one + tail, head + other + tail
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    diff = difference("x", before.encode(), after.encode())
    assert patched(old, diff) == new
    unchanged = sum(line[0] == " " for line in diff.splitlines()[2:])
    added = sum(line[0] == "+" for line in diff.splitlines()[2:])
    assert unchanged <= len(new) - added
    assert added <= len(other)


@pytest.mark.parametrize(
    "code",
    [
        *(0x00, 0x09, 0x0B, 0x0D, 0x1B, 0x7F, 0x85, 0x9F, 0xAD, 0x34F, 0x61C, 0x115F),
        *(0x180B, 0x180E, 0x200B, 0x200D, 0x200E, 0x202A, 0x202E, 0x2028, 0x2029),
        *(0x2060, 0x2066, 0x2069, 0x206F, 0x2800, 0x3164, 0xD800, 0xDFFF, 0xE000),
        *(0xF8FF, 0xFDD0, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFE, 0xFFFF, 0x1D173),
        *(0x1FFFE, 0x5FFFF, 0xDFFFE, 0xE0001, 0xE0041, 0xE0100, 0xF0000, 0x10FFFF),
    ],
)
def test_hidden_characters_are_escaped(code: int) -> None:
    assert HIDDEN.fullmatch(chr(code))
    assert show(f"a{chr(code)}b") == f"a{ascii(chr(code))[1:-1]}b"


@pytest.mark.parametrize(
    "text", ["\n", " ~", "\u00a0\u00e9", "\u0645\u0646", "\u4e16\u754c", "\U0001f600"]
)
def test_what_people_read_is_not_hidden(text: str) -> None:
    assert show(text) == text
