"""Pages for coding agents: an index of the tools, and a page for each.

All text of the server is in fences that are longer than any in it, or in a string
of JSON: nothing of it is Markdown, YAML or a doctest.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from mcp_bindgen.python.docstring_safety import inert
from mcp_bindgen.python.expressions import flat, union
from mcp_bindgen.python.literals import Code, clean
from mcp_bindgen.python.skill_safety import not_run, not_run_code
from mcp_bindgen.render.docstrings import field_text
from mcp_bindgen.render.field_types import MISSING, accepted_type
from mcp_bindgen.render.one_line import first_sentence
from mcp_bindgen.render.sample_call import sample_call
from mcp_bindgen.schema.classes import plain
from mcp_bindgen.schema.ir import Alias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.schema.ir import Catalog, Object, Tool

__all__ = ["FILTERS", "TARGET", "skill_files", "skill_tokens"]

TARGET = "agent_skill"
FOLDER = "skill"
_PAGES = f"{FOLDER}/references"
_CHARACTERS = 4  # of English and code make about one token of a model
_MOST_TOKENS = 4_500  # of the index; the rest of SKILL.md takes fewer than 500
# Shares of `tools/list` that the index may cost, by the tokens of that list.
_LARGE, _OF_LARGE, _OF_SMALL = 50_000, 0.05, 0.20
_WIDTHS = (100, 60, 30, 0)  # characters of the sentence behind a signature
_WORD = 3  # letters of the shortest word that carries meaning
_FENCES = 3  # tokens
_FEW = 3  # tools of a group; smaller groups are one
_NAMED_TOOLS = 6  # tools of a group that the index names
_LONGEST = 1000  # characters of the description; agents read 1,024
_PLANE = 0xD800
_TICKS = re.compile("`+")
_MARKS = re.compile(r"[^\w -]+")
# An end of a text that would change the quotes behind it, or get a backslash there.
_OPEN = ('"', "\\", "`", "~", "=")


def tokens(text: str) -> int:
    """Return about how many tokens of a model a text takes."""
    return -(-len(text) // _CHARACTERS)


def skill_name(catalog: Catalog) -> Code:
    """Return the name of the skill: the package's, with hyphens."""
    return Code(re.sub("[^a-z0-9]+", "-", catalog.package.lower()).strip("-")[:64])


def skill_description(catalog: Catalog) -> Code:
    """Return the words that trigger the skill, as a string of JSON, which is YAML."""
    # YAML has no escapes for the halves of a character outside of the first plane.
    title = "".join(c for c in clean(catalog.server_title, 100) if ord(c) < _PLANE)
    title = " ".join(_MARKS.sub(" ", title).split())
    words = sorted({word for tool in catalog.tools for word in _words(tool)})
    text = f"Calls the tools of the MCP server {title} from typed Python."
    for start, word in zip((" Use for: ", *[", "] * len(words)), words, strict=False):
        if len(text) + len(start) + len(word) > _LONGEST:
            break
        text += start + word
    return Code(json.dumps(f"{text}."))


def _words(tool: Tool) -> Iterator[str]:
    """Yield the words of a tool's name that carry meaning."""
    return (w for w in tool.function.strip("_").split("_") if len(w) >= _WORD)


def skill_index(catalog: Catalog) -> Code:
    """Return one line for each tool; where these take too much, one for each group."""
    lines = _tool_lines(catalog)
    if lines is None:
        return Code(_group_index(catalog.tools))
    return _fence(lines) if lines else Code("The server has no tools.")


def _tool_lines(catalog: Catalog) -> list[str] | None:
    """Return the lines of the tools, None where an index of groups costs less."""
    lines = _lines(catalog.tools, _budget(catalog)) if catalog.tools else []
    if lines is not None:
        return lines
    # Of a server that says little no index is within the share: the shortest is best.
    bare = [_line(tool, 0) for tool in catalog.tools]
    is_small = tokens("\n".join(bare)) <= _MOST_TOKENS - _FENCES
    costs_less = len(_fence(bare)) <= len(_group_index(catalog.tools))
    return bare if is_small and costs_less else None


def _group_index(tools: Sequence[Tool]) -> str:
    lines = [f"{_page_of(g)}: {_members(ts)}" for g, ts in _groups(tools).items()]
    return f"Tools in groups; each page lists all of its group:\n\n{_fence(lines)}"


def _lines(tools: Sequence[Tool], budget: float) -> list[str] | None:
    """Return a line for each tool that together fit a budget, None where none do."""
    for width in _WIDTHS:
        lines = [_line(tool, width) for tool in tools]
        if tokens("\n".join(lines)) <= budget:
            return lines
    return None


def _line(tool: Tool, width: int) -> str:
    words = first_sentence(tool, width) if width else ""
    signature = not_run_code(tool.signature)
    return f"{signature}  # {words}" if words else signature


def _budget(catalog: Catalog) -> float:
    """Return the most tokens of the index."""
    listed = _listed(catalog.tools)
    share = _OF_LARGE if listed > _LARGE else _OF_SMALL
    return min(_MOST_TOKENS, listed * share) - _FENCES


