"""Compare what a call does besides HTTP with pydantic alone: processor time, in turns.

`arguments` are checked and written as JSON; pydantic's part is `validate_python` and
`to_json`. `result` is read from bytes and checked; pydantic's part is `from_json` and
`validate_python`. With --instances, the same for arguments of real tools, and the
spread of the ratios. With --residual, residual validation beside jsonschema-rs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.runtime.plain_json import decoded, encoded
from mcp_bindgen.runtime.results import ToolResult
from pydantic_core import from_json, to_json

from tests.bench.residual import lines
from tests.bench.validation import ARGUMENTS, SCHEMA, bindings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Pair", "compared", "pairs"]

_ROUNDS = 7
_LEAST = 0.005  # seconds of a round
_MANY = 10_000
_OWNER = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}
_LISTS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "integers": ({"type": "integer"}, [*range(_MANY)]),
    "strings": ({"type": "string"}, [f"value {n}" for n in range(_MANY)]),
    "objects": (_OWNER, [{"name": f"n{n}", "age": n} for n in range(_MANY // 2)]),
}


class Pair(NamedTuple):
    """One piece of work, done by us and by pydantic alone."""

    what: str
    ours: Callable[[], object]
    alone: Callable[[], object]


def _sent(what: str, binding: Any, arguments: dict[str, Any]) -> Pair:
    validate = binding.arguments.__pydantic_validator__.validate_python
    return Pair(
        what,
        lambda: encoded(binding.prepare(arguments)),
        lambda: to_json(validate(arguments), by_alias=True),
    )


def pairs() -> Iterator[Pair]:
    """Yield the work on a plain tool, on large arguments and on large results."""
    listed = {kind: _holding(items) for kind, (items, _) in _LISTS.items()}
    large = {f"list_{kind}": schema for kind, schema in listed.items()}
    results = {name: (schema, schema) for name, schema in large.items()}
    with bindings({"search": (SCHEMA, None), **results}) as made:
        yield _sent("arguments of a plain tool", made["search"], ARGUMENTS)
        for kind, (_, values) in _LISTS.items():
            binding, what = made[f"list_{kind}"], f"{len(values):,} {kind}"
            yield _sent(f"arguments, {what}", binding, {"values": values})
            yield _read(kind, binding, values)


def _holding(items: dict[str, Any]) -> dict[str, Any]:
    values = {"type": "array", "items": items}
    return {"type": "object", "properties": {"values": values}, "required": ["values"]}


def _read(kind: str, binding: Any, values: list[Any]) -> Pair:
    """Return the work on a result of a megabyte."""
    times = 1_000_000 // len(json.dumps(values)) + 1
    data = to_json({"structuredContent": {"values": values * times}})
    parsed: Any = binding.parse(ToolResult.from_wire(decoded(data)))
    validate = parsed.__pydantic_validator__.validate_python
    return Pair(
        f"result, {len(data) / 1e6:.1f} MB of {kind}",
        lambda: binding.parse(ToolResult.from_wire(decoded(data))),
        lambda: validate(from_json(data)["structuredContent"]),
    )


def compared(
    pair: Pair, rounds: int = _ROUNDS, least: float = _LEAST
) -> tuple[float, float]:
    """Return the processor seconds of both, each the least of several rounds.

    Args:
        pair: What is done.
        rounds: How often both are measured.
        least: Seconds of a round.
    """
    number = 1
    while _seconds(pair.alone, number) < least:
        number *= 2
    times = [
        (_seconds(pair.ours, number), _seconds(pair.alone, number))
        for _ in range(rounds)
    ]
    ours, alone = (min(each) / number for each in zip(*times, strict=True))
    return ours, alone


def _briefly(
    ours: Callable[[], object], theirs: Callable[[], object]
) -> tuple[float, float]:
    """Return the seconds of both in less time: there are a thousand pairs."""
    return compared(Pair("", ours, theirs), 3, 0.0005)


def _seconds(work: Callable[[], object], number: int) -> float:
    start = time.process_time()
    for _ in range(number):
        work()
    return time.process_time() - start


def _tail(file: Path, most: int) -> str:
    """Return the spread of the ratios for real tools and their arguments.

    Args:
        file: `{"tools": [{"schema": {...}, "valid": [...]}]}`.
        most: Tools that are measured.
    """
    tools = json.loads(file.read_text("utf-8"))["tools"]
    objects = [t for t in tools if t["schema"].get("type") == "object" and t["valid"]]
    chosen = {f"tool_{n}": tool for n, tool in enumerate(objects[:most])}
    schemas = {name: (tool["schema"], None) for name, tool in chosen.items()}
    with bindings(schemas) as made:
        ratios = sorted(_ratio(made[name], chosen[name]["valid"]) for name in made)
    high = ratios[len(ratios) * 9 // 10]
    middle = statistics.median(ratios)
    spread = f"median {middle:.2f}, 90 % {high:.2f}, most {ratios[-1]:.2f}"
    return f"arguments of {len(ratios)} real tools, ours to pydantic: {spread}"


def _ratio(binding: Any, valid: Sequence[Any]) -> float:
    works = [_sent("", binding, value) for value in valid]
    pair = Pair(
        "",
        lambda: [work.ours() for work in works],
        lambda: [work.alone() for work in works],
    )
    ours, alone = compared(pair)
    return ours / alone


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser("scripts/bench-validate", description=__doc__)
    options.add_argument("--instances", type=Path, help="a file of tools and values")
    options.add_argument("--tools", type=int, default=200, help="of it, at most")
    text = "only residual validation beside jsonschema-rs"
    options.add_argument("--residual", action="store_true", help=text)
    choices = options.parse_args()
    if choices.residual:
        for line in lines(_briefly):
            sys.stdout.write(f"{line}\n")
        return
    sys.stdout.write(f"{'':<42}{'ours us':>12}{'pydantic us':>14}{'ratio':>8}\n")
    for pair in pairs():
        ours, alone = compared(pair)
        times = f"{ours * 1e6:>12,.1f}{alone * 1e6:>14,.1f}{ours / alone:>8.2f}"
        sys.stdout.write(f"{pair.what:<42}{times}\n")
        sys.stdout.flush()
    if choices.instances:
        sys.stdout.write(f"{_tail(choices.instances, choices.tools)}\n")


if __name__ == "__main__":
    main()
