"""The Python API, as a build backend uses it: in a process and a folder of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mcp_bindgen
import pytest
from mcp_bindgen import BindgenError, Limits, Problem, api

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


record: Any = mcp_bindgen.record  # a script that no type checker has seen
generate: Any = mcp_bindgen.generate


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: record(None), "server: expected a list of texts, got NoneType"),
        (lambda: record(["a", 1]), "server: expected a list of texts, got int"),
        (lambda: record(["a"], timeout="5"), "timeout: expected a number of seconds"),
        (lambda: record(["a"], timeout=True), "timeout: expected a number of seconds"),
        (lambda: record(["a"], limits=None), "limits: expected Limits"),
        (lambda: record(["a"], calls=["b"]), "calls: expected a tool and its arg"),
        (lambda: record(["a"], calls=None), "calls: expected a list of tools with"),
        (lambda: record(["a"], calls=5), "calls: expected a list of tools with"),
        (lambda: record(["a"], timeout=0), "timeout: expected more than 0 and at"),
        (lambda: record(["a"], timeout=1e12), "at most 1,000,000,000 seconds, got 1"),
        (lambda: record(["a"], timeout=10**400), "seconds, got a larger number"),
        (lambda: record(["a"], timeout=float("nan")), "seconds, got nan"),
        (lambda: record([]), "expected a command as a list of texts"),
        (lambda: record(["/"]), "is a folder"),
        (lambda: record("http://localhost:70000/mcp"), "port from 1 to 65535"),
        (lambda: record("http://localhost:0/mcp"), "port from 1 to 65535, got 0"),
        (lambda: generate(TODO, http=[]), "http: expected a text, got list"),
        (lambda: generate(TODO, targets=["./" + "a" * 5_000]), "no target"),
        (lambda: record(["a"], env=["A=b"]), "env: expected a dict of texts, got list"),
        (lambda: record(["a"], env={"A": 1}), "env: expected a dict of texts, got int"),
        (lambda: record(["a"], env={"A=B": "c"}), "env: expected names without '='"),
        (
            lambda: record("https://a.example", headers={"A: b, C": "d"}),
            "headers: expected names without ':', got 'A: b, C'",
        ),
        (lambda: generate(None), "recording: expected a path, the bytes"),
        (lambda: generate({"tools": []}, "a"), "recording: expected a path, the bytes"),
        (lambda: generate('{"tools": []}'), "No such file or directory"),
        (lambda: generate(ROOT), "Is a directory\n  hint: pass the path of one"),
        (lambda: record("https://a.example/${NO_SUCH}"), "^server: the environment"),
        (lambda: generate(TODO, 3), "name: expected a text, got int"),
        (lambda: generate(TODO, targets=None), "targets: expected a list of texts"),
        (lambda: generate(TODO, include=[1]), "include: expected a list of texts"),
        (lambda: generate(TODO, include=["nope_*"]), "no tool matches 'nope_\\*'"),
        (lambda: generate(TODO, exclude="nope"), "no tool matches 'nope'"),
        (lambda: generate(TODO, limits=None), "limits: expected Limits"),
        (lambda: generate(TODO, style_of=3), "style_of: expected a path, got int"),
        (
            lambda: generate(TODO, limits=Limits(depth=101)),
            "depth: expected a whole number from 0 to 100",
        ),
        (
            lambda: generate(TODO, limits=Limits(tools=-1)),
            "tools: expected a whole number from 0",
        ),
        (
            lambda: generate(TODO, limits=Limits(steps=True)),
            "steps: expected a whole number from 0",
        ),
    ],
)
def test_a_wrong_argument_is_a_problem(call: Callable[[], Any], fault: str) -> None:
    with pytest.raises(BindgenError, match=fault) as caught:
        call()
    for problem in caught.value.problems:
        assert problem.hint
        assert f"  hint: {problem.hint}" in str(caught.value)


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


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (
            lambda: generate(TODO, limits=Limits(steps=0)),
            (
                "choose tools with include=, or raise the limit: "
                "limits=Limits(steps=NUMBER)"
            ),
        ),
        (lambda: generate(TODO, "a.b"), 'choose another: name="a_b"'),
        (
            lambda: record([sys.executable, "-c", ""]),
            "is it an MCP server?",
        ),
    ],
)
def test_hints_name_arguments_and_no_options(
    call: Callable[[], Any], hint: str
) -> None:
    with pytest.raises(BindgenError) as caught:
        call()
    assert [problem.hint for problem in caught.value.problems] == [hint]


def test_an_error_says_where_in_one_line_and_what_to_do() -> None:
    error = BindgenError(Problem("/a\x1b[31m", "expected an object", "write one"))
    assert str(error) == "/a\\x1b[31m: expected an object\n  hint: write one"


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
