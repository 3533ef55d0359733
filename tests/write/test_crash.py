"""Writing a package while the system fails, at each step, in each way."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import MANIFEST, manifest_text
from mcp_bindgen.write.write import check, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# One file of each fate: changed, unchanged, removed with its folder, added with one.
OLD = {"__init__.py": "1\n", "tools/b.py": "b\n", "t/a.py": "a\n"}
NEW = {"__init__.py": "2\n", "tools/b.py": "b\n", "x/x.py": "x\n"}
THIRD = {"__init__.py": "3\n", "t/a.py": "3\n", "y/y.py": "y\n", "x/x.py": "3\n"}
FOREIGN = {"notes.md": "mine", "t/mine.py": "mine"}
STEPS = (
    (Path, "replace"),
    (Path, "unlink"),
    (Path, "mkdir"),
    (Path, "rmdir"),
    (os, "open"),
    (os, "fdopen"),
)


class Kill(BaseException):
    """The process is gone: nothing after it has an effect."""


class Faults:
    """Counts the steps that reach the system, and fails from one of them on."""

    def __init__(self, fault: BaseException | None, step: int) -> None:
        self.fault, self.step, self.count = fault, step, 0

    def wrap(self, call: Callable[..., object]) -> Callable[..., object]:
        def counted(*args: object, **kwargs: object) -> object:
            self.count += 1
            dead = isinstance(self.fault, Kill) and self.count > self.step
            if self.fault and (dead or self.count == self.step):
                raise self.fault
            return call(*args, **kwargs)

        return counted

    def attempt(self, files: Mapping[str, str], directory: Path) -> bool:
        """Write, and tell whether it went through."""
        with pytest.MonkeyPatch.context() as patch:
            for owner, name in STEPS:
                patch.setattr(owner, name, self.wrap(getattr(owner, name)))
            try:
                write(files, directory)
            except (BindgenError, KeyboardInterrupt, Kill):
                return False
        return True


def package(files: Mapping[str, str]) -> dict[str, str]:
    return {**files, MANIFEST: manifest_text(files, "0.1.0", {})}


def tree(directory: Path) -> dict[str, str]:
    return {
        path.relative_to(directory).as_posix(): path.read_text(encoding="utf-8")
        for path in directory.rglob("*")
        if path.is_file()
    }


def plant(directory: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)


FAULTS = pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.ENOSPC, "No space left on device", "somewhere"),
        PermissionError(errno.EACCES, "Permission denied", "somewhere"),
        KeyboardInterrupt(),
        Kill(),
    ],
    ids=["full", "denied", "ctrl-c", "kill"],
)


def prepared(directory: Path) -> Path:
    write(package(OLD), directory)
    plant(directory, FOREIGN)
    return directory


def total_steps(tmp_path: Path) -> int:
    counter = Faults(None, 0)
    assert counter.attempt(package(NEW), prepared(tmp_path / "counted"))
    return counter.count


@FAULTS
@pytest.mark.parametrize("following", [OLD, NEW, THIRD], ids=["old", "new", "third"])
def test_each_crash_leaves_old_or_new_and_the_next_run_ends_it(
    tmp_path: Path, fault: BaseException, following: dict[str, str]
) -> None:
    steps = total_steps(tmp_path)
    assert steps > 15
    for step in range(1, steps + 1):
        directory = prepared(tmp_path / str(step))
        Faults(fault, step).attempt(package(NEW), directory)
        left = tree(directory)
        if not isinstance(fault, Kill):
            assert not (directory / disk.STAGING).exists() or step > steps - 5
        assert FOREIGN.items() <= left.items()
        for path in OLD.keys() | NEW.keys():
            assert left.get(path) in (OLD.get(path), NEW.get(path)), step
        assert left["tools/b.py"] == "b\n"
        check(package(following), directory)
        write(package(following), directory)
        assert tree(directory) == {**package(following), **FOREIGN}, step
        folders = {path.name for path in directory.iterdir() if path.is_dir()}
        assert folders == {"t", *(p.split("/")[0] for p in following if "/" in p)}


@FAULTS
def test_two_crashes_are_no_worse_than_one(
    tmp_path: Path, fault: BaseException
) -> None:
    for step in range(1, total_steps(tmp_path) + 1):
        directory = prepared(tmp_path / str(step))
        Faults(fault, step).attempt(package(NEW), directory)
        Faults(Kill(), 1 + step // 2).attempt(package(THIRD), directory)
        write(package({"a.py": ""}), directory)
        assert tree(directory) == {**package({"a.py": ""}), **FOREIGN}, step


@pytest.mark.parametrize("step", range(1, 12))
def test_an_error_while_staging_leaves_no_trace(tmp_path: Path, step: int) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    directory = tmp_path / "deep" / "x"
    assert not Faults(full, step).attempt(package(NEW), directory)
    assert list(tmp_path.iterdir()) == []


def test_the_system_s_error_is_named_with_its_file(tmp_path: Path) -> None:
    plant(tmp_path, {"x": "a file"})
    with pytest.raises(BindgenError, match=r"cannot read or write .*x.*") as caught:
        write(package(NEW), tmp_path / "x" / "y")
    assert caught.value.problems[0].hint


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(5, "Bad disk", "temp", None, "x.py"), "write x.py: Bad disk"),
        (OSError(5, "Bad disk", "x.py"), "write x.py: Bad disk"),
        (OSError(5, "Bad disk"), "write the output folder: Bad disk"),
        (OSError("odd"), "write the output folder: OSError"),
    ],
)
def test_an_error_of_the_system_is_one_line(
    tmp_path: Path, error: OSError, message: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", Faults(error, 1).wrap(Path.replace))
        with pytest.raises(BindgenError) as caught:
            write(package(NEW), tmp_path)
    assert caught.value.problems[0].message == f"cannot read or {message}"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_read_only_folder_is_an_error(tmp_path: Path) -> None:
    directory = prepared(tmp_path / "x")
    directory.chmod(0o500)
    before = tree(directory)
    try:
        with pytest.raises(BindgenError, match="Permission denied"):
            write(package(NEW), directory)
    finally:
        directory.chmod(0o700)
    assert tree(directory) == before


def test_a_file_edited_between_crash_and_repair_is_not_removed(tmp_path: Path) -> None:
    directory = prepared(tmp_path / "x")
    plant(directory, {"t/a.py": "edited"})
    for step in range(1, total_steps(tmp_path) + 1):
        Faults(Kill(), step).attempt(package({**OLD, "__init__.py": "2\n"}), directory)
        if tree(directory)["t/a.py"] == "edited":
            write(package(NEW), directory)
            assert tree(directory)["t/a.py"] == "edited"
            (directory / "t/a.py").unlink()
        write(package(OLD), directory)
        plant(directory, {"t/a.py": "edited"})


def test_a_planned_file_is_ours_only_as_planned(tmp_path: Path) -> None:
    for step in range(1, total_steps(tmp_path) + 1):
        directory = prepared(tmp_path / str(step))
        Faults(Kill(), step).attempt(package(NEW), directory)
        if (directory / "x/x.py").exists():
            continue
        plant(directory, {"x/x.py": "mine"})
        assert write(package(OLD), directory).problems == ()
        assert tree(directory)["x/x.py"] == "mine"


class History:
    """A folder, and which of its files nobody but the user ever wrote."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.touched: set[str] = set()  # where a file of ours may stand or be planned
        self.foreign: dict[str, str] = {}
        self.edits = 0

    def delete(self, path: str) -> None:
        (self.directory / path).unlink(missing_ok=True)
        self.foreign.pop(path, None)

    def edit(self, path: str) -> None:
        self.edits += 1
        plant(self.directory, {path: f"edit {self.edits}"})
        if path not in self.touched:
            self.foreign[path] = f"edit {self.edits}"

    def write(self, files: dict[str, str], step: int) -> None:
        before = tree(self.directory)
        done = Faults(Kill() if step else None, step).attempt(
            package(files), self.directory
        )
        after = tree(self.directory)
        blocked = any(path in self.foreign for path in files)
        assert not (done and blocked)
        assert self.foreign.items() <= after.items()
        for path in before.keys() - after.keys():
            assert path == MANIFEST or not before[path].startswith("edit")
        if not blocked:
            self.touched |= files.keys()
        if done:
            self.finish(files, after)

    def finish(self, files: dict[str, str], after: dict[str, str]) -> None:
        assert package(files).items() <= after.items()
        rest = {path: after[path] for path in after.keys() - package(files).keys()}
        assert all(text.startswith("edit") for text in rest.values())
        assert check(package(files), self.directory) == ""
        self.touched = set(files)
        self.foreign = rest


PATHS = ("a.py", "b.py", "t/a.py", "t/b.py", "t/u/c.py")
FILES = st.dictionaries(st.sampled_from(PATHS), st.sampled_from("12"), min_size=1)
EVENTS = st.one_of(
    st.tuples(FILES, st.integers(0, 40)),
    st.tuples(st.sampled_from(["edit", "delete"]), st.sampled_from(PATHS)),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, max_size=12))
def test_whatever_happens_foreign_files_stay(
    events: list[tuple[dict[str, str], int] | tuple[str, str]],
) -> None:
    with TemporaryDirectory() as name:
        history = History(Path(name) / "x")
        history.directory.mkdir()
        for event in events:
            match event:
                case ("edit", str() as path):
                    history.edit(path)
                case ("delete", str() as path):
                    history.delete(path)
                case (dict() as files, int() as step):
                    history.write(files, step)
                case _:
                    raise AssertionError(event)
