"""The kinds of models of `--target models`, and the user's settings for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.allowlist import Allowlist, Call

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FOLDER",
    "KINDS",
    "MODELS",
    "OPTIONS",
    "TABLES",
    "WITH_ALIASES",
    "ModelSettings",
    "kinds_with",
]

FOLDER = "models"
"""The folder of the modules in a package."""

KINDS: Mapping[str, str] = {
    "typeddict": "typing.TypedDict",
    "dataclass": "dataclasses.dataclass",
    "msgspec": "msgspec.Struct",
    "pydantic": "pydantic_v2.BaseModel",
}
"""Our name of a kind to that of datamodel-code-generator, the default first."""

WITH_ALIASES: Mapping[str, frozenset[str]] = {
    "msgspec": frozenset(),
    "pydantic": frozenset({"dataclass", "field"}),
}
"""Kinds whose fields may have another name than on the wire, and names that only other
kinds need."""

TABLES = frozenset("""
    aliases base_class_map dataclass_arguments duplicate_name_suffix
    enum_field_as_literal_map model_name_map
    """.split())
"""Options whose value is a table."""

# Options of datamodel-code-generator that shape a model, by the kinds that have them.
_OPTIONS: Mapping[tuple[str, ...], str] = {
    tuple(KINDS): """
        base_class base_class_map capitalise_enum_members class_name_affix_scope
        class_name_prefix class_name_suffix collapse_root_models duplicate_name_suffix
        enum_field_as_literal enum_field_as_literal_map
        infer_union_variant_names keep_model_order model_name_map naming_strategy
        parent_scoped_naming
        use_field_description use_generic_container_types use_schema_description
        use_subclass_enum use_tag_as_union_variant_name use_title_as_name
        use_tuple_for_fixed_items use_tuple_for_fixed_length_arrays use_type_alias
        use_union_operator
        """,
    tuple(WITH_ALIASES): """
        aliases original_field_name_delimiter snake_case_field
        """,
    ("pydantic",): """
        allow_extra_fields allow_population_by_field_name enable_faux_immutability
        extra_fields strict_types target_pydantic_version union_mode
        use_attribute_docstrings use_missing_sentinel
        use_non_positive_negative_number_constrained_types
        """,
    ("dataclass", "msgspec", "pydantic"): """
        remove_special_field_name_prefix special_field_name_prefix
        """,
    ("dataclass", "msgspec"): "keyword_only",
    ("dataclass",): "dataclass_arguments frozen_dataclasses",
    ("typeddict",): "use_closed_typed_dict use_total_false_for_typed_dict",
}
_KINDS_WITH: Mapping[str, frozenset[str]] = {
    name: frozenset(kinds)
    for kinds, names in _OPTIONS.items()
    for name in names.split()
}
OPTIONS = frozenset(_KINDS_WITH)
"""Options of datamodel-code-generator that have an effect."""

# What a class that is based on one of the user's own may say of itself.
_OF_CLASSES: Mapping[str, Call] = {
    "msgspec": Call((), frozenset({"kw_only", "tag", "tag_field"})),
    "typeddict": Call((), frozenset({"closed", "total"})),
}


def kinds_with(option: str) -> frozenset[str]:
    """Return the kinds of models that an option shapes.

    Example: `kinds_with("aliases") == {"msgspec", "pydantic"}`.

    Args:
        option: The name of an option, with underscores.
    """
    return _KINDS_WITH.get(option, frozenset())


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The models to make.

    Example: `ModelSettings("pydantic", (("base_class", "app.base.Base"),))`.

    Attributes:
        kind: One of `KINDS`.
        options: Name and value of each option of datamodel-code-generator that the
            project sets, sorted; lists are tuples, and tables are tuples of pairs.
    """

    kind: str = "typeddict"
    options: tuple[tuple[str, object], ...] = ()

    def values(self) -> dict[str, Any]:
        """Return the options as datamodel-code-generator takes them."""
        return {name: _thawed(name, value) for name, value in self.options}

    def bases(self) -> list[str]:
        """Return the user's own base classes, with their modules."""
        options = self.values()
        table: dict[str, Any] = options.get("base_class_map", {})
        named: list[Any] = [*table.values()]
        if "base_class" in options:
            named.append(options["base_class"])
        lists: list[list[Any]] = [
            [*each] if isinstance(each, tuple) else [each] for each in named
        ]
        return [str(base) for each in lists for base in each]

    def allowlist(self) -> Allowlist:
        """Return the names that the user's own base classes add to the allowlist."""
        imports: dict[str, frozenset[str]] = {}
        for base in self.bases():
            module, _, name = base.rpartition(".")
            if module:
                imports[module] = imports.get(module, frozenset()) | {name}
        names = frozenset(name for listed in imports.values() for name in listed)
        words = _OF_CLASSES.get(self.kind)
        calls = dict.fromkeys(names, words) if words else {}
        return Allowlist(imports, calls, names)


def _thawed(name: str, value: object) -> Any:
    """Return the table or list that `ModelSettings` has as a tuple."""
    if not isinstance(value, tuple):
        return value
    if name in TABLES:
        return dict(cast("tuple[tuple[str, object], ...]", value))
    return [*cast("tuple[object, ...]", value)]


MODELS = ModelSettings()
