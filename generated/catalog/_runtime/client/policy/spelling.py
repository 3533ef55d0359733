# Copied by mcp-bindgen. Do not edit.
"""Finds arguments that some servers read as another one: of other upper or lower case.

Servers in Go and in C# match the names of members in any case: for them, `Size` beside
`size` is one argument with two values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ...json_values import elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Test: TypeAlias = Callable[[Any], str]

__all__ = ["has_twin", "twin_test"]

Steps: TypeAlias = tuple[str, ...]


def has_twin(names: Iterable[str], known: frozenset[str]) -> bool:
    """Return whether a name is another spelling of a known one.

    Args:
        names: The names.
        known: The known ones, in lower case.
    """
    return any(name not in known and name.casefold() in known for name in names)


def twin_test(
    paths: Iterable[Steps], names: Callable[[Steps], Iterable[str]], at: Steps = ()
) -> Test | None:
    """Return the test for other spellings of the names in rules; None without rules.

    It returns the name that has another spelling, "" for none.

    Args:
        paths: The steps of each rule, from here on.
        names: Returns the names that the schema of the tool has in the object at some
            steps: these are arguments of their own.
        at: The steps to here.
    """
    branches: dict[str, list[Steps]] = {}
    for first, *rest in filter(None, paths):
        branches.setdefault(first, []).append((*rest,))
    if not branches:
        return None
    own = {name.casefold(): name for name in branches if name != "*"}
    tests = [_test_of_names(own, frozenset({*branches, *names(at)}))] if own else []
    tests += [
        _test_of_members(test) if name == "*" else _test_of_member(name, test)
        for name, rest in branches.items()
        if (test := twin_test(rest, names, (*at, name))) is not None
    ]
    if len(tests) <= 1:
        return tests[0] if tests else None

    def all_tests(value: Any) -> str:
        for test in tests:
            if twin := test(value):
                return twin
        return ""

    return all_tests


def _test_of_names(own: Mapping[str, str], known: frozenset[str]) -> Test:
    """Return the test of the names of one object."""
    # \u1e9e is the capital of \xdf, and the lower case of both in full is "ss".
    lengths = frozenset(map(len, (*own, *own.values())))

    def test(value: Any) -> str:
        if type(value) is dict:
            for key in cast("dict[str, Any]", value):
                if key not in known and len(key) in lengths and key.casefold() in own:
                    return own[key.casefold()]
        return ""

    return test


def _test_of_members(test: Test) -> Test:
    """Return the test of all members of an object, or all elements of a list."""

    def test_all(value: Any) -> str:
        parts = value
        if type(value) is dict:
            parts = cast("dict[str, Any]", value).values()
        elif type(value) is not list:
            return ""
        for part in cast("Iterable[Any]", parts):
            if twin := test(part):
                return twin
        return ""

    return test_all


def _test_of_member(step: str, test: Test) -> Test:
    """Return the test of one member of an object, or one element of a list."""

    def test_one(value: Any) -> str:
        if type(value) is dict:
            return test(cast("dict[str, Any]", value).get(step))
        if not (step.isascii() and step.isdigit()):
            return ""
        # `elements` of anything but a list is empty.
        return "".join(map(test, elements(value)[int(step) :][:1]))

    return test_one
