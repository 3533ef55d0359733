"""Models of other kinds, by datamodel-code-generator: the only module that knows it.

It gets a schema with cleaned texts, and with keywords of JSON Schema only. Its source
is read back as a syntax tree, never imported, and written anew.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.pipeline.formatting import by_black
from mcp_bindgen.pipeline.model_forward import (
    end_recursion,
    forward,
    in_calls,
    settle,
    with_arguments,
)
from mcp_bindgen.pipeline.model_msgspec import widen
from mcp_bindgen.pipeline.model_names import (
    PROTECTED,
    aliases,
    by_call,
    changed_key,
    field_names,
    hiding_member,
    is_field_name,
    plain_defaults,
    rename,
    shorten,
    typed_extras,
    unalias,
    unwritten_name,
)
from mcp_bindgen.pipeline.model_pydantic import open_classes, without_calls
from mcp_bindgen.pipeline.model_schemas import LeftOutError, prepared_schema
from mcp_bindgen.pipeline.model_source import bound, flatten, imports, source, types
from mcp_bindgen.python import selfcheck
from mcp_bindgen.python.allowlist import COMMENT
from mcp_bindgen.python.literals import clean, docstring, wrap
from mcp_bindgen.python.model_kinds import FOLDER, KINDS, WITH_ALIASES
from mcp_bindgen.python.names import pascal
from mcp_bindgen.schema.ir import Note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from datamodel_code_generator.config import GenerateConfig

    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.python.allowlist import Allowlist
    from mcp_bindgen.python.model_kinds import ModelSettings
    from mcp_bindgen.schema.ir import Tool

__all__ = [
    "OPTIONS",
    "known_options",
    "model_file",
    "option_faults",
]

OPTIONS: Mapping[str, Any] = {
    "input_file_type": "jsonschema",
    "formatters": [],
    "disable_timestamp": True,
    "allow_remote_refs": False,
    "treat_dot_as_module": False,
    "use_union_operator": True,
    "use_standard_collections": True,
    "enum_field_as_literal": "all",
    "use_subclass_enum": True,  # a member called `index` hides no method of its value
    "use_annotated": True,
    "field_constraints": True,
    "strict_nullable": True,
    "use_schema_description": True,
    "use_closed_typed_dict": False,
    "target_python_version": "3.11",
}
"""Options of ours; a project may set some of them otherwise."""


# Who sets one of these says which other members an object may have.
_OF_EXTRAS = frozenset({"allow_extra_fields", "extra_fields"})
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", re.ASCII)
# Shows whether options fit each other and the kind of models.
_TRIAL: dict[str, Any] = {
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "kind": {"enum": ["a", "b"]},
        "inner": {"type": "object", "properties": {"a": {"type": "integer"}}},
    }
}


def model_file(
    tool: Tool, settings: Settings, rules: Allowlist
) -> tuple[dict[str, str], Note | None]:
    """Return the module with the models of a tool, or a note why it has none.

    Args:
        tool: The tool.
        settings: The kind of models, and the style of their file.
        rules: The statements and calls that the module may have.

    Returns:
        Path to text, of one file or none; and the note.
    """
    path = f"{FOLDER}/{tool.function}.py"
    try:
        # The quotes are those of `ast`, and nobody's choice.
        style = replace(settings.style, skip_string_normalization=False)
        text = by_black(_module(tool, settings.models, rules), style)
    except LeftOutError as error:
        return {}, Note("no-models", "", str(error))
    except RecursionError:
        return {}, Note("no-models", "", "the schema is nested too deeply")
    if faults := selfcheck.check({path: text}, rules={path: rules}):
        return {}, Note("no-models", "", faults[0].message)
    return {path: text}, None


def _module(tool: Tool, models: ModelSettings, rules: Allowlist) -> str:
    stem, raw, reserved = pascal(tool.function), tool.raw, rules.reserved()
    tree = _classes(raw["inputSchema"], f"{stem}Arguments", models, reserved)
    if isinstance(raw.get("outputSchema"), dict):
        more = _classes(raw["outputSchema"], f"{stem}Result", models, reserved)
        rename(more, {*bound(tree)}, "Result")
        tree.body = [*imports(tree, more), *types(tree), *types(more)]
    else:
        tree.body = [*imports(tree), *types(tree)]
    if models.kind == "typeddict":
        by_call(tree, reserved)
    if models.kind == "msgspec" and any(map(_is_refused, ast.walk(tree))):
        raise LeftOutError("msgspec has no members of such names")
    name = json.dumps(clean(tool.wire))
    doc = docstring(wrap(f"Models of the tool {name}.", 0, lead=6), 0)
    return f"{COMMENT}\n{doc}\n\n{source(tree)}\n"


def _classes(
    schema: Mapping[str, Any],
    name: str,
    models: ModelSettings,
    reserved: Collection[str],
) -> ast.Module:
    """Return the classes that datamodel-code-generator makes of a schema.

    Raises:
        LeftOutError: It makes nothing, or no Python.
    """
    tree = _converted(schema, name, models, reserved)
    if name not in bound(tree):
        raise LeftOutError(f"datamodel-code-generator made no {name}")
    names = frozenset[str]()
    if models.kind == "dataclass":
        names = plain_defaults(tree)
    elif models.kind in WITH_ALIASES:
        names = field_names(tree) - {name}
    if models.kind == "dataclass" and any(not each.isascii() for each in names):
        raise LeftOutError("a dataclass has no names on the wire: one is not ASCII")
    taken = {*reserved, *names, "Any"}
    rename(tree, taken, "Model")
    shorten(tree, taken, name)
    unalias(tree, reserved)
    typed_extras(tree)
    without_calls(tree)
    if models.kind == "pydantic" and not _OF_EXTRAS & models.values().keys():
        open_classes(tree)
    flatten(tree)
    if not {each.value for each in forward(tree)} <= {*bound(tree)}:
        raise LeftOutError("datamodel-code-generator names a type before it exists")
    end_recursion(tree)
    with_arguments(tree)
    if not settle(tree):
        raise LeftOutError("datamodel-code-generator reads a type before it exists")
    if models.kind == "dataclass" and (name := hiding_member(tree)):
        raise LeftOutError(f"a dataclass has no names on the wire: {name} hides a type")
    if models.kind == "msgspec":
        widen(tree)
    return tree


def _converted(
    schema: Mapping[str, Any],
    name: str,
    models: ModelSettings,
    reserved: Collection[str],
) -> ast.Module:
    """Return the output of datamodel-code-generator for a schema.

    Raises:
        LeftOutError: It refuses the schema, or writes no Python.
    """
    from datamodel_code_generator import generate

    prepared = prepared_schema(schema, models.kind, models.values())
    prepared["type"] = "object"
    options: dict[str, Any] = {**_options(models), "class_name": name}
    if models.kind in WITH_ALIASES:
        needed = {*reserved} - WITH_ALIASES[models.kind]
        named: dict[str, str] = options.get("aliases", {})
        protected = PROTECTED if models.kind == "pydantic" else ()
        made = aliases(prepared, needed, named.values(), protected)
        options["aliases"] = {**made, **named}
    elif odd := unwritten_name(prepared):
        raise LeftOutError(f"Python reads the name {odd!a} as another one"[:200])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = generate(json.dumps(prepared), config=_config(options))
        tree = ast.parse(cast("str", text))
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise LeftOutError(f"datamodel-code-generator: {reason}") from error
    if models.kind == "typeddict" and (odd := changed_key(tree, prepared)):
        raise LeftOutError(f"datamodel-code-generator writes another name: {odd!a}")
    if not {each.value for each in in_calls(tree)} <= {*bound(tree)}:
        raise LeftOutError("datamodel-code-generator names a type that it renamed")
    return tree


def _options(models: ModelSettings) -> dict[str, Any]:
    """Return all options of a library's call: ours, and those of the project."""
    only: dict[str, Any] = {"keyword_only": True}
    if models.kind == "typeddict":
        # Its keys are names on the wire: `_id` stays `_id`.
        only = {"special_field_name_prefix": ""}
    kind = {"output_model_type": KINDS[models.kind]}
    return {**OPTIONS, **only, **models.values(), **kind}


