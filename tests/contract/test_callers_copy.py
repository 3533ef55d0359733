"""What `diff --callers` copies, links and starts, and that all of it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.contract import callers_run
from mcp_bindgen.contract.callers import Program, is_named
from mcp_bindgen.contract.callers_copy import copy_project, package_in
from mcp_bindgen.contract.callers_run import run_checker
from mcp_bindgen.errors import BindgenError

from tests.contract.changes import recording
from tests.contract.test_callers import NEW, OLD, PROGRAM
from tests.contract.test_command import run

if TYPE_CHECKING:
    from collections.abc import Sequence

DEEP = 400  # folders in folders
NAMES = "import catalog\n"


def project(root: Path) -> Path:
    """Make a project with links of all kinds; return its sources."""
    source = root / "src"
    (source / "app").mkdir(parents=True)
    (source / "app" / "jobs.py").write_text(NAMES)
    for name in (".venv", "node_modules", "src/node_modules", "src/.venv", "stubs"):
        (root / name).mkdir()
        (root / name / "module.py").write_text(NAMES)
    links = {"one": ".", "two": "..", "self": "self", "gone.py": "nothing"}
    links |= {"alias": "app", "out": "../stubs", "app/up": "..", "../top": "src/.."}
    for name, target in links.items():
        (source / name).symlink_to(target)
    (root / "pyproject.toml").write_text("")
    return source


def copied(root: Path, copy: Path) -> dict[str, str]:
    """Return each entry of a copy; of a link, what it leads to."""
    package = package_in(root, root / "src", "catalog")
    copy_project(root, root / "src", package, copy)
    paths = (Path(f) / n for f, d, names in os.walk(copy) for n in (*d, *names))
    return {
        path.relative_to(copy).as_posix(): (
            os.path.relpath(path.resolve(), copy.parent) if path.is_symlink() else ""
        )
        for path in paths
    }


def test_links_of_a_project_are_followed_once_and_loops_never(tmp_path: Path) -> None:
    root = tmp_path / "project"
    project(root)
    assert copied(root, tmp_path / "copy") == {
        "src": "",
        "src/app": "",
        "src/app/jobs.py": "",
        "src/alias": "copy/src/app",
        "src/out": "project/stubs",
        "src/.venv": "project/src/.venv",
        "stubs": "project/stubs",
        ".venv": "project/.venv",
        "node_modules": "project/node_modules",
        "pyproject.toml": "",
    }


def test_a_deep_tree_is_copied(tmp_path: Path) -> None:
    source = project(tmp_path / "project")
    inner = source / "/".join("d" * DEEP)
    inner.mkdir(parents=True)
    (inner / "last.py").write_text(NAMES)
    made = copied(tmp_path / "project", tmp_path / "copy")
    assert f"src/{'d/' * DEEP}last.py" in made


def test_a_name_in_a_folder_of_others_proves_nothing(tmp_path: Path) -> None:
    source = project(tmp_path)
    program = Program(tmp_path, source, "catalog", ("mypy",), tmp_path)
    assert is_named(program)
    (source / "app" / "jobs.py").write_text("")
    assert not is_named(program)


def test_a_package_within_another_is_imported_from_the_folder_around(
    tmp_path: Path,
) -> None:
    source = project(tmp_path)
    (source / "app" / "__init__.py").write_text("")
    assert package_in(tmp_path, source / "app", "catalog") == Path("src/catalog")
    (source / "app" / "catalog").mkdir()
    (source / "app" / "catalog" / "manifest.json").write_text("{}")
    package = package_in(tmp_path, source, "catalog")
    assert package == Path("src/app/catalog")
    program = Program(tmp_path, source, "catalog", PRINTS, tmp_path)
    path = run_checker(program, tmp_path, tmp_path / package).stdout.splitlines()[0]
    assert path.split(os.pathsep) == [str(source), str(tmp_path)]


SCRIPT = """\
import os, sys
print(os.environ["MYPYPATH"])
print(sys.dont_write_bytecode)
print(*sys.argv[1:])
"""
PRINTS = (sys.executable, "-c", SCRIPT)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--python-version", "3.12"], "src"),
        (["--config-file", "mypy.ini"], "src"),
        (["--cache-dir", "stubs"], "src"),
        (["stubs"], ""),
        (["src/app/jobs.py"], ""),
        (["-p", "app"], ""),
    ],
)
def test_a_checker_gets_the_sources_unless_it_has_an_aim(
    tmp_path: Path, words: Sequence[str], expected: str
) -> None:
    source = project(tmp_path)
    (tmp_path / "mypy.ini").write_text("")
    script = tmp_path / "mypy.py"
    script.write_text(SCRIPT)
    program = Program(
        tmp_path, source, "catalog", (sys.executable, str(script), *words), tmp_path
    )
    lines = run_checker(program, tmp_path, source / "catalog").stdout.splitlines()
    assert lines[1] == "True", "plugins in the project are not compiled there"
    said = " ".join(["--no-pretty", "--hide-error-end", *words, expected]).strip()
    assert lines[2] == said


def test_pyright_gets_the_package_before_that_of_an_editable_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads no MYPYPATH, and looks into the folder of the project first."""
    source = project(tmp_path)
    (source / "app" / "jobs.py").write_text(PROGRAM)
    (tmp_path / "lib" / "catalog").mkdir(parents=True)
    (tmp_path / "lib" / "catalog" / "manifest.json").write_text("{}")
    (tmp_path / "old.json").write_bytes(recording(OLD))
    (tmp_path / "catalog.json").write_bytes(recording(NEW))
    look = (
        "import os, sys; print(sorted(os.listdir('.')), file=sys.stderr); sys.exit(3)"
    )
    (tmp_path / "pyright.py").write_text(look)
    monkeypatch.chdir(tmp_path)
    checker = (sys.executable, "pyright.py")
    done = run("old.json", "catalog.json", "--callers", "src", "--", *checker)
    assert "'catalog'" in done.stderr
    assert not (tmp_path / "catalog").exists()


