"""The rooms of the house and the arrows between them; generating needs no network."""

from __future__ import annotations

import ast
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import mcp_bindgen
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SOURCE = Path(mcp_bindgen.__file__).parent
RUNTIME = SOURCE / "runtime"

# Each room of the generator with the rooms that it may import; all import the root.
GENERATOR: Mapping[str, str] = {
    "runtime": "",
    "python": "",
    "schema": "python runtime",
    "recording": "schema runtime",
    "write": "runtime",
    "render": "python schema runtime",
    "pipeline": "python recording render runtime schema write",
    "contract": "pipeline python recording runtime schema",
    "cli": "contract pipeline recording render write",
}
ROOT = (
    "api api_arguments errors limits deadline hidden json_reader json_scan json_writer"
    " paths pytest_plugin texts"
)
# The arrows of single modules at the root: one module writes JSON pointers for all;
# the Python API stands above the rooms whose functions it is made of.
SINGLE = {
    *{("__main__", "cli"), ("__init__", "api"), ("json_reader", "runtime")},
    *{("hidden", "runtime"), ("api_arguments", "runtime")},
    *{("pytest_plugin", to) for to in ("contract", "recording", "runtime", "write")},
    *{("api", to) for to in ("pipeline", "recording", "render", "write")},
}

# The same for the runtime; a package must not depend on the generator.
OF_RUNTIME: Mapping[str, str] = {
    "protocol": "",
    "transport": "protocol",
    "validation": "",
    "client": "protocol transport validation",
    "agents": "client validation",
}
ROOT_OF_RUNTIME = (
    "errors limits content results strict_json plain_json json_pointer json_values"
    " lazy tables"
)

OF_PYTHON = sys.stdlib_module_names
# What a generated package may need, and what it uses where the user has it.
NEEDED = {"anyio", "httpx", "pydantic", "pydantic_core", "typing_extensions"}
OPTIONAL = {"httpx2", "opentelemetry", "trio"}
NETWORK = {"asyncio", "ftplib", "http", "httpx", "smtplib", "socket", "ssl", "urllib3"}
ABROAD = NETWORK | {"multiprocessing", "subprocess", "urllib.request", "anyio", "trio"}


@cache
def imports(path: Path) -> frozenset[tuple[str, str]]:
    """Return each module that a file imports, absolute, with the name it takes."""
    home = ["mcp_bindgen", *path.relative_to(SOURCE).with_suffix("").parts]
    pairs = set[tuple[str, str]]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            pairs |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = home[: -node.level] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            pairs |= {(module, alias.name) for alias in node.names}
    return frozenset(pairs)


def libraries(path: Path) -> set[str]:
    """Return the modules of others that a file imports, also by their first name."""
    names = {module for module, _ in imports(path)}
    roots = {name.partition(".")[0] for name in names}
    return (names | roots) - {n for n in names | roots if n.startswith("mcp_bindgen")}


@cache
def ours(path: Path) -> frozenset[Path]:
    """Return the files of ours that a file imports."""
    targets = set[Path]()
    for module, name in imports(path):
        if module.partition(".")[0] == "mcp_bindgen":
            base = SOURCE.joinpath(*module.split(".")[1:])
            modules = (base / f"{name}.py", base / name / "__init__.py")
            packages = (base.with_suffix(".py"), base / "__init__.py")
            targets.add(next(p for p in (*modules, *packages) if p.exists()))
    return frozenset(targets - {path})


def files(root: Path) -> list[Path]:
    """Return the modules below a folder; those of the runtime stand for themselves."""
    every = sorted(root.rglob("*.py"))
    if root == RUNTIME:
        return every
    return [path for path in every if not path.is_relative_to(RUNTIME)]


def room(path: Path, root: Path) -> str:
    """Return the room of a file, or its own name where it stands at the root."""
    parts = path.relative_to(root).parts
    first = Path(*parts[:1])
    return first.name if len(parts) > 1 else first.stem


def arrows(root: Path) -> set[tuple[str, str]]:
    """Return who imports whom: rooms, and modules at the root."""
    pairs = ((p, to) for p in files(root) for to in ours(p))
    return {
        (room(path, root), room(to, root))
        for path, to in pairs
        if to.is_relative_to(root) and room(path, root) != room(to, root)
    }


HOUSES = pytest.mark.parametrize(
    ("root", "rooms", "at_root"),
    [(SOURCE, GENERATOR, ROOT), (RUNTIME, OF_RUNTIME, ROOT_OF_RUNTIME)],
    ids=["generator", "runtime"],
)


@HOUSES
def test_a_house_has_these_rooms(
    root: Path, rooms: Mapping[str, str], at_root: str
) -> None:
    folders = {path.parent.name for path in root.glob("*/__init__.py")}
    assert folders == {*rooms}
    modules = {path.stem for path in root.glob("*.py")} - {"__init__", "__main__"}
    assert modules == {*at_root.split()}


@HOUSES
def test_a_room_imports_only_its_arrows(
    root: Path, rooms: Mapping[str, str], at_root: str
) -> None:
    allowed = {name: {*to.split(), *at_root.split()} for name, to in rooms.items()}
    allowed |= {name: {*at_root.split()} for name in at_root.split()}
    for name, to in SINGLE:
        allowed.setdefault(name, set()).add(to)
    assert [f"{a} -> {b}" for a, b in sorted(arrows(root)) if b not in allowed[a]] == []


