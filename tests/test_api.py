"""The Python API, as a build backend uses it: in a process and a folder of its own."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mcp_bindgen
import pytest
from mcp_bindgen import BindgenError, Problem, api

from tests.commands import SCRIPTED
from tests.packages import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TODO = ROOT / "generated" / "todo" / "recording.json"

BACKEND = """
import sys
from pathlib import Path
from mcp_bindgen import (
    BindgenError, Limits, check_package, generate, lint, record, write_package,
)

recorded = record(sys.argv[1:])
Path("recordings").mkdir()
Path("recordings/demo.json").write_text(recorded.text, "utf-8")
package = generate("recordings/demo.json", targets=["python"])
assert package == generate(recorded, "demo", targets=["python"])
assert not package.problems and "+++ demo/client.py" in check_package(package, "src")
assert not Path("src").exists()
changes = write_package(package, "src")
assert changes.number == len(package.files)
assert check_package(package, "src") == ""
assert lint(recorded) == lint("recordings/demo.json")
for wrong in (
    lambda: generate("missing.json"),
    lambda: generate(b"{}", "demo"),
    lambda: generate(recorded),
    lambda: generate(recorded, "demo", limits=Limits(steps=1)),
    lambda: record(["no-such-program-anywhere"]),
):
    try:
        wrong()
    except BindgenError as error:
        assert error.problems[0].hint, error
    else:
        raise AssertionError
