"""The real tools that write sites: each builds the pages of one module.

Each function takes the folder of the trap, which holds the module, the module's name,
and the folder to build into. The folder of the trap is the root of the site's source,
as it is for a project that keeps its pages beside its packages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SITES"]

MYST = (
    "attrs_block attrs_inline colon_fence deflist dollarmath fieldlist html_admonition"
    " html_image linkify replacements smartquotes strikethrough substitution tasklist"
).split()


def autodoc(folder: Path, module: str, built: Path) -> str:
    """Build with Sphinx: autodoc and napoleon; then run the builder of doctest."""
    extensions = ["autodoc", "doctest", "napoleon", "viewcode"]
    _configure(folder, extensions=[f"sphinx.ext.{name}" for name in extensions])
    names = _names(folder, module)
    pages = "\n".join(f".. automodule:: {name}\n   :members:\n" for name in names)
    (folder / "index.rst").write_text(f"Site\n====\n\n{pages}")
    return _sphinx(folder, built)


def autodoc2(folder: Path, module: str, built: Path) -> str:
    """Build with Sphinx: autodoc2, with docstrings in reStructuredText."""
    return _autodoc2(folder, module, built, "rst")


def autodoc2_myst(folder: Path, module: str, built: Path) -> str:
    """Build with Sphinx: autodoc2, with docstrings in MyST and its substitutions."""
    return _autodoc2(folder, module, built, "myst")


def autodoc2_pages(folder: Path, module: str, built: Path) -> str:
    """Build with Sphinx: autodoc2, whose pages and docstrings are both in MyST."""
    return _autodoc2(folder, module, built, "myst", pages="myst")


def _autodoc2(
    folder: Path, module: str, built: Path, language: str, pages: str = "rst"
) -> str:
    path = module if (folder / module).is_dir() else f"{module}.py"
    _configure(
        folder,
        extensions=["autodoc2", "myst_parser", "sphinx.ext.doctest"],
        autodoc2_packages=[
            {"path": path, "auto_mode": True, "exclude_dirs": ["_runtime"]}
        ],
        autodoc2_render_plugin=pages,
        autodoc2_docstring_parser_regexes=[[".*", language]],
        myst_enable_extensions=MYST,
        myst_substitutions={"name": "value"},
    )
    (folder / "index.rst").write_text(
        f"Site\n====\n\n.. toctree::\n\n   apidocs/{module}/{module}\n"
    )
    return _sphinx(folder, built)


def _configure(folder: Path, **values: object) -> None:
    values |= {"exclude_patterns": ["built"], "root_doc": "index"}
    lines = [f"{name} = {value!r}\n" for name, value in values.items()]
    path = "import sys\nsys.path.insert(0, '.')\n"
    (folder / "conf.py").write_text(path + "".join(lines))


def _sphinx(folder: Path, built: Path) -> str:
    """Write the pages, then run what the builder of doctest reads in them."""
    return "".join(
        _run(folder, "-m", "sphinx", "-q", "-d", built / "read", "-b", name, *paths)
        for name in ("html", "doctest")
        for paths in [(".", built / name)]
    )


def autoapi(folder: Path, module: str, built: Path) -> str:
    """Build with Sphinx: sphinx-autoapi, which reads sources and imports nothing."""
    sources = folder / "sources"
    sources.mkdir()
    for path in (folder / module, folder / f"{module}.py"):
        if path.exists():
            path.rename(sources / path.name)
    _configure(
        folder,
        extensions=["autoapi.extension", "sphinx.ext.doctest", "sphinx.ext.napoleon"],
        autoapi_dirs=["sources"],
        autoapi_ignore=["*_runtime*"],
        autoapi_options=["members", "undoc-members", "private-members"],
    )
    (folder / "index.rst").write_text("Site\n====\n")
    return _sphinx(folder, built)


def lazydocs(folder: Path, module: str, built: Path) -> str:
    """Write pages in Markdown with lazydocs, and build them with MkDocs."""
    pages = folder / "pages"
    pages.mkdir()
    said = _run(folder, "-c", LAZYDOCS, pages, *_names(folder, module))
    return said + _mkdocs(folder, built)


LAZYDOCS = """
import importlib, pathlib, sys
from lazydocs import MarkdownGenerator
for name in sys.argv[2:]:
    text = MarkdownGenerator().module2md(importlib.import_module(name))
    pathlib.Path(sys.argv[1], f"{name}.md").write_text(text, encoding="utf-8")
"""


def mkdocs(folder: Path, module: str, built: Path) -> str:
    """Build with MkDocs: mkdocstrings, and extensions that include and that run."""
    pages = folder / "pages"
    pages.mkdir()
    text = "\n".join(f"::: {name}" for name in _names(folder, module))
    (pages / "index.md").write_text(text)
    return _mkdocs(folder, built)


def _mkdocs(folder: Path, built: Path) -> str:
    pages = folder / "pages"
    extensions = "attr_list extra md_in_html pymdownx.highlight pymdownx.inlinehilite"
    handler = {"paths": [str(folder)], "options": {"show_if_no_docstring": True}}
    config = {
        "site_name": "site",
        "docs_dir": str(pages),
        "site_dir": str(built / "site"),
        "markdown_extensions": [
            *extensions.split(),
            {"pymdownx.snippets": {"restrict_base_path": False, "base_path": "/"}},
            {"markdown_include.include": {"base_path": str(folder)}},
            "pymdownx.superfences",
        ],
        "plugins": [
            "macros",
            "markdown-exec",
            {"mkdocstrings": {"handlers": {"python": handler}}},
        ],
    }
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    return _run(folder, "-m", "mkdocs", "build", "-q")


def pdoc(folder: Path, module: str, built: Path) -> str:
    """Build with pdoc, with docstrings in Markdown and in reStructuredText."""
    return "".join(
        _run(folder, "-m", "pdoc", "-d", language, "-o", built / language, module)
        for language in ("google", "restructuredtext")
    )


def _names(folder: Path, module: str) -> list[str]:
    """Return the name of the module, or those of the tools' modules in the package."""
    paths = sorted((folder / module / "tools").glob("[!_]*.py"))
    return [f"{module}.tools.{path.stem}" for path in paths] or [module]


def _run(folder: Path, *command: object) -> str:
    ran = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


SITES = {
    "sphinx": autodoc,
    "autodoc2": autodoc2,
    "myst_parser": autodoc2_myst,
    "autodoc2.render.myst_": autodoc2_pages,
    "autoapi": autoapi,
    "mkdocstrings": mkdocs,
    "lazydocs": lazydocs,
    "pdoc": pdoc,
}
"""Name of what must be installed to what builds a site with it."""
