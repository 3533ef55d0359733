"""What may have been damaged or planted in the cache is a miss."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline import cache as caches
from mcp_bindgen.pipeline.cache import Cache
from mcp_bindgen.write.manifest import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

from tests.pipeline.runs import NAMES, entries, files, generate, record, with_version

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


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


def test_an_entry_under_the_name_of_another_is_a_miss(
    home: Path, made: list[str]
) -> None:
    generate()
    before = files()
    by_name = entries(home)
    names = sorted(by_name)
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        (home / name).write_bytes(by_name[other])
    made.clear()
    assert "0 changed" in generate().stderr
    assert sorted(made) == [*NAMES]
    assert files() == before


@pytest.mark.parametrize("value", [1, [], {}, {"files": 3}, "text", None])
def test_an_entry_of_another_shape_is_a_miss(home: Path, value: object) -> None:
    generate()
    before = files()
    for name in entries(home):
        Cache(home).write({name: value})
    record(beta="Another.")
    generate()
    record()
    for name in entries(home):
        names = ("inputs", "manifest", "files", "texts", "steps", "tool")
        Cache(home).write({name: dict.fromkeys(names, value)})
    generate()
    assert files() == with_version(before, "1.0.2")


@pytest.mark.parametrize("listed", [False, True])
def test_planted_code_is_not_written(
    home: Path, made: list[str], *, listed: bool
) -> None:
    generate()
    before = files()
    planted: dict[str, str] = {}
    for name_of in entries(home):
        entry: Any = Cache(home).read(name_of)
        if name_of.endswith(".summary"):
            continue
        code = "__import__('os').system('true')\n"
        entry["texts"] = [f"{text}{code}" for text in entry["texts"]]
        planted |= zip(entry["files"], entry["texts"], strict=False)
        Cache(home).write({name_of: entry})
    assert planted
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


WRONG: dict[str, object] = {
    "steps": "1",
    "files": 1,
    "texts": [],
    "problem": [1, 2, 3],
}
WRONG_OF_TOOL: dict[str, object] = {
    "entries": [1],
    "notes": [[1, 2, 3]],
    "result": 1,
    "signature": 1,
    "line": 1,
}


@pytest.mark.parametrize("key", [*WRONG, *WRONG_OF_TOOL])
def test_an_entry_with_a_value_of_another_type_is_a_miss(home: Path, key: str) -> None:
    generate()
    before = files()
    for name in entries(home):
        entry: Any = Cache(home).read(name)
        if "tool" in entry:
            change = {key: (WRONG | WRONG_OF_TOOL)[key]}
            entry |= change if key in WRONG else {"tool": entry["tool"] | change}
            Cache(home).write({name: entry})
    record(beta="Another.")
    generate()
    record()
    for name in entries(home):
        if name.endswith(".summary"):
            (home / name).unlink()
    generate()
    assert files() == with_version(before, "1.0.2")


@pytest.mark.parametrize("line", ["One.\nTwo.", "One \u202e.", "One.\u2028", "\0"])
def test_the_line_of_an_entry_is_one_line(home: Path, line: str) -> None:
    generate()
    before = files()
    for name in entries(home):
        entry: Any = Cache(home).read(name)
        if "tool" in entry:
            Cache(home).write({name: entry | {"tool": entry["tool"] | {"line": line}}})
    record(beta="Another.")
    generate()
    record()
    generate()
    assert files() == with_version(before, "1.0.2")


def test_a_signature_of_an_entry_is_one_line(home: Path) -> None:
    generate("--target", "python,agent_skill")
    for name in entries(home):
        entry: Any = Cache(home).read(name)
        if "tool" in entry:
            planted = entry["tool"] | {"signature": "alpha()\nignore()"}
            Cache(home).write({name: entry | {"tool": planted}})
    record(beta="Another.")
    generate("--target", "python,agent_skill")
    page = files()["demo/skill/SKILL.md"]
    assert "alpha(...1) -> ToolResult" in page
    assert "ignore" not in page


@pytest.mark.parametrize("steps", ["1", None])
def test_steps_of_an_entry_are_a_number(home: Path, steps: object) -> None:
    generate("--limit", "steps=10000")
    before = files()
    for name in entries(home):
        entry: Any = Cache(home).read(name)
        if "tool" in entry:
            Cache(home).write({name: entry | {"steps": steps}})
    record(beta="Another.")
    generate("--limit", "steps=10000")
    record()
    generate("--limit", "steps=10000")
    assert files() == with_version(before, "1.0.2")


def test_a_program_that_changes_while_it_runs_writes_no_entry(
    home: Path, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "sources" / "a.py"
    source.parent.mkdir()
    source.write_text("1")
    os.utime(source, (1, 1))

    def look_again() -> None:
        for name in ("_program", "_is_changed"):
            vars(caches)[name].cache_clear()

    with monkeypatch.context() as patch:
        patch.setattr(caches, "_folders", lambda: (source.parent,))
        look_again()
        generate()
        before = entries(home)
        record(beta="Another.")
        source.write_text("2")  # A branch is merged.
        vars(caches)["_is_changed"].cache_clear()
        generate()
        assert entries(home) == before
        look_again()  # The next process has the new program.
        made.clear()
        os.utime(source, (2, 2))
        assert "0 changed" in generate().stderr
        assert sorted(made) == [*NAMES]
        assert entries(home) != before
    look_again()
