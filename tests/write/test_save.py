"""A path that the user names is written to, whatever stands there."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.write.save import save

from tests.commands import ALPHA, SCRIPTED, recording, run


def test_a_file_is_replaced_and_an_equal_one_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "new" / "file"
    assert save(file, b"1")
    before = file.stat()
    assert not save(file, b"1")
    assert file.stat().st_ino == before.st_ino
    assert save(file, b"2")
    assert file.read_bytes() == b"2"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no folder in memory")
def test_a_folder_in_memory_is_a_folder() -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        test_a_file_is_replaced_and_an_equal_one_is_not_touched(Path(folder))
        (Path(folder) / "link").symlink_to("target")
        assert save(Path(folder) / "link", b"1")
        inode = (Path(folder) / "target").stat().st_ino
        assert save(Path(folder) / "link", b"2")
        assert (Path(folder) / "target").stat().st_ino != inode
        assert (Path(folder) / "link").is_symlink()


def test_the_users_links_are_followed(tmp_path: Path) -> None:
    target, link, outer = tmp_path / "a" / "target", tmp_path / "link", tmp_path / "out"
    target.parent.mkdir()
    link.symlink_to("a/target")
    outer.symlink_to(link)
    for text in (b"dangling", b"again"):
        assert save(outer, text)
        assert target.read_bytes() == text
        assert link.is_symlink()
        assert outer.is_symlink()


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(BindgenError, match="cannot write"):
        save(tmp_path / "a", b"1")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root"
)
def test_another_users_link_is_refused(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"mine")
    link.symlink_to(target)
    os.lchown(link, 12345, 12345)
    with pytest.raises(BindgenError, match="a link that another user made"):
        save(link, b"theirs")
    assert target.read_bytes() == b"mine"


def test_a_named_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    assert save(pipe, b"through")
    reader.join(20)
    assert received == [b"through"]
    assert pipe.is_fifo()


def test_a_link_to_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    link = tmp_path / "null"
    link.symlink_to(os.devnull)
    assert save(link, b"gone")
    assert link.is_symlink()
    assert Path(os.devnull).is_char_device()


def test_an_open_file_is_written_to(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as stream:
        before = file.stat().st_ino
        assert save(Path(f"/dev/fd/{stream.fileno()}"), b"1")
    assert (file.read_bytes(), file.stat().st_ino) == (b"1", before)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output(
    name: str, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    del tmp_path
    assert save(Path(name), b"\xff1")
    assert capfdbinary.readouterr().out == b"\xff1"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BindgenError, match="cannot write"):
        save(tmp_path, b"1")


LONG = "n" * 300


@pytest.mark.parametrize(
    "command",
    [
        ["generate", "r.json", "-o", LONG],
        ["generate", "r.json", "-o", "file/x"],
        ["generate", "r.json", "-o", "dangling"],
        ["generate", "r.json", "-o", "full/x"],
        ["generate", "r.json", "-o", "out", "--report", LONG],
        ["generate", "r.json", "-o", "out", "--report", "file/x"],
        ["generate", "r.json", "-o", "out", "--report", "full"],
        ["docs", "r.json", "-o", LONG],
        ["docs", "r.json", "-o", "file/x"],
        ["docs", "r.json", "-o", "dangling"],
        ["policy", "r.json", "-o", f"{LONG}.toml"],
        ["policy", "r.json", "-o", "file/x.toml"],
        ["record", "-o", LONG, "--", *SCRIPTED, "ok"],
        ["record", "-o", "file/x.json", "--", *SCRIPTED, "ok"],
        ["record", "-o", "full", "--", *SCRIPTED, "ok"],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_a_path_that_the_system_refuses_is_a_message(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recording(tmp_path / "r.json", ALPHA)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dangling").symlink_to("nowhere/x")
    (tmp_path / "full").symlink_to("/dev/full")
    refused = run(*command)
    assert refused.exit_code == 2
    assert "hint: " in refused.stderr
    assert "bug" not in refused.stderr
    assert (tmp_path / "file").read_text() == "mine"
    assert (tmp_path / "dangling").is_symlink()
    assert not (tmp_path / "nowhere").exists()
    assert not [*tmp_path.glob(".*.tmp")]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "file"
    file.touch()
    file.chmod(mode)
    assert save(file, b"1")
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_file_that_the_user_may_not_write_to_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"0")

    # Who starts the tests as root may write to each file.
    def refuse(*_: object) -> bool:
        return False

    monkeypatch.setattr(os, "access", refuse)
    with pytest.raises(BindgenError, match="Permission denied"):
        save(file, b"1")
    assert file.read_bytes() == b"0"
    assert not save(file, b"0")
