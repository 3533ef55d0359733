"""A compiled schema, and the bounds within which one is applied."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import Fault, kind_of
from ..json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .references import Resource

__all__ = [
    "EVERY",
    "KINDS",
    "MOST",
    "Maker",
    "Node",
    "Run",
    "Test",
    "TooCostlyError",
    "Words",
]
__all__ += ["doubt", "refusal", "under"]

MOST = 21
"""How many faults of a value are looked for: a few to show, and one more."""
_MOST_STEPS = 1_000_000
_MOST_LEVELS = 250

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
    """A check needs more work than anything honest does."""


@dataclass(slots=True)
class Run:
    """What one check has used up, and where it stands.

    Attributes:
        scope: Resources entered on the way here, in the order of their first entry.
        known: What shared schemas said of values, and whether in doubt; None while
            they are asked.
        circles: Those of them that were asked again meanwhile.
        levels: Schemas entered and not left.
        steps: Work done so far.
        doubts: How often a test passed only because it cannot be made.
    """

    scope: tuple[Resource, ...]
    known: dict[Step, tuple[Sequence[Fault], bool] | None]
    circles: frozenset[Step] = frozenset()
    levels: int = 0
    steps: int = 0
    doubts: int = 0

    def spend(self, steps: int) -> None:
        """Count work, and stop where it is too much."""
        self.steps += steps
        if self.steps > _MOST_STEPS:
            raise TooCostlyError("the schema is too costly to check")

    def recall(self, step: Step) -> Sequence[Fault]:
        """Return what a shared schema said of a value, or will have to say."""
        self.spend(1)
        found, doubted = self.known[step] or ((), True)
        if self.known[step] is None:  # a circle that leads nowhere asks nothing
            self.circles |= {step}
        self.doubts += doubted
        return found


Step: TypeAlias = "tuple[Node, int, tuple[Resource, ...]]"
Words: TypeAlias = "Mapping[str, Any]"
Test: TypeAlias = "Callable[[Any, Run], Iterable[Fault]]"
Maker: TypeAlias = "Callable[[str, Node, Words], Test | None]"


@dataclass(slots=True, eq=False)
class Node:
    """One schema, compiled: the tests for each type of value, and the schemas in it."""

    home: Resource
    cost: int = 1
    shared: bool = False
    kids: dict[str, Any] = field(default_factory=dict[str, Any])
    tests: dict[type, list[Test]] = field(default_factory=dict[type, "list[Test]"])

    def faults(self, value: object, run: Run) -> Sequence[Fault]:
        """Return what is wrong with a value; cheap where its type decides alone."""
        tests = self.tests.get(type(value), _NO_JSON)
        if not tests:
            return ()
        if not self.shared:
            return self._faults(tests, value, run)
        step = (self, id(value), run.scope)
        if step in run.known:
            return run.recall(step)
        circles, run.circles, doubts = run.circles, frozenset(), run.doubts
        run.known[step] = None
        found = self._faults(tests, value, run)
        run.known[step] = found, run.doubts > doubts
        run.circles -= {step}
        if run.circles:  # what it says rests on what is not yet known
            del run.known[step]
        run.circles |= circles
        return found

    def _faults(self, tests: list[Test], value: object, run: Run) -> Sequence[Fault]:
        scope, doubts = run.scope, run.doubts
        run.spend(self.cost)
        if run.levels >= _MOST_LEVELS:
            raise TooCostlyError("the value is nested too deeply to check")
        run.levels += 1
        if self.home not in scope:
            run.scope = (*scope, self.home)
        found: list[Fault] = []
        for test in tests:
            if faults := test(value, run):
                found += islice(faults, MOST - len(found))
        run.levels -= 1
        run.scope = scope
        if found:
            run.doubts = doubts
        return found

    def first(self, value: object, run: Run) -> Fault | None:
        """Return the first fault."""
        return next(iter(self.faults(value, run)), None)

    def holds(self, value: object, run: Run) -> bool | None:
        """Tell whether a value fits; None where that cannot be known."""
        doubts = run.doubts
        if self.first(value, run):
            return False
        return True if run.doubts == doubts else None


def refusal(rule: str, message: str) -> Test:
    """Make the test that nothing passes."""

    def test(value: object, _run: Run) -> Iterable[Fault]:
        return (Fault("", rule, message, kind_of(value)),)

    return test


_NO_JSON = [refusal("type", "must be a JSON value")]


def doubt(_value: object, run: Run) -> Iterable[Fault]:
    """Pass, and note that nobody knows: what negates the answer must pass too."""
    run.doubts += 1
    return ()


def under(step: object, fault: Fault) -> Fault:
    """Return a fault of an element as one of what holds it."""
    return replace(fault, path=f"{child('', step)}{fault.path}")
