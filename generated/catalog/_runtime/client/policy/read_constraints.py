# Copied by mcp-bindgen. Do not edit.
"""Reads the constraints on arguments of one tool in a policy file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...json_pointer import steps as pointer_steps
from ...json_values import json_key
from ...validation.pattern_reach import least_length, matches_nothing
from ...validation.patterns import compile_pattern
from .constraints import test_of
from .entry import Constraint, PathRule
from .paths import fault_of_text, path_test
from .schema_paths import (
    enum_at,
    has_argument,
    is_above,
    kind_of,
    kinds_at,
    refuses,
)
from .schema_texts import fault_of_texts, pattern_of_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .read_table import Table

__all__ = ["constraints_of", "steps_of"]

_KEYS = ("fixed", "allowed", "pattern", "maximum", "max_length")
_TAKEN = {
    "pattern": ("string",),
    "maximum": ("number", "integer"),
    "max_length": ("string", "array"),
}
_PATH_KEYS = ("allowed", "forbidden", "filesystem", "absent")


def steps_of(key: str) -> tuple[str, ...]:
    """Return the steps of a JSON pointer, or of the name of one argument."""
    return tuple(pointer_steps(key)) if key.startswith("/") else (key,)


def constraints_of(
    table: Table, schema: Mapping[str, Any] | None
) -> Iterator[Constraint]:
    """Yield the constraints of an entry; their mistakes are in the table.

    Args:
        table: The table of the entry.
        schema: The tool's input schema, None where it is unknown.
    """
    before = len(table.faults)
    for kind, make in (("arguments", _constraint), ("paths", _path)):
        inner, names = table.inner(kind), dict[tuple[str, ...], str]()
        for key in inner.raw:
            first = names.setdefault(steps_of(key), key)
            if first != key:
                inner.fault(key, f"it is the argument of {inner.path_of(first)}, too")
            if schema is not None and not has_argument(schema, steps_of(key)):
                inner.fault(key, "the schema of the tool has no such argument")
            yield make(inner.inner(key), key, schema)
    if len(table.faults) == before:
        _refuse_forbidden(table.inner("paths"), table.inner("arguments"))


def _refuse_forbidden(paths: Table, arguments: Table) -> None:
    """Note each argument of which `paths` forbids all values that `arguments` allows.

    Args:
        paths: The paths of an entry, without a mistake.
        arguments: The constraints of its arguments, without a mistake.
    """
    same = {steps_of(key): key for key in arguments.raw}
    for key in (key for key in paths.raw if steps_of(key) in same):
        rule, constraint = paths.inner(key), arguments.inner(same[steps_of(key)])
        allowed, forbidden = rule.texts("allowed"), rule.texts("forbidden")
        test = path_test(PathRule(tuple(allowed), tuple(forbidden)))
        fixed = constraint.raw.get("fixed")
        values = constraint.values("allowed") if fixed is None else [fixed]
        if values and all(map(test, values)):
            paths.fault(key, "it forbids each value that arguments allows")


def _constraint(table: Table, key: str, schema: Mapping[str, Any] | None) -> Constraint:
    before = len(table.faults)
    table.only((*_KEYS, "absent"))
    if not {*_KEYS} & {*table.raw}:
        table.fault(_KEYS[1], f"expected one of {', '.join(_KEYS)}")
    steps = steps_of(key)
    values = _values(table, steps, schema)
    _refuse_impossible(table, steps, schema)
    constraint = Constraint(
        pointer=key,
        steps=steps,
        values=None if values is None else frozenset(map(json_key, values)),
        matches=_pattern(table),
        maximum=table.number("maximum", -float("inf")),
        max_length=table.count("max_length"),
        absent=table.flag("absent"),
        expected=_expected(key, values, table),
    )
    if len(table.faults) == before:
        _refuse_empty(table, constraint, values, schema)
    return constraint


def _refuse_empty(
    table: Table,
    constraint: Constraint,
    values: list[Any] | None,
    schema: Mapping[str, Any] | None,
) -> None:
    """Note a constraint that forbids each value that it lists, or the schema has."""
    key, test = next(key for key in _KEYS if key in table.raw), test_of(constraint)
    steps, most = constraint.steps, constraint.max_length
    if values and all(map(test, values)):
        table.fault(key, "the other keys forbid each value")
    elif most is not None and least_length(table.text("pattern")) > most:
        table.fault("max_length", "each text that matches the pattern is longer")
    elif schema is not None:
        listed = enum_at(schema, steps)
        if listed and all(map(test, listed)):
            table.fault(key, "it forbids each value of the schema")
        for rule in ("maximum", "max_length"):
            limit = table.raw.get(rule)
            if limit is not None and is_above(schema, steps, rule, limit):
                table.fault(rule, f"the schema allows only values above {limit:g}")
                return
        _refuse_texts(table, steps, schema)


def _refuse_texts(
    table: Table, steps: tuple[str, ...], schema: Mapping[str, Any]
) -> None:
    """Note a rule about texts that no text of the schema passes."""
    pattern, most = table.text("pattern"), table.count("max_length")
    if not pattern and (most is None or "array" in kinds_at(schema, steps)):
        return
    patterns = [_whole(pattern)] if pattern else []
    limit = math.inf if most is None else most
    if fault := fault_of_texts(schema, steps, patterns, limit):
        table.fault("pattern" if pattern else "max_length", fault)


def _values(
    table: Table, steps: tuple[str, ...], schema: Mapping[str, Any] | None
) -> list[Any] | None:
    """Return the values that an argument may have, None for any."""
    values = table.values("allowed")
    if "fixed" in table.raw:
        if values is not None:
            table.fault("fixed", "expected fixed or allowed, got both")
        values = [table.raw["fixed"]]
    key = "fixed" if "fixed" in table.raw else "allowed"
    if values is not None and not all(map(kind_of, values)):
        table.fault(key, "expected values of JSON")
    elif values is not None and schema is not None:
        listed = enum_at(schema, steps)
        known = {*map(json_key, values if listed is None else listed)}
        possible = [value for value in values if not refuses(schema, steps, value)]
        if not known.intersection(map(json_key, possible)):
            table.fault(key, "the schema of the tool has none of these values")
    return values


def _refuse_impossible(
    table: Table, steps: tuple[str, ...], schema: Mapping[str, Any] | None
) -> None:
    """Note each rule that no value of the argument could ever pass."""
    kinds = None if schema is None else kinds_at(schema, steps)
    for key in (key for key in _TAKEN if key in table.raw):
        if kinds is not None and kinds.isdisjoint(_TAKEN[key]):
            table.fault(key, f"the argument never is a {' or '.join(_TAKEN[key])}")


def _pattern(table: Table) -> Callable[[str], bool] | None:
    """Return the test whether a whole text matches, None without a pattern."""
    pattern = table.text("pattern")
    if not pattern:
        if "pattern" in table.raw:
            table.fault("pattern", "expected a pattern")
        return None
    if matches_nothing(pattern, whole=True):
        table.fault("pattern", "no text matches it")
    try:
        compile_pattern(pattern)  # by itself, too: "a)|(?:b" would fit the group
        return compile_pattern(_whole(pattern))
    except ValueError as error:
        table.fault("pattern", str(error))
    return None


def _whole(pattern: str) -> str:
    """Return the pattern of the whole of a text."""
    flag = "(?i)" if pattern.startswith("(?i)") else ""
    return f"{flag}^(?:{pattern.removeprefix(flag)})$"


def _are_all_below(paths: tuple[str, ...], forbidden: tuple[str, ...]) -> bool:
    """Return whether paths, which are sound, are all forbidden."""
    is_sound = all(path == "/" or not fault_of_text(path) for path in paths)
    return is_sound and all(map(path_test(PathRule((), forbidden)), paths))


def _refuse_no_path(
    table: Table, rule: PathRule, steps: tuple[str, ...], schema: Mapping[str, Any]
) -> None:
    """Note a rule for paths that forbids each value of the schema."""
    listed = enum_at(schema, steps)
    if "string" not in kinds_at(schema, steps):
        table.fault("allowed", "the argument never is a string")
    elif listed and all(map(path_test(rule), listed)):
        table.fault("allowed", "it forbids each value of the schema")
    elif fault := fault_of_texts(schema, steps, [*map(pattern_of_path, rule.allowed)]):
        table.fault("allowed", fault)


def _path(table: Table, key: str, schema: Mapping[str, Any] | None) -> Constraint:
    table.only(_PATH_KEYS)
    allowed = tuple(table.texts("allowed"))
    forbidden = tuple(table.texts("forbidden"))
    if schema is not None:
        _refuse_no_path(table, PathRule(allowed, forbidden), steps_of(key), schema)
    if not allowed and not forbidden:
        table.fault("allowed", "expected a path that is allowed or forbidden")
    for kind, paths in (("allowed", allowed), ("forbidden", forbidden)):
        for path in paths:
            if path != "/" and (fault := fault_of_text(path.removesuffix("/"))):
                table.fault(kind, f"{path[:80]!a}: {fault}")
    if allowed and _are_all_below(allowed, forbidden):
        table.fault("allowed", "forbidden has all of these paths")
    # Links are resolved only on a file system that this process sees.
    local = table.choice("filesystem", ("remote", "local"), "remote") == "local"
    below = f"a path below {', '.join(allowed)}" if allowed else "a path"
    outside = f", not below {', '.join(forbidden)}" if forbidden else ""
    return Constraint(
        pointer=key,
        steps=steps_of(key),
        path=PathRule(allowed, forbidden, local),
        absent=table.flag("absent"),
        expected=f"{key}: {below}{outside}",
    )


def _expected(key: str, values: list[Any] | None, table: Table) -> str:
    """Return the allowed values in words, for people and models."""
    parts = [
        *([f"one of {values[:20]!a}"] if values is not None else []),
        *(
            f"{text} {table.raw[name]!a}"
            for name, text in (
                ("pattern", "a text that matches"),
                ("maximum", "a number up to"),
                ("max_length", "a length up to"),
            )
            if name in table.raw
        ),
    ]
    return f"{key}: {', '.join(parts)}"[:500]