def _config(options: Mapping[str, Any]) -> GenerateConfig:
    from datamodel_code_generator.config import GenerateConfig

    return GenerateConfig(**options)


def known_options() -> frozenset[str]:
    """Return the names of all options that a table of datamodel-code-generator has."""
    from datamodel_code_generator.arguments import arg_parser
    from datamodel_code_generator.config import GenerateConfig

    commands = vars(arg_parser.parse_args([]))
    return frozenset({*GenerateConfig.model_fields, *commands, "jobs", "profiles"})


def option_faults(models: ModelSettings) -> Iterator[tuple[str, str]]:
    """Yield the options of a project that are wrong, each with the reason.

    Args:
        models: The kind of models, and the options.
    """
    from datamodel_code_generator import Error
    from pydantic import ValidationError

    options = models.values()
    reserved = models.allowlist().reserved()
    for base in models.bases():
        if not _DOTTED.fullmatch(base):
            key = (
                "base_class"
                if base == str(options.get("base_class"))
                else "base_class_map"
            )
            yield key, "expected a module and a class, as app.base.Base"
            return
    for alias in options.get("aliases", {}).values():
        if not is_field_name(alias, reserved):
            yield "aliases", f"no name for a field that hides no other: {alias!a}"
            return
    try:
        _config(_options(models))
        _classes(_TRIAL, "Trial", models, reserved)
    except ValidationError as error:
        for fault in error.errors():
            yield str(fault["loc"][0] if fault["loc"] else ""), fault["msg"]
    except (Error, LeftOutError) as error:
        yield "", str(error)


def _is_refused(node: ast.AST) -> bool:
    """Return whether msgspec refuses the name on the wire of a member."""
    match node:
        case ast.keyword("name", ast.Constant(str(name))):
            return not name.isprintable() or bool({"\\", '"'} & {*name})
        case _:
            return False
