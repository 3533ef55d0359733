"""Checks the arguments of the Python API: no type checker may have seen the call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import HIGHEST, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import UnionType

__all__ = ["expect", "fields_of", "folder_of", "limits_of", "text_of", "texts_of"]

_MOST = 2**62


def expect(name: str, value: object, kind: type | UnionType, form: str) -> None:
    """Refuse an argument of another type.

    Example: `expect("timeout", "5", int | float, "a number of seconds")` raises.

    Args:
        name: The parameter.
        value: The argument.
        kind: Its type.
        form: The type, for people.

    Raises:
        BindgenError: The argument is of another type.
    """
    if not isinstance(value, kind) or isinstance(value, bool):
        wrong = f"{name}: expected {form}, got {type(value).__name__}"
        raise BindgenError(Problem("", wrong, f"pass {form}"))


def text_of(name: str, value: object, form: str = "a text") -> str:
    """Return an argument that is a text.

    Raises:
        BindgenError: It is none.
    """
    expect(name, value, str, form)
    return cast("str", value)


def texts_of(name: str, value: object) -> tuple[str, ...]:
    """Return the texts or paths of a list; one alone is a list of one.

    Raises:
        BindgenError: It is no list of texts.
    """
    form = "a list of texts"
    if isinstance(value, str | os.PathLike):
        value = [cast("object", value)]
    expect(name, value, list | tuple, form)
    return tuple(
        (
            str(cast("object", each))
            if isinstance(each, Path)
            else text_of(name, each, form)
        )
        for each in cast("list[object]", value)
    )


def fields_of(name: str, table: object, separator: str) -> Iterator[tuple[str, str]]:
    """Yield the names and the values of headers or of variables.

    Args:
        name: The parameter.
        table: The argument, None for nothing.
        separator: The text that ends a name.

    Raises:
        BindgenError: They are no texts, or a name has the separator.
    """
    form = "a dict of texts"
    expect(name, {} if table is None else table, Mapping, form)
    for key, value in cast("Mapping[object, object]", table or {}).items():
        if separator in text_of(name, key, form):
            wrong = f"{name}: expected names without {separator!r}, got {key!a}"
            hint = f"write {{name: value}} in {name}"
            raise BindgenError(Problem("", wrong[:200], hint))
        yield text_of(name, key, form), text_of(name, value, form)


def folder_of(name: str, path: object) -> Path:
    """Return an argument that is a path.

    Raises:
        BindgenError: It is none.
    """
    expect(name, path, str | os.PathLike, "a path")
    text = os.fspath(cast("str | os.PathLike[str]", path))
    if "\0" in text:
        wrong = f"{name}: expected a path, got one with a null character"
        raise BindgenError(Problem("", wrong, "check how the path is made"))
    return Path(text)


def limits_of(limits: object) -> Limits:
    """Return an argument that is the limits, as `--limit` takes them.

    Raises:
        BindgenError: It is something else; or a value is no whole number, is negative,
            or too high.
    """
    expect("limits", limits, Limits, "Limits(...)")
    for each in fields(Limits):
        value: Any = getattr(limits, each.name)
        highest = HIGHEST.get(each.name, _MOST)
        if type(value) is not int or not 0 <= value <= highest:
            wrong = f"expected a whole number from 0 to {highest:,}, got {value!a}"
            hint = f"write it like {each.name}={each.default}"
            raise BindgenError(Problem("", f"{each.name}: {wrong[:200]}", hint))
    return cast("Limits", limits)
