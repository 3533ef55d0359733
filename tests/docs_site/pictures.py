"""Makes the pictures of the documentation: `python -m tests.docs_site.pictures`.

The picture of the catalogue needs Playwright (the extra `browser`) and Chromium.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from tests.commands import run
from tests.docs_site.pages import ROOT
from tests.docs_site.svg import svg
from tests.site.chromium import CHROMIUM, FLAGS

__all__ = ["completion", "diff", "photograph"]

_RECORDING = ROOT / "generated" / "catalog" / "recording.json"
_RED, _GREEN, _BLUE = "#f47067", "#8ddb8c", "#6cb6ff"
_GRADES = {"wire+source": _RED, "compatible": _GREEN, "breaking": _RED}
_WORDS = {"from ": _RED, "import ": _RED, '"sales"': "#96d0ff"}
_PROGRAM = """\
from catalog import Client

client = Client.http("https://catalog.example/mcp")
page = client.search_metadata(query="sales", """
_TYPE, _TEXT = 20, 58  # characters of a type, of a description


def diff() -> str:
    """Return the picture of a breaking and a compatible change, as SVG."""
    changed = json.loads(_RECORDING.read_text("utf-8"))
    tool = next(t for t in changed["tools"] if t["name"] == "search_metadata")
    tool["inputSchema"]["properties"].pop("minScore")
    tool["inputSchema"]["additionalProperties"] = False
    tool["outputSchema"]["properties"]["took"] = {"type": "integer"}
    with TemporaryDirectory() as folder:
        new = Path(folder) / "new.json"
        new.write_text(json.dumps(changed), "utf-8")
        result = run("diff", str(_RECORDING), str(new))
    title, *said = [
        "$ mcp-bindgen diff old.json new.json",
        *f"{result.stdout}{result.stderr}".splitlines(),
    ]
    return svg(title, [title, *said], _GRADES)


def completion() -> str:
    """Return the picture of what Jedi completes in a call, as SVG."""
    jedi: Any = import_module("jedi")
    script = jedi.Script(_PROGRAM, project=jedi.Project(ROOT / "generated"))
    (signature,) = script.get_signatures()
    texts = dict(re.findall(r"^    (\w+): (.*?)$", signature.docstring(), re.MULTILINE))
    types = {each.name: _type(each.to_string()) for each in signature.params}
    names = [name for each in script.complete() if (name := each.name[:-1]) in types]
    wide = max(map(len, names)) + 3
    rows = [
        f"   {f'{name}=':{wide}}{types[name]:{_TYPE}}  {_cut(texts[name], _TEXT)}"
        for name in names
    ]
    lines = [*_PROGRAM.splitlines(), *rows]
    first = len(lines) - len(rows)
    box = (2, first, max(map(len, rows)) - 2, len(rows))
    colours = {**_WORDS, **{f"{name}=": _BLUE for name in names}}
    return svg("An editor completes the arguments of a call", lines, colours, box)


def _type(parameter: str) -> str:
    """Return the type of a parameter, short, without the mark of the absent value."""
    text = " ".join(parameter.partition(": ")[2].split()).removesuffix("=MISSING")
    plain = text.removeprefix("( ").removesuffix(" )").removesuffix(" | MISSING")
    return _cut(plain, _TYPE)


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 3].rstrip()}..."


def photograph(browser: Any, target: Path) -> None:
    """Write the picture of a catalogue of two servers, as PNG.

    Args:
        browser: Chromium, as Playwright launches it.
        target: The file.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for package in ("catalog", "todo"):
            recording = ROOT / "generated" / package / "recording.json"
            copyfile(recording, folder / f"{package}.json")
        run("docs", str(folder), "-o", str(folder / "site"))
        context = browser.new_context(
            offline=True,
            color_scheme="light",
            viewport={"width": 800, "height": 640},
        )
        page = context.new_page()
        page.goto((folder / "site" / "index.html").as_uri())
        page.locator("#query").fill("entity")
        page.screenshot(path=target)
        context.close()


def main() -> None:
    """Write all pictures."""
    folder = ROOT / "docs" / "images"
    (folder / "diff.svg").write_text(diff(), "utf-8")
    (folder / "completion.svg").write_text(completion(), "utf-8")
    playwright: Any = import_module("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        photograph(browser, folder / "catalogue.png")
        browser.close()
    for path in sorted(folder.iterdir()):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
