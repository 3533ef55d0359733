"""Single changes of realistic tools, each in both directions, with rules and grades.

A row is the old side, the new side, the findings of that change, and those of the way
back. A finding is a rule with its grades on the wire and in source: B breaking,
C compatible, T text, - none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.contract.changes import CLOSED, fields, tool

S: dict[str, Any] = {"type": "string"}
INT: dict[str, Any] = {"type": "integer"}
NUM: dict[str, Any] = {"type": "number"}
B: dict[str, Any] = {"type": "boolean"}
N: dict[str, Any] = {"type": "null"}
L: dict[str, Any] = {"type": "array", "items": S}
DAY: dict[str, Any] = {"type": "string", "enum": ["mon", "tue"]}
LONG: dict[str, Any] = {"type": "string", "enum": ["mon", "tue", "wed"]}
Schema = dict[str, Any]
WORDS, TEXT = "TITLE_CHANGED TT", "TEXT_CHANGED TT"


class Row(NamedTuple):
    """One change, and the way back.

    Attributes:
        name: What is done.
        old: The tools of one side.
        new: The tools of the other.
        there: The findings from old to new.
        back: The findings from new to old.
    """

    name: str
    old: list[dict[str, Any]]
    new: list[dict[str, Any]]
    there: str
    back: str


def obj(required: str = "", /, **members: Schema) -> Schema:
    """Return the schema of an object; names of required members by spaces."""
    whole = {"type": "object", "properties": members}
    return {**whole, "required": required.split()} if required else whole


def shut(required: str = "", /, **members: Schema) -> Schema:
    return {**obj(required, **members), **CLOSED}


def listed(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def named(schema: Schema) -> Schema:
    return {"type": "object", "patternProperties": {"^x": schema}, **CLOSED}


def named_twice(length: int) -> Schema:
    parts = [{"patternProperties": {"^x": each}} for each in (S, {"maxLength": length})]
    return {"type": "object", "allOf": parts}


def couple(second: Schema) -> Schema:
    return {"type": "array", "prefixItems": [S, second], "minItems": 2, "items": False}


def either(*members: Schema) -> Schema:
    return {"anyOf": [*members]}


S_TOTAL: dict[str, Schema] = {"total": INT}
# The schemas of one parameter beside `query`, or of one field beside `total`.
VALUES: list[tuple[str, Schema, Schema, str, str, str, str]] = [
    # name, old, new, as a parameter there and back, as a field there and back
    ("integer to number", INT, NUM, "TYPE_WIDENED CC", "TYPE_NARROWED BB",
     "TYPE_WIDENED BB", "TYPE_NARROWED CC"),
    ("string to integer", S, INT, "TYPE_CHANGED BB", "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("string to boolean", S, B, "TYPE_CHANGED BB", "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("string to list", S, L, "TYPE_CHANGED BB", "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("one more type", S, either(S, INT), "TYPE_WIDENED CC", "TYPE_NARROWED BB",
     "TYPE_WIDENED BB", "TYPE_NARROWED CC"),
    ("null", S, either(S, N), "NULL_ADDED CC", "NULL_REMOVED BB",
     "NULL_ADDED BB", "NULL_REMOVED CC"),
    ("null of a list", L, {**L, "type": ["array", "null"]}, "NULL_ADDED CC",
     "NULL_REMOVED BB", "NULL_ADDED BB", "NULL_REMOVED CC"),
    ("a value of an enum", DAY, LONG, "ENUM_VALUE_ADDED CC", "ENUM_VALUE_REMOVED BB",
     "ENUM_VALUE_ADDED BB", "ENUM_VALUE_REMOVED CC"),
    ("an enum", DAY, S, "ENUM_LIFTED CC", "ENUM_IMPOSED BB",
     "ENUM_LIFTED BB", "ENUM_IMPOSED CC"),
    ("a value of a nested enum", listed(DAY), listed(LONG), "ENUM_VALUE_ADDED CC",
     "ENUM_VALUE_REMOVED BB", "ENUM_VALUE_ADDED BB", "ENUM_VALUE_REMOVED CC"),
    ("a longest text", S, {**S, "maxLength": 5}, "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a shortest text", S, {**S, "minLength": 1}, "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a least number", INT, {**INT, "minimum": 1}, "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a strict bound", {**NUM, "maximum": 1}, {**NUM, "exclusiveMaximum": 1},
     "BOUND_TIGHTENED BC", "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC",
     "BOUND_LOOSENED BC"),
    ("a step", {**INT, "multipleOf": 2}, {**INT, "multipleOf": 4}, "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a longest list", L, {**L, "maxItems": 3}, "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("unique items", L, {**L, "uniqueItems": True}, "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a bound of an item", L, listed({**S, "maxLength": 2}), "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a pattern", S, {**S, "pattern": "^[a-z]+$"}, "PATTERN_IMPOSED BC",
     "PATTERN_LIFTED CC", "PATTERN_IMPOSED CC", "PATTERN_LIFTED BC"),
    ("another pattern", {**S, "pattern": "^a"}, {**S, "pattern": "^b"},
     "PATTERN_CHANGED BC", "PATTERN_CHANGED BC", "PATTERN_CHANGED BC",
     "PATTERN_CHANGED BC"),
    ("a pattern of an enum", DAY, {**DAY, "pattern": "^[a-z]+$"}, "", "", "", ""),
    ("an enum within a pattern", DAY, {**S, "pattern": "^[a-z]+$"}, "ENUM_LIFTED CC",
     "ENUM_IMPOSED BB", "ENUM_LIFTED BB", "ENUM_IMPOSED CC"),
    ("a format", S, {**S, "format": "uri"}, "FORMAT_CHANGED CC", "FORMAT_CHANGED CC",
     "FORMAT_CHANGED CC", "FORMAT_CHANGED CC"),
    ("a default", S, {**S, "default": "x"}, "DEFAULT_CHANGED CC", "DEFAULT_CHANGED CC",
     "DEFAULT_CHANGED CC", "DEFAULT_CHANGED CC"),
    ("a description", S, {**S, "description": "words"}, "DESCRIPTION_CHANGED TT",
     "DESCRIPTION_CHANGED TT", "DESCRIPTION_CHANGED TT", "DESCRIPTION_CHANGED TT"),
    ("a title", S, {**S, "title": "Words"}, WORDS, WORDS, WORDS, WORDS),
    ("a comment", S, {**S, "$comment": "x"}, TEXT, TEXT, TEXT, TEXT),
    ("type of items", L, listed(INT), "TYPE_CHANGED BB", "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("type of a nested member", obj("a", a=S), obj("a", a=INT), "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("type of a deep member", listed(obj("a", a=listed(obj(b=S)))),
     listed(obj("a", a=listed(obj(b=INT)))), "TYPE_CHANGED BB", "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("values of a map", {"type": "object", "additionalProperties": INT},
     {"type": "object", "additionalProperties": S}, "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("values of names of a pattern", named(INT), named(S), "TYPE_CHANGED BB",
     "TYPE_CHANGED BB", "TYPE_CHANGED BB", "TYPE_CHANGED BB"),
    ("one pattern in two schemas", named_twice(5), named_twice(3), "BOUND_TIGHTENED BC",
     "BOUND_LOOSENED CC", "BOUND_TIGHTENED CC", "BOUND_LOOSENED BC"),
    ("a tuple beside a list", either(couple(INT), L), either(couple(NUM), L),
     "TYPE_WIDENED CC", "TYPE_NARROWED BB", "TYPE_WIDENED BB", "TYPE_NARROWED CC"),
    ("an element of a tuple", couple(INT), couple(NUM), "TYPE_WIDENED CC",
     "TYPE_NARROWED BB", "TYPE_WIDENED BB", "TYPE_NARROWED CC"),
    ("another spelling", {"enum": ["mon", "tue"]}, either({"const": "tue"},
     {"const": "mon"}), "", "", "", ""),
    ("an open bound", {**INT, "minimum": 1}, {**INT, "exclusiveMinimum": 0}, "", "", "",
     ""),
]  # fmt: skip

# Objects, as parameter `filter` or field `page`.
OBJECTS: list[tuple[str, Schema, Schema, str, str, str, str]] = [
    ("a required member", obj("a", a=S), obj("a b", a=S, b=S), "ADDED_REQUIRED BB",
     "REMOVED_IGNORED CB", "ADDED CC", "REMOVED_REQUIRED BB"),
    ("an optional member", obj("a", a=S), obj("a", a=S, b=INT), "ADDED_OPTIONAL CC",
     "REMOVED_IGNORED CB", "ADDED CC", "REMOVED CB"),
    ("an optional member of a closed one", shut("a", a=S), shut("a", a=S, b=INT),
     "ADDED_OPTIONAL CC", "REMOVED BB", "ADDED_TO_CLOSED BC", "REMOVED CB"),
    ("a member is required", obj(a=S), obj("a", a=S), "NOW_REQUIRED BB",
     "NOW_OPTIONAL CC", "NOW_REQUIRED CC", "NOW_OPTIONAL BB"),
    ("other names", {**obj("a", a=S), "additionalProperties": True}, shut("a", a=S),
     "CLOSED BC", "OPENED CC", "CLOSED CC", "OPENED BC"),
    ("a name in camel case", obj("user_id", user_id=S), obj("userId", userId=S),
     "RESPELLED BC", "RESPELLED BC", "RESPELLED BC", "RESPELLED BC"),
]  # fmt: skip

# Members of unions, and whole tools.
X, Y, Z = shut("x", x=S), shut("y", y=S), shut("z", z=L)
V, W = shut("first second", first=INT, second=B), shut(
    "third fourth", third=L, fourth=B
)
Q = {"query": S}
TOOLS: list[Row] = [
    Row("a tool", [tool(Q)], [tool(Q), {**tool(), "name": "list"}],
        "TOOL_ADDED CC", "TOOL_REMOVED BB"),
    Row("another name", [tool(Q)], [{**tool(Q), "name": "look_up"}],
        "TOOL_RENAMED BB", "TOOL_RENAMED BB"),
    Row("another spelling", [{**tool(Q), "name": "findAll"}],
        [{**tool(Q), "name": "find_all"}], "TOOL_RESPELLED BC", "TOOL_RESPELLED BC"),
    Row("an output schema", [tool(Q)], [tool(Q, output=obj("n", n=INT, m=INT))],
        "OUTPUT_ADDED CB", "OUTPUT_REMOVED BB"),
    Row("tasks", [tool(Q)], [{**tool(Q), "execution": {"taskSupport": "required"}}],
        "TOOL_TASK_NOW_REQUIRED BC", "TOOL_EXECUTION_CHANGED CC"),
    Row("words", [tool(Q)], [{**tool(Q), "description": "words"}],
        "TOOL_DESCRIPTION_CHANGED TT", "TOOL_DESCRIPTION_CHANGED TT"),
    Row("a title", [tool(Q)], [{**tool(Q), "title": "Words"}],
        "TOOL_TITLE_CHANGED TT", "TOOL_TITLE_CHANGED TT"),
    Row("icons", [tool(Q)], [{**tool(Q), "icons": []}],
        "TOOL_ICONS_CHANGED TT", "TOOL_ICONS_CHANGED TT"),
    Row("meta", [tool(Q)], [{**tool(Q), "_meta": {"a": 1}}],
        "TOOL_META_CHANGED TT", "TOOL_META_CHANGED TT"),
    Row("a hint", [tool(Q)], [{**tool(Q), "annotations": {"readOnlyHint": True}}],
        "HINT_READ_ONLY_GAINED CC", "HINT_READ_ONLY_LOST CC"),
    Row("order", [tool({"a": S, "b": INT}), {**tool(), "name": "x"}],
        [{**tool(), "name": "x"}, tool({"b": INT, "a": S})], "", ""),
    Row("a parameter", [tool(Q)], [tool({**Q, "limit": INT})],
        "PARAM_ADDED_OPTIONAL CC", "PARAM_REMOVED_IGNORED CB"),
    Row("a required parameter", [tool(Q)], [tool({**Q, "limit": INT}, ("limit",))],
        "PARAM_ADDED_REQUIRED BB", "PARAM_REMOVED_IGNORED CB"),
    Row("a parameter is required", [tool({**Q, "limit": INT})],
        [tool({**Q, "limit": INT}, ("limit",))],
        "PARAM_NOW_REQUIRED BB", "PARAM_NOW_OPTIONAL CC"),
    Row("a field is required", [fields({"a": S, "b": obj("x", x=S)})],
        [fields({"a": S, "b": obj("x", x=S)}, ("b",))],
        "FIELD_NOW_REQUIRED CC", "FIELD_NOW_OPTIONAL BB"),
    Row("a required one with a default", [tool(Q)],
        [tool({**Q, "limit": {**INT, "default": 5}}, ("limit",))],
        "PARAM_ADDED_REQUIRED BB", "PARAM_REMOVED_IGNORED CB"),
    Row("a parameter of a closed tool", [tool(Q, **CLOSED)],
        [tool({**Q, "limit": INT}, **CLOSED)],
        "PARAM_ADDED_OPTIONAL CC", "PARAM_REMOVED BB"),
    Row("the name of a parameter", [tool({"owner": S}, ("owner",), **CLOSED)],
        [tool({"owners": S}, ("owners",), **CLOSED)],
        "PARAM_RENAMED BB", "PARAM_RENAMED BB"),
    Row("the name of an optional one", [tool({"owner": S})], [tool({"owners": S})],
        "PARAM_RENAMED_IGNORED CB", "PARAM_RENAMED_IGNORED CB"),
    Row("the case of a parameter", [tool({"userId": S}, ("userId",))],
        [tool({"user_id": S}, ("user_id",))],
        "PARAM_RESPELLED BC", "PARAM_RESPELLED BC"),
    Row("the case of an optional one", [tool({"userId": S})], [tool({"user_id": S})],
        "PARAM_RESPELLED_IGNORED CC", "PARAM_RESPELLED_IGNORED CC"),
    Row("a field", [fields({"a": S})], [fields({"a": S, "b": S})],
        "FIELD_ADDED CC", "FIELD_REMOVED CB"),
    Row("a parameter takes anything", [tool({"a": S}, ("a",))],
        [tool({"a": {}}, ("a",))], "PARAM_TYPE_WIDENED CC",
        "PARAM_ANY_NARROWED BC"),
    Row("a member in a union", [tool({"a": either(obj("x", x=S), obj("y", y=S))})],
        [tool({"a": either(obj("x", x=S), obj("y", y=S), obj("z", z=S))})],
        "PARAM_TYPE_WIDENED CC", "PARAM_TYPE_NARROWED BB"),
    Row("other members in a union", [tool({"a": either(X, Y, Z)})],
        [tool({"a": either(X, V, W)})], "PARAM_UNION_CHANGED BB",
        "PARAM_UNION_CHANGED BB"),
    Row("a header", [tool({"a": S})], [tool({"a": {**S, "x-mcp-header": "A"}})],
        "PARAM_HEADER_CHANGED BC", "PARAM_HEADER_LIFTED CC"),
    Row("a Python name taken", [tool({"dryRun": S})],
        [tool({"dryRun": S, "dry_run": B})],
        "PARAM_ADDED_OPTIONAL CC PYTHON_SIGNATURE_CHANGED -B",
        "PARAM_REMOVED_IGNORED CB PYTHON_SIGNATURE_CHANGED -B"),
    Row("a Python name of a tool taken", [{**tool(), "name": "editFile"}],
        [{**tool(), "name": "editFile"}, {**tool(Q), "name": "edit_file"}],
        "TOOL_ADDED CC PYTHON_FUNCTION_RENAMED -B",
        "TOOL_REMOVED BB PYTHON_FUNCTION_RENAMED -B"),
    Row("arguments that no schema limits", [{**tool(), "inputSchema": {}}],
        [tool({"a": S}, ("a",))], "PARAM_ADDED_REQUIRED BB",
        "PARAM_REMOVED_IGNORED CB"),
    Row("a constraint", [tool({"a": S}, ("a",))],
        [tool({"a": {**S, "not": {"const": "x"}}}, ("a",))],
        "PARAM_CONSTRAINT_IMPOSED BC", "PARAM_CONSTRAINT_LIFTED CC"),
    Row("a largest safe integer", [tool({"a": INT})],
        [tool({"a": {**INT, "maximum": 2**53 - 1}})],
        "PARAM_BOUND_VACUOUS CC", "PARAM_BOUND_VACUOUS CC"),
    Row("implicit names", [tool(Q)], [tool(Q, **CLOSED)], "PARAM_CLOSED_IMPLICIT CC",
        "PARAM_OPENED CC"),
    Row("implicit names of a result", [fields(Q)], [fields(Q, **CLOSED)],
        "FIELD_CLOSED CC", "FIELD_OPENED_IMPLICIT CC"),
    Row("a field takes anything", [fields({"a": S}, ("a",))],
        [fields({"a": {}}, ("a",))], "FIELD_TYPE_WIDENED BB", "FIELD_TYPE_NARROWED CC"),
    Row("elements of a field are anything", [fields({"a": either(S, L)}, ("a",))],
        [fields({"a": either(S, listed({}))}, ("a",))], "FIELD_TYPE_WIDENED BB",
        "FIELD_TYPE_NARROWED CC"),
    Row("a class of a union", [fields({"a": either(S, X)}, ("a",))],
        [fields({"a": S}, ("a",))], "FIELD_TYPE_NARROWED CC PYTHON_MODEL_RENAMED -B",
        "FIELD_TYPE_WIDENED BB"),
    Row("a member of a union twice", [fields({"a": either(X, Y, X)}, ("a",))],
        [fields({"a": either(X, Y)}, ("a",))], "", ""),
    Row("a parameter's only member twice", [tool({"a": either(X, X)})],
        [tool({"a": X})], "", ""),
    Row("a field is renamed", [fields({"owner": S}, ("owner",))],
        [fields({"owners": S}, ("owners",))], "FIELD_RENAMED BB", "FIELD_RENAMED BB"),
    Row("a definition's name", [tool({"a": {"$ref": "#/$defs/One"}},
        (), None, **{"$defs": {"One": obj(x=S)}})], [tool({"a": {"$ref":
        "#/$defs/Two"}}, (), None, **{"$defs": {"Two": obj(x=S)}})], "", ""),
]  # fmt: skip


def rows() -> list[Row]:
    """Return every change."""
    made = [*TOOLS]
    for name, old, new, *said in VALUES:
        sides = (S_TOTAL | {"v": old}, S_TOTAL | {"v": new})
        made.append(_row(f"parameter: {name}", tool, sides, "PARAM_", said[:2]))
        made.append(_row(f"field: {name}", fields, sides, "FIELD_", said[2:]))
    for name, old, new, *said in OBJECTS:
        sides = (S_TOTAL | {"page": old}, S_TOTAL | {"page": new})
        made.append(_row(f"in a parameter: {name}", tool, sides, "PARAM_", said[:2]))
        made.append(_row(f"in a field: {name}", fields, sides, "FIELD_", said[2:]))
    return made


def _row(name: str, make: Any, sides: Any, prefix: str, said: list[str]) -> Row:
    required = tuple(sides[0])
    old, new = (make(side, required) for side in sides)
    return Row(name, [old], [new], *(prefix + s if s else "" for s in said))
