"""Builds the site: `python -m tests.docs_site FOLDER`; warnings are errors,
and links that lead nowhere.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree, rmtree

from tests.docs_site.links import broken_links
from tests.docs_site.pages import PAGES, ROOT, text_of
from tests.docs_site.reference import api, commands, settings

_MADE = {
    "Commands": ("commands.md", commands),
    "Settings": ("settings.md", settings),
    "Python API": ("api.md", api),
}
_CONFIG = ROOT / "docs" / "site" / "zensical.toml"


def sources() -> dict[str, str]:
    """Return the Markdown of all pages, by file name."""
    made = {name: make() for name, make in _MADE.values()}
    return {**{page.name: text_of(page) for page in PAGES}, **made}


def navigation() -> str:
    """Return the line of the configuration that orders the pages."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for page in PAGES:
        groups.setdefault(page.group, []).append((page.title, page.name))
    made = [(title, name) for title, (name, _) in _MADE.items()]
    groups["Reference"] = [*made, *groups["Reference"]]
    lines: list[str] = []
    for group, pages in groups.items():
        entries = ", ".join(f'{{ "{title}" = "{name}" }}' for title, name in pages)
        lines.append(f'{{ "{group}" = [{entries}] }}' if group else entries)
    return f"nav = [{', '.join(lines)}]\n"


def build(target: Path) -> int:
    """Write the site into a folder, and return the exit code of its generator."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        docs = folder / "docs"
        docs.mkdir()
        for file, text in sources().items():
            (docs / file).write_text(text, "utf-8")
        copytree(ROOT / "docs" / "images", docs / "images")
        config = _CONFIG.read_text("utf-8").replace("PROJECT", ROOT.as_posix())
        first, head, rest = config.partition("[project]\n")
        text = f"{first}{head}{navigation()}{rest}"
        (folder / "zensical.toml").write_text(text, "utf-8")
        words = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
        if code := subprocess.run(words, check=False, cwd=folder).returncode:
            return code
        if lines := [*broken_links(folder / "site")]:
            sys.stderr.write("".join(f"error: {line}\n" for line in lines))
            return 1
        rmtree(target, ignore_errors=True)
        copytree(folder / "site", target)
    sys.stdout.write(f"{target / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else "site").absolute()))
