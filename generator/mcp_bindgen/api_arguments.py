"""Checks the arguments of the Python API: no type checker may have seen the call."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import HIGHEST, Limits
from mcp_bindgen.runtime.strict_json import StrictJsonError, dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import UnionType

__all__ = [
    "calls_of",
    "expect",
    "expect_server",
    "fields_of",
    "folder_of",
    "in_python",
    "limits_of",
    "text_of",
    "texts_of",
]

_MOST = 2**62
_P = ParamSpec("_P")
_T = TypeVar("_T")

# The hints of the command name its options; a program passes arguments instead.
_OPTIONS = (
    (r"--limit (\w+)=([\w.]+)", r"limits=Limits(\1=\2)"),
    (r"--header '([\w-]+): (.*?)'", r'headers={"\1": "\2"}'),
    (r"--timeout SECONDS", "timeout=SECONDS"),
    (r'--name (\w+), or name = "\w+" in the settings', r'name="\1"'),
    (r'write "Name: \$\{VARIABLE\}"', 'write headers={"Name": "${VARIABLE}"}'),
    (r"see mcp-bindgen record --help", "see help(mcp_bindgen.record)"),
    (r"see what the server sends with --verbose; ", ""),
    (r"--(include|exclude|name)\b", r"\1="),
    (r"--allow-empty\b", "allow_empty=True"),
)

_PARAMETERS = {"url": "server", "header": "headers", "env": "env"}


def in_python(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let the hints of errors name the arguments of Python, not the command's options.

    Example: `--limit steps=NUMBER` becomes `limits=Limits(steps=NUMBER)`.
    """

    @wraps(function)
    def call(*args: _P.args, **options: _P.kwargs) -> _T:
        try:
            return function(*args, **options)
        except BindgenError as error:
            problems = map(_in_python, error.problems)
            raise BindgenError(*problems, file=error.file) from error

    return call


def _in_python(problem: Problem) -> Problem:
    hint, message = problem.hint, problem.message
    for option, argument in _OPTIONS:
        hint = re.sub(option, argument, hint)
    message = message.replace("--include, --exclude", "include and exclude")
    message = re.sub(r"^--(url|header|env)\b", lambda m: _PARAMETERS[m[1]], message)
    return replace(problem, hint=hint, message=message)


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


def expect_server(server: object) -> None:
    """Refuse a server that is neither a URL nor a command.

    Raises:
        BindgenError: It is of another type, or an empty text.
    """
    form = "a URL, or a command as a list of texts"
    expect("server", server, str | os.PathLike | list | tuple, form)
    if server == "":
        wrong = f"server: expected {form}, got an empty text"
        raise BindgenError(Problem("", wrong, f"pass {form}"))


def calls_of(calls: object) -> list[tuple[str, dict[str, Any]]]:
    """Return the tools to call, each with its arguments.

    Raises:
        BindgenError: They are something else, or arguments have no JSON form.
    """
    expect("calls", calls, Iterable, "a list of tools with their arguments")
    return [_call_of(each) for each in cast("Iterable[object]", calls)]


def _call_of(call: object) -> tuple[str, dict[str, Any]]:
    match call:
        case (str(tool), dict()):
            arguments = cast("tuple[str, dict[str, Any]]", call)[1]
        case _:
            wrong = f"calls: expected a tool and its arguments, got {call!a}"[:200]
            hint = 'write calls=[("get_issue", {"number": 1})]'
            raise BindgenError(Problem("", wrong, hint))
    try:
        dumps(arguments)
    except StrictJsonError as error:
        wrong = f"calls: {tool[:80]!a}: expected arguments of JSON, got {error}"
        hint = "pass texts, finite numbers, lists, and dicts with texts as keys"
        raise BindgenError(Problem("", wrong, hint)) from None
    return tool, arguments


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
        text = text_of(name, key, form)
        if not text or separator in text:
            names = f"names without {separator!r}" if text else "a name"
            wrong = f"{name}: expected {names}, got {key!a}"
            hint = f"write {{name: value}} in {name}"
            raise BindgenError(Problem("", wrong[:200], hint))
        yield text, text_of(name, value, form)


def folder_of(name: str, path: object) -> Path:
    """Return an argument that is a path.

    Raises:
        BindgenError: It is none.
    """
    expect(name, path, str | os.PathLike, "a path")
    text = os.fspath(cast("str | os.PathLike[str]", path))
    try:
        is_path = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        is_path = False
    if not is_path:
        wrong = f"{name}: expected a path, got one with a null or half a character"
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