@HOUSES
def test_every_arrow_of_the_table_is_drawn(
    root: Path, rooms: Mapping[str, str], at_root: str
) -> None:
    drawn = {pair for pair in arrows(root) if pair[1] not in at_root.split()}
    table = {(name, to) for name, all_ in rooms.items() for to in all_.split()}
    assert drawn - SINGLE == table


@HOUSES
def test_no_circle_of_modules(
    root: Path, rooms: Mapping[str, str], at_root: str
) -> None:
    del rooms, at_root
    graph = {path: ours(path) for path in files(root)}
    assert circle(graph) == []


def circle(graph: Mapping[Path, Iterable[Path]]) -> list[str]:
    """Return a circle of imports, [] where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [path.relative_to(SOURCE).as_posix() for path in error.args[1]]
    return []


def test_a_circle_is_noticed() -> None:
    assert circle({SOURCE / "a.py": [SOURCE / "b.py"], SOURCE / "b.py": []}) == []
    assert circle(
        {SOURCE / "a.py": [SOURCE / "b.py"], SOURCE / "b.py": [SOURCE / "a.py"]}
    )


@pytest.mark.parametrize("package", sorted(SOURCE.rglob("*/__init__.py")), ids=str)
def test_a_room_says_its_job_and_exports_nothing_by_accident(package: Path) -> None:
    tree = ast.parse(package.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    if package.parent.name != "cli":
        assert len(tree.body) == 1


def test_the_runtime_imports_nothing_of_the_generator() -> None:
    for path in files(RUNTIME):
        assert all(to.is_relative_to(RUNTIME) for to in ours(path)), path
        roots = {name.partition(".")[0] for name in libraries(path)}
        assert roots <= OF_PYTHON | NEEDED | OPTIONAL, path


def test_generating_needs_no_network_and_no_process() -> None:
    pending, visited = [SOURCE / "pipeline" / "generate.py"], set[Path]()
    while pending:
        path = pending.pop()
        visited.add(path)
        assert not libraries(path) & ABROAD, path
        pending += ours(path) - visited
    assert RUNTIME / "protocol" / "messages.py" in visited
    assert SOURCE / "recording" / "recorder.py" not in visited


@pytest.mark.parametrize(
    ("package", "home"),
    [
        *(("black", "pipeline"), ("click", "cli"), ("jinja2", "render")),
        ("tomlkit", "cli"),
        ("httpx", "runtime"),
    ],
)
def test_a_library_has_one_home(package: str, home: str) -> None:
    users = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        if package in libraries(path)
    }
    assert users == {home}


# Numbers in capitals that are no limits: codes of HTTP and of JSON-RPC, exit codes,
# versions, measures of texts and patterns, and those of what the fast check of a value
# takes on: the other check, which has the limits, does all the rest.
NO_LIMITS = {
    "agents/command_line": "_LINE",
    "client/options": "_LONGEST_SECONDS",
    "client/environment": "_LONGEST",
    "client/policy/audit": "_TAIL",
    "client/policy/entry": "LEAST_BYTES LEAST_RATE",
    "client/policy/grants": "_CLOCK_SLACK",
    "client/policy/schema_texts": "_LONG",
    "client/policy/suspicions": "_SHORTEST",
    "client/policy/terminal": "_LONGEST _MOST",
    "client/verify/renames": "_ALIKE",
    "client/verify/schemas": "_SAFE",
    "json_values": "_LARGEST_EXPONENT",
    "plain_json": "_FEW _SHORT",
    "strict_json": "_STRIDE",
    "protocol/inbox": "LISTENER",
    "protocol/messages": "HEADER_MISMATCH INVALID_PARAMS METHOD_NOT_FOUND"
    " UNSUPPORTED_VERSION URL_REQUIRED",
    "protocol/negotiation": "_NO_ANSWER",
    "protocol/server_messages": "_INTERNAL_ERROR _REJECTED",
    "transport/connections": "_LAST_PORT",
    "transport/oauth/records": "_EARLY_SHARE _LATEST _VERSION",
    "validation/checked": "_FEW",
    "validation/models": "_MANY",
    "validation/pattern_reach": "_TURNS",
    "validation/quick": "DEEPEST FASTER _FEW",
    "validation/quick_members": "_FEW",
    "validation/quick_unions": "_NAMES _TEXTS",
    "validation/work": "_WAYS",
}


def constants(text: str) -> Iterator[str]:
    """Yield the names of a module that are numbers."""
    for node in ast.parse(text).body:
        match node:
            case ast.Assign([ast.Name(name)], value) if is_number(value):
                yield name
            case ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                yield from [name] if is_number(value) else []
            case _:
                pass


def is_number(value: ast.expr) -> bool:
    """Return whether an expression is a number, or a product of numbers."""
    match value:
        case ast.Constant(int() | float() as number):
            return not isinstance(number, bool)
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case _:
            return False


def test_all_limits_of_the_runtime_stand_in_one_module() -> None:
    numbers = {
        path.relative_to(RUNTIME).with_suffix("").as_posix(): " ".join(sorted(names))
        for path in files(RUNTIME)
        if (names := [*constants(path.read_text(encoding="utf-8"))])
    }
    assert numbers.pop("limits")
    assert numbers == NO_LIMITS
