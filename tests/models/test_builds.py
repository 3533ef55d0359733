"""The types of models are built: no library refuses one when it is used first."""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.python.allowlist import BUILTINS
from mcp_bindgen.python.model_kinds import KINDS, ModelSettings
from mcp_bindgen.render.target_folders import allowlists, chosen
from pydantic import TypeAdapter

from tests.models.module_of import module_of
from tests.strategies import documents

MANY = settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "5")))
RULES = allowlists(chosen(["models"]), ["models/a.py"])["models/a.py"]
# All names that a module of models may import or call, in the forms of wire names.
TAKEN = sorted({name for names in RULES.imports.values() for name in names} | BUILTINS)
NAMES = st.sampled_from(
    [*TAKEN, *map(str.lower, TAKEN), "class", "self", "model_config", "a-b", "_a", "é"]
)
LEAVES = st.sampled_from(
    [
        {"type": "string", "minLength": 1, "maxLength": 9},
        {"type": "integer", "minimum": 1, "maximum": 2**64},
        {"type": "number", "multipleOf": 0.1, "exclusiveMinimum": -(2**70)},
        {"enum": ["a", 1, None, True, 1.5]},
        {"enum": [2**63, -(2**70), 1]},
        {"const": 2**63},
        {"const": 1.5},
        {"const": [1]},
        {"type": ["string", "integer", "array", "object", "null"], "minLength": 1},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "array", "items": {"enum": ["x"]}, "maxItems": 2**64},
        {"prefixItems": [{"type": "string"}], "type": "array"},
        {"$ref": "#/$defs/Any"},
        {"$ref": "#/$defs/union"},
        {"$ref": "#/$defs/second"},
        {},
    ]
)


def extended(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    table = st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    each = st.lists(inner, min_size=2, max_size=3)
    objects = table.map(
        lambda t: {"type": "object", "properties": t, "required": [*t][:1]}
    )
    return objects | each.map(lambda e: {"anyOf": e}) | each.map(lambda e: {"oneOf": e})


# In place of a tool that is left out.
EMPTY = "from typing import Any\nFindArguments = FindResult = Any\n"
LAST = "#/$defs/Any"
NODES = st.recursive(LEAVES, extended, max_leaves=6)
TABLES = st.dictionaries(NAMES, NODES, min_size=1, max_size=4)
DEFS = st.fixed_dictionaries(
    {"Any": NODES, "union": st.lists(NODES, min_size=1, max_size=3)}
).map(lambda d: d | {"union": {"anyOf": d["union"]}, "second": {"$ref": LAST}})


def build(kind: str, text: str) -> None:
    """Run a module of models, and build the types of its arguments and its result."""
    module = types.ModuleType("models_that_are_built")
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, "find.py", "exec"), vars(module))
        for name in ("FindArguments", "FindResult"):
            class_ = getattr(module, name)
            if kind == "msgspec":
                msgspec.json.Decoder(class_)
            else:
                TypeAdapter(class_)
    finally:
        del sys.modules[module.__name__]


def made(kind: str, *schemas: Any) -> str:
    """Return the models of a tool, "" where it has none."""
    arguments, result = ({"type": "object", **schema} for schema in schemas)
    tool = {"name": "find", "inputSchema": arguments, "outputSchema": result}
    return module_of(tool, ModelSettings(kind))


@pytest.mark.parametrize("kind", KINDS)
@MANY
@given(table=TABLES, defs=DEFS)
def test_the_types_of_any_names_are_built(
    kind: str, table: dict[str, Any], defs: dict[str, Any]
) -> None:
    schema = {"properties": table, "required": [*table][:1], "$defs": defs}
    build(kind, made(kind, schema, schema) or EMPTY)


@pytest.mark.parametrize("kind", KINDS)
@MANY
@given(schema=documents())
def test_the_types_of_any_schema_are_built(kind: str, schema: Any) -> None:
    build(kind, made(kind, {"properties": {"a": schema}}, {}) or EMPTY)
