"""The options for models in a project: `[tool.datamodel-codegen]` and our own table."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.project_files import nearest, read_project
from mcp_bindgen.python.model_kinds import (
    KINDS,
    MODELS,
    TABLES,
    ModelSettings,
    kinds_with,
)
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["project_models", "unused_options"]

_TABLE = "tool.datamodel-codegen"
_KEYS = ("mcp-bindgen.models", "datamodel-codegen")
# datamodel-code-generator spells this option in two ways.
_SPELLINGS = {"capitalize_enum_members": "capitalise_enum_members"}
_OURS: Mapping[str, frozenset[str]] = {
    "a member has the name that the server gives it": frozenset(
        "alias_generator no_alias pin_aliases_with_alias_generator"
        " serialization_aliases use_serialization_alias".split()
    ),
    "the files hold models alone, which are checked": frozenset(
        "additional_imports class_decorators custom_file_header custom_file_header_path"
        " custom_template_dir extra_template_data generate_schema_validators"
        " import_overrides reuse_model schema_validator_base_class_name"
        " schema_validator_type skip_root_model type_mappings type_overrides"
        " validators".split()
    ),
    "packages run on Python 3.11": frozenset(
        "disable_future_imports target_python_version use_exact_imports"
        " use_standard_collections use_type_checking_imports".split()
    ),
    "the server says what is required, null or a default": frozenset(
        "apply_default_values_for_required_fields default_value_overrides"
        " default_values force_optional force_optional_for_required_fields"
        " set_default_enum_member strict_nullable strip_default_none use_default"
        " use_default_factory_for_optional_nested_models use_default_kwarg"
        " use_one_literal_as_default".split()
    ),
    "a value is one of JSON": frozenset(
        "output_date_class output_datetime_class use_decimal_for_multiple_of"
        " use_pendulum use_standard_primitive_types use_unique_items_as_set".split()
    ),
    "type checkers take no call for a type": frozenset(
        {"field_constraints", "use_annotated"}
    ),
}
_REST = "mcp-bindgen reads the schemas, and lays out and writes the files"


def project_models(
    output: Path | None, targets: Sequence[str] = ("models",)
) -> ModelSettings:
    """Return the kind of models in the settings of a project, and the options for it.

    The kind is `kind` in `[tool.mcp-bindgen.models]`; of `[tool.datamodel-codegen]`
    count the options that shape a model, where the package is to have models.

    Args:
        output: The folder of the packages, which may be missing; None for no project.
        targets: The targets of the package.

    Raises:
        BindgenError: The file is no TOML, or an option is unknown or wrong.
    """
    file = nearest(output, *_KEYS) if output else None
    if file is None:
        return MODELS
    tool = members(read_project(file).get("tool"))
    own = members(members(tool.get("mcp-bindgen")).get("models"))
    kind = own.get("kind", MODELS.kind)
    if kind not in KINDS or own.keys() - {"kind"}:
        form = f"kind alone, one of {', '.join(KINDS)}"
        message = f"{file}: tool.mcp-bindgen.models: expected {form}, got {own!a}"
        raise BindgenError(Problem("", message[:300], 'write kind = "typeddict"'))
    listed = _listed(tool)
    if not listed or not _wants_models(targets):
        return ModelSettings(kind)
    options = {
        name: _as_tuples(_table(file, name, value) if name in TABLES else value)
        for name, value in sorted(listed.items())
        if kind in kinds_with(name)
    }
    settings = ModelSettings(kind, tuple(options.items()))
    _check(file, listed, settings)
    return settings


def unused_options(output: Path, targets: Sequence[str]) -> tuple[str, ...]:
    """Return the options of `[tool.datamodel-codegen]` without effect, as sentences.

    Args:
        output: The folder of the packages, which may be missing.
        targets: The targets of a package in it.
    """
    file = nearest(output, *_KEYS)
    listed = _listed(members(read_project(file).get("tool"))) if file else {}
    if not listed or not _wants_models(targets):
        return ()
    from mcp_bindgen.pipeline.models import OPTIONS

    kind = project_models(output).kind
    reasons: dict[str, list[str]] = {}
    for name, value in sorted(listed.items()):
        kinds = kinds_with(name)
        if kind not in kinds and OPTIONS.get(name) != value:
            others = " or ".join(sorted(kinds))
            reason = f"it is for kind = {others}" if kinds else _reason(name)
            reasons.setdefault(reason, []).append(name.replace("_", "-"))
    return tuple(
        f"{file}: {_TABLE}: no effect on models: {', '.join(names)} ({reason})"
        for reason, names in reasons.items()
    )


def _listed(tool: Mapping[str, Any]) -> dict[str, Any]:
    listed = members(tool.get("datamodel-codegen")).items()
    named = {name.replace("-", "_"): value for name, value in listed}
    return {_SPELLINGS.get(name, name): value for name, value in named.items()}


def _reason(name: str) -> str:
    fitting = (reason for reason, names in _OURS.items() if name in names)
    return next(fitting, _REST)


def _wants_models(targets: Sequence[str]) -> bool:
    """Return whether a target has models of another kind."""
    from mcp_bindgen.render.target_folders import chosen

    try:
        return any(target.library for target in chosen(targets))
    except BindgenError:
        return False  # a target that does not exist is a problem of its own


def _table(file: Path, name: str, value: object) -> dict[str, Any]:
    """Return a table; it may also be JSON, in a text or in a file of its own.

    Raises:
        BindgenError: It is no table.
    """
    try:
        if isinstance(value, str):
            inline = value.lstrip().startswith("{")
            text = value if inline else (file.parent / value).read_text("utf-8")
            value = json.loads(text)
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        reason = f"expected a table, got {value!a}"
    except (OSError, ValueError, RecursionError) as error:
        reason = str(error)
    hint = "write a table, or the path of a JSON file beside pyproject.toml"
    message = f"{file}: {_TABLE}.{name.replace('_', '-')}: {reason}"
    raise BindgenError(Problem("", message[:300], hint))


def _as_tuples(value: object) -> object:
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return tuple((name, _as_tuples(each)) for name, each in sorted(table.items()))
    if isinstance(value, list):
        return tuple(_as_tuples(each) for each in cast("list[object]", value))
    return value


def _check(file: Path, listed: Mapping[str, Any], settings: ModelSettings) -> None:
    """Raise an error that names all options that are unknown or wrong."""
    from mcp_bindgen.pipeline.models import known_options, option_faults

    problems = [
        Problem("", f"{file}: {_TABLE} has an unknown option {name!a}", hint)
        for name, hint in _unknown(listed, known_options())
    ]
    for name, reason in option_faults(settings):
        key = f"{_TABLE}.{name.replace('_', '-')}" if name else _TABLE
        got = f", got {listed[name]!a}"[:100] if name in listed else ""
        hint = "correct the option, or remove it"
        problems.append(Problem("", f"{file}: {key}: {reason}{got}", hint))
    if problems:
        raise BindgenError(*problems)


def _unknown(
    listed: Mapping[str, Any], known: frozenset[str]
) -> Iterator[tuple[str, str]]:
    for name in sorted(listed.keys() - known):
        near = get_close_matches(name, sorted(known), 1)
        hint = f"did you mean {near[0].replace('_', '-')}?" if near else "remove it"
        yield name.replace("_", "-"), hint
