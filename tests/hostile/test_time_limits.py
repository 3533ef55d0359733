"""Time and steps: one budget, however a package is made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.cache import Cache
from mcp_bindgen.pipeline.executor import HERE
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.plan import pack, plan, unpack
from mcp_bindgen.pipeline.pools import processes
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.pipeline.tool_cache import ToolCache
from mcp_bindgen.pipeline.tool_files import make_tools
from mcp_bindgen.recording.document import load

from tests.hostile.bombs import BOMBS
from tests.hostile.positions import tool
from tests.hostile.shapes import LEAF, crowd, lone, many
from tests.hostile.sizes import made, wide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcp_bindgen.pipeline.plan import PackedPlan
    from mcp_bindgen.pipeline.tool_files import ToolFiles


def _plans(data: bytes) -> list[PackedPlan]:
    recording, _ = load(data)
    return unpack(pack(plan(recording)))


def test_time_ends() -> None:
    with pytest.raises(BindgenError, match="takes more than 0 seconds") as caught:
        made(wide(30), seconds=0)
    assert "--limit seconds=" in caught.value.problems[0].hint


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_time_ends_in_other_processes_too(tmp_path: Path, jobs: str) -> None:
    file = tmp_path / "r.json"
    file.write_bytes(crowd(60, lambda n: tool(None, name=f"t{n}")))
    command = ["generate", str(file), "-o", str(tmp_path / "out"), "--no-cache"]
    run = CliRunner().invoke
    assert run(app, [*command, "--jobs", jobs]).exit_code == 0
    ran = run(app, [*command, "--jobs", jobs, "--limit", "seconds=0"])
    assert ran.exit_code == 2
    assert "it takes more than 0 seconds" in ran.stderr
    assert "a bug" not in ran.stderr


def test_the_time_of_all_processes_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(plans: Sequence[PackedPlan], settings: Settings) -> list[ToolFiles]:
        return [replace(tool, seconds=3.0) for tool in make_tools(plans, settings)]

    monkeypatch.setattr("mcp_bindgen.pipeline.generate.make_tools", slow)
    data = crowd(59, lambda n: tool(None, name=f"t{n}"))
    made(data, seconds=200)
    with pytest.raises(BindgenError, match="more than 120 seconds"):
        made(data)


def test_time_ends_within_a_batch() -> None:
    late = Settings(("python",), limits=replace(DEFAULT, seconds=-1))
    with pytest.raises(BindgenError, match="seconds of processor time"):
        make_tools(_plans(wide(30)), late)


# Patterns, unions and types that are looked at, and what is written: all are counted.
COSTLY: dict[str, Callable[[], bytes]] = {
    "patterns": lambda: lone(
        many(8, lambda n: {"type": "string", "pattern": f"^\\S{{1,900}}{n}$"})
    ),
    "schemas": lambda: lone(many(900, lambda _: {"items": LEAF, "type": "array"})),
    "characters": lambda: lone(many(3, lambda n: {"const": "x" * 90_000 + str(n)})),
    "types of unions": BOMBS["graph alternatives of objects 14"],
    "descents of unions": BOMBS["graph alternatives of arrays 14"],
}


@pytest.mark.parametrize("name", COSTLY)
def test_steps_are_the_same_however_a_package_is_made(
    name: str, tmp_path: Path
) -> None:
    data = COSTLY[name]()
    tools = make_tools(_plans(data), Settings())
    steps = sum(each.steps for each in tools)
    assert steps > 700
    cache = ToolCache(Cache(tmp_path / "cache"))
    enough, few = (replace(DEFAULT, steps=n) for n in (steps, steps - 1))
    with processes(2) as elsewhere:
        for executor in (HERE, elsewhere):
            for _ in "cold", "warm":
                fine = Settings(limits=enough)
                package = generate(data, "made", fine, executor, cache)
                assert len(package.catalog.tools) == 2
                with pytest.raises(
                    BindgenError, match=f"{steps - 1:,} steps"
                ) as caught:
                    generate(data, "made", Settings(limits=few), executor, cache)
                assert "--limit steps=" in caught.value.problems[0].hint


def test_a_tool_alone_takes_no_more_steps_than_all_may() -> None:
    limits = replace(DEFAULT, steps=2_000)
    plans = _plans(crowd(3, lambda n: tool(wide_patterns(), name=f"t{n}")))
    for made_ in make_tools(plans, Settings(limits=limits)):
        assert (made_.tool is None) == (made_.steps > limits.steps)


def wide_patterns() -> Any:
    return many(8, lambda n: {"type": "string", "pattern": f"^\\S{{1,900}}{n}$"})
