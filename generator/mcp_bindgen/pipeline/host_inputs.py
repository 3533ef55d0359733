"""Values outside the file of an MCP host: questions of VS Code, and `.env` files."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import Problem
from mcp_bindgen.runtime.client.host_files import env_values
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["env_names", "input_defaults", "with_defaults"]

_INPUT = re.compile(r"\$\{input:([^{}:]+)\}")
_PLAIN = re.compile(r"[^{}$\x00-\x1f]{1,200}")


def input_defaults(inputs: object) -> Iterator[tuple[str, str]]:
    """Yield id and default of each question that asks for no password.

    Args:
        inputs: `inputs` of a file of VS Code.
    """
    for each in map(members, elements(inputs)):
        name, default = each.get("id"), each.get("default")
        if not isinstance(name, str) or not isinstance(default, str):
            continue
        if _PLAIN.fullmatch(default) and each.get("password") is not True:
            yield name, default


def with_defaults(value: Any, defaults: Mapping[str, str]) -> Any:
    """Return a server whose `${input:NAME}` have the defaults of their questions.

    Example: `with_defaults("${input:a}", {"a": "1"})` is `"${input:a:-1}"`.

    Args:
        value: The server in the file, or a part of it.
        defaults: Id to default of each question.
    """
    if isinstance(value, str):
        return _INPUT.sub(lambda m: _with_default(m, defaults), value)
    if isinstance(value, list):
        listed = cast("list[object]", value)
        return [with_defaults(each, defaults) for each in listed]
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return {name: with_defaults(each, defaults) for name, each in table.items()}
    return value


def _with_default(match: re.Match[str], defaults: Mapping[str, str]) -> str:
    name = match[1]
    return f"${{input:{name}:-{defaults[name]}}}" if name in defaults else match[0]


def env_names(server: str, file: Path) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Return the names of the variables in a `.env` file; its values stay there.

    Args:
        server: The server that names the file, for the problem.
        file: The file; `${NAME}` in its path is replaced.

    Returns:
        The names, and a problem where the file cannot be read.
    """
    try:
        text = type(file)(os.path.expandvars(file)).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        hint = "correct envFile, or add its variables to env of the settings"
        return (), (Problem("", f"{server}: its envFile {file}: {reason}", hint),)
    return tuple(env_values(text)), ()
