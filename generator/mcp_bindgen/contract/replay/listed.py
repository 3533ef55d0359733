"""Made contents of the resources and prompts that a recording lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.replay.answers import RefusedError
from mcp_bindgen.runtime.strict_json import elements, members

if TYPE_CHECKING:
    from mcp_bindgen.recording.document import Recording

__all__ = ["contents", "prompt"]


def contents(recording: Recording, uri: str) -> dict[str, Any]:
    """Return a made text in place of a listed resource.

    Raises:
        RefusedError: The recording lists no such resource.
    """
    found = next((r for r in recording.resources if r["uri"] == uri), None)
    for template in recording.resource_templates if found is None else ():
        pattern = re.sub(
            r"\\\{[^{}]*\\\}", ".+", re.escape(str(template["uriTemplate"]))
        )
        if re.fullmatch(pattern, uri):
            found = template
    if found is None:
        raise RefusedError(f"Resource not found: {uri}")
    kind = found.get("mimeType")
    text = "{}" if kind == "application/json" else f"generated text of {found['name']}"
    content = {"uri": uri, **({"mimeType": kind} if kind else {}), "text": text}
    return {"contents": [content]}


def prompt(recording: Recording, params: dict[str, Any]) -> dict[str, Any]:
    """Return a made message in place of a listed prompt.

    Raises:
        RefusedError: There is no such prompt, or an argument is missing.
    """
    name, arguments = str(params.get("name")), members(params.get("arguments"))
    found = next((p for p in recording.prompts if p["name"] == name), None)
    if found is None:
        raise RefusedError(f"Unknown prompt: {name}")
    for argument in map(members, elements(found.get("arguments"))):
        if argument.get("required") is True and argument.get("name") not in arguments:
            missing = f"Missing required argument: {argument.get('name')}"
            raise RefusedError(missing)
    text = str(found.get("description") or f"generated text of {name}")
    content = {"type": "text", "text": text}
    return {"messages": [{"role": "user", "content": content}]}
