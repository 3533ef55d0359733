"""The parts of a package before its files: what the server lists, and what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.deadline import TimeUpError
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import StepsError
from mcp_bindgen.pipeline.features import Features, features
from mcp_bindgen.pipeline.plan import chosen, pack, plan_last, unmatched_globs, unpack
from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.recording.document import digest, dump, load_last
from mcp_bindgen.render.target_folders import is_built_in
from mcp_bindgen.schema.ir import Catalog
from mcp_bindgen.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import PackedPlan
    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.pipeline.tool_files import ToolFiles
    from mcp_bindgen.recording.document import Recording

__all__ = ["Listed", "Parts", "listed", "parts_of", "rendered", "within_limits"]


class Listed(NamedTuple):
    """What a server lists; the recording itself, which is large, is free.

    Attributes:
        catalog: All that the server lists, without tools.
        problems: The problems of entries that are not sound.
        unmatched: The globs of the settings that match no tool of the recording.
        is_empty: Whether the recording has no tool.
    """

    catalog: Catalog
    problems: Sequence[Problem]
    unmatched: tuple[str, ...]
    is_empty: bool


class Parts(NamedTuple):
    """The parts of a package.

    Attributes:
        catalog: All that the server lists, sorted by wire name.
        own: The files of single tools, path to text.
        problems: A problem for each part that was left out, in the recording's order.
        unmatched: The globs of the settings that match no tool of the recording.
        has_cached: Whether one of the tools comes from an earlier run.
    """

    catalog: Catalog
    own: Mapping[str, str]
    problems: tuple[Problem, ...]
    unmatched: tuple[str, ...]
    has_cached: bool = False


def listed(
    data: bytes, name: str, settings: Settings
) -> tuple[Listed, list[PackedPlan]]:
    """Return what a server lists, and the plans of the tools that the settings choose.

    Args:
        data: The recording of the server.
        name: The import name of the package.
        settings: The settings of the package.

    Raises:
        BindgenError: It is no recording, or it is over a limit of the whole file.
    """
    lists, packed = _packed(data, name, settings)
    return lists, unpack(packed)


def _packed(data: bytes, name: str, settings: Settings) -> tuple[Listed, bytes]:
    """Return what a server lists, and the packed plans; all other JSON is free then."""
    recording, refused = load_last(data, settings.limits)
    plans = plan_last(recording, settings)
    others = features(recording, [p.function for p in plans], settings.limits)
    if settings.policy:
        features_ = others.resources, others.templates, others.prompts
        resources, templates, prompts = settings.policy.features(*features_)
        others = replace(
            others, resources=resources, templates=templates, prompts=prompts
        )
    lists = Listed(
        _catalog(name, recording, others, settings),
        (*refused, *others.problems),
        unmatched_globs(recording, settings),
        not recording.tools,
    )
    return lists, pack(plans)


def _catalog(
    name: str, recording: Recording, others: Features, settings: Settings
) -> Catalog:
    server = str(recording.server.get("name") or "server")
    return Catalog(
        package=PyName(name),
        server=WireStr(server),
        server_title=WireStr(str(recording.server.get("title") or server)),
        version=WireStr(str(recording.server.get("version") or "")),
        digest=digest(recording),
        tools=(),
        recording=WireStr(dump(chosen(recording, settings))),
        resources=others.resources,
        templates=others.templates,
        prompts=others.prompts,
    )


def within_limits(tools: Iterable[ToolFiles], limits: Limits) -> list[ToolFiles]:
    """Collect tools while all together are within the limits of the whole file.

    Args:
        tools: The tools, which may be made while they are read.
        limits: The limits.

    Raises:
        BindgenError: They are not.
    """
    collected: list[ToolFiles] = []
    steps = characters = 0
    seconds = 0.0
    for tool in tools:
        collected.append(tool)
        steps += tool.steps
        characters += tool.characters
        if steps > limits.steps:
            raise StepsError(limits)
        if characters > limits.made:
            message = f"the package would have more than {limits.made:,} characters"
            hint = "choose tools with --include, or raise the limit: --limit made=N"
            raise BindgenError(Problem("", message, hint))
        seconds += tool.seconds
        if seconds > limits.seconds:
            raise TimeUpError(limits.seconds)
    return collected


def parts_of(lists: Listed, tools: Sequence[ToolFiles]) -> Parts:
    """Return the parts of a package.

    Args:
        lists: What the server lists.
        tools: The tools that the settings choose, each with its problem, if any.
    """
    made = tuple(tool.tool for tool in tools if tool.tool)
    return Parts(
        replace(lists.catalog, tools=made),
        Texts.of(*(tool.files for tool in tools)),
        _left_out(lists, tools),
        lists.unmatched,
        any(tool.cached for tool in tools),
    )


def rendered(parts: Parts, settings: Settings) -> Parts:
    """Return parts without what templates of ours alone need, an eighth of all memory.

    Args:
        parts: The parts of a package whose templates are rendered.
        settings: The settings of the package; templates of a user may need all.
    """
    if not all(map(is_built_in, settings.targets)):
        return parts
    tools = tuple(replace(tool, entries={}) for tool in parts.catalog.tools)
    return parts._replace(catalog=replace(parts.catalog, tools=tools))


def _left_out(lists: Listed, tools: Sequence[ToolFiles]) -> tuple[Problem, ...]:
    """Return a problem for each part that is left out, in the recording's order."""
    unmade = [
        replace(tool.problem, pointer=tool.plan.pointer + tool.problem.pointer)
        for tool in tools
        if tool.problem
    ]
    problems = sorted([*lists.problems, *unmade], key=_position)
    if not (lists.is_empty or tools):
        hint = "a glob matches the whole name that the server gives, as in 'get_*'"
        problems.append(Problem("", "no tool is left by --include, --exclude", hint))
    return tuple(problems)


def _position(problem: Problem) -> list[tuple[bool, int, str]]:
    """Return the sort key of a problem: the steps of its pointer, with numbers."""
    steps = problem.pointer.split("/")
    return [(not s.isdecimal(), len(s) if s.isdecimal() else 0, s) for s in steps]
