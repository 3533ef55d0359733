"""The cache: a shortcut that may be missing, and is used only for the same work."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.pipeline import cache as caches
from mcp_bindgen.pipeline.cache import Cache
from mcp_bindgen.write import write as output

from tests.pipeline.runs import NAMES, entries, files, generate, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.write.files import ReadFile


def test_nothing_is_made_again(home: Path, made: list[str]) -> None:
    first = generate()
    assert sorted(made) == [*NAMES]
    before = files()
    made.clear()
    again = generate()
    assert made == []
    assert files() == before
    assert "0 changed" in again.stderr
    # Nothing else is told than the first time.
    assert again.stderr.split(", ")[:2] == first.stderr.split(", ")[:2]
    assert home.is_dir()


def test_a_recording_may_change_while_it_is_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = output.write

    def late(
        made: Mapping[str, str], folder: Path, known: Mapping[str, ReadFile]
    ) -> output.Changes:
        record(beta="Meanwhile.")
        return write(made, folder, known)

    with monkeypatch.context() as patched:
        patched.setattr(output, "write", late)
        generate()
    assert home.exists()
    assert "Meanwhile." not in files()["demo/names.py"]
    generate()
    assert "Meanwhile." in files()["demo/names.py"]


def test_nothing_heavy_is_loaded_where_nothing_changed(home: Path) -> None:
    generate()
    assert home.exists()
    code = (
        "import sys; from mcp_bindgen.cli import app; "
        "app(['generate', 'demo.json', '-o', 'out'], standalone_mode=False); "
        "print(*sys.modules)"
    )
    again = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert " 0 changed" in again.stderr
    assert not {"jinja2", "pydantic", "multiprocessing"} & {*again.stdout.split()}


@pytest.mark.parametrize("target", ["python", "python,openai,agent_skill"])
def test_one_changed_tool_is_made_alone(
    home: Path, made: list[str], target: str
) -> None:
    generate("--target", target)
    record(beta="Another.")
    made.clear()
    generate("--target", target)
    assert made == ["beta"]
    warm = files()
    generate("--target", target, "--no-cache")
    assert files() == warm
    assert entries(home)


@pytest.mark.parametrize(
    "change",
    [["--target", "openai"], ["--limit", "enum=3"], ["--exclude", "gamma"]],
)
def test_other_options_are_other_files(
    home: Path, made: list[str], change: list[str]
) -> None:
    generate()
    made.clear()
    warm = generate(*change)
    assert (" 0 changed" in warm.stderr) == ("--limit" in change)
    assert bool(made) == ("--exclude" not in change)
    expected = files()
    generate("--no-cache", *change)
    assert files() == expected
    assert home.is_dir()


def test_another_version_of_ours_finds_nothing(
    home: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    generate()
    made.clear()
    monkeypatch.setattr(caches, "ours", lambda: "another")
    generate()
    assert sorted(made) == [*NAMES]
    assert home.is_dir()


def test_no_cache_keeps_nothing(home: Path, made: list[str]) -> None:
    generate("--no-cache")
    generate("--no-cache")
    assert sorted(made) == sorted([*NAMES, *NAMES])
    assert not home.exists()


def test_check_does_not_trust_the_cache(home: Path, made: list[str]) -> None:
    generate()
    made.clear()
    generate("--check")
    assert sorted(made) == [*NAMES]
    assert home.exists()


def test_a_file_that_somebody_edited_is_made_right(home: Path) -> None:
    generate()
    before = files()
    Path("out/demo/tools/alpha.py").write_text("import os\n", "utf-8")
    assert "1 changed" in generate().stderr
    assert files() == before
    Path("out/demo/names.py").unlink()
    generate()
    assert files() == before
    assert home.exists()


def test_a_cache_that_cannot_be_written_is_none(home: Path) -> None:
    home.parent.write_text("no folder", "utf-8")
    generate()
    generate()


def test_two_runs_at_once(home: Path) -> None:
    cache = Cache(home)
    values = [{"value": "x" * 50_000 * n, "number": n} for n in range(1, 5)]

    def use(number: int) -> bool:
        for _ in range(30):
            cache.write({"one": values[number % len(values)]})
            value = cache.read("one")
            if value is not None and value not in values:
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(16)))
    assert cache.read("one") in values
    assert [*entries(home)] == ["one"]


def test_it_is_bounded(home: Path) -> None:
    cache = Cache(home, most_bytes=10_000)
    for number in range(20):
        cache.write({f"entry{number}": "x" * 3_000})
        os.utime(home / f"entry{number}", (number, number))
        assert size_of(home) <= 10_000
        assert (home / f"entry{number}").exists()
    # It is full at each second entry, and a quarter of it becomes free then.
    assert sorted(entries(home)) == ["entry18", "entry19"]
    cache.write({"large": "x" * 20_000})
    assert sorted(entries(home)) == ["large"]


def test_a_write_looks_at_other_entries_once_a_day(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []
    scandir = os.scandir

    def noted(path: Path) -> object:
        looks.extend([path] if path == home else [])
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    cache = Cache(home, most_bytes=10_000)
    for number in range(3):
        cache.write({f"entry{number}": "x" * 3_000})
    assert len(looks) == 1
    cache.write({"entry3": "x" * 3_000})
    assert len(looks) == 2
    for text in ("", "planted", "1", f"1 {time.time() + 99:.0f}", "1 1"):
        (home / "size").write_text(text)
        looks.clear()
        cache.write({"small": "x"})
        assert len(looks) == 1
        assert int((home / "size").read_text().split()[0]) == size_of(home)


def size_of(home: Path) -> int:
    return sum(map(len, entries(home).values()))


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    for useless in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", useless)
        assert caches.user_cache() == Cache(tmp_path / ".cache" / "mcp-bindgen")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert caches.user_cache() == Cache(tmp_path / "Library/Caches/mcp-bindgen")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert caches.user_cache() == Cache(tmp_path / "local" / "mcp-bindgen")


def test_keys_differ() -> None:
    keys = [
        caches.key(*parts)
        for parts in ((), ("a",), ("a", "b"), ("ab",), (b"a",), (["a", "b"],), (1,))
    ]
    assert len(set(keys)) == len(keys)


LIBRARIES = ["jinja2", "black", "datamodel-code-generator", "pydantic-core"]
OURS = """
import sys
from mcp_bindgen.pipeline import versions
version = versions.version
other = {name: "0.0.1" for name in sys.argv[1:]}
versions.version = lambda name: other.get(name) or version(name)
from mcp_bindgen.pipeline.cache import ours
print(ours())
"""


def test_another_version_of_a_library_finds_nothing() -> None:
    runs = [["-c", OURS, *names] for names in ([], [], *([each] for each in LIBRARIES))]
    hashes = [subprocess.check_output([sys.executable, *words]) for words in runs]
    assert hashes[0] == hashes[1]
    assert len({*hashes}) == 1 + len(LIBRARIES)
