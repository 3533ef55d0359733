"""Tools of earlier runs, so that one changed tool of 1,000 costs little.

An entry is named by a hash of the input of a tool. Its text is code, and a stranger may
have written it. So it is used only if it passes the self-check again, or if the package
folder has the same text already.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_bindgen.errors import Problem
from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.pipeline.cache import Cache, key
from mcp_bindgen.pipeline.tool import outline
from mcp_bindgen.pipeline.tool_files import ToolFiles, needs_raw
from mcp_bindgen.python import selfcheck
from mcp_bindgen.python.literals import PyName
from mcp_bindgen.render.target_folders import allowlists, chosen
from mcp_bindgen.schema.ir import Note
from mcp_bindgen.texts import Texts
from mcp_bindgen.write.files import ReadFile
from mcp_bindgen.write.manifest import hash_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mcp_bindgen.pipeline.plan import PackedPlan, ToolPlan
    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.schema.ir import PolicyMark

__all__ = ["ToolCache"]

_RETURNS = ("raw", "model", "unwrapped", "inferred")


@dataclass(frozen=True, slots=True)
class ToolCache:
    """The tools of earlier runs; only for built-in targets.

    Attributes:
        cache: The folder of the entries.
        checked: Each file of the package folder that is unedited, by its path: it
            passed the self-check when it was written.
        styled_only: Whether to use only files in a project's style.
        anew: Whether to make all tools anew, since an entry may be at fault.
    """

    cache: Cache
    checked: Mapping[str, ReadFile] = field(default_factory=dict[str, ReadFile])
    styled_only: bool = False
    anew: bool = False

    def find(
        self, plans: Sequence[PackedPlan], settings: Settings
    ) -> dict[str, ToolFiles]:
        """Return function name to tool, for plans that have a sound entry."""
        chosen = () if self.styled_only or self.anew else plans
        about = _about(settings)
        tools = (self._read(plan, settings, about) for plan in chosen)
        return {tool.plan.function: tool for tool in tools if tool}

    def keep(
        self,
        plans: Sequence[PackedPlan],
        tools: Sequence[ToolFiles],
        settings: Settings,
    ) -> None:
        """Write an entry for each tool that was made in this run.

        Args:
            plans: The plans of the tools.
            tools: The tools, in the order of their plans.
            settings: The settings of the package.
        """
        pairs = zip(plans, tools, strict=True)
        made = [(plan, tool) for plan, tool in pairs if not tool.cached]
        about = _about(settings)
        if made and not self.styled_only:
            self.cache.write(
                {_name(plan, settings, about): _pack(tool) for plan, tool in made}
            )

    def _read(
        self, packed: PackedPlan, settings: Settings, about: str
    ) -> ToolFiles | None:
        entry = self.cache.read(_name(packed, settings, about))
        if entry is None:
            return None
        try:
            tool = _unpack(packed, entry, settings)
            faults = self._faults(tool.files, settings)
        except (LookupError, TypeError, AttributeError, ValueError):
            return None
        return None if faults else tool

    def _faults(self, files: Mapping[str, str], settings: Settings) -> list[Problem]:
        """Return the findings of the self-check in files that are not in the folder."""
        new = {p: files[p] for p in files if not self._stands(files, p)}
        if not new:
            return []
        rules = allowlists(chosen(settings.targets), new)
        return selfcheck.check(new, rules=rules)

    def _stands(self, files: Mapping[str, str], path: str) -> bool:
        file = self.checked.get(path)
        return file is not None and file.hash == hash_in(files, path)


def _about(settings: Settings) -> str:
    """Return the part of the names of entries that all tools of a package share."""
    how = (settings.limits, settings.style, settings.models)
    return key(settings.targets, repr(how))


def _name(packed: PackedPlan, settings: Settings, about: str) -> str:
    plan = packed.rest
    shaped_by = [plan.function, plan.exported, plan.samples, about]
    mark = repr(_mark(plan, settings)) if settings.policy else ""
    return key(packed.packed, [*shaped_by, mark])


def _mark(plan: ToolPlan, settings: Settings) -> PolicyMark | None:
    """Return the mark of a tool in the policy of the settings."""
    return settings.policy.of(str(plan.raw["name"])) if settings.policy else None


def _pack(made: ToolFiles) -> dict[str, Any]:
    """Return as JSON the parts of a tool that `outline` does not make."""
    texts = [*made.files.values()]
    packed: dict[str, Any] = {"steps": made.steps, "files": [*made.files]}
    if made.problem:
        problem = made.problem
        packed["problem"] = [problem.pointer, problem.message, problem.hint]
    if made.tool:
        tool = made.tool
        packed["tool"] = {
            "result": tool.result,
            "returns": tool.returns,
            "checked": tool.checked,
            "notes": [[note.kind, note.pointer, note.detail] for note in tool.notes],
            "entries": [*tool.entries],
            "line": tool.line,
            "signature": tool.signature,
        }
        texts += tool.entries.values()
    packed["texts"] = texts
    return packed


def _unpack(
    packed: PackedPlan, entry: Mapping[str, Any], settings: Settings
) -> ToolFiles:
    """Return a tool that was packed for an equal plan.

    Raises:
        LookupError: The entry is damaged.
        TypeError: The same.
        ValueError: The same.
    """
    steps = entry["steps"]
    if type(steps) is not int or steps < 0:
        raise TypeError
    paths, texts = entry["files"], entry["texts"]
    files = Texts.of(_table(paths, texts[: len(paths)]))
    made = partial(ToolFiles, packed.rest, files=files, steps=steps, cached=True)
    if "problem" in entry:
        pointer, message, hint = map(_text, entry["problem"])
        return made(problem=Problem(pointer, message, hint))
    tool = dict(entry["tool"])
    result = tool["result"]
    tool["result"] = None if result is None else PyName(_text(result))
    tool["notes"] = tuple(Note(*map(_text, note)) for note in tool["notes"])
    tool["entries"] = _table(tool["entries"], texts[len(paths) :])
    tool["line"], tool["signature"] = _line(tool["line"]), _line(tool["signature"])
    if tool["returns"] not in _RETURNS or type(tool["checked"]) is not bool:
        raise TypeError
    tool["policy"] = _mark(packed.rest, settings)
    tool["raw"] = packed.opened().raw if needs_raw(settings) else {}
    return made(tool=replace(outline(packed.rest), **tool))


def _table(keys: Iterable[object], texts: Iterable[object]) -> dict[str, str]:
    pairs = zip(keys, texts, strict=True)
    return {_text(key): _text(text) for key, text in pairs}


def _line(value: object) -> str:
    line = _text(value)
    if "\n" in line or first_hidden(line):
        raise TypeError
    return line


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
