"""The audit log on a disk that is full, and after that; a chain over several files."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from tests.policy.counting import CountingServer
from tests.policy.test_audit import ENTRIES, records, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path


@contextmanager
def limited(file: Path) -> Generator[None]:
    """Let the file grow by a hundred bytes, and no more."""
    resource: Any = pytest.importorskip("resource")
    kind = resource.RLIMIT_FSIZE
    before = resource.getrlimit(kind)
    size = file.stat().st_size if file.exists() else 0
    resource.setrlimit(kind, (size + 100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


@contextmanager
def filled(file: Path) -> Generator[None]:
    """Fill the disk of the file, but for its last page."""
    filler = file.with_name("filler")
    with filler.open("wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(b"x" * 4096)
    yield
    filler.unlink()


@pytest.fixture(params=["limit", "disk"])
def full(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Path, Callable[[Path], AbstractContextManager[None]]]]:
    """A folder for the log, and what fills its disk for a while."""
    if request.param == "limit":
        yield tmp_path, limited
        return
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nobody may mount a small disk here")
    try:
        yield folder, filled
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(params=[False, True], ids=["loose", "strict"])
def strict(request: pytest.FixtureRequest) -> bool:
    """Whether calls are refused that cannot be written down."""
    return bool(request.param)


def test_a_full_disk(
    full: tuple[Path, Callable[[Path], AbstractContextManager[None]]],
    strict: Any,
    shop: Any,
    load: Callable[..., Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    (folder, fills), server = full, CountingServer()
    file = folder / "calls.jsonl"
    policy = load(ENTRIES, audit=shop.AuditLog(file, strict=strict))
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()
    assert verify(file) == 0
    refused = 0
    with fills(file):
        for _ in range(20):
            outcome = client.try_tool("list_items", {})
            refused += isinstance(outcome.error, shop.PolicyError)
    assert (refused >= 10) is strict
    assert len(server.calls) == 21 - refused
    assert caplog.text.count("cannot be written") == (not strict)
    before = file.read_bytes()
    assert before.endswith(b"\n")  # no part of a line is in the file
    decided = [one for one in records(file) if one["event"] == "decided"]
    assert len(decided) == len(server.calls) or not strict
    client.list_items()
    # The numbers show what is missing: two records of a call, one where it is refused.
    first = records(file)[len(before.splitlines())]
    assert first["seq"] == 2 * (len(server.calls) - 1) + refused
    assert verify(file) == 1


def test_the_chain_goes_on_from_file_to_file(
    full: tuple[Path, Callable[[Path], AbstractContextManager[None]]],
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
) -> None:
    folder, fills = full
    file = folder / "calls.jsonl"
    audit: Any = None
    for _ in range(2):
        audit = shop.AuditLog(file, strict=True, max_bytes=2_000)
        policy = load(ENTRIES, audit=audit)
        client = server.client(shop.Client).with_options(policy=policy)
        for _ in range(4):
            client.list_items()
    files = sorted(folder.glob("calls.jsonl.[0-9]"), reverse=True)
    assert len(files) >= 3
    assert all(each.stat().st_size <= 2_000 for each in [*files, file])
    numbers = [record["seq"] for each in [*files, file] for record in records(each)]
    assert numbers == [*range(16)]
    assert verify(file) == 0
    # The disk is full as the log goes on in another file.
    while file.stat().st_size + 700 < 2_000:
        audit({"event": "test"})
    with fills(file.with_name("no file")), pytest.raises(OSError, match=r"space|large"):
        audit({"event": "test", "note": "x" * 900})
    audit({"event": "test"})
    assert verify(file) == 1
    newest = chain(*(records(each) for each in [*_files(folder), file]))
    *_, last, new = newest
    assert new["seq"] == last["seq"] + 2


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("calls.jsonl.[0-9]"), reverse=True)


def test_a_line_that_a_crash_cut_keeps_its_number(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    log = shop.AuditLog(file)
    for _ in range(3):
        log({"event": "test"})
    file.write_bytes(file.read_bytes()[:-20])
    shop.AuditLog(file)({"event": "test"})
    lines = file.read_bytes().splitlines()
    assert [json.loads(line)["seq"] for line in (*lines[:2], *lines[3:])] == [0, 1, 3]
    assert verify(file) == 1
    # The line that was cut is the one fault.
    file.write_bytes(b"\n".join([lines[0], lines[1]]) + b"\n")
    assert verify(file) == 0


def test_a_long_line_is_read_again(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    for _ in range(3):
        shop.AuditLog(file)({"event": "test", "arguments": {"text": "x" * 600_000}})
    assert [record["seq"] for record in records(file)] == [0, 1, 2]
    assert verify(file) == 0
