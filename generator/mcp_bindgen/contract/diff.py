"""The pipe: two recordings to a report, read from top to bottom.

plans   = plan(recording)                names of each tool, in Python too
pairs   = removed, added, respelled      which tool of one is which of the other
changes = compare_tool(old, new)         words, hints, schemas, generated code
report  = sorted, breaking ones first
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.contract.entries import compare_entries, compare_names
from mcp_bindgen.contract.findings import finding
from mcp_bindgen.contract.judge import Known
from mcp_bindgen.contract.model import GRADES, Change, Report, SchemaChange
from mcp_bindgen.contract.normal import text_of
from mcp_bindgen.contract.shape import Part
from mcp_bindgen.contract.tools import NOT_COMPARED, compare_tool
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.features import features
from mcp_bindgen.pipeline.plan import ToolPlan, plan
from mcp_bindgen.pipeline.settings import DEFAULTS
from mcp_bindgen.recording.document import load, load_beside

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.recording.document import Recording

    _Loaded: TypeAlias = tuple[Recording, tuple[Problem, ...]]

__all__ = ["compare_recordings", "rank"]


def compare_recordings(
    old: bytes,
    new: bytes,
    settings: Settings = DEFAULTS,
    limits: Limits = DEFAULT,
    before: Settings | None = None,
) -> Report:
    """Return the changes from one recording to another, graded.

    Args:
        old: The bytes of the old recording.
        new: The bytes of the new recording.
        settings: Their `include` and `exclude` choose the tools that count.
        limits: The limits of the generator.
        before: The same for the old recording; None for those of the new one.

    Returns:
        The report; its `problems` are the unreadable parts of both recordings.

    Raises:
        BindgenError: One of them is no recording, or over a limit.

    Example:
        report = compare_recordings(old.read_bytes(), new.read_bytes())
        print(report.grade, report.bump)
    """
    (first, refused), (second, also) = _loaded(old, new, limits)
    olds, news = _plans(first, before or settings), _plans(second, settings)
    names = (
        features(recording, (str(each.function) for each in plans.values()), limits)
        for recording, plans in ((first, olds), (second, news))
    )
    excluded = {str(tool["name"]) for tool in second.tools} - news.keys()
    changes = [
        *compare_entries(first, second),
        *compare_names(*names),
        *_tools(olds, news, excluded, limits),
    ]
    problems = (*refused, *also, *_not_compared(changes))
    return Report(tuple(sorted(changes, key=rank)), problems)


def _loaded(old: bytes, new: bytes, limits: Limits) -> tuple[_Loaded, _Loaded]:
    """Read both recordings: the old one beside the new one, which is used again.

    Raises:
        BindgenError: One is no recording, or over a limit.
    """
    try:
        after = load(new, limits)
    except BindgenError:
        _loaded_old(old, None, limits)  # Its mistakes come first.
        raise
    return _loaded_old(old, after[0], limits), after


def _loaded_old(data: bytes, other: Recording | None, limits: Limits) -> _Loaded:
    """Read the old recording; reports name the file of the new one, so problems say it.

    Raises:
        BindgenError: It is no recording, or over a limit.
    """
    try:
        loaded = load_beside(data, other, limits) if other else load(data, limits)
    except BindgenError as error:
        raise BindgenError(*map(_of_old, error.problems)) from None
    recording, problems = loaded
    return recording, tuple(map(_of_old, problems))


def _of_old(problem: Problem) -> Problem:
    at = f" at {problem.pointer}" if problem.pointer else ""
    return Problem("", f"in the old recording{at}: {problem.message}", problem.hint)


def _plans(recording: Recording, settings: Settings) -> dict[str, ToolPlan]:
    """Return the plans of the tools of a recording by their wire names."""
    return {str(each.raw["name"]): each for each in plan(recording, settings)}


def _not_compared(changes: Iterable[Change]) -> Iterator[Problem]:
    """Yield a problem for each tool that cannot be compared."""
    hint = "report this to the server's authors"
    for change in changes:
        if change.rule == NOT_COMPARED:
            message = f"{change.tool[:80]}: {change.message}"
            yield Problem(change.pointer, message, hint)


def rank(change: Change) -> tuple[object, ...]:
    """Return the order of findings: the worst tools first, and there the worst."""
    worst = -GRADES.index(change.grade)
    return (worst, change.tool, change.path, change.rule)


def _tools(
    olds: Mapping[str, ToolPlan],
    news: Mapping[str, ToolPlan],
    excluded: Collection[str],
    limits: Limits,
) -> Iterator[Change]:
    partners = _partners(olds, news)
    paired, known = {*partners.values()}, Known()
    functions = {str(each.function): name for name, each in news.items()}
    for name, old in olds.items():
        other = partners.get(name)
        if other is None:
            rule = "TOOL_EXCLUDED" if name in excluded else "TOOL_REMOVED"
            yield finding(old, SchemaChange(rule, (), "", gone=True))
            continue
        new = news[other]
        if other != name:
            respelled = old.function == new.function
            rule = "TOOL_RESPELLED" if respelled else "TOOL_RENAMED"
            yield finding(old, SchemaChange(rule, (), "/name", name, other))
        elif old.function != new.function:
            yield _rebound(old, new, functions)
        yield from compare_tool(old, new, known, limits)
    for name, new in news.items():
        if name not in paired:
            yield finding(new, SchemaChange("TOOL_ADDED", (), ""))


def _rebound(old: ToolPlan, new: ToolPlan, functions: Mapping[str, str]) -> Change:
    """Return the change of a function's name; another tool may have the old one now."""
    taken = functions.get(old.function)
    if taken is None:
        names = str(old.function), str(new.function)
        change = SchemaChange("PYTHON_FUNCTION_RENAMED", (), "/name", *names)
    else:
        names = str(old.function), taken
        change = SchemaChange("PYTHON_NAME_REBOUND", (), "/name", *names)
    return finding(old, change)


def _partners(
    olds: Mapping[str, ToolPlan], news: Mapping[str, ToolPlan]
) -> dict[str, str]:
    """Return old name to new name, for each tool that both recordings have.

    Tools of equal names come first, then those with the same name in Python. Then come
    an old and a new tool that differ in nothing but their names.
    """
    partners = {name: name for name in olds if name in news}
    functions = {tool.function: name for name, tool in news.items()}
    removed, added = _without(olds, news), _without(news, olds)
    for name, tool in removed.items():
        other = functions.get(tool.function)
        if other in added:
            partners[name] = other
    before = _by_content(_without(removed, partners))
    after = _by_content(_without(added, partners.values()))
    for content, names in before.items():
        others = after.get(content, [])
        if len(names) == len(others) == 1:
            partners[names[0]] = others[0]
    return partners


def _without(
    tools: Mapping[str, ToolPlan], names: Collection[str]
) -> dict[str, ToolPlan]:
    return {name: tool for name, tool in tools.items() if name not in names}


def _by_content(tools: Mapping[str, ToolPlan]) -> dict[str, list[str]]:
    """Return content to the names of the tools that have it; see `_content`."""
    names: dict[str, list[str]] = {}
    for name, tool in tools.items():
        names.setdefault(_content(tool), []).append(name)
    return names


def _content(tool: ToolPlan) -> str:
    """Return everything of a tool except its name, to compare it with other tools."""
    schemas = [tool.raw.get(key, True) for key in ("inputSchema", "outputSchema")]
    description = str(tool.raw.get("description"))
    return description + text_of(tuple(Part("", schema) for schema in schemas))
