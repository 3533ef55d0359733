"""The JSON Schema of policy files, for editors."""

from __future__ import annotations

from typing import Any, Final

from mcp_bindgen.runtime.client.policy.entry import (
    LEAST_BYTES,
    LEAST_RATE,
    RISKS,
    SCOPES,
)
from mcp_bindgen.runtime.limits import TIMEOUT_MOST

__all__ = ["SCHEMA"]

_TEXTS: Final[dict[str, Any]] = {"type": "array", "items": {"type": "string"}}
_APPROVAL: Final[dict[str, Any]] = {
    "description": "Whether a person approves each call: never, always, or in modes.",
    "anyOf": [{"enum": ["never", "always"]}, _TEXTS],
}
_EFFECT: Final[dict[str, Any]] = {"enum": ["deny", "allow", "approve"]}


def _table(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **more,
    }


_CONSTRAINT = _table(
    {
        "fixed": {"description": "The only value."},
        "allowed": {"type": "array", "minItems": 1},
        "pattern": {"type": "string", "description": "It matches the whole text."},
        "maximum": {"type": "number"},
        "max_length": {"type": "integer", "minimum": 0},
        "absent": {"type": "boolean", "description": "It may be absent."},
    },
)
_PATH = _table(
    {
        "allowed": _TEXTS,
        "forbidden": _TEXTS,
        "filesystem": {"enum": ["remote", "local"]},
        "absent": {"type": "boolean"},
    },
)
_WHEN = _table(
    {
        "arguments": {"type": "object", "additionalProperties": {"type": "array"}},
        "modes": _TEXTS,
        "approval": _APPROVAL,
        "deny": {"type": "boolean"},
        "absent": {"type": "boolean"},
        "note": {"type": "string"},
    },
    required=["arguments"],
)
_KEYS: Final[dict[str, Any]] = {
    "risk": {"enum": [*RISKS]},
    "modes": {**_TEXTS, "description": "The modes in which it may run."},
    "approval": _APPROVAL,
    "deny": {"type": "boolean", "description": "It never runs."},
    "timeout": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": TIMEOUT_MOST,
        "description": "Seconds.",
    },
    "rate": _table(
        {
            "per_minute": {"type": "number", "exclusiveMinimum": LEAST_RATE},
            "burst": {"type": "integer", "minimum": 1},
            "scope": {"enum": [*SCOPES]},
        },
        required=["per_minute"],
    ),
    "arguments": {"type": "object", "additionalProperties": _CONSTRAINT},
    "paths": {"type": "object", "additionalProperties": _PATH},
    "when": {"type": "array", "items": _WHEN},
    "secrets": {**_TEXTS, "description": "Patterns that no argument may match."},
    "results": _table(
        {
            "max_bytes": {"type": "integer", "minimum": LEAST_BYTES},
            "strip_hidden": {"type": "boolean"},
            "mask": _TEXTS,
            "lint": {"type": "boolean", "description": "Suspicions are marked."},
        },
    ),
    "reads_untrusted": {"type": "boolean"},
    "sends_out": {"type": "boolean"},
    "enforce": {"enum": ["deny", "log"]},
    "reviewed": {"type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"},
    "removed": {"type": "boolean"},
    "log_values": {"type": "boolean"},
    "note": {"type": "string"},
}
_ENTRY = _table(_KEYS)
_RESOURCE = _table({key: _KEYS[key] for key in _KEYS if key != "paths"})
_CASE = _table(
    {
        "tool": {"type": "string"},
        "arguments": {"type": "object"},
        "mode": {"type": "string"},
        "expect": {"enum": ["allow", "approve", "deny"]},
        "rule": {"type": "string"},
        "note": {"type": "string"},
    },
    required=["tool", "expect"],
)
_FAMILIES = (
    *("tools", "resources", "prompts", "completion", "sampling", "elicitation"),
    *("roots", "methods"),
)

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A policy of mcp-bindgen",
    **_table(
        {
            "format": {"const": "mcp-bindgen-policy/1"},
            "modes": {**_TEXTS, "minItems": 1, "uniqueItems": True},
            "enforce": {"enum": ["deny", "log"]},
            "unreviewed": {"enum": ["allow", "deny"]},
            "server": _table(
                {
                    "name": {"type": "string"},
                    "recording": {"type": "string"},
                    "url": {"type": "string"},
                    "command": _TEXTS,
                },
            ),
            "default": _table(dict.fromkeys(_FAMILIES, _EFFECT)),
            "tools": {"type": "object", "additionalProperties": _ENTRY},
            "resources": {"type": "object", "additionalProperties": _RESOURCE},
            "prompts": {"type": "object", "additionalProperties": _ENTRY},
            "methods": {"type": "object", "additionalProperties": _ENTRY},
            "cases": {"type": "array", "items": _CASE},
        },
    ),
}
"""The schema; `mcp-bindgen policy schema` prints it."""
