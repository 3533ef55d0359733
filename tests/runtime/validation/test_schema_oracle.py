"""Residual validation and jsonschema-rs agree, on random, tricky and real schemas."""

from __future__ import annotations

import json
import os
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_bindgen.runtime.validation.schema import SchemaChecker

from tests.shared import SHARED, needs
from tests.strategies import VALUES, documents

FIDELITY = SHARED / "fidelity"


def fits(schema: SchemaChecker, value: object) -> bool:
    return next(schema.faults(value), None) is None


@pytest.mark.slow
@settings(
    deadline=None,
    max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "300")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(schema=documents(), values=st.lists(VALUES, min_size=4, max_size=8))
def test_the_verdict_is_that_of_jsonschema_rs(
    schema: dict[str, Any], values: list[Any]
) -> None:
    oracle = jsonschema_rs.validator_for(schema)
    ours = SchemaChecker(schema)
    assert [fits(ours, value) for value in values] == [
        oracle.is_valid(value) for value in values
    ]


@needs("fidelity")
def test_suite_and_real_schemas() -> None:
    suite = json.loads((FIDELITY / "suite.json").read_text())["cases"]
    real = json.loads((FIDELITY / "instances.json").read_text())["tools"]
    wrong = [
        (case["id"], test["description"])
        for case in suite
        for test in case["tests"]
        if fits(SchemaChecker(case["schema"]), test["data"]) != test["valid"]
    ]
    for tool in real:
        schema = SchemaChecker(tool["schema"])
        wrong += [(tool["id"], v) for v in tool["valid"] if not fits(schema, v)]
        wrong += [
            (tool["id"], bad["mutation"])
            for bad in tool["invalid"]
            if fits(schema, bad["data"])
        ]
    assert suite
    assert real
    assert wrong == []
