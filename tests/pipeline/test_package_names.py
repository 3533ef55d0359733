"""The name of a package: none that hides what it, or a framework, imports."""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.python.reserved import FILES, MODULES
from packaging.requirements import Requirement

from tests.commands import recording, run

if TYPE_CHECKING:
    from pathlib import Path

# What a package imports, the frameworks of its targets, and this project.
ROOTS = """
    anthropic anyio google-genai httpx httpx2 langchain langchain-core mcp mcp-bindgen
    openai openai-agents opentelemetry-api opentelemetry-sdk pydantic pydantic-ai-slim
    trio
    """.split()


def needed() -> set[str]:
    """Return the names of distributions that the roots need, where installed."""
    names, pending = set[str](), [*ROOTS]
    while pending:
        name = re.sub(r"[-_.]+", "-", pending.pop()).lower()
        if name in names:
            continue
        names.add(name)
        try:
            needs = [Requirement(need) for need in requires(name) or ()]
        except PackageNotFoundError:
            continue
        plain = {"extra": ""}
        pending += [n.name for n in needs if not n.marker or n.marker.evaluate(plain)]
    return names


def test_no_module_that_is_needed_may_be_hidden() -> None:
    modules: dict[str, set[str]] = defaultdict(set)
    for module, owners in packages_distributions().items():
        for owner in owners:
            modules[re.sub(r"[-_.]+", "-", owner).lower()].add(module)
    wanted = {module for name in needed() for module in modules[name]}
    wanted = {name for name in wanted if name.isidentifier() and name[0] != "_"}
    # A compiler's helper, named by a hash of its build.
    wanted = {name for name in wanted if not name.endswith("__mypyc")}
    assert {"pydantic", "openai", "typing_extensions", "mcp_bindgen"} <= wanted
    assert wanted - MODULES - sys.stdlib_module_names == set()


def test_what_is_taken_has_another_name_beside_it() -> None:
    taken = MODULES | FILES | sys.stdlib_module_names | {*keyword.kwlist}
    for name in {name for name in taken if name[0] != "_" and name == name.lower()}:
        assert package_name(name, exact=False) == f"{name}_mcp"
        assert package_name(f"{name}_mcp", exact=True) == f"{name}_mcp"
        with pytest.raises(BindgenError) as refused:
            package_name(name, exact=True)
        assert f"--name {name}_mcp, or name =" in refused.value.problems[0].hint


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("OpenAI", "would hide the module openai", "open_ai"),
        ("CON", "reserve the name con", "con_mcp"),
        ("class", "can import, got 'class'", "class_mcp"),
        ("my-json", "can import, got 'my-json'", "my_json"),
        ("ünïcode", "a name that Python can import", "unicode"),
        ("-", "a name that Python can import", "server_3973e0"),
    ],
)
def test_a_name_that_cannot_be(name: str, message: str, hint: str) -> None:
    with pytest.raises(BindgenError) as refused:
        package_name(name, exact=True)
    (problem,) = refused.value.problems
    assert message in problem.message
    assert problem.hint.startswith(f"choose another: --name {hint}, or name = ")
    assert problem.hint.endswith(f'name = "{hint}" in the settings')
    assert package_name(hint, exact=True) == hint


@pytest.mark.parametrize("name", ["openai", "typing_extensions", "class", "con"])
def test_a_file_that_is_called_so_gives_a_package_that_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = recording(tmp_path / f"{name}.json")
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 0
    assert f"out/{name}_mcp" in result.stderr + result.stdout
    code = f"import {name}_mcp, pydantic; {name}_mcp.Client"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "out", check=True)
