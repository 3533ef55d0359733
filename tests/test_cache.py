"""The cache: a shortcut that may be missing, damaged, planted or in use elsewhere."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from mcp_bindgen import cache as caches
from mcp_bindgen import part, produce
from mcp_bindgen.cache import Cache
from mcp_bindgen.cli import app
from mcp_bindgen.manifest import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
NAMES = ("alpha", "beta", "gamma")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, in an empty working folder with a recording."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    record()
    return tmp_path / "cache" / "mcp-bindgen"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tools that were not found in the cache."""
    found: list[str] = []
    make = part.make

    def noted(order: Any, *rest: Any) -> part.Part:
        found.append(order.function)
        return make(order, *rest)

    monkeypatch.setattr(produce, "make", noted)
    return found


def record(**descriptions: str) -> None:
    tools = [
        {"name": name, "description": descriptions.get(name, ""), "inputSchema": SCHEMA}
        for name in NAMES
    ]
    Path("demo.json").write_text(json.dumps({"tools": tools}), "utf-8")


def generate(*options: str) -> Result:
    arguments = ["generate", "demo.json", "-o", "out", "--jobs", "1", *options]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result


def files() -> dict[str, str]:
    return {
        path.relative_to("out").as_posix(): path.read_text("utf-8")
        for path in Path("out").rglob("*")
        if path.is_file()
    }


def entries(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.iterdir()}


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


def test_one_changed_tool_is_made_alone(home: Path, made: list[str]) -> None:
    generate()
    record(beta="Another.")
    made.clear()
    generate()
    assert made == ["beta"]
    warm = files()
    generate("--no-cache")
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


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "one byte": lambda data: data[:-9] + b"#" + data[-8:],
    "no hash": lambda data: data.partition(b"\n")[2],
    "no JSON": lambda data: b"\xff" * len(data),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_is_a_miss(
    home: Path, made: list[str], damage: Callable[[bytes], bytes]
) -> None:
    generate()
    before = files()
    for path in home.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    made.clear()
    assert "0 changed" in generate().stderr
    assert sorted(made) == [*NAMES]
    assert files() == before
    made.clear()
    generate()
    assert made == []


@pytest.mark.parametrize("value", [1, [], {}, {"files": 3}, "text", None])
def test_an_entry_of_another_shape_is_a_miss(home: Path, value: object) -> None:
    generate()
    before = files()
    for name in entries(home):
        Cache(home).write(name, value)
    record(beta="Another.")
    generate()
    record()
    for name in entries(home):
        Cache(home).write(name, dict.fromkeys(("digest", "manifest"), value))
    generate()
    assert files() == before


@pytest.mark.parametrize("listed", [False, True])
def test_planted_code_is_not_written(
    home: Path, made: list[str], *, listed: bool
) -> None:
    generate()
    before = files()
    planted: dict[str, str] = {}
    for path in home.iterdir():
        entry: Any = Cache(home).read(path.name)
        if path.name.endswith(".told"):
            continue
        for packed in entry.values():
            for name in packed["files"]:
                packed["files"][name] += "__import__('os').system('true')\n"
            planted |= packed["files"]
        Cache(home).write(path.name, entry)
    Path("out/demo/tools/alpha.py").unlink()
    if listed:  # The package claims to have written the code before.
        manifest = Path("out/demo/manifest.json")
        claimed: Any = json.loads(manifest.read_text())
        claimed["files"] |= {p: fingerprint(t.encode()) for p, t in planted.items()}
        manifest.write_text(json.dumps(claimed))
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]
    assert files() == before


@POSIX
@pytest.mark.parametrize("mode", [0o770, 0o777, 0o707])
def test_a_folder_that_others_may_write_is_not_used(
    home: Path, made: list[str], mode: int
) -> None:
    generate()
    home.chmod(mode)
    before = entries(home)
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]
    assert entries(home) == before


@POSIX
def test_a_file_that_others_may_write_is_not_read(home: Path, made: list[str]) -> None:
    generate()
    for path in home.iterdir():
        path.chmod(0o666)
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]
    assert {path.stat().st_mode & 0o777 for path in home.iterdir()} == {0o600}


@POSIX
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away"
)
def test_a_folder_of_somebody_else_is_not_used(home: Path, made: list[str]) -> None:
    generate()
    os.chown(home, 12345, 12345)
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]


@POSIX
def test_links_are_not_followed(home: Path, made: list[str], tmp_path: Path) -> None:
    generate()
    home.rename(tmp_path / "elsewhere")
    home.symlink_to(tmp_path / "elsewhere")
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]
    home.unlink()
    home.mkdir(0o700)
    for path in (tmp_path / "elsewhere").iterdir():
        (home / path.name).symlink_to(path)
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]


def test_a_cache_that_cannot_be_written_is_none(home: Path) -> None:
    home.parent.write_text("no folder", "utf-8")
    generate()
    generate()


def test_two_runs_at_once(home: Path) -> None:
    cache = Cache(home)
    values = [{"value": "x" * 50_000 * n, "number": n} for n in range(1, 5)]

    def use(number: int) -> bool:
        for _ in range(30):
            cache.write("one", values[number % len(values)])
            found = cache.read("one")
            if found is not None and found not in values:
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(16)))
    assert cache.read("one") in values
    assert [path.name for path in home.iterdir()] == ["one"]


def test_it_is_bounded(home: Path) -> None:
    cache = Cache(home, most_bytes=10_000)
    for number in range(20):
        cache.write(f"entry{number}", "x" * 3_000)
        os.utime(home / f"entry{number}", (number, number))
    assert sorted(entries(home)) == ["entry17", "entry18", "entry19"]
    cache.write("large", "x" * 20_000)
    assert sorted(entries(home)) == ["large"]


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    for given in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", given)
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
