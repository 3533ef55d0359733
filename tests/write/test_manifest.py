"""The manifest: what we say in it, and what we believe of somebody's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.paths import is_safe
from mcp_bindgen.write.manifest import (
    MANIFEST,
    OwnedFiles,
    fingerprint,
    journal_text,
    manifest_text,
    read_owned,
)
from mcp_bindgen.write.write import write

HASH = fingerprint(b"a")


def manifest(**members: object) -> bytes:
    return json.dumps(
        {"generator": {"name": "mcp-bindgen"}, "files": {}, **members}
    ).encode()


def test_the_manifest_lists_the_other_files() -> None:
    files = {"b.py": "b", "a.py": "a", MANIFEST: "passed over"}
    text = manifest_text(files, "1.2.3", {"tools": {"x": "\u00e9"}})
    assert text.isascii()
    assert text.endswith("}\n")
    assert json.loads(text) == {
        "generator": {"name": "mcp-bindgen", "version": "1.2.3"},
        "tools": {"x": "\u00e9"},
        "files": {"a.py": HASH, "b.py": fingerprint(b"b")},
    }
    assert list(json.loads(text)["files"]) == ["a.py", "b.py"]
    assert read_owned(text.encode()) == OwnedFiles(
        {"a.py": HASH, "b.py": fingerprint(b"b")}, {}
    )


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        manifest_text({}, "1", {"x": float("nan")})


def test_a_journal_is_read_back() -> None:
    owned = OwnedFiles({"a.py": HASH}, {"b.py": fingerprint(b"b"), "a.py": HASH})
    assert read_owned(journal_text(owned).encode()) == owned


def test_the_hash_is_a_sha_256() -> None:
    assert HASH == (
        "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"{}", '"generator" is not mcp-bindgen'),
        (manifest(generator="mcp-bindgen"), '"generator" is not mcp-bindgen'),
        (manifest(generator={"name": "other"}), '"generator" is not mcp-bindgen'),
        (manifest(files=None), '"files" is not an object'),
        (manifest(files=["a.py"]), '"files" is not an object'),
        (manifest(unfinished=[]), '"unfinished" is not an object'),
        (manifest(files={"../x": HASH}), "lists the path '../x'"),
        (manifest(unfinished={"/etc/passwd": HASH}), "lists the path '/etc/passwd'"),
        (manifest(files={MANIFEST: HASH}), "lists the path 'manifest.json'"),
        (manifest(files={"Manifest.JSON": HASH}), "lists the path 'Manifest.JSON'"),
        (manifest(files={"a.py": None}), '"a.py" has no SHA-256'),
        (manifest(files={"a.py": HASH[:-1]}), '"a.py" has no SHA-256'),
        (manifest(files={"a.py": HASH + "0"}), '"a.py" has no SHA-256'),
        (manifest(files={"a.py": HASH.upper()}), '"a.py" has no SHA-256'),
    ],
)
def test_a_damaged_manifest_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BindgenError, match=reason) as caught:
        read_owned(data)
    (problem,) = caught.value.problems
    assert "restore it from version control" in problem.hint
    assert len(problem.message) < 250


def test_a_hostile_path_is_printed_short_and_in_ascii() -> None:
    with pytest.raises(BindgenError) as caught:
        read_owned(manifest(files={"\x1b[2J\u202e" + "x" * 10_000: HASH}))
    assert "'\\x1b[2J\\u202exx" in caught.value.problems[0].message
    assert len(caught.value.problems[0].message) < 250


@pytest.mark.parametrize(
    "path",
    [
        *("a", "a.py", "_runtime/x.py", "a/b/c/d/e/f/g/h.py", "py.typed"),
        *("__init__.py", "console.py", "a-b.c-d", "x.con", "x" * 100),
    ],
)
def test_safe_paths(path: str) -> None:
    assert is_safe(path)


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "..", "/", "/a", "a/", "a//b", "./a", "../a", "a/../b", "a/.."),
        *("a\\b", "C:a", "a:b", "a b", "a.", "a./b", ".a", "-a", "~", "a\n", "a\0"),
        *("con", "CON.py", "a/nul", "aux.tar.gz", "com1", "LPT9.txt", "prn/x"),
        *("\u00e9", "a\u0660", "x" * 101, "a/b/c/d/e/f/g/h/i", "%2e%2e/a", "a*", "a?"),
    ],
)
def test_unsafe_paths(path: str, tmp_path: Path) -> None:
    assert not is_safe(path)
    with pytest.raises(BindgenError, match="is not allowed"):
        write({path: "", MANIFEST: manifest_text({path: ""}, "1", {})}, tmp_path)
    assert list(tmp_path.iterdir()) == []


@given(st.text("ab./\\:\0 ~-_\u00e9C", max_size=12))
def test_a_safe_path_stays_inside(path: str) -> None:
    if is_safe(path):
        root = Path("/root")
        assert (root / path).resolve().is_relative_to(root)
        assert Path(path).as_posix() == path


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": ""},
        {"a.py": "", MANIFEST: "{}"},
        {"a.py": "", MANIFEST: manifest_text({}, "1", {})},
        {"a.py": "", MANIFEST: manifest_text({"a.py": "other"}, "1", {})},
        {
            "a.py": "",
            "A.py": "",
            MANIFEST: manifest_text({"a.py": "", "A.py": ""}, "1", {}),
        },
    ],
)
def test_a_package_that_its_manifest_does_not_list_is_not_written(
    tmp_path: Path, files: dict[str, str]
) -> None:
    with pytest.raises(BindgenError):
        write(files, tmp_path)
    assert list(tmp_path.iterdir()) == []