sys.path.insert(0, "src")
import demo
print(*sorted(demo.TOOLS))
"""


def test_a_build_backend(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", BACKEND, *SCRIPTED, "pages"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "pong" in ran.stdout


def test_all_public_names_are_there_and_nothing_else() -> None:
    assert sorted(mcp_bindgen.__all__) == sorted(api.__all__) == dir(mcp_bindgen)
    for name in mcp_bindgen.__all__:
        assert getattr(mcp_bindgen, name) is getattr(api, name)
    for name in ("generate", "record", "lint", "check_package", "write_package"):
        assert "Example:" in (getattr(api, name).__doc__ or "")


def test_importing_it_costs_nothing() -> None:
    code = "import sys, mcp_bindgen; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {"pydantic", "jinja2", "httpx", "mcp_bindgen.api"} & {
        *ran.stdout.split()
    }


def test_a_path_that_no_system_has_is_a_problem() -> None:
    with pytest.raises(BindgenError) as caught:
        mcp_bindgen.generate("a\0b.json")
    (problem,) = caught.value.problems
    assert problem.message.startswith("cannot read 'a\\x00b.json'")
    assert problem.hint


def test_targets_may_be_one_text() -> None:
    recording = ROOT / "generated" / "todo" / "recording.json"
    package = mcp_bindgen.generate(recording, targets="python,openai")
    assert "openai.py" in package.files
    assert "langchain.py" not in package.files


@pytest.mark.parametrize("output", [None, "a\0b", "a\ud800"])
def test_an_output_is_a_path(output: Any) -> None:
    package = mcp_bindgen.generate(TODO, "todo", targets="python")
    for function in (mcp_bindgen.write_package, mcp_bindgen.check_package):
        with pytest.raises(BindgenError, match="output: expected a path"):
            function(package, output)
        with pytest.raises(BindgenError, match="package: expected the result of"):
            function(output, "src")


def test_a_package_is_written_into_a_folder_of_its_own_name(tmp_path: Path) -> None:
    package = mcp_bindgen.generate(TODO, "todo", targets="python")
    outside = replace(package, name="../outside")
    for function in (mcp_bindgen.write_package, mcp_bindgen.check_package):
        with pytest.raises(BindgenError, match="expected a name that Python can"):
            function(outside, tmp_path / "src")
    assert not [*tmp_path.iterdir()]


def test_both_refuse_an_output_below_a_file(tmp_path: Path) -> None:
    package = mcp_bindgen.generate(TODO, "todo", targets="python")
    (tmp_path / "file").touch()
    for function in (mcp_bindgen.write_package, mcp_bindgen.check_package):
        with pytest.raises(BindgenError, match="Not a directory"):
            function(package, tmp_path / "file")


def test_a_style_of_no_folder_is_ours() -> None:
    long = mcp_bindgen.generate(TODO, "todo", targets="python", style_of="a" * 5_000)
    assert long == mcp_bindgen.generate(TODO, "todo", targets="python")


def test_an_error_says_where_in_one_line_and_what_to_do() -> None:
    error = BindgenError(Problem("/a\x1b[31m", "expected an object", "write one"))
    assert str(error) == "/a\\x1b[31m: expected an object\n  hint: write one"


def test_an_error_names_the_file_that_was_read(tmp_path: Path) -> None:
    """A program that generates many packages must know whose recording is wrong."""
    (tmp_path / "bad.json").write_text('{"tools": 3}')
    file = str(tmp_path / "bad.json")
    for function in (mcp_bindgen.generate, mcp_bindgen.lint):
        with pytest.raises(BindgenError) as caught:
            function(file)
        wrong = f"{file}: /tools: expected an array, got a number\n"
        assert str(caught.value).startswith(wrong)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(BindgenError, match=r"^/tools: expected an array"):
        mcp_bindgen.lint(b'{"tools": 3}')


def test_a_glob_alone_is_no_list_of_letters() -> None:
    package = mcp_bindgen.generate(TODO, "todo", include="add_task")
    assert [tool.wire.text for tool in package.catalog.tools] == ["add_task"]
    empty = mcp_bindgen.generate(TODO, "todo", exclude="nope", allow_empty=True)
    assert empty.unmatched == ("nope",)


def test_results_are_one_line_in_a_notebook(tmp_path: Path) -> None:
    package = mcp_bindgen.generate(TODO, "todo", targets="python")
    changes = mcp_bindgen.write_package(package, tmp_path)
    recorded = mcp_bindgen.record([*SCRIPTED, "pages"])
    assert repr(package) == f"Package('todo', 5 tools, {len(package.files)} files)"
    assert repr(changes).startswith(f"Changes(added={len(package.files)}, changed=0,")
    assert repr(recorded).startswith("Recorded('")
    assert max(len(repr(each)) for each in (package, changes, recorded)) < 120


def test_a_package_does_not_lose_all_its_tools_by_mistake(tmp_path: Path) -> None:
    mcp_bindgen.write_package(mcp_bindgen.generate(TODO, "todo"), tmp_path)
    empty = mcp_bindgen.generate(json.dumps({"tools": []}).encode(), "todo")
    with pytest.raises(BindgenError, match="todo would be empty"):
        mcp_bindgen.write_package(empty, tmp_path)
    assert (tmp_path / "todo" / "tools" / "add_task.py").exists()
    mcp_bindgen.write_package(empty, tmp_path, allow_empty=True)
    assert not (tmp_path / "todo" / "tools" / "add_task.py").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folders")
def called_from(frames: int, work: Callable[[], Any]) -> Any:
    return called_from(frames - 1, work) if frames else work()


def test_a_deep_caller_loses_no_tool() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(28):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    tool = {"name": "deep", "inputSchema": schema, "outputSchema": schema}
    data = json.dumps({"tools": [tool]}).encode()
    package = mcp_bindgen.generate(data, "demo", targets="python")
    assert package.problems == ()
    again = called_from(
        800, lambda: mcp_bindgen.generate(data, "demo", targets="python")
    )
    assert again == package
    assert called_from(800, lambda: mcp_bindgen.lint(data)) == mcp_bindgen.lint(data)


def test_threads_write_one_package_one_after_another(tmp_path: Path) -> None:
    small = mcp_bindgen.generate(TODO, "todo", targets="python")
    large = mcp_bindgen.generate(TODO, "todo", targets="python,openai")

    def write(number: int) -> None:
        package = (small, large)[number % 2]
        mcp_bindgen.write_package(package, tmp_path / "src" / "new")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(18)))
    folder = tmp_path / "src" / "new"
    assert "" in {mcp_bindgen.check_package(each, folder) for each in (small, large)}
