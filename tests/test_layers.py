"""Who imports whom: each module only what stands above it, generation no network."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import mcp_bindgen
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SOURCE = Path(mcp_bindgen.__file__).parent

# A new module goes below all that it imports, and as high as it can.
ORDER: Sequence[str] = """
    errors hidden inert jsontext allowed reserved disk expand config clock budget
    runtime
    intake canonical shape recording record suspicions
    atomic difference manifest placing output wheel
    cache latest
    expressions grammar selfcheck
    source schema lint prune combine infer strict layout naming targets describe ir
    weigh
    state ambiguity leaves containers alternatives classes types roots
    docs pieces package exports plan build render part report sharing generate
    chunks produce engine
    cli __main__
    """.split()
OF_PYTHON = sys.stdlib_module_names
# What a generated package may need, and what it uses where the user has it.
OF_RUNTIME = {"anyio", "httpx", "pydantic", "pydantic_core", "typing_extensions"}
OPTIONAL = {"httpx2", "opentelemetry", "trio"}
NETWORK = {"asyncio", "ftplib", "http", "httpx", "smtplib", "socket", "ssl", "urllib3"}
ABROAD = NETWORK | {"multiprocessing", "subprocess", "urllib.request", "anyio", "trio"}


def imports(path: Path) -> Iterator[str]:
    """Yield what a file imports, absolute: `json`, `mcp_bindgen.errors`."""
    home = ["mcp_bindgen", *path.relative_to(SOURCE).with_suffix("").parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = home[: -node.level] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            packages = ("mcp_bindgen", "mcp_bindgen.runtime", "mcp_bindgen.cli")
            names = (f"{module}.{alias.name}" for alias in node.names)
            yield from names if module in packages else [module]


def modules() -> dict[str, list[Path]]:
    """Return each module and package of ours with its files."""
    found = {path.stem: [path] for path in SOURCE.glob("*.py") if path.stem[1] != "_"}
    found |= {name: [*SOURCE.glob(f"{name}/**/*.py")] for name in ("runtime", "cli")}
    return found | {"__main__": [SOURCE / "__main__.py"]}


def ours(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(path) if name.startswith("mcp_b")}


def test_every_module_has_its_place() -> None:
    assert sorted(ORDER) == sorted(modules())


@pytest.mark.parametrize("name", ORDER)
def test_a_module_imports_only_what_stands_above_it(name: str) -> None:
    above = {*ORDER[: ORDER.index(name)], name}
    for path in modules()[name]:
        assert ours(path) <= above, path


def test_the_runtime_imports_nothing_of_the_generator() -> None:
    allowed = OF_PYTHON | OF_RUNTIME | OPTIONAL
    for path in modules()["runtime"]:
        assert ours(path) <= {"runtime"}, path
        others = {name.partition(".")[0] for name in imports(path)} - {"mcp_bindgen"}
        assert others <= allowed, path


def test_generating_needs_no_network_and_no_process() -> None:
    pending, seen = [SOURCE / "generate.py"], set[Path]()
    while pending:
        path = pending.pop()
        seen.add(path)
        names = {*imports(path)}
        roots = {name.partition(".")[0] for name in names}
        assert not (names | roots) & ABROAD, path
        own = (n.split(".")[1:3] for n in names if n.startswith("mcp_bindgen."))
        files = {SOURCE.joinpath(*p[:2]).with_suffix(".py") for p in own}
        files |= {SOURCE / f"{p}.py" for p in ours(path)}
        pending += [file for file in files - seen if file.exists()]
    assert SOURCE / "runtime" / "rpc.py" in seen
    assert SOURCE / "record.py" not in seen


@pytest.mark.parametrize(
    ("package", "home"),
    [("click", "cli"), ("jinja2", "render.py"), ("httpx", "runtime")],
)
def test_a_library_has_one_home(package: str, home: str) -> None:
    users = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        if package in {name.partition(".")[0] for name in imports(path)}
    }
    assert users == {home}