def test_a_daemon_is_refused(tmp_path: Path) -> None:
    source = project(tmp_path)
    program = Program(tmp_path, source, "catalog", ("dmypy", "run"), tmp_path)
    with pytest.raises(BindgenError, match="dmypy goes on"):
        run_checker(program, tmp_path, source / "catalog")


CHILD = """\
import sys, time
with open(sys.argv[1], "w") as stream:
    print("begun", file=stream, flush=True)
    time.sleep(30)
    print("late", file=stream, flush=True)
"""
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', *sys.argv[1:]])"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a pipe with a name")
def test_a_checker_that_takes_too_long_ends_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, pipe = project(tmp_path), tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    monkeypatch.setattr(callers_run, "_SECONDS", 2)
    command = (sys.executable, "-c", PARENT, CHILD, str(pipe))
    program = Program(tmp_path, source, "catalog", command, tmp_path)
    try:
        with pytest.raises(BindgenError, match="timed out"):
            run_checker(program, tmp_path, source / "catalog")
        os.set_blocking(reader, True)
        with open(reader, closefd=False) as stream:
            assert "late" not in stream.read(), "the end of the pipe is that of a child"
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("settings", "inner"), [("", "project"), ("[tool.mcp-bindgen]\n", "project/src")]
)
def test_the_checker_runs_where_the_user_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, inner: str
) -> None:
    """The project is that of its files, also for `.`, and for a path with `..`."""
    source = project(tmp_path)
    (source / "app" / "jobs.py").write_text(PROGRAM)
    (tmp_path / "pyproject.toml").write_text(settings)
    (tmp_path / "old.json").write_bytes(recording(OLD))
    (tmp_path / "catalog.json").write_bytes(recording(NEW))
    then = "import os, sys; print(os.getcwd(), file=sys.stderr); sys.exit(3)"
    ends: list[str] = []
    for here, folder in (("", "src"), ("", "."), ("src", "app"), ("stubs", "../src")):
        monkeypatch.chdir(tmp_path / here)
        files = [os.path.relpath(tmp_path / f) for f in ("old.json", "catalog.json")]
        done = run(*files, "--callers", folder, "--", sys.executable, "-c", then)
        assert done.exit_code == 2
        said = done.stderr.splitlines()[1].rpartition("failed: ")[2]
        ends.append(said.partition("/old/")[2])
    assert ends == ["project", "project", inner, "project"]
