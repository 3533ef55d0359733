# Copied by mcp-bindgen. Do not edit.
"""The tools of a package as a command: `python -m catalog search --query sales`."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn, cast

from ..client.config_file import has_server
from ..client.environment import variable_prefix
from ..errors import ConfigError, InvalidArgumentsError, McpError, printable
from ..json_values import elements, members
from ..results import ToolError, ToolResult
from ..strict_json import StrictJsonError, loads
from ..validation.models import to_json
from .argparse_words import plain, readable
from .command_policy import policy_for
from .text_arguments import signature, type_text, value_of
from .toolinfo import brief, read_package

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..client.client import BaseClient
    from .toolinfo import ToolInfo

__all__ = ["main"]

_CANNOT, _INTERRUPTED = 2, 130
_LINE = 100
_FLAG = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)
_OURS = frozenset({"help", "json", "yes"})


class _StopError(Exception):
    """The command cannot continue; the message has the reason."""


class _Parser(argparse.ArgumentParser):
    """Reports a mistake as the command reports all others."""

    def error(self, message: str) -> NoReturn:
        """Raise an error instead of an exit."""
        raise _StopError(f"{message}\nhint: see {self.prog} --help")


def main(kind: type[BaseClient], arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code.

    It is 0, 1 (the tool reports a failure), 2 (no result) or 130 (interrupted).

    Example: `main(Client, ["search_metadata", "--query", "sales"])`.

    Args:
        kind: The blocking client of the package.
        arguments: The words after the name of the command; None for `sys.argv`.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(kind, words)
        sys.stdout.flush()
    except (McpError, _StopError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1 if isinstance(error, ToolError) else _CANNOT
    except KeyboardInterrupt as error:
        notes: list[str] = getattr(error, "__notes__", [])
        sys.stderr.write("\n".join(["error: interrupted", *notes, ""]))
        return _INTERRUPTED
    except BrokenPipeError:  # The reader of a pipe has left, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _run(kind: type[BaseClient], words: list[str]) -> int:
    package = kind.__module__.rpartition(".")[0]
    infos = read_package(package)
    # A tool has its name on the wire and the name of its function.
    tools = {info.function: info for info in infos.values()} | dict(infos)
    first = next((n for n, word in enumerate(words) if word in tools), len(words))
    parser = _connection_parser(package)
    options, rest = parser.parse_known_args(words[: first + 1])
    if options.tool not in (None, *tools):
        raise _StopError(_unknown(options.tool, [*tools]))
    if rest:
        parser.error(f"unrecognized arguments: {printable(' '.join(rest), 200)}")
    if options.tool is None:
        sys.stdout.writelines(f"{_line(info)}\n" for info in infos.values())
        return 0
    info = tools[options.tool]
    wire, agreed = _arguments(package, info, words[first + 1 :])
    binding = info.binding()
    try:
        binding.prepare(wire)  # A fault of an argument comes before the connection.
    except InvalidArgumentsError as error:
        hint = f"see python -m {package} {info.function} --help"
        raise _StopError(f"{error}\nhint: {hint}") from None
    if info.hints.get("destructive") and not agreed:
        raise _StopError(
            f"{printable(info.tool)} may destroy something\nhint: add --yes"
        )
    with _client(kind, options) as client:
        try:
            value = client.call(binding, wire)
        except KeyboardInterrupt as error:
            error.add_note(f"{printable(info.tool)} may have run")
            raise
    sys.stdout.write(json.dumps(_plain(value), indent=2) + "\n")
    return 0


def _connection_parser(package: str) -> argparse.ArgumentParser:
    """Return the parser of the words up to the name of a tool."""
    prefix = variable_prefix(package.rpartition(".")[2])
    variables = f"{prefix}URL (and _TOKEN) or {prefix}COMMAND"
    parser = _Parser(
        prog=f"python -m {package}",
        description="List the tools of the server, or call one, as JSON.",
        epilog=f"Without --url, the variables {variables} say where the server is, or"
        " the nearest pyproject.toml, .mcp.json or mcp.json."
        " Exit codes: 0 success, 1 the tool reports a failure, 2 no result.",
        allow_abbrev=False,
    )
    parser.add_argument("--url", help="the MCP endpoint")
    parser.add_argument(
        "--header",
        action="append",
        default=[],
        metavar="NAME: VALUE",
        help="a header field of every request",
    )
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="the time for the call"
    )
    parser.add_argument(
        "--policy",
        metavar="FILE",
        help="the policy that the call obeys [default: that of the settings]",
    )
    parser.add_argument("--mode", help="the mode of the policy [default: its first]")
    parser.add_argument(
        "tool", nargs="?", help="a tool; TOOL --help shows its parameters"
    )
    return parser


def _line(info: ToolInfo[Any]) -> str:
    """Return the line of a tool in the list: its name, and its first sentence."""
    text = " ".join(info.description.split()).partition(". ")[0]
    return (
        f"{printable(info.tool)}  {printable(brief(text, _LINE), 2 * _LINE)}".rstrip()
    )


def _unknown(name: str, tools: list[str]) -> str:
    near = get_close_matches(name[:80], tools, 1)
    hint = (
        f"did you mean {printable(near[0])}?"
        if near
        else "without a tool, all are listed"
    )
    return f"there is no tool {printable(name, 80)}\nhint: {hint}"


def _arguments(
    package: str, info: ToolInfo[Any], words: list[str]
) -> tuple[dict[str, Any], bool]:
    """Return the arguments of a call by wire name, and whether --yes is there."""
    schema = dict(info.input_schema)
    properties = members(schema.get("properties"))
    parser = _Parser(
        prog=f"python -m {package} {info.function}",
        description=plain(info.description),
        allow_abbrev=False,
    )
    parser.add_argument(
        "--json", metavar="OBJECT", help="arguments as JSON; - is stdin"
    )
    parser.add_argument("--yes", action="store_true", help="call a destructive tool")
    wires = dict(_add_flags(parser, info, schema))
    epilog = printable(signature(str(info.tool), schema))
    others = {parameter.wire for parameter in info.parameters} - {*wires.values()}
    if others:
        names = printable(", ".join(sorted(others)), 400)
        epilog = f"{epilog} Only --json can say {names}."
    parser.epilog = plain(epilog)
    parsed = parser.parse_args(readable(words))
    wire = _object(parsed.json) if parsed.json is not None else {}
    for destination, name in wires.items():
        texts = elements(getattr(parsed, destination))
        if texts:
            wire[name] = _value(name, texts, properties.get(name, {}), schema)
    return wire, parsed.yes


def _add_flags(
    parser: argparse.ArgumentParser, info: ToolInfo[Any], schema: dict[str, Any]
) -> list[tuple[str, str]]:
    """Add a flag for each parameter; return the attributes with the wire names."""
    properties = members(schema.get("properties"))
    wires: list[tuple[str, str]] = []
    taken = {*_OURS}
    for number, parameter in enumerate(info.parameters):
        names = (parameter.name.strip("_").replace("_", "-"), parameter.wire)
        free = [
            n for n in dict.fromkeys(names) if _FLAG.fullmatch(n) and n not in taken
        ]
        if not free:  # --json can say it.
            continue
        taken |= {*free}
        type_ = type_text(properties.get(parameter.wire, {}), schema)
        needed = " (required)" if parameter.required else ""
        text = printable(f"{parameter.description}{needed}".strip(), 400)
        is_array = type_ == "array" or type_.startswith("array of ")
        size = "?" if type_ == "boolean" else None
        parser.add_argument(
            *(f"--{name}" for name in free),
            dest=f"parameter_{number}",
            action="extend" if is_array else "append",
            nargs="+" if is_array else size,
            const="true" if type_ == "boolean" else None,
            metavar=printable(type_, 40).upper().replace("%", ""),
            help=text.replace("%", "%%"),
        )
        wires.append((f"parameter_{number}", parameter.wire))
    return wires


def _value(name: str, texts: list[str], schema: Any, root: dict[str, Any]) -> Any:
    """Return the value of a flag; a flag that is repeated is an array."""
    try:
        values = [value_of(text, schema, root) for text in texts]
    except ValueError as error:
        raise _StopError(f"{printable(name, 80)}: {error}") from None
    if len(values) == 1:
        return values[0]
    if not all(isinstance(value, list) for value in values):
        raise _StopError(
            f"{printable(name, 80)}: expected one value, got {len(values)}"
        )
    return [element for value in values for element in value]


def _object(text: str) -> dict[str, Any]:
    text = sys.stdin.read() if text == "-" else text
    try:
        value = loads(text.encode("utf-8", "surrogatepass"))
    except StrictJsonError as error:
        raise _StopError(f"--json: {printable(error, 200)}") from None
    if not isinstance(value, dict):
        raise _StopError("--json: expected an object")
    return members(cast("object", value))


def _client(kind: type[BaseClient], options: argparse.Namespace) -> BaseClient:
    """Return a client of --url, of the environment, or of the nearest settings."""
    whole = kind.__module__.rpartition(".")[0]
    more: dict[str, Any] = {"policy": policy_for(whole, options.policy, options.mode)}
    if options.timeout is not None:
        more["timeout"] = options.timeout
    if options.url is None and not options.header:
        package = whole.rpartition(".")[2]
        prefix = variable_prefix(package)
        named = (os.environ.get(prefix + name) for name in ("URL", "COMMAND"))
        if any(named) or not has_server(package):
            return kind.from_env(**more)
        return kind.from_config(**more)
    if options.url is None:
        raise ConfigError("--header needs --url", hint="add --url URL")
    pairs = [header.partition(":") for header in options.header]
    headers = {name.strip(): value.strip() for name, _, value in pairs}
    return kind.http(options.url, headers=headers, **more)


def _plain(value: Any) -> Any:
    """Return a result as JSON: typed, structured, the JSON of its text, or its text."""
    if not isinstance(value, ToolResult):
        return to_json(value)
    if value.has_structured:
        return value.structured
    if any(block.raw.get("type") != "text" for block in value.content):
        return dict(value.raw)
    try:
        return value.json()
    except StrictJsonError:
        return value.text
