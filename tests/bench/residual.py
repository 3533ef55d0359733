"""Compare residual validation with jsonschema-rs, on the schemas that need it.

The schemas are those of real tools in the shared corpus and of the JSON Schema suite.
A valid value is compared with `is_valid`, one that is refused with `validate`, since
both then say why; the first use compiles the schema.
"""

# What pydantic calls is private to its class.
# pyright: reportPrivateUsage=false
from __future__ import annotations

import json
import random
import statistics
from typing import TYPE_CHECKING, Any, NamedTuple

import jsonschema_rs
from mcp_bindgen.limits import Budget
from mcp_bindgen.runtime.validation.checked import Checked
from mcp_bindgen.schema.compile import compile_arguments, compile_result
from mcp_bindgen.schema.node import SchemaError
from pydantic import ValidationError

from tests.fidelity.instances import judged
from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Case", "cases", "lines", "work"]


class Case(NamedTuple):
    """A schema that needs residual validation, and values.

    Attributes:
        origin: Where it comes from.
        text: The schema, as the generated package has it.
        valid: Values that fit.
        invalid: Values that do not.
    """

    origin: str
    text: str
    valid: Sequence[Any]
    invalid: Sequence[Any]


def cases() -> Iterator[Case]:
    """Yield the schemas that need it, of the corpus and of the suite."""
    for file in sorted((SHARED / "corpus" / "recordings").glob("*.json")):
        for tool in json.loads(file.read_text("utf-8"))["tools"]:
            for role in ("inputSchema", "outputSchema"):
                text = _residual(tool[role], role) if role in tool else ""
                values = text and judged("", json.loads(text), random.Random(1))
                if text and values:
                    invalid = [one["data"] for one in values["invalid"]]
                    yield Case("real tools", text, values["valid"], invalid)
    suite = json.loads((SHARED / "fidelity" / "suite.json").read_text("utf-8"))
    for case in suite["cases"]:
        if text := _residual(case["schema"], "inputSchema"):
            tests: dict[bool, list[Any]] = {True: [], False: []}
            for test in case["tests"]:
                tests[test["valid"]].append(test["data"])
            yield Case("suite", text, tests[True], tests[False])


def _residual(schema: dict[str, Any], role: str) -> str:
    """Return the schema that a generated package checks values with; "" for none."""
    try:
        if role == "inputSchema":
            types = compile_arguments(schema, "Bench", Budget()).types
        else:
            types = compile_result(schema, "Bench", frozenset(), Budget()).types
    except SchemaError:
        return ""
    checks = (type_.residual for type_ in types)
    return next((check.text for check in checks if check), "")


def work(
    case: Case,
) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Yield what is done, by us and by jsonschema-rs."""
    theirs: Any = jsonschema_rs.validator_for(json.loads(case.text))
    ours = Checked(case.text)._check
    if case.valid:
        yield (
            "valid",
            lambda: [ours(value) for value in case.valid],
            lambda: [theirs.is_valid(value) for value in case.valid],
        )
        yield (
            "first use",
            lambda: Checked(case.text)._check(case.valid[0]),
            lambda: jsonschema_rs.validator_for(json.loads(case.text)).is_valid(
                case.valid[0]
            ),
        )
    if case.invalid:
        yield (
            "refused",
            lambda: [_refused(ours, value) for value in case.invalid],
            lambda: [_refused(theirs.validate, value) for value in case.invalid],
        )


def _refused(check: Callable[[Any], object], value: object) -> str:
    try:
        check(value)
    except (ValidationError, jsonschema_rs.ValidationError) as error:
        return str(error)
    return ""


def lines(
    measured: Callable[
        [Callable[[], object], Callable[[], object]], tuple[float, float]
    ],
) -> Iterator[str]:
    """Yield the spread of the ratios.

    Args:
        measured: Returns the processor seconds of two pieces of work.
    """
    times: dict[str, list[tuple[float, float]]] = {}
    for case in cases():
        for what, ours, theirs in work(case):
            times.setdefault(f"{case.origin}, {what}", []).append(
                measured(ours, theirs)
            )
    for what, pairs in times.items():
        ratios = sorted(ours / theirs for ours, theirs in pairs)
        middle, high = statistics.median(ratios), ratios[len(ratios) * 9 // 10]
        spread = f"median {middle:.1f}, 90 % {high:.1f}, most {ratios[-1]:.1f}"
        yield f"{what}: {len(ratios)} schemas, ours to jsonschema-rs: {spread}"
