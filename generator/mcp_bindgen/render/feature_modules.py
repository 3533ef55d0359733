"""Source text for the modules of resources and prompts."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from mcp_bindgen.json_writer import indented
from mcp_bindgen.python.expressions import (
    Bracket,
    Item,
    identifier,
    literal,
    name,
    names,
    statement,
)
from mcp_bindgen.python.literals import (
    WIDTH,
    Code,
    PyName,
    WireStr,
    clean,
    docstring,
    lit,
    text_width,
    wrap,
)
from mcp_bindgen.python.prose import with_sentence
from mcp_bindgen.render.docstrings import field_text, policy_text
from mcp_bindgen.render.exports import policy_facts
from mcp_bindgen.render.tool_module import export_order, import_from, import_order

if TYPE_CHECKING:
    from mcp_bindgen.schema.ir import Catalog, Feature, Field, Tool

__all__ = ["FILTERS", "feature_names"]

_LINE_LENGTH = 160  # characters
_RESOURCES = "_runtime.client.resources"
_PROMPTS = "_runtime.client.prompts"
_MESSAGES = "_runtime.agents.prompt_messages"
_TOOLS = "_runtime.agents.resource_tools"


def client_base(catalog: Catalog, prefix: str) -> Code:
    """Return the class that a client is based on.

    Args:
        catalog: The catalogue of the server.
        prefix: "Async" or "".
    """
    return Code(f"{prefix}{'Full' if catalog.features else 'Base'}Client")


def policy_base(catalog: Catalog) -> Code:
    """Return the class that the policy of a package is based on."""
    return Code("FullPolicy" if catalog.features else "BasePolicy")


def methods(catalog: Catalog) -> list[Tool | Feature]:
    """Return the methods of the clients: tools, then templates and prompts."""
    others = sorted(catalog.functions, key=lambda feature: feature.function)
    return [*catalog.tools, *others]


def feature_names(catalog: Catalog) -> dict[str, list[str]]:
    """Return the public names that a package has for resources and prompts.

    Returns:
        Module, relative to the package, to its names.
    """
    table: dict[str, list[str]] = {}
    if catalog.resources or catalog.templates:
        shared = ["BinaryResource", "ResourceContents", "TextResource"]
        infos = ["ResourceInfo"] if catalog.resources else []
        infos += ["ResourceTemplateInfo"] if catalog.templates else []
        table[_RESOURCES] = [*shared, *infos]
        table[_TOOLS] = ["langchain_blobs", "langchain_documents", "resources_as_tools"]
        table["resources"] = _own(catalog, "resources")
    if catalog.prompts:
        names = "Completion PromptArgument PromptInfo PromptMessage PromptMessages"
        table[_PROMPTS] = [*map(str, names.split())]
        table[_MESSAGES] = [
            *("anthropic_messages", "gemini_contents", "langchain_messages"),
            "openai_messages",
        ]
        table[_TOOLS] = [*table.get(_TOOLS, ()), "prompts_as_tools"]
        table["prompts"] = _own(catalog, "prompts")
    return {module: sorted(table[module], key=import_order) for module in table}


def _own(catalog: Catalog, module: str) -> list[str]:
    """Return the names that a module of the package defines."""
    listed = catalog.prompts if module == "prompts" else catalog.templates
    own = [n for f in listed for n in (f.function, f"{f.function}_async")]
    if module == "prompts":
        return ["PROMPTS", "Prompt", *own]
    own += ["RESOURCES", "Resource"] if catalog.resources else []
    own += ["RESOURCE_TEMPLATES", "ResourceTemplate"] if catalog.templates else []
    return own


def feature_exports(catalog: Catalog, module: str) -> list[Code]:
    """Return the public names of a module, as literals."""
    return [lit(n) for n in sorted(_own(catalog, module), key=export_order)]


def feature_imports(catalog: Catalog, module: str) -> list[Code]:
    """Return the import statements of a module."""
    prompts = module == "prompts"
    functions = catalog.prompts if prompts else catalog.templates
    infos = "_runtime.client.feature_infos"
    of_infos = ["prompt_infos"] if prompts else []
    described = ["PromptInfo"] if prompts else []
    if not prompts and catalog.resources:
        of_infos, described = ["resource_infos"], ["ResourceInfo"]
    if not prompts and catalog.templates:
        of_infos, described = (
            [*of_infos, "template_infos"],
            [*described, "ResourceContents", "ResourceTemplateInfo"],
        )
    described += ["PromptMessages"] if prompts else []
    lines = [import_from(f".{infos}", sorted(of_infos))]
    if functions:
        lines.append(import_from("._runtime.client.full", ["FullClient"]))
        lines.append(import_from("._runtime.client.full_tasks", ["AsyncFullClient"]))
    for_checkers = import_from(
        f".{_PROMPTS if prompts else _RESOURCES}", sorted(described)
    )
    used = {n for f in functions for p in f.parameters for n in names(p.type)}
    # Types of annotations alone: importing them at run time would cost each start.
    late = [Code("    from collections.abc import Mapping"), Code("")]
    late.append(Code("    " + for_checkers.replace("\n", "\n    ")))
    if "TemplateValue" in used:
        values = "from ._runtime.client.uri_templates import TemplateValue"
        late.append(Code(f"    {values}"))
    return [
        Code("from enum import StrEnum"),
        Code("from typing import TYPE_CHECKING"),
        Code(""),
        *lines,
        Code(""),
        Code("if TYPE_CHECKING:"),
        *late,
    ]


def feature_doc(feature: Feature) -> Code:
    """Return the docstring of a feature's functions, in Google style."""
    lines = [*wrap(_summary(feature), 4, lead=3), *_policy(feature)]
    entries: list[str] = []
    for parameter in feature.parameters:
        text = field_text(parameter)
        if parameter.name != parameter.wire.text:
            text = with_sentence(text, f"Sent as `{_quoted(parameter.wire)}`.")
        if text:
            wrapped = wrap(f"{parameter.name}: {text}", 8, hang=4)
            entries += [f"    {line}" if line else "" for line in wrapped]
    if entries and "Args:" not in map(str.strip, lines):
        lines += ["", "Args:", *entries]
    return docstring(lines, 4)


