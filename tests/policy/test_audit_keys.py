"""The key of an audit log that is gone, damaged or new; lines that are taken out."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any, Self

import pytest

from tests.commands import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a log."""
    return tmp_path / "calls.jsonl"


def written(log: Any, number: int) -> Any:
    for each in range(number):
        log({"event": "decided", "n": each})
    return log


def verified(file: Path) -> tuple[int, str]:
    result = run("audit", str(file), "--verify")
    return result.exit_code, result.stdout + result.stderr


@pytest.mark.parametrize("damaged", [b"", b"k" * 31])
def test_a_key_that_is_not_whole_makes_no_seals(
    damaged: bytes, shop: Any, file: Path
) -> None:
    key = file.with_name("calls.jsonl.key")
    written(shop.AuditLog(file), 2)
    assert verified(file)[0] == 0
    key.write_bytes(damaged)
    reason = f"expected a key of 32 bytes, got {len(damaged)}"
    with pytest.raises(shop.ConfigError, match=reason):
        shop.AuditLog(file)
    code, text = verified(file)
    assert (code, reason in text, "restore the key" in text) == (2, True, True)


def test_a_disk_that_is_full_leaves_no_part_of_a_key(
    shop: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def __init__(self, number: int, *_: Any, **__: Any) -> None:
            os.close(number)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def write(self, _: bytes) -> int:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", Full)
        with pytest.raises(shop.ConfigError, match="No space left"):
            shop.AuditLog(file)
    assert not file.with_name("calls.jsonl.key").exists()
    written(shop.AuditLog(file), 1)
    assert verified(file)[0] == 0


def test_a_new_key_for_an_old_log_is_said(
    shop: Any, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = file.with_name("calls.jsonl.key")
    written(shop.AuditLog(file), 2)
    shop.AuditLog(file)
    assert not caplog.text
    key.unlink()
    written(shop.AuditLog(file), 1)
    assert "calls.jsonl.key is new" in caplog.text
    assert os.name == "nt" or stat.S_IMODE(key.stat().st_mode) == 0o600
    code, text = verified(file)
    assert code == 1
    assert text.count("its seal is not of the key") == 2
    assert "line 3" not in text


def test_a_key_that_another_process_makes_at_the_same_time_is_the_key(
    shop: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, opened = file.with_name("calls.jsonl.key"), os.open

    def second(path: Any, flags: int, mode: int) -> int:
        key.write_bytes(b"k" * 32)
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", second)
    assert shop.AuditLog(file).key == b"k" * 32


@pytest.mark.parametrize("left", [0, 1, 3])
def test_lines_at_the_end_that_are_taken_out_while_it_is_written(
    left: int, shop: Any, file: Path
) -> None:
    log = written(shop.AuditLog(file), 5)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:left]))
    written(log, 2)
    code, text = verified(file)
    assert (code, text.count("line ")) == (1, 1 + (left > 0))
    assert f"line {left + 1}:" in text


def test_a_rotation_that_a_crash_ended(shop: Any, file: Path) -> None:
    written(shop.AuditLog(file), 3)
    file.rename(file.with_name("calls.jsonl.1"))
    assert verified(file)[0] == 0
    written(shop.AuditLog(file), 1)
    code, text = verified(file)
    assert (code, "4 records" in text) == (0, True)


@pytest.mark.parametrize("text", ["{}\n[]\n", '{"tools": []}', "x y", "\n\n"])
def test_a_file_that_is_no_log_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "recording.json"
    file.write_text(text)
    result = run("audit", str(file))
    assert result.exit_code == 2
    assert "expected an audit log, got no record in" in result.stderr
    assert "hint: name the file" in result.stderr


def test_damaged_lines_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text('{"seq": 0, "event": "decided", "decision_id": "a"}\nnothing\n')
    result = run("audit", str(file))
    assert result.exit_code == 0
    assert "1 call in " in result.stderr
    assert "; 1 line without a record, see --verify" in result.stderr
