"""Limits that OpenAI's strict mode has no keyword for become words."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.render.limit_words import carried, described
from mcp_bindgen.render.model_schema import model_schema
from mcp_bindgen.render.openai_strict import verdict


@pytest.mark.parametrize(
    "pattern", [r"^(?!ab)", r"(?=a)", r"(?<=a)b", r"(?<!a)b", r"(a)\1", r"(?<n>a)\k<n>"]
)
def test_a_pattern_that_strict_mode_refuses_is_in_words(pattern: str) -> None:
    text = {"type": "string", "pattern": pattern, "description": "A name."}
    schema: dict[str, Any] = {"type": "object", "properties": {"a": text}}
    strict = verdict(schema, model_schema(schema))
    assert isinstance(strict, dict)
    parameter = strict["properties"]["a"]
    assert parameter.keys() == {"type", "description"}
    assert parameter["description"].startswith("A name. Pattern: ")


@pytest.mark.parametrize("pattern", [r"^\d+$", r"\(\?=", r"(?:a)", r"(?<n>a)", r"\\1"])
def test_another_pattern_stays(pattern: str) -> None:
    text = {"type": "string", "pattern": pattern, "maxLength": 3}
    assert carried(text) == {"pattern": pattern}
    assert described(text) == "Maximum length: 3."
