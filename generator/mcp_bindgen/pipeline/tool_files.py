"""What one tool adds to a package: made alone, to be kept, or made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.tool import build, outline
from mcp_bindgen.python.literals import PyName
from mcp_bindgen.render.exports import entries
from mcp_bindgen.render.target_folders import allowlists, chosen
from mcp_bindgen.render.templates import tool_files
from mcp_bindgen.schema.compile import UNBOUND, Bounds
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.ir import Note
from mcp_bindgen.schema.node import SchemaError
from mcp_bindgen.selfcheck import check as selfcheck

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import Order
    from mcp_bindgen.schema.ir import Tool

__all__ = ["Part", "make", "pack", "refuse_large", "unpack"]

_LEFT_OUT = "the tool is left out; report this to the server's authors"
_OUR_FAULT = "this is a fault of mcp-bindgen, please report it; the tool is left out"
_NOTHING = Note("not-enforced", "", "recorded answers are too much for a type")


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

    @property
    def weight(self) -> int:
        """How many characters are kept of it, in memory's terms."""
        if self.tool is None:
            return 0
        texts = (*self.files.values(), *self.tool.entries.values())
        told = sum(len(note.pointer) + len(note.detail) for note in self.tool.notes)
        # One character outside ASCII may make Python keep all in four bytes each.
        return told + sum(len(t) if t.isascii() else 4 * len(t) for t in texts)


def refuse_large(weight: int, limits: Limits) -> None:
    """Refuse a package that is too large.

    Args:
        weight: That of its parts.
        limits: How much is allowed.

    Raises:
        BindgenError: There is more.
    """
    if weight > limits.made:
        message = f"the package would have more than {limits.made:,} characters"
        hint = "choose tools with --include, or raise the limit: --limit made=NUMBER"
        raise BindgenError(Problem("", message, hint))


def _too_large(limits: Limits) -> Problem:
    message = f"it would add more than {limits.tool_made:,} characters"
    return Problem("", f"{message} to the package", _LEFT_OUT)


def make(order: Order, targets: Sequence[str], bounds: Bounds = UNBOUND) -> Part:
    """Return a tool's part: types, entries in files that list all tools, own files.

    Args:
        order: What to make.
        targets: The template folders that it is for.
        bounds: How much may be done for it.

    Raises:
        BindgenError: It takes too long.
    """
    if len(canonical(order.raw)) > bounds.limits.tool_made:
        return Part(problem=_too_large(bounds.limits))
    part = _make(order, targets, bounds)
    if part.tool or not order.samples:
        return part
    # What was recorded of its answers may cost no more than their types.
    bare = _make(replace(order, samples=[]), targets, bounds)
    if not bare.tool:
        return bare
    return replace(bare, tool=replace(bare.tool, notes=(*bare.tool.notes, _NOTHING)))


def _make(order: Order, targets: Sequence[str], bounds: Bounds) -> Part:
    try:
        tool = build(order, bounds)
    except SchemaError as error:
        problem = Problem(error.pointer, error.message, error.hint or _LEFT_OUT)
        return Part(problem=problem)
    except RecursionError:
        return Part(problem=Problem("", "nested too deeply", _LEFT_OUT))
    kinds = {kind for target in chosen(targets) for kind in target.entries}
    tool = replace(tool, entries=entries(tool, order.exported, sorted(kinds)))
    part = Part(tool, tool_files(tool, targets))
    if part.weight > bounds.limits.tool_made:
        return Part(problem=_too_large(bounds.limits))
    rules = allowlists(chosen(targets), part.files)
    if faults := selfcheck.check(part.files, rules=rules):
        return Part(problem=Problem("", faults[0].message, _OUR_FAULT))
    return part


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
