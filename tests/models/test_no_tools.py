"""Models of a server without tools: nothing refers to what is not there."""

from __future__ import annotations

import json

from mcp_bindgen import generate


def test_a_package_without_tools_has_no_module_of_their_calls() -> None:
    recording = {"tools": [], "prompts": [{"name": "ask"}]}
    made = generate(
        json.dumps(recording).encode(), name="bare", targets=["python", "models"]
    )
    assert [path for path in made.files if path.startswith("models/")] == [
        "models/__init__.py"
    ]