def feature_member_doc(feature: Feature) -> Code:
    """Return the docstring of a member: the first line of the server's text."""
    text = " ".join(_summary(feature).partition("\n")[0].split())
    if len(text) > _LINE_LENGTH:
        text = textwrap.shorten(text, _LINE_LENGTH, placeholder=" ...")
    lines = wrap(text, 4, lead=3)
    if len(lines) == 1 and 4 + len(lines[0]) + 6 > text_width():
        lines = wrap(text, 4, lead=6)
    return docstring([*lines, *_policy(feature)], 4)


def _policy(feature: Feature) -> list[str]:
    """Return a paragraph about the decision of the owner's policy, if there is one."""
    mark = feature.policy
    return ["", *wrap(policy_text(mark, "request"), 4)] if mark else []


def _summary(feature: Feature) -> str:
    """Return the server's text about a feature: its description, or its title."""
    text = clean(feature.description) or clean(feature.title)
    if text and text != feature.info["name"]:
        return text
    kind = "prompt" if "arguments" in feature.info else "resource"
    # In backquotes, a variable at the end would look like a role of reStructuredText.
    text = _quoted(feature.wire).replace('"', "'")
    return f'The {kind} "{text}".'


def _quoted(wire: WireStr) -> str:
    return " ".join(clean(wire, 200).replace("`", "'").split())


def feature_signature(feature: Feature, returned: str, suffix: str) -> Code:
    """Return the lines of a function's signature, from its name on.

    Args:
        feature: A template or a prompt.
        returned: The name of the type that it returns.
        suffix: "" or "_async".
    """
    kind = "AsyncFullClient" if suffix else "FullClient"
    start = "async def" if suffix else "def"
    head = f"{start} {feature.function}{suffix}("
    one = f"{head}client: {kind}, /) -> {returned}:"
    if not feature.parameters and len(one) <= WIDTH:
        return Code(one)
    lines = [head, f"    client: {kind},", "    /,"]
    if feature.parameters:
        lines += ["    *,", *(f"    {_parameter(p)}" for p in feature.parameters)]
    return Code("\n".join([*lines, f") -> {returned}:"]))


def _parameter(field: Field) -> Code:
    tail = "," if field.required else " = None,"
    return statement(f"{field.name}: ", field.type, tail, 4)


def feature_call(feature: Feature, method: str, suffix: str) -> Code:
    """Return the body of a function.

    Args:
        feature: A template or a prompt.
        method: The method of the client that it calls.
        suffix: "" or "_async".
    """
    pairs = tuple(
        Item(identifier(PyName(p.name)), Code(f"{lit(p.wire.text)}: "))
        for p in feature.parameters
    )
    arguments = (Item(literal(feature.wire.text)), Item(Bracket("", "{}", pairs)))
    made = Bracket(f"client.{method}", "()", arguments)
    return statement("return await " if suffix else "return ", made, "", 4)


def feature_table(member: str, constant: str, info: str, function: str) -> Code:
    """Return the constant that describes all features of a kind."""
    made = Bracket(function, "()", (Item(name("__name__")), Item(name(member))))
    return statement(f"{constant}: Mapping[{member}, {info}] = ", made, "", 0)


def feature_json(catalog: Catalog, module: str) -> Code:
    """Return the descriptions of a module's features as JSON."""
    if module == "prompts":
        lists = {"prompts": catalog.prompts}
    else:
        lists = {"resources": catalog.resources, "resourceTemplates": catalog.templates}
    return Code(
        indented(
            {
                key: [{**f.info, **_mark(f)} for f in value]
                for key, value in lists.items()
            }
        )
    )


def _mark(feature: Feature) -> dict[str, object]:
    """Return the decision of the owner's policy, beside the members of the server."""
    return {"policy": policy_facts(feature.policy)} if feature.policy else {}


FILTERS: dict[str, Any] = {
    "client_base": client_base,
    "feature_call": feature_call,
    "feature_doc": feature_doc,
    "feature_exports": feature_exports,
    "feature_imports": feature_imports,
    "feature_json": feature_json,
    "feature_member_doc": feature_member_doc,
    "feature_signature": feature_signature,
    "feature_table": feature_table,
    "methods": methods,
    "policy_base": policy_base,
}
