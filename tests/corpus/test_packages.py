"""Packages of the real servers, each made once: types, names, pages for agents."""

from __future__ import annotations

import importlib
import json
import statistics
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.plan import plan
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.recording.document import load
from mcp_bindgen.render.agent_skill import tokens
from pydantic import TypeAdapter

from tests.packages import CASES, copy_case
from tests.packages import generate as run_generate
from tests.shared import needs, recordings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_bindgen.pipeline.package import Package

LISTS = ("resources", "resourceTemplates", "prompts")
SETTINGS = Settings(("python", "agent_skill"), runtime="mcp_bindgen.runtime")


# An empty list is an error of pytest: without the corpus, one name is skipped.
@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.xdist_group(f"package of {name}"))
        for name in [*recordings()] or ["absent"]
    ],
)
def made(request: pytest.FixtureRequest) -> Package:
    """Generate the package of a real server; nothing of it is left out."""
    data = recordings()[request.param].read_bytes()
    package = generate(data, f"built_{request.param}", SETTINGS)
    assert package.problems == ()
    return package


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))


def build(package: Path) -> int:
    """Build the public types of each tool's module, as the first call builds them.

    Returns:
        How many there are.
    """
    built = 0
    for tool in json.loads((package / "manifest.json").read_text())["tools"].values():
        module = importlib.import_module(f"{package.name}.{tool['module']}")
        for name in module.__all__:
            if name[0].isupper():
                adapter = TypeAdapter[Any](getattr(module, name))
                adapter.rebuild()
                assert adapter.pydantic_complete, (tool["module"], name)
                built += 1
    return built


@needs("corpus/recordings")
def test_types_of_real_servers_are_built(made: Package, folder: Path) -> None:
    for name, text in made.files.items():
        path = folder / made.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert build(folder / made.name) > 0


@needs("corpus/recordings")
def test_the_pages_of_real_servers_cost_less_than_their_tools(made: Package) -> None:
    cost = json.loads(made.files["manifest.json"])["skill"]["tokens"]
    share = 0.05 if cost["tools_list"] > 50_000 else 0.20
    assert cost["index"] <= cost["tools_list"] * share
    assert cost["skill"] < 5_000
    shares = [
        tokens(made.files[f"skill/references/{tool.function}.md"])
        / tokens(json.dumps(tool.raw, separators=(",", ":"), ensure_ascii=False))
        for tool in made.catalog.tools
    ]
    assert statistics.median(shares) < 1


@needs("corpus/recordings")
def test_names_are_unique_beside_tools(made: Package) -> None:
    """A tool keeps its function, and each template and prompt has one of its own."""
    path = recordings()[made.name.removeprefix("built_")]
    document = json.loads(path.read_bytes())
    catalog = made.catalog
    tools = [str(tool.function) for tool in catalog.tools]
    others = [str(feature.function) for feature in catalog.functions]
    names = [n for one in (*tools, *others) for n in (one, f"{one}_async")]
    assert sorted(names) == sorted({*names})
    alone = json.dumps(document | {kind: [] for kind in LISTS}).encode()
    assert [str(each.function) for each in plan(load(alone)[0], SETTINGS)] == tools
    assert len(catalog.prompts) == len(document.get("prompts") or ())
    assert len(catalog.resources) == len(document.get("resources") or ())
    for file, text in made.files.items():
        if file.endswith(".py"):
            compile(text, file, "exec")


@needs("corpus/recordings")
def test_there_are_servers_with_tools_and_other_lists() -> None:
    documents = [json.loads(path.read_bytes()) for path in recordings().values()]
    whole = [d for d in documents if d.get("tools") and any(map(d.get, LISTS))]
    assert len(whole) >= 27


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_types_of_cases_are_built(case: Path, folder: Path) -> None:
    options = copy_case(case, folder)
    package = f"built_{case.name}"
    recording = folder / "recording.json"
    ran = run_generate(recording, "-o", folder, "--name", package, "--quiet", *options)
    modules = [*(folder / package / "tools").glob("[a-z]*.py")]
    if ran.code == 0:
        assert bool(build(folder / package)) == bool(modules)
