"""What one tool adds to a package: made alone, to be kept, or made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from . import selfcheck
from .build import build, outline
from .errors import Problem
from .exports import ENTRIES, entries
from .ir import Note
from .render import is_ours, tool_files
from .roots import UNBOUND, Work
from .schema import SchemaError
from .source import PyName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .ir import Tool
    from .plan import Order

__all__ = ["Part", "make", "pack", "unpack"]

_LEFT_OUT = "the tool is left out; tell the server's authors"
_OUR_FAULT = "this is a fault of mcp-bindgen, please report it; the tool is left out"
# The entries that our own targets print; a user's may print any.
_KINDS = {
    "agents": ("openai_strict",),
    "openai": ("openai", "openai_strict"),
    "python": ("info",),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One tool's part of a package.

    Attributes:
        tool: The tool; without its types if it was packed meanwhile.
        files: Path to text of what it adds; they have passed the self-check.
        problem: Why there is no tool; its pointer leads into the tool.
    """

    tool: Tool | None = None
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    problem: Problem | None = None


def make(order: Order, targets: Sequence[str], work: Work = UNBOUND) -> Part:
    """Return a tool's part: types, entries in files that list all tools, own files.

    Args:
        order: What to make.
        targets: The template folders that it is for.
        work: How much may be done for it.

    Raises:
        BindgenError: It takes too long.
    """
    try:
        tool = build(order, work)
    except SchemaError as error:
        problem = Problem(error.pointer, error.message, error.hint or _LEFT_OUT)
        return Part(problem=problem)
    except RecursionError:
        return Part(problem=Problem("", "nested too deeply", _LEFT_OUT))
    kinds = {kind for target in ("python", *targets) for kind in _kinds(target)}
    tool = replace(tool, entries=entries(tool, order.exported, sorted(kinds)))
    files = tool_files(tool, targets)
    if faults := selfcheck.check(files):
        return Part(problem=Problem("", faults[0].message, _OUR_FAULT))
    return Part(tool, files)


def _kinds(target: str) -> Iterable[str]:
    return _KINDS.get(target, ()) if is_ours(target) else ENTRIES


def pack(part: Part) -> dict[str, Any]:
    """Return a part as JSON: what `outline` cannot make anew."""
    if part.tool is None:
        problem = part.problem or Problem("", "")
        return {"problem": [problem.pointer, problem.message, problem.hint]}
    tool = part.tool
    return {
        "result": tool.result,
        "returns": tool.returns,
        "checked": tool.checked,
        "notes": [[note.kind, note.pointer, note.detail] for note in tool.notes],
        "entries": {**tool.entries},
        "files": {**part.files},
    }


def _as_made(_path: str, _text: str) -> bool:
    return True  # `make` has seen to it


def unpack(
    order: Order,
    packed: Mapping[str, Any],
    is_sound: Callable[[str, str], bool] = _as_made,
) -> Part:
    """Return a part that was packed for an equal order.

    Args:
        order: What was made.
        packed: What was made of it.
        is_sound: Whether a file, by path and text, passes the self-check.

    Raises:
        LookupError: It is damaged.
        TypeError: The same.
        ValueError: A file of it is not sound.
    """
    if "problem" in packed:
        return Part(problem=Problem(*packed["problem"]))
    result = packed["result"]
    tool = replace(
        outline(order),
        result=None if result is None else PyName(result),
        returns=packed["returns"],
        checked=packed["checked"],
        notes=tuple(Note(*note) for note in packed["notes"]),
        entries=packed["entries"],
    )
    files = packed["files"]
    if not all(is_sound(*file) for file in files.items()):
        raise ValueError(order.function)
    return Part(tool, files)
