"""The real tools that run what stands in docstrings: each reads one module.

Each function takes the folder of the trap, which holds the module, the module's name,
and the folder to build into.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TOOLS"]


def _run(folder: Path, *command: object) -> str:
    ran = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def pytest(folder: Path, module: str, _: Path) -> str:
    """Run the examples of doctest."""
    (folder / "none.ini").write_text("[pytest]\n")
    plain = ("-p", "no:cacheprovider", "-c", "none.ini", "--doctest-modules")
    return _run(folder, "-m", "pytest", *plain, *_sources(folder, module))


IPYTHON = """
import ast, builtins, sys
from IPython.testing.globalipapp import start_ipython
builtins._ip = start_ipython()
from IPython.testing.plugin.ipdoctest import IPDocTestParser
for path in sys.argv[1:]:
    for node in ast.walk(ast.parse(open(path, encoding="utf-8").read())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for example in IPDocTestParser().get_examples(str(node.value.value)):
                exec(example.source, {})
"""


def ipython(folder: Path, module: str, _: Path) -> str:
    """Run the examples that IPython's doctest finds."""
    return _run(folder, "-c", IPYTHON, *_sources(folder, module))


XDOCTEST = """
import sys
from xdoctest import doctest_module
for path in sys.argv[1:]:
    for style in ("google", "freeform"):
        doctest_module(path, command="all", style=style, verbose=0)
"""


def xdoctest(folder: Path, module: str, _: Path) -> str:
    """Run the examples of xdoctest, in each style that it knows."""
    return _run(folder, "-c", XDOCTEST, *_sources(folder, module))


SYBIL = """
import sys
from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers import markdown, myst, rest
for kind in (markdown, myst, rest):
    names = ("PythonCodeBlockParser", "DocTestDirectiveParser", "PythonConsoleParser",
        "CodeBlockParser", "DocTestParser", "SkipParser", "ClearNamespaceParser")
    parsers = [getattr(kind, name)() for name in names if hasattr(kind, name)
        and name != "CodeBlockParser"]
    sybil = Sybil(parsers=parsers, document_types={".py": PythonDocStringDocument})
    from pathlib import Path
    for path in sys.argv[1:]:
        try:
            examples = list(sybil.parse(Path(path).absolute()).examples())
        except Exception as error:
            print(path, kind.__name__, error)
            continue
        for example in examples:
            try:
                example.evaluate()
            except Exception as error:
                print(path, kind.__name__, error)
"""


def sybil(folder: Path, module: str, _: Path) -> str:
    """Run the examples of Sybil, in each language that it reads."""
    return _run(folder, "-c", SYBIL, *_sources(folder, module))


EXAMPLES = """
import sys
from pytest_examples import find_examples
for example in find_examples(*sys.argv[1:]):
    if example.prefix.startswith("py"):
        exec(example.source, {})
"""


def pytest_examples(folder: Path, module: str, _: Path) -> str:
    """Run the examples of pytest-examples."""
    return _run(folder, "-c", EXAMPLES, *_sources(folder, module))


COG = """
import sys
from cogapp import Cog
for path in sys.argv[1:]:
    print(Cog().main(["cog", path]))
"""


def cog(folder: Path, module: str, _: Path) -> str:
    """Run the code between the marks of cog, in each file of the package."""
    return _run(folder, "-c", COG, *_sources(folder, module))


JINJA = """
import ast, sys
from jinja2 import Environment, FileSystemLoader
here = Environment(loader=FileSystemLoader("/"))
for path in sys.argv[1:]:
    for node in ast.walk(ast.parse(open(path, encoding="utf-8").read())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for line in str(node.value.value).split("\\n\\n"):
                try:
                    print(here.from_string(line).render())
                except Exception as error:
                    print(path, error)
"""


def jinja(folder: Path, module: str, built: Path) -> str:
    """Render docstrings as templates, as tools do that write pages of them first."""
    said = _run(folder, "-c", JINJA, *_sources(folder, module))
    (built / "page").write_text(said)
    return said


def docformatter(folder: Path, module: str, built: Path) -> str:
    """Wrap docstrings anew, then run what stands in them now."""
    files = _sources(folder, module)
    # Each way to wrap starts other lines.
    ways = (["--wrap-summaries", "40", "--wrap-descriptions", "40"], ["--force-wrap"])
    formatter = ("-m", "docformatter", "--in-place")
    said = [_run(folder, *formatter, *way, *files) for way in ways]
    return "".join(said) + _readers(folder, module, built)


def blackdoc(folder: Path, module: str, built: Path) -> str:
    """Format the examples in docstrings, then run what stands in them now."""
    said = _run(folder, "-m", "blackdoc", *_sources(folder, module))
    return said + _readers(folder, module, built)


def _readers(folder: Path, module: str, built: Path) -> str:
    readers = (pytest, ipython, xdoctest, sybil, cog, jinja)
    return "".join(read(folder, module, built) for read in readers)


def _sources(folder: Path, module: str) -> list[Path]:
    if not (folder / module).is_dir():
        return [folder / f"{module}.py"]
    files = sorted((folder / module).rglob("*.py"))
    return [file for file in files if "_runtime" not in file.parts]


TOOLS = {
    "pytest": pytest,
    "IPython": ipython,
    "xdoctest": xdoctest,
    "sybil": sybil,
    "pytest_examples": pytest_examples,
    "cogapp": cog,
    "jinja2": jinja,
    "docformatter": docformatter,
    "blackdoc": blackdoc,
}
"""Name of what must be installed to what runs it."""
