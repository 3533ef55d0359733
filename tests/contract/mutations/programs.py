"""Writes programs for both packages of many changes, and has mypy check them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.pipeline.plan import plan
from mcp_bindgen.recording.document import load

from tests.contract.changes import recording, report
from tests.contract.mutations.callers import caller
from tests.packages import generate, mypy, share_runtime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Tools: TypeAlias = "list[dict[str, Any]]"


def _renamed(tools: Tools, number: int) -> Tools:
    """Return tools with names of their own, so that one package has all of them."""
    return [{**tool, "name": f"m{number}_{tool['name']}"} for tool in tools]


def write_callers(
    folder: Path, pairs: Sequence[tuple[Tools, Tools]]
) -> dict[str, bool]:
    """Write both packages, and programs of each side for both.

    Args:
        folder: The folder for them.
        pairs: The tools of both sides of each change.

    Returns:
        File to whether it should have errors.
    """
    sides = {
        "old": [_renamed(old, number) for number, (old, _) in enumerate(pairs)],
        "new": [_renamed(new, number) for number, (_, new) in enumerate(pairs)],
    }
    has_errors: dict[str, bool] = {}
    for side, other in (("old", "new"), ("new", "old")):
        data = recording(*(tool for tools in sides[side] for tool in tools))
        (folder / f"{side}.json").write_bytes(data)
        arguments = ("--name", f"{side}_side", "-o", folder)
        assert generate(folder / f"{side}.json", *arguments).code == 0
        for number, tools in enumerate(sides[side]):
            loaded, _ = load(recording(*tools))
            breaks = report(tools, sides[other][number]).source == "breaking"
            for package, has_error in ((side, False), (other, breaks)):
                name = f"{side}_on_{package}_{number}.py"
                parts = (caller(tool, f"{package}_side") for tool in plan(loaded))
                (folder / name).write_text("\n".join(parts))
                has_errors[name] = has_error
    share_runtime(folder)
    return has_errors


def files_with_errors(folder: Path) -> set[str]:
    """Return the programs in which mypy finds errors."""
    said = mypy(folder).stderr
    # Where the new type is narrower, a check may be needless, which breaks nobody.
    needless = r"(?!.*\[comparison-overlap\])"
    return {*re.findall(rf"^(\w+\.py):\d+: error{needless}", said, re.MULTILINE)}


def breaking(has_errors: Mapping[str, bool]) -> set[str]:
    """Return the programs that should have errors."""
    return {name for name, breaks in has_errors.items() if breaks}
