"""Writes the variant of a schema for OpenAI's strict mode, or says why there is none.

In strict mode, every property is required and every object closed. So an optional
parameter becomes a nullable one, and its null means "absent" again when the call runs
(`runtime.agents.nulls`). Some limits have no keyword in strict mode, as `maxLength`:
the description says them in words, and each call is checked against the whole schema
before anything is sent. A keyword that would change the meaning of the schema in
another way is refused with a reason.

Apart from those limits, two things hold. The schema accepts each value that the variant
accepts, once its nulls are removed. The variant can express each value that the schema
accepts, as far as its members are declared.
"""

from __future__ import annotations

import json
from typing import Any, cast

from mcp_bindgen.python.prose import with_sentence
from mcp_bindgen.render.limit_words import CARRIED, LIMIT_WORDS, carried, described
from mcp_bindgen.runtime.agents.nulls import takes_null
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import Document
from mcp_bindgen.schema.keywords import KNOWN
from mcp_bindgen.schema.node import SchemaError

__all__ = ["verdict"]

PROPERTIES = 5000
LEVELS = 10
CHOICES = 1000
CHARACTERS = 120_000
ENUM_CHARACTERS = 15_000
_MANY = 250
# Keywords that limit no values in strict mode.
_SILENT = frozenset("""
    $schema $id $comment $anchor $defs definitions title default examples example
    deprecated readOnly writeOnly format contentEncoding contentMediaType
    """.split())
_STRUCTURE = frozenset("""
    type enum const anyOf oneOf properties required additionalProperties items $ref
    """.split())
_EXPRESSED = _SILENT | CARRIED | _STRUCTURE | LIMIT_WORDS.keys()
_TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
}


def verdict(
    schema: dict[str, Any], plain: dict[str, Any]
) -> dict[str, Any] | tuple[str, str]:
    """Return the strict variant of an input schema, or where and why there is none.

    Args:
        schema: The schema as the server sent it.
        plain: The same for models: cleaned, its root a plain object.

    Returns:
        The schema for strict mode; or a JSON pointer into the schema, and a reason.
    """
    lost = sorted((schema.keys() - plain.keys() - _SILENT) & KNOWN)
    if lost:
        return "", f"{lost[0]} at the root"
    if "type" not in schema and not plain["properties"]:
        return "", "it takes any object"
    writer = _Writer(plain)
    try:
        variant = writer.node(plain, "", 0)
        writer.limits(variant)
    except SchemaError as error:
        return error.pointer, error.message
    except RecursionError:
        return "", "nested too deeply"
    return {**variant, **({"$defs": writer.defs} if writer.defs else {})}


def _expressible(node: Any, pointer: str, level: int) -> dict[str, Any]:
    """Return a schema whose own keywords strict mode has.

    Raises:
        SchemaError: It takes any value, has another keyword, or is nested too deeply.
    """
    if not isinstance(node, dict) or not node.keys() - _SILENT - {"description"}:
        raise SchemaError(pointer, "it takes any value")
    schema = cast("dict[str, Any]", node)
    for keyword in sorted(schema.keys() - _EXPRESSED):
        raise SchemaError(child(pointer, keyword), f"strict mode has no {keyword}")
    if level > LEVELS:
        raise SchemaError(pointer, f"more than {LEVELS} levels of nesting")
    return schema


