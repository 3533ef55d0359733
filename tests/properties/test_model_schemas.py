"""Models may write each value that a tool takes, in a schema that interfaces accept."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from hypothesis import assume, given
from hypothesis import strategies as st
from mcp_bindgen.render.model_schema import model_schema

from tests.strategies import NAMES, VALUES, documents

LATEST = "https://json-schema.org/draft/2020-12/schema"
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


@given(documents(), st.lists(OBJECTS, max_size=6))
def test_models_may_write_what_a_tool_takes(
    schema: dict[str, Any], objects: list[dict[str, Any]]
) -> None:
    assume("$schema" not in schema)  # beside a $ref, older drafts know nothing
    whole = {**schema, "type": "object"}
    made = {"$schema": LATEST, **model_schema(whole)}
    jsonschema_rs.meta.validate(made)
    accepts = jsonschema_rs.Draft202012Validator(whole).is_valid
    offered = jsonschema_rs.Draft202012Validator(made).is_valid
    assert all(offered(each) for each in objects if accepts(each))
