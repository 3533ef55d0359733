# Copied by mcp-bindgen. Do not edit.
"""Reads the entry of one tool in a policy file."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from ... import limits
from ...validation.pattern_reach import matches_nothing
from ...validation.patterns import compile_pattern
from .constraints import compiled, readings_of, when_of
from .entry import LEAST_BYTES, LEAST_RATE, RISKS, SCOPES, Entry, Rate, ResultRule, When
from .masks import fault_of_mask
from .read_constraints import constraints_of, steps_of
from .read_table import Table
from .schema_paths import default_at, enum_at, has_argument, kinds_at, names_at, refuses
from .schema_texts import fault_of_texts, pattern_of_word
from .spelling import twin_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["KEYS", "Table", "entry_of"]

_WORDS = """
    approval arguments deny enforce log_values modes note paths rate reads_untrusted
    removed results reviewed risk secrets sends_out timeout when
    """
KEYS = frozenset(_WORDS.split())
_REVIEW = re.compile(r"sha256:[0-9a-f]{64}")


def entry_of(
    table: Table,
    name: str,
    modes: tuple[str, ...],
    schema: Mapping[str, Any] | None,
    *,
    enforced: bool,
    inside: tuple[str, ...] = (),
) -> Entry:
    """Return the entry of a tool or a method; its mistakes are in the table.

    Args:
        table: Its table.
        name: Its wire name.
        modes: The modes of the file.
        schema: The tool's input schema, None where it is unknown.
        enforced: Whether the file denies, unless the entry says otherwise.
        inside: The steps to the arguments in the params; () for a tool.
    """
    table.flag("removed")
    its_modes = frozenset(
        table.names("modes", modes) if "modes" in table.raw else modes
    )
    if not its_modes:
        table.fault(
            "modes",
            "expected at least one mode; write deny = true for what must never run",
        )
    approval = _approval(table, its_modes)
    plain = _plain(table, name, enforced=enforced)
    listed = (
        replace(constraint, steps=(*inside, *constraint.steps))
        for constraint in constraints_of(table, schema)
    )
    constraints = tuple((constraint, compiled(constraint)) for constraint in listed)
    rules = (_inside(when, inside) for when in _whens(table, its_modes, schema))
    whens = tuple((when, when_of(when)) for when in rules)
    paths = [constraint.steps for constraint, _ in constraints]
    paths += [steps for when, _ in whens for steps, _, _ in when.tests]
    return replace(
        plain,
        modes=its_modes,
        approval=approval,
        constraints=constraints,
        whens=whens,
        twin=twin_test(paths, partial(_names, schema, len(inside))),
    )


def _names(
    schema: Mapping[str, Any] | None, depth: int, steps: tuple[str, ...]
) -> Iterable[str]:
    """Return the names of members at some steps of the params."""
    return names_at(schema, steps[depth:]) if len(steps) >= depth else ()


def _inside(when: When, inside: tuple[str, ...]) -> When:
    tests = (
        ((*inside, *steps), values, absent) for steps, values, absent in when.tests
    )
    return replace(when, tests=tuple(tests))


def _plain(table: Table, name: str, *, enforced: bool) -> Entry:
    """Return an entry with all that depends on no mode and no schema."""
    reviewed = table.text("reviewed")
    if reviewed and not _REVIEW.fullmatch(reviewed):
        table.fault("reviewed", 'expected "" or "sha256:..." of `policy review`')
    usual = "deny" if enforced else "log"
    return Entry(
        name=name,
        key=table.path,
        effect="deny" if table.flag("deny") else "allow",
        risk=table.choice("risk", RISKS, "medium"),
        timeout=table.number("timeout", most=limits.TIMEOUT_MOST),
        rate=_rate(table),
        secrets=tuple(_secrets(table)),
        results=_results(table),
        reads_untrusted=table.flag("reads_untrusted"),
        sends_out=table.flag("sends_out"),
        enforced=table.choice("enforce", ("deny", "log"), usual) == "deny",
        reviewed=reviewed,
        log_values=table.flag("log_values"),
        note=table.text("note"),
    )


def _approval(table: Table, modes: frozenset[str]) -> frozenset[str]:
    """Return the modes in which a person approves."""
    value = table.raw.get("approval", "never")
    if isinstance(value, list):
        known = sorted(modes)
        return frozenset(table.names("approval", known))
    word = table.choice("approval", ("never", "always"), "never")
    return modes if word == "always" else frozenset()


def _rate(table: Table) -> Rate | None:
    if "rate" not in table.raw:
        return None
    inner = table.inner("rate")
    inner.only({"per_minute", "burst", "scope"})
    number = inner.number("per_minute", LEAST_RATE)
    if number is None:
        if "per_minute" not in inner.raw:
            inner.fault("per_minute", "expected a number of calls")
        return None
    burst = inner.count("burst")
    if burst == 0:
        inner.fault("burst", "no call could ever run; write deny = true")
    scope = inner.choice("scope", SCOPES, "client")
    return Rate(number, burst or max(1, int(number)), scope)


def _whens(
    table: Table, modes: frozenset[str], schema: Mapping[str, Any] | None
) -> list[When]:
    listed = cast("object", table.raw.get("when", []))
    if not isinstance(listed, list):
        table.fault("when", f"expected [[{table.path}.when]]")
        return []
    rules = enumerate(cast("list[object]", listed))
    return [_when(table, number, raw, modes, schema) for number, raw in rules]


def _when(
    outer: Table,
    number: int,
    raw: object,
    modes: frozenset[str],
    schema: Mapping[str, Any] | None,
) -> When:
    table = Table(f"{outer.path}.when[{number}]", raw, outer.faults)
    table.only({"arguments", "modes", "approval", "deny", "absent", "note"})
    table.text("note")
    if not {"modes", "approval", "deny"} & {*table.raw}:
        table.fault("arguments", "no effect: add modes, approval or deny")
    tests = table.inner("arguments")
    if not tests.raw:
        table.fault("arguments", 'expected arguments.NAME = ["value"]')
    its_modes = None
    if "modes" in table.raw:
        its_modes = frozenset(table.names("modes", sorted(modes)))
        if not its_modes:
            table.fault("modes", "expected a mode, or deny = true")
    absent = table.flag("absent", default=True)
    return When(
        rule=table.path,
        tests=tuple(_test(tests, key, schema, absent=absent) for key in tests.raw),
        modes=its_modes,
        approval=_approval(table, its_modes or modes),
        deny=table.flag("deny"),
    )


def _test(
    table: Table, key: str, schema: Mapping[str, Any] | None, *, absent: bool
) -> tuple[tuple[str, ...], frozenset[object], bool]:
    """Return the steps to an argument, its values as keys, and the default answer."""
    steps, values = steps_of(key), table.values(key) or []
    if schema is not None and not has_argument(schema, steps):
        table.fault(key, "the schema of the tool has no such argument")
    elif schema is not None:
        listed = enum_at(schema, steps)
        known = _readings(values if listed is None else listed)
        for value in values:
            fits = _may_be(schema, steps, value)
            if not fits or known.isdisjoint(readings_of(value)):
                table.fault(key, f"the argument never is {value!a}")
    keys = _readings(values)
    defaults = default_at(schema, steps) if schema is not None else []
    if defaults:
        absent = absent and not keys.isdisjoint(_readings(defaults))
    return steps, keys, absent


def _may_be(schema: Mapping[str, Any], steps: tuple[str, ...], value: object) -> bool:
    """Return whether an argument may have a value that a rule names."""
    if not isinstance(value, str):
        return not refuses(schema, steps, value)
    # A text may stand for a number or for true.
    is_text = kinds_at(schema, steps) == frozenset({"string"})
    return not (is_text and fault_of_texts(schema, steps, [pattern_of_word(value)]))


def _readings(values: Iterable[object]) -> frozenset[object]:
    return frozenset[object]().union(*map(readings_of, values))


def _secrets(table: Table) -> list[Callable[[str], bool]]:
    tests: list[Callable[[str], bool]] = []
    for pattern in table.texts("secrets"):
        if matches_nothing(pattern):
            table.fault("secrets", f"no text matches the pattern {pattern[:80]!a}")
        try:
            tests.append(compile_pattern(pattern))
        except ValueError as error:
            table.fault("secrets", f"the pattern {pattern[:80]!a}: {error}")
            continue
        if tests[-1](""):
            reason = (
                f"the pattern {pattern[:80]!a} matches each text, so that no call runs"
            )
            table.fault("secrets", reason)
    return tests


def _results(table: Table) -> ResultRule | None:
    if "results" not in table.raw:
        return None
    inner = table.inner("results")
    inner.only({"max_bytes", "strip_hidden", "mask", "lint"})
    masks = inner.texts("mask")
    for pattern in masks:
        if fault := fault_of_mask(pattern):
            inner.fault("mask", f"the pattern {pattern[:80]!a}: {fault}")
    return ResultRule(
        inner.count("max_bytes", LEAST_BYTES),
        inner.flag("strip_hidden"),
        tuple(masks),
        inner.flag("lint"),
    )