def _listed(tools: Sequence[Tool]) -> int:
    """Return the tokens of a compact `tools/list`."""
    return sum(tokens(_compact(tool.raw)) for tool in tools)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _groups(tools: Sequence[Tool]) -> dict[str, list[Tool]]:
    """Return the tools by the first word that is not common to all names."""
    names = [tool.function.strip("_").split("_") for tool in tools]
    shared, longest = 0, max(map(len, names))
    while shared < longest and len({tuple(w[: shared + 1]) for w in names}) == 1:
        shared += 1
    groups: dict[str, list[Tool]] = defaultdict(list)
    for tool, words in zip(tools, names, strict=True):
        groups[words[min(shared, len(words) - 1)]].append(tool)
    made: dict[str, list[Tool]] = defaultdict(list)
    for group, members in sorted(groups.items()):
        made[group if len(members) >= _FEW else "others"] += members
    return dict(sorted(made.items()))


def _members(tools: Sequence[Tool]) -> str:
    names = [str(tool.function) for tool in tools[:_NAMED_TOOLS]]
    more = (
        [f"... {len(tools) - _NAMED_TOOLS} more"] if len(tools) > _NAMED_TOOLS else []
    )
    return f"{len(tools)} tools: {', '.join([*names, *more])}"


def _page_of(group: str) -> str:
    """Return the page of a group; no tool's function begins so."""
    return f"references/_{group}.md"


def skill_files(catalog: Catalog) -> dict[str, str]:
    """Return the pages of groups, path to text; {} where the index lists all tools."""
    if _tool_lines(catalog) is not None:
        return {}
    return {
        f"{FOLDER}/{_page_of(group)}": f"# {group}\n\n"
        + _fence([_line(tool, _WIDTHS[0]) for tool in tools])
        + "\n"
        for group, tools in _groups(catalog.tools).items()
    }


def skill_tokens(catalog: Catalog, files: Mapping[str, str]) -> dict[str, int]:
    """Return the size of the skill, in tokens of about four characters each.

    Args:
        catalog: The tools.
        files: All files of the package.
    """
    pages = {p: text for p, text in files.items() if p.startswith(_PAGES)}
    own = {f"{_PAGES}/{tool.function}.md" for tool in catalog.tools}
    return {
        "tools_list": _listed(catalog.tools),
        "index": tokens(skill_index(catalog)),
        "skill": tokens(files.get(f"{FOLDER}/SKILL.md", "")),
        "groups": sum(tokens(text) for p, text in pages.items() if p not in own),
        "tools": sum(tokens(text) for p, text in pages.items() if p in own),
    }


def skill_page(tool: Tool) -> Code:
    """Return the page of a tool: its signature, docs, models, and a call."""
    models = [each for each in tool.types if each.name != tool.arguments.name]
    lines = [line for model in models for line in _model(model)]
    lines += [
        f"def {not_run_code(_signature(tool))}:{_doc(tool)}",
        not_run_code(str(sample_call(tool))),
    ]
    return _fence(lines)


def _signature(tool: Tool) -> str:
    parts = [
        f"{p.name}: {flat(accepted_type(p))}{'' if p.required else ' = MISSING'}"
        for p in tool.parameters
    ]
    parts = [*(["*"] if parts else []), *parts]
    if tool.extra:
        parts = ["*", "extra: dict[str, Any] = {}"]
    return f"{tool.function}({', '.join(parts)}) -> {flat(tool.return_type)}"


def _doc(tool: Tool) -> str:
    """Return the docstring of a function: the server's words, and the parameters'.

    Its further lines are not indented, which is Python, too, and costs less.
    """
    lines = clean(tool.description).splitlines() or [""]
    for field in tool.parameters:
        if words := " ".join(field_text(field).split()):
            lines.append(f"{field.name}: {words}")
    if lines[-1].endswith(_OPEN):
        lines.append("")
    text = "\n".join(lines).replace('"""', '""\\"')
    begin = " " if len(lines) == 1 else "\n    "
    mark = "r" if "\\" in not_run(inert(text)) else ""  # Python warns of `\@`
    return f'{begin}{mark}"""{text}"""'


def _model(model: Object | Alias) -> Iterator[str]:
    """Yield a model as a stub, each field with its words."""
    if isinstance(model, Alias):
        yield not_run_code(f"{model.name} = {flat(plain(model.type))}")
        return
    yield f"class {model.name}:"
    for field in model.fields:
        type_ = plain(field.type)
        type_ = type_ if field.required else union([type_, MISSING])
        words = " ".join(field_text(field).split())
        code = not_run_code(f"{field.name}: {flat(type_)}")
        yield f"    {code}" + (f"  # {words}" if words else "")
    if not model.fields:
        yield "    ..."


def _fence(lines: Sequence[str]) -> Code:
    """Return lines in a fence that no text in them can end, and that no tool runs."""
    text = not_run(inert("\n".join(lines)))
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    marks = "`" * max(3, longest + 1)
    return Code(f"{marks}\n{text}\n{marks}")


FILTERS: dict[str, Any] = {
    "skill_description": skill_description,
    "skill_index": skill_index,
    "skill_name": skill_name,
    "skill_page": skill_page,
}
