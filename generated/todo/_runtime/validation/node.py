# Copied by mcp-bindgen. Do not edit.
"""A compiled schema, and one check of a value with its limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import limits
from ..errors import Fault
from ..json_pointer import child
from ..json_values import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .references import Resource

__all__ = [
    "EVERY",
    "KINDS",
    "Keywords",
    "Maker",
    "Run",
    "SchemaNode",
    "Test",
    "Tests",
    "TooCostlyError",
]
__all__ += ["doubt", "refusal", "under"]


KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (NoneType,),
    "object": (dict,),
    "array": (list,),
    "integer": (int, float),
}
EVERY = (str, int, float, bool, NoneType, dict, list)


class TooCostlyError(ValueError):
    """A check needs more work than any honest schema and value."""


@dataclass(slots=True)
class Run:
    """The state of one check of one value.

    Attributes:
        scope: Resources entered on the way here, in the order of their first entry.
        verdicts: The verdicts of shared schemas on values: faults, and whether a doubt
            was involved. None while a schema is being visited.
        circles: Unfinished visits that a reference led back to.
        levels: Schemas entered and not left.
        steps: Work done so far.
        doubts: How often a test passed only because no engine reads its pattern.
    """

    scope: tuple[Resource, ...]
    verdicts: dict[Step, tuple[Sequence[Fault], bool] | None]
    circles: frozenset[Step] = frozenset()
    levels: int = 0
    steps: int = 0
    doubts: int = 0

    def spend(self, steps: int) -> None:
        """Count work, and stop if it is too much."""
        self.steps += steps
        if self.steps > limits.CHECK_STEPS:
            raise TooCostlyError("the schema is too costly to check")

    def recall(self, step: Step) -> Sequence[Fault]:
        """Return the verdict of a shared schema that was visited, or is being visited.

        A schema that is being visited counts as accepting the value, in doubt: its
        own visit, further out, finds every fault.
        """
        self.spend(1)
        faults, doubted = self.verdicts[step] or ((), True)
        if self.verdicts[step] is None:
            self.circles |= {step}
        self.doubts += doubted
        return faults


Step: TypeAlias = "tuple[SchemaNode, int, tuple[Resource, ...]]"
Keywords: TypeAlias = "Mapping[str, Any]"
Test: TypeAlias = "Callable[[Any, Run], Iterable[Fault]]"
Tests: TypeAlias = "dict[type, tuple[Test, ...]]"
Maker: TypeAlias = "Callable[[str, SchemaNode, Keywords], Test | None]"


_NOTHING = MappingProxyType[Any, Any]({})


def _nothing() -> Any:
    return _NOTHING  # most schemas hold no others: it is shared


@dataclass(slots=True, eq=False)
class SchemaNode:
    """One schema, compiled: the tests for each type of value, and the schemas in it."""

    home: Resource
    cost: int = 1
    shared: bool = False
    keywords: Keywords = field(default_factory=_nothing)
    children: dict[str, Any] = field(default_factory=_nothing)
    tests: Tests = field(default_factory=_nothing)

    def faults(self, value: object, run: Run) -> Sequence[Fault]:
        """Return the faults of a value; cheap where its type decides alone."""
        tests = self.tests.get(type(value), _NO_JSON)
        if not tests:
            return ()
        if not self.shared:
            return self._faults(tests, value, run)
        # A shared schema is visited once for each value: its verdict stays.
        step = (self, id(value), run.scope)
        if step in run.verdicts:
            return run.recall(step)
        circles, run.circles, doubts = run.circles, frozenset(), run.doubts
        run.verdicts[step] = None  # being visited
        faults = self._faults(tests, value, run)
        run.verdicts[step] = faults, run.doubts > doubts
        run.circles -= {step}
        # Inside an outer visit that is not finished, the verdict may still change.
        if run.circles:
            del run.verdicts[step]
        run.circles |= circles
        return faults

    def _faults(
        self, tests: Iterable[Test], value: object, run: Run
    ) -> Sequence[Fault]:
        """Run the tests one after the other, until there are enough faults."""
        scope, doubts = run.scope, run.doubts
        run.spend(self.cost)
        if run.levels >= limits.CHECK_LEVELS:
            raise TooCostlyError("the value is nested too deeply to check")
        run.levels += 1
        if self.home not in scope:
            run.scope = (*scope, self.home)
        faults: list[Fault] = []
        for test in tests:
            if more := test(value, run):
                faults += islice(more, limits.CHECK_FAULTS - len(faults))
        run.levels -= 1
        run.scope = scope
        if faults:  # a fault is certain, whatever else is in doubt
            run.doubts = doubts
        return faults

    def first(self, value: object, run: Run) -> Fault | None:
        """Return the first fault."""
        return next(iter(self.faults(value, run)), None)

    def holds(self, value: object, run: Run) -> bool | None:
        """Return whether a value fits; None if that is in doubt."""
        doubts = run.doubts
        if self.first(value, run):
            return False
        return True if run.doubts == doubts else None


def refusal(rule: str, message: str) -> Test:
    """Make the test that every value fails."""

    def test(value: object, _run: Run) -> Iterable[Fault]:
        return (Fault("", rule, message, kind_of(value)),)

    return test


_NO_JSON = (refusal("type", "must be a JSON value"),)


def doubt(_value: object, run: Run) -> Iterable[Fault]:
    """Pass, and note the doubt: a schema that negates this verdict must pass too."""
    run.doubts += 1
    return ()


def under(step: object, fault: Fault) -> Fault:
    """Return the fault of a part as a fault of the whole: the path gets one step."""
    path = f"{child('', step)}{fault.path}"
    # `replace` would take several times as long.
    return Fault(path, fault.rule, fault.message, fault.actual)
