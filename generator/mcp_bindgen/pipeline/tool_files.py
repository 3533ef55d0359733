"""Makes the files of one tool, in this process or in another."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.errors import Problem
from mcp_bindgen.limits import Budget, StepsError
from mcp_bindgen.pipeline.formatting import formatted, mended
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.python import selfcheck
from mcp_bindgen.python.allowlist import COMMON
from mcp_bindgen.python.expressions import name
from mcp_bindgen.python.literals import columns
from mcp_bindgen.python.style import OURS
from mcp_bindgen.render.agent_skill import TARGET as SKILL
from mcp_bindgen.render.docstrings import first_line
from mcp_bindgen.render.exports import entries
from mcp_bindgen.render.one_line import call_signature
from mcp_bindgen.render.target_folders import allowlists, chosen, is_built_in, origins
from mcp_bindgen.render.templates import tool_files
from mcp_bindgen.schema.document import is_longer
from mcp_bindgen.schema.ir import Note
from mcp_bindgen.schema.node import SchemaError
from mcp_bindgen.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import PackedPlan, ToolPlan
    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.schema.ir import Tool

__all__ = ["ToolFiles", "make_tool", "make_tools", "needs_raw"]

_LEFT_OUT = "the tool is left out; report this to the server's authors"
_OUR_FAULT = "this is a fault of mcp-bindgen, please report it; the tool is left out"
_ANY = name("Any")
_NOTHING = Note("not-enforced", "", "the recorded answers are too large for a type")
# Work that takes as long as a step of compilation: 100 characters, 1/20 of an empty
# tool.
_CHARACTERS_A_STEP, _STEPS_A_TOOL = 100, 20


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """One tool, its files, and the work that they took.

    Attributes:
        plan: The plan of the tool, without the tool.
        tool: The tool, None where it is left out. It has what the files of all tools
            together need, and for templates of a user all.
        files: Path to text of the tool's own files; they have passed the self-check.
        problem: Why the tool is left out; its pointer leads into the tool.
        steps: Steps of work, the same on every machine.
        seconds: Processor time, in seconds.
        cached: Whether they come from an earlier run.
    """

    plan: ToolPlan
    tool: Tool | None = None
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    problem: Problem | None = None
    steps: int = 0
    seconds: float = 0.0
    cached: bool = False

    @property
    def characters(self) -> int:
        """The characters that the tool adds to the package, as Python stores them."""
        if self.tool is None:
            return 0
        texts = (*self.files.values(), *self.tool.entries.values())
        notes = sum(len(note.pointer) + len(note.detail) for note in self.tool.notes)
        # One character outside ASCII may make Python store all in four bytes each.
        return notes + sum(len(t) if t.isascii() else 4 * len(t) for t in texts)


def make_tools(plans: Sequence[PackedPlan], settings: Settings) -> list[ToolFiles]:
    """Make tools one after the other, with one backstop for all of them.

    Args:
        plans: The tools to make; only one of them is open at a time.
        settings: The settings of the package.

    Raises:
        BindgenError: There is no such target, or the time is over.
    """
    deadline = Deadline(settings.limits.seconds)
    return [make_tool(plan.opened(), settings, deadline) for plan in plans]


def make_tool(plan: ToolPlan, settings: Settings, deadline: Deadline) -> ToolFiles:
    """Make one tool: its types, its own files, its entries in files of all tools.

    A tool that takes more steps than a whole recording may raises no error here, where
    another process may have made it; `generate` counts its steps and raises the error.

    Raises:
        BindgenError: There is no such target, or the time is over.
    """
    began = time.process_time()
    budget = Budget(settings.limits, deadline)
    try:
        budget.spend(_STEPS_A_TOOL)
        made = _with_samples(plan, settings, budget)
    except StepsError:
        made = ToolFiles(plan)
    seconds = time.process_time() - began
    made = replace(made, steps=budget.steps, seconds=seconds)
    # Black's time is not counted: the user wants it, and its work has an end.
    if settings.style != OURS:
        made = _styled(made, settings)
    made = _with_models(made, settings)
    tool = made.tool and _bare(made.tool, settings)
    files = Texts.of(made.files)
    return replace(made, plan=replace(plan, raw={}), tool=tool, files=files)


def _bare(tool: Tool, settings: Settings) -> Tool:
    """Return a tool without what only its own files need, which is most of it."""
    if not all(map(is_built_in, settings.targets)):  # A user's templates may need all.
        return tool
    return replace(
        tool,
        arguments=replace(tool.arguments, fields=()),
        return_type=_ANY,
        types=(),
        header_params=(),
        raw=tool.raw if needs_raw(settings) else {},
    )


def needs_raw(settings: Settings) -> bool:
    """Return whether a target of ours needs a tool in JSON after the tool is made."""
    return SKILL in settings.targets


def _with_models(made: ToolFiles, settings: Settings) -> ToolFiles:
    """Return a tool with the files that a library makes of it, if a target wants it."""
    targets = [target for target in chosen(settings.targets) if target.library]
    if not made.tool or not targets:
        return made
    from mcp_bindgen.pipeline.models import model_file

    rules = COMMON | targets[0].allowlist | settings.models.allowlist()
    files, note = model_file(made.tool, settings, rules)
    notes = (*made.tool.notes, *([note] if note else []))
    tool = replace(made.tool, notes=notes)
    return replace(made, tool=tool, files={**made.files, **files})


def _styled(made: ToolFiles, settings: Settings) -> ToolFiles:
    """Return a tool whose files black has laid out; they are self-checked again."""
    targets = chosen(settings.targets)
    users = origins(targets, made.files)
    files = formatted(made.files, settings.style, users)
    rules = allowlists(targets, files)
    if faults := selfcheck.check(files, rules=rules):
        problem = Problem("", faults[0].message, _OUR_FAULT)
        return ToolFiles(made.plan, problem=problem, steps=made.steps)
    return replace(made, files=files)


def _with_samples(plan: ToolPlan, settings: Settings, budget: Budget) -> ToolFiles:
    if is_longer(plan.raw, settings.limits.tool_made):
        return ToolFiles(plan, problem=_too_large(settings.limits))
    made = _make(plan, settings, budget)
    if made.tool or not plan.samples:
        return made
    # Recorded answers that are too large cost the type of the result, not the tool.
    bare = _make(replace(plan, samples=[]), settings, budget)
    if not bare.tool:
        return bare
    return replace(bare, tool=replace(bare.tool, notes=(*bare.tool.notes, _NOTHING)))


def _make(plan: ToolPlan, settings: Settings, budget: Budget) -> ToolFiles:
    targets = chosen(settings.targets)
    try:
        tool = build(plan, budget)
    except SchemaError as error:
        problem = Problem(error.pointer, error.message, error.hint or _LEFT_OUT)
        return ToolFiles(plan, problem=problem)
    except RecursionError:
        return ToolFiles(plan, problem=Problem("", "nested too deeply", _LEFT_OUT))
    if settings.policy:
        tool = replace(tool, policy=settings.policy.of(tool.wire.text))
    kinds = {kind for target in targets for kind in target.entries}
    tool = replace(tool, entries=entries(tool, plan.exported, sorted(kinds)))
    if SKILL in settings.targets:
        tool = replace(tool, signature=call_signature(tool))
    with columns(settings.style.line_length):
        tool = replace(tool, line=first_line(tool))
        made = ToolFiles(plan, tool, tool_files(tool, settings.targets))
    budget.spend(made.characters // _CHARACTERS_A_STEP)
    if made.characters > settings.limits.tool_made:
        return ToolFiles(plan, problem=_too_large(settings.limits))
    made = replace(made, files=mended(made.files, budget))
    rules = allowlists(targets, made.files)
    if faults := selfcheck.check(made.files, rules=rules):
        return ToolFiles(plan, problem=Problem("", faults[0].message, _OUR_FAULT))
    return made


def _too_large(limits: Limits) -> Problem:
    message = f"it would add more than {limits.tool_made:,} characters"
    return Problem("", f"{message} to the package", _LEFT_OUT)