class _Writer:
    """One schema on its way into strict mode."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.document = Document(root, {})
        self.defs: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.types: dict[str, list[str]] = {}
        self.properties = 0

    def node(self, node: Any, pointer: str, level: int) -> dict[str, Any]:
        """Return the strict form of a schema."""
        schema = _expressible(node, pointer, level)
        if "$ref" in schema:
            return self.reference(schema, pointer)
        strict = carried(schema)
        if description := described(schema):
            strict["description"] = description
        if "anyOf" in schema or "oneOf" in schema:
            return {**strict, "anyOf": self.alternatives(schema, pointer, level)}
        types = _types(schema, pointer)
        strict["type"] = types[0] if len(types) == 1 else types
        strict |= {key: schema[key] for key in ("enum", "const") if key in schema}
        if "object" in types:
            strict |= self.object(schema, pointer, level)
        if "array" in types:
            strict["items"] = self.node(
                schema.get("items"), child(pointer, "items"), level + 1
            )
        return strict

    def reference(self, node: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return a reference; its target becomes a definition of its own."""
        if extra := node.keys() - _SILENT - {"$ref", "description"}:
            raise SchemaError(pointer, f"{min(extra)} beside a $ref")
        target = self.document.target(node["$ref"])
        if target is None:
            raise SchemaError(pointer, "a $ref that leads outside")
        path, schema = target
        if not path:
            return {"$ref": "#"}
        if path not in self.names:
            # It has its name before it is read: it may refer to itself.
            self.names[path] = f"d{len(self.names)}"
            name = self.names[path]
            self.defs[name] = self.node(schema, path, 1)
            self.types[name] = self.kinds(self.defs[name])
        return {"$ref": f"#/$defs/{self.names[path]}"}

    def alternatives(
        self, node: dict[str, Any], pointer: str, level: int
    ) -> list[dict[str, Any]]:
        """Return the branches of a union."""
        if level == 0:
            raise SchemaError(pointer, "alternatives at the root")
        keyword = "anyOf" if "anyOf" in node else "oneOf"
        if (
            extra := node.keys()
            - _SILENT
            - LIMIT_WORDS.keys()
            - {keyword, "description"}
        ):
            raise SchemaError(pointer, f"{min(extra)} beside {keyword}")
        branches = [
            self.node(branch, child(pointer, keyword, number), level)
            for number, branch in enumerate(node[keyword])
        ]
        kinds = [kind for branch in branches for kind in self.kinds(branch)]
        if len(kinds) > _MANY:
            raise SchemaError(pointer, f"more than {_MANY} alternatives")
        if keyword == "oneOf" and (
            len(set(kinds)) < len(kinds) or {"integer", "number"} <= {*kinds}
        ):
            raise SchemaError(pointer, "oneOf whose branches may overlap")
        # With at most one object and one array, it is clear whose nulls go.
        for kind in ("object", "array"):
            if kinds.count(kind) > 1 and _has_optional(node):
                raise SchemaError(
                    pointer, f"several kinds of {kind} with optional parts"
                )
        return branches

    def kinds(self, branch: dict[str, Any]) -> list[str]:
        """Return the JSON types that a strict schema names."""
        if "$ref" in branch:
            name = branch["$ref"].rpartition("/")[2]
            return self.types.get(name, ["object"])
        if "anyOf" in branch:
            return [kind for inner in branch["anyOf"] for kind in self.kinds(inner)]
        types = branch["type"]
        return [types] if isinstance(types, str) else types

    def object(self, node: dict[str, Any], pointer: str, level: int) -> dict[str, Any]:
        """Return the members of an object: all required, and no others."""
        properties = cast("dict[str, Any]", node.get("properties") or {})
        required = cast("list[str]", node.get("required") or [])
        if node.get("additionalProperties", False) is not False:
            path = child(pointer, "additionalProperties")
            raise SchemaError(path, "it takes members of any name")
        if not properties and level and "additionalProperties" not in node:
            raise SchemaError(pointer, "it takes any object")
        if missing := set(required) - properties.keys():
            raise SchemaError(pointer, f"{min(missing)!a} is required, not declared")
        self.properties += len(properties)
        if self.properties > PROPERTIES:
            raise SchemaError("", f"more than {PROPERTIES} properties")
        members: dict[str, Any] = {}
        for name, inner in properties.items():
            path = child(pointer, "properties", name)
            strict = self.node(inner, path, level + 1)
            members[name] = (
                strict if name in required else self.optional(inner, strict, path)
            )
        return {
            "properties": members,
            "required": list(properties),
            "additionalProperties": False,
        }

    def optional(
        self, node: dict[str, Any], strict: dict[str, Any], pointer: str
    ) -> dict[str, Any]:
        """Return the strict form of an optional property: null means absent."""
        if takes_null(node, self.document.root):
            if "default" in node and node["default"] is None:
                return strict
            raise SchemaError(pointer, "null and absent may differ")
        text = strict.pop("description", "")
        if "default" in node:
            text = with_sentence(text, f"Default: {json.dumps(node['default'])}", "")
        description = {"description": text} if text else {}
        if "anyOf" in strict:
            return {**description, "anyOf": [*strict["anyOf"], {"type": "null"}]}
        if (
            "$ref" in strict
            or "const" in strict
            or strict["type"] in ("object", "array")
        ):
            return {**description, "anyOf": [strict, {"type": "null"}]}
        types = strict["type"]
        listed = [types] if isinstance(types, str) else types
        if "enum" in strict:
            strict["enum"] = [*strict["enum"], None]
        return {**strict, **description, "type": [*listed, "null"]}

    def limits(self, variant: dict[str, Any]) -> None:
        """Check the limits of strict mode for the whole schema."""
        names, choices = 0, 0
        pending: list[Any] = [variant, *self.defs.values()]
        while pending:
            node = pending.pop()
            inner = cast("dict[str, Any]", node.get("properties") or {})
            names += sum(map(len, inner))
            listed = node.get("enum", [])
            length = sum(len(c) for c in listed if isinstance(c, str))
            choices, names = choices + len(listed), names + length
            if len(listed) > _MANY and length > ENUM_CHARACTERS:
                raise SchemaError(
                    "", f"an enum of more than {ENUM_CHARACTERS} characters"
                )
            pending += [*inner.values(), *node.get("anyOf", [])]
            pending += [node["items"]] if "items" in node else []
        if choices > CHOICES:
            raise SchemaError("", f"more than {CHOICES} enum values")
        if names > CHARACTERS:
            raise SchemaError("", f"more than {CHARACTERS} characters of names")


def _types(node: dict[str, Any], pointer: str) -> list[str]:
    """Return the types of a schema, those of its values where it names none."""
    declared = node.get("type")
    if isinstance(declared, str):
        return [declared]
    if declared is not None:
        return cast("list[str]", declared)
    single = [node["const"]] if "const" in node else []
    values: list[object] = node.get("enum", single)
    types = [
        next((name for kind, name in _TYPES.items() if type(value) is kind), "")
        for value in values
    ]
    if types and "" not in types:
        return list(dict.fromkeys(types))
    raise SchemaError(pointer, "it names no type")


def _has_optional(node: object) -> bool:
    """Return whether there is an optional property, or a reference, at any depth."""
    if isinstance(node, list):
        return any(map(_has_optional, cast("list[object]", node)))
    if not isinstance(node, dict):
        return False
    schema = cast("dict[str, Any]", node)
    properties = schema.get("properties")
    names = set(cast("dict[str, Any]", properties)) if properties else set[str]()
    if "$ref" in schema or names - set(schema.get("required") or []):
        return True
    return any(map(_has_optional, schema.values()))
