"""Random changes of random and of real tools, judged from outside.

On the wire, jsonschema-rs is the judge: a value that one side makes and the other
refuses must be graded breaking, and a witness must be such a value. In source, mypy
is: a program that uses all of the old tool fails with the new package where the change
is graded breaking, and only there. The values are made by a generator that shares no
code with the one that looks for witnesses.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import jsonschema_rs
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.model import ABSENT, SCHEMAS
from mcp_bindgen.recording.document import load

from tests.contract.changes import recording
from tests.contract.mutations.programs import (
    breaking,
    files_with_errors,
    write_callers,
)
from tests.contract.random_changes import change_schema, random_object
from tests.contract.random_values import values
from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.contract.model import Change, Side

LARGEST = 6_000  # characters of a real tool; larger ones take long
VALUES = 60  # that are tried for one side of a pair


class Pair(NamedTuple):
    """A tool before and after some changes, and the seed that makes both again."""

    seed: str
    old: dict[str, Any]
    new: dict[str, Any]


class Fault(NamedTuple):
    """What jsonschema-rs says against the grades of a pair."""

    pair: Pair
    kind: str
    rules: str
    value: Any


def real_tools() -> list[dict[str, Any]]:
    """Return the tools of the corpus, without the largest; [] where there is none."""
    folder = SHARED / "corpus" / "recordings"
    files = sorted(folder.glob("*.json"))
    tools = [tool for file in files for tool in load(file.read_bytes())[0].tools]
    return [tool for tool in tools if len(json.dumps(tool)) < LARGEST]


def pairs(seed: str, number: int, real: list[dict[str, Any]]) -> Iterator[Pair]:
    """Yield pairs; half of them are changes of real tools, where there are some.

    Args:
        seed: What makes the same pairs again.
        number: How many.
        real: The real tools.
    """
    for each in range(number):
        r = random.Random(f"{seed}.{each}")
        if real and r.random() < 0.5:
            tool = r.choice(real)
            schemas = {key: tool[key] for key in SCHEMAS.values() if key in tool}
        else:
            schemas = {"inputSchema": random_object(r, 2)}
            if r.random() < 0.7:
                schemas["outputSchema"] = random_object(r, 2)
        old: dict[str, Any] = {"name": "search", **copy.deepcopy(schemas)}
        new = copy.deepcopy(old)
        for _ in range(r.choice((1, 1, 1, 2, 3))):
            key = r.choice([key for key in SCHEMAS.values() if key in new])
            new[key] = change_schema(r, new[key])
        yield Pair(f"{seed}.{each}", old, new)


def wire_faults(pair: Pair) -> Iterator[Fault]:
    """Yield what jsonschema-rs says against the grades of a pair."""
    report = compare_recordings(recording(pair.old), recording(pair.new))
    rules = " ".join(sorted({change.rule for change in report.changes}))
    for side, key in SCHEMAS.items():
        if report.problems or not (key in pair.old and key in pair.new):
            continue
        tools = (pair.old, pair.new) if side == "in" else (pair.new, pair.old)
        makes, takes = (tool[key] for tool in tools)
        try:
            valid, other = (_checker(schema) for schema in (makes, takes))
        except ValueError:
            continue
        own = [change for change in report.changes if _side(change) == side]
        for change in own:
            made = change.witness
            if made is not ABSENT and (
                not valid.is_valid(made) or other.is_valid(made)
            ):
                yield Fault(pair, "wrong witness", rules, made)
        for strict in (False, True):
            grades = {change.wire_strict if strict else change.wire for change in own}
            r = random.Random(f"{pair.seed} {side} {strict}")
            tried = values(r, makes, takes, VALUES, extra=strict)
            missed = (v for v in tried if valid.is_valid(v) and not other.is_valid(v))
            if "breaking" not in grades and (value := next(missed, ABSENT)) != ABSENT:
                kind = "missed by the letter" if strict else "missed"
                yield Fault(pair, kind, rules, value)


def _checker(schema: dict[str, Any]) -> Any:
    """Return what checks values; arguments and results are objects in any case."""
    return jsonschema_rs.validator_for({**schema, "type": "object"})


def _side(change: Change) -> Side:
    return "in" if change.path.startswith("in") else "out"


def source_faults(listed: list[Pair], folder: Path) -> list[str]:
    """Return the programs of which mypy says the opposite of the grades in source.

    Args:
        listed: The pairs.
        folder: A folder for the packages and the programs.
    """
    tools = [([pair.old], [pair.new]) for pair in listed]
    has_errors = write_callers(folder, tools)
    return sorted(files_with_errors(folder) ^ breaking(has_errors))


def main(words: list[str]) -> int:
    """Print what is graded wrong, and the counts; 1 where there is something.

    Args:
        words: The options of the command.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=2_000, help="pairs on the wire")
    parser.add_argument("--mypy", type=int, default=0, help="pairs in source")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(words)
    made = [*pairs(options.seed, options.random, real_tools())]
    faults = [fault for pair in made for fault in wire_faults(pair)]
    for fault in faults:
        old, new = (json.dumps(tool) for tool in fault.pair[1:])
        lines = f"{fault.value!r}", old, new
        sys.stdout.write(f"{fault.pair.seed} {fault.kind}: {fault.rules}\n  ")
        sys.stdout.write("\n  ".join(lines) + "\n")
    kinds = dict(Counter(fault.kind for fault in faults))
    sys.stdout.write(f"wire: {len(made)} pairs, wrong: {kinds or 0}\n")
    if options.mypy:
        with TemporaryDirectory() as folder:
            wrong = source_faults(made[: options.mypy], Path(folder))
        sys.stdout.write(f"source: {options.mypy} pairs, wrong: {wrong or 0}\n")
        return int(bool(faults or wrong))
    return int(bool(faults))
